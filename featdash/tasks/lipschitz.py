"""Bare Lipschitz functions of any number of variables, alike in everything but that number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

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
