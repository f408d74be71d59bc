"""Inputs in R^d near a support of lower dimension, and the bare Lipschitz functions that label them on it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from featdash.tasks.gaussian import Sample, random_directions
from featdash.tasks.streams import stream

SHAPES = ("subspace", "sphere")


@dataclass(frozen=True)
class SupportTask:
    """x = Vᵀz + τ√(k/(d − k)) ε in R^d, y = f(z) + ς ε', f random waves in the k coordinates of the support.

    shape : "subspace", z ~ N(0, I_r), k = r; or "sphere", z uniform on the r-dimensional sphere of radius √(r + 1),
        k = r + 1. Either way E‖Vᵀz‖² = k, and V (k, d) has orthonormal rows drawn from the seed.
    thickness : τ; ε is standard normal in the d − k directions beside the support's, so the inputs leave it by an
        energy of τ²k altogether, whatever d. With d = k there is nowhere to go: the subspace is all of R^d.
    steepness : length of every wave's frequency.  noise : ς.
    f and z depend on (seed, shape, r) alone: another d embeds the same labelled sample in another space.
    Errors: ValueError where d < k or the shape is unknown.
    """

    shape: str
    r: int
    d: int
    steepness: float
    thickness: float
    noise: float
    seed: int

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"shape must be one of {', '.join(SHAPES)}, got {self.shape!r}; choose one of them")
        if self.d < self.coordinates:
            rule = f"d must be at least {self.coordinates} to hold a {self.shape} of dimension {self.r}"
            raise ValueError(f"{rule}, got {self.d}; raise d")

    @property
    def coordinates(self) -> int:
        """k."""
        return self.r if self.shape == "subspace" else self.r + 1

    @cached_property
    def function(self) -> RandomWaves:
        """f, with mean 0 and variance 1 on the support, to about 1 %."""
        waves = RandomWaves.draw(self.coordinates, self.steepness, self._stream("waves"))
        return waves.standardise(self.latent(STANDARD_DRAWS, "standard"))

    @cached_property
    def frame(self) -> np.ndarray:
        """V (k, d)."""
        return random_directions(self.coordinates, self.d, stream(self.seed, "support", "frame", self.d))

    def latent(self, n: int, purpose: str) -> np.ndarray:
        """z (n, k), the first rows of the purpose's stream."""
        Z = self._stream(purpose, "latent").standard_normal((n, self.coordinates))
        if self.shape == "sphere":
            Z *= np.sqrt(self.coordinates) / np.linalg.norm(Z, axis=1, keepdims=True)
        return Z

    def sample(self, n: int, purpose: str) -> Sample:
        """n samples for "train", "holdout" or "test"."""
        Z = self.latent(n, purpose)
        X = Z @ self.frame + self._beside(n, purpose)
        clean = self.function(Z)
        return Sample(X, clean + self.noise * self._stream(purpose, "noise").standard_normal(n), clean)

    def _beside(self, n: int, purpose: str) -> np.ndarray:
        """(n, d), orthogonal to the frame."""
        k, rng = self.coordinates, stream(self.seed, "support", purpose, "beside", self.d)
        if self.d == k:
            return np.zeros((n, k))
        off = rng.standard_normal((n, self.d))
        off -= off @ self.frame.T @ self.frame
        return self.thickness * np.sqrt(k / (self.d - k)) * off

    def _stream(self, *purpose: str) -> np.random.Generator:
        return stream(self.seed, "support", self.shape, self.r, *purpose)


WAVES = 200  # many more directions than variables: no few of them hold the function, so there is nothing to find
STANDARD_DRAWS = 10_000  # mean and variance of the function to about 1 %


@dataclass(frozen=True, eq=False)
class RandomWaves:
    """f(z) = (Σ_j △(ω_j·z + φ_j) − shift)/scale, ‖ω_j‖ = steepness for every j, △(t) = |t mod 2π − π|.

    △ is the triangle wave: slope ±1 and period 2π, Lipschitz and no smoother than that.
    frequencies (M, k), phases (M,). Along any ω_j the input z·ω_j/‖ω_j‖ is N(0, 1) when z ~ N(0, I_k), whatever k, so
    every wave has the same variance and the same slope in every dimension: a larger k only adds directions.
    """

    frequencies: np.ndarray
    phases: np.ndarray
    shift: float = 0.0
    scale: float = 1.0

    @classmethod
    def draw(cls, k: int, steepness: float, rng: np.random.Generator) -> Self:
        """Directions uniform on the sphere of R^k, phases uniform."""
        directions = rng.standard_normal((WAVES, k))
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        return cls(steepness * directions, rng.uniform(0, 2 * np.pi, WAVES))

    def standardise(self, Z: np.ndarray) -> Self:
        """The same function with mean 0 and variance 1 over the rows of Z (n, k)."""
        values = self._waves(Z)
        return type(self)(self.frequencies, self.phases, float(values.mean()), float(values.std()))

    def __call__(self, Z: np.ndarray) -> np.ndarray:
        """(n,) on the rows of Z (n, k)."""
        return (self._waves(Z) - self.shift) / self.scale

    def _waves(self, Z: np.ndarray) -> np.ndarray:
        return np.abs((Z @ self.frequencies.T + self.phases) % (2 * np.pi) - np.pi).sum(axis=1)
