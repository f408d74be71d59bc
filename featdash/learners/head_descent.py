"""A head on fixed features whose Gram matrix is known: ridge and gradient descent, both exact."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np


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
    def spectrum(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Eigenvalues s (m,) >= 0 of G, eigenvectors (m, m) in columns, and b in their coordinates."""
        s, vectors = np.linalg.eigh(self.G)
        return np.maximum(s, 0.0), vectors, vectors.T @ self.b

    def ridge(self, strength: float) -> np.ndarray:
        """argmin L(a) + strength ‖a‖², shape (m,); strength > 0."""
        s, vectors, along = self.spectrum
        return vectors @ (along / (s + strength))

    def descend(self, a: np.ndarray, steps: int, eta: float, lam: float) -> np.ndarray:
        """a (m,) after `steps` of a ← a − η(∇L + λa), in closed form.

        In the eigenvectors of G a step multiplies the distance to 2b/(2s + λ) by 1 − η(2s + λ). Where η would overshoot
        in the steepest of them, 1/(2 s_max + λ) takes its place.
        """
        s, vectors, along = self.spectrum
        rate = 2 * s + lam
        eta = min(eta, 1 / max(rate[-1], np.finfo(float).tiny))
        kept = (1 - eta * rate) ** steps
        flat = rate < np.finfo(float).eps * max(rate[-1], 1.0)  # nothing to divide by: the pull just adds up
        travelled = np.where(flat, eta * steps, (1 - kept) / np.where(flat, 1.0, rate))
        return vectors @ (kept * (vectors.T @ a) + 2 * travelled * along)
