"""A head on fixed features whose Gram matrix is known: ridge and gradient descent, both exact."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from featdash.theory.ridge_path import SpectralPath


@dataclass(frozen=True, eq=False)
class HeadLoss:
    """The loss in the head alone: L(a) = aᵀGa − 2b·a + level.

    G (m, m) : Gram matrix of the features, positive semidefinite.
    b (m,) : their inner products with the target.
    level : the loss of a = 0.
    One eigendecomposition of G serves every ridge strength and every number of steps.
    """

    G: np.ndarray
    b: np.ndarray
    level: float

    def loss(self, a: np.ndarray) -> float:
        """L(a), never below 0, where only rounding could take it."""
        return max(float(a @ self.G @ a - 2 * self.b @ a + self.level), 0.0)

    @cached_property
    def spectrum(self) -> tuple[SpectralPath, np.ndarray]:
        """The path from a = 0, s the eigenvalues of 2G, and their vectors (m, m), in columns, that lead on to a."""
        values, vectors = np.linalg.eigh(self.G)
        s, pull = 2 * np.maximum(values, 0.0), 2 * (vectors.T @ self.b)
        return SpectralPath(s, pull, tail=np.zeros(len(s)), level=np.sqrt(self.level)), vectors

    def ridge(self, strength: float) -> np.ndarray:
        """argmin L(a) + strength ‖a‖², shape (m,); strength > 0 is the λ/2 of a path."""
        path, vectors = self.spectrum
        return vectors @ path.coefficients(2 * strength)

    def descend(self, a: np.ndarray, steps: int, eta: float, lam: float) -> np.ndarray:
        """a (m,) after `steps` of a ← a − η(∇L + λa), in closed form: as the path, but from any a and with any η.

        In the eigenvectors of G a step multiplies the distance to the ridge solution by 1 − η(s + λ). Where η would
        overshoot in the steepest of them, 1/(s_max + λ) takes its place.
        """
        path, vectors = self.spectrum
        rate, steepest = path.ritz + lam, path.largest + lam
        eta = min(eta, 1 / max(steepest, np.finfo(float).tiny))
        decay = (1 - eta * rate) ** steps
        flat = rate < np.finfo(float).eps * max(steepest, 1.0)  # nothing to divide by: the pull just adds up
        gain = np.where(flat, eta * steps, (1 - decay) / np.where(flat, 1.0, rate))
        return vectors @ (decay * (vectors.T @ a) + gain * path.pull)
