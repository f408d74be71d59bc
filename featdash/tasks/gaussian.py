"""Gaussian inputs with polynomial labels: x ~ N(0, I_d), y = f*(x) + ς ε."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from featdash.tasks.streams import stream
from featdash.theory.target import PolynomialTarget

PURPOSES = ("train", "holdout", "test", "fresh")


class Sample(NamedTuple):
    """Inputs X (n, d), noisy labels y (n,), noise-free labels clean (n,)."""

    X: np.ndarray
    y: np.ndarray
    clean: np.ndarray


@dataclass(frozen=True, eq=False)
class GaussianTask:
    """Draws of x ~ N(0, I_d), y = f*(x) + noise ε, ε ~ N(0, 1).

    noise : standard deviation ς >= 0 of the label noise (Gaussian, as in the authors' code; the paper has ±ς).
    seed : same seed and purpose, same rows; the first n rows of a longer draw are the draw of n rows.

    The purpose "test" is the exception: its n rows are a Latin hypercube along the principal directions (McKay, Beckman
    and Conover 1979). Each row is still N(0, I), but the coordinates u_i·x fall one into each n-th of the normal law.
    A risk measured on it has the same mean and less spread: He₄² is heavy-tailed, and of 2·10⁴ independent points a
    handful moves the mean of Figure 1's f*² by ±0.13, of stratified ones by ±0.07.
    """

    target: PolynomialTarget
    noise: float
    seed: int

    def __post_init__(self) -> None:
        if not (math.isfinite(self.noise) and self.noise >= 0):
            raise ValueError(f"noise must be a number from 0 up, got {self.noise}; use 0 for clean labels")

    def sample(self, n: int, purpose: str) -> Sample:
        """The first n rows of the purpose's stream: "train", "holdout", "test" or "fresh" (a second training set)."""
        return next(iter(self.chunks(n, purpose, rows=n)))[1]

    def chunks(self, n: int, purpose: str, rows: int = 65_536) -> Iterator[tuple[slice, Sample]]:
        """The rows of `sample(n, purpose)`, bitwise the same, at most `rows` of them at a time.

        Yields the slice of 0 ... n that a chunk fills, and the chunk.
        """
        if purpose not in PURPOSES:
            raise ValueError(f"purpose must be one of {', '.join(PURPOSES)}, got {purpose!r}; choose one of them")
        if n < 1 or rows < 1:
            raise ValueError(f"n and rows must be at least 1, got {n} and {rows}; raise them")
        inputs, noises = (stream(self.seed, "gaussian", purpose, part) for part in ("inputs", "noise"))
        levels = self._levels(n) if purpose == "test" else None
        for start in range(0, n, rows):
            stop = min(start + rows, n)
            X = inputs.standard_normal((stop - start, self.target.d))
            if levels is not None:
                X += (levels[start:stop] - X @ self.target.subspace.T) @ self.target.subspace
            clean = self.target(X)
            yield slice(start, stop), Sample(X, clean + self.noise * noises.standard_normal(stop - start), clean)

    def _levels(self, n: int) -> np.ndarray:
        """(n, r): in each column one standard normal level from each n-th of the law, in random order."""
        from scipy.special import ndtri  # here, so that the server does not load scipy

        rng = stream(self.seed, "gaussian", "test", "levels")
        strata = [rng.permutation(n) for _ in self.target.subspace]
        return ndtri((np.stack(strata, axis=1) + rng.uniform(size=(n, len(strata)))) / n)


def random_directions(k: int, d: int, rng: np.random.Generator) -> np.ndarray:
    """k orthonormal rows (k, d), uniform (Haar) among all such frames.

    QR of a Gaussian matrix with the signs of R's diagonal made positive, else Q is not uniform. ValueError if k > d.
    """
    if not 1 <= k <= d:
        raise ValueError(f"k must be from 1 to d = {d}, got {k}; use fewer variables or raise d")
    Q, R = np.linalg.qr(rng.standard_normal((d, k)))
    return (Q * np.sign(np.diag(R))).T
