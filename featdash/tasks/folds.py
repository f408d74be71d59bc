"""A table split once into five parts, each of which tests once, and columns made white by the training rows alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

FOLDS = 5
FLOOR = 1e-2  # of a column's variance: what varies less, along some direction, is not magnified to 1


class Fold(NamedTuple):
    """Indices of rows: three fifths train, one chooses λ and the stopping time, one tests."""

    train: np.ndarray
    holdout: np.ndarray
    test: np.ndarray


def five_folds(n: int, rng: np.random.Generator) -> list[Fold]:
    """One random partition of n rows into five parts; part k tests in fold k, and part k + 1 is its holdout."""
    parts = np.array_split(rng.permutation(n), FOLDS)
    folds = []
    for index in range(FOLDS):
        after = (index + 1) % FOLDS
        rest = [part for place, part in enumerate(parts) if place not in (index, after)]
        folds.append(Fold(np.concatenate(rest), parts[after], parts[index]))
    return folds


@dataclass(frozen=True, eq=False)
class Whitening:
    """x ↦ C^{−½} (x − μ)/s, with μ and s of each column (d,) and C the correlations, their eigenvalues at least FLOOR.

    root (d, d) : the symmetric C^{−½}, so that each white coordinate is the nearest there is to its own column.
    """

    mean: np.ndarray
    scale: np.ndarray
    root: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray) -> Self:
        """From the rows of X (n, d); a column that is constant there keeps its unit."""
        mean, scale = X.mean(axis=0), X.std(axis=0)
        scale = np.where(scale > 1e-12 * (np.abs(mean) + 1e-300), scale, 1.0)
        Z = (X - mean) / scale
        values, vectors = np.linalg.eigh(Z.T @ Z / len(Z))
        return cls(mean, scale, (vectors / np.sqrt(np.maximum(values, FLOOR))) @ vectors.T)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """(n, d) : mean 0 and, on the rows it was made from, covariance I, but for what FLOOR holds down."""
        return ((X - self.mean) / self.scale) @ self.root

    def pulled_back(self, M: np.ndarray) -> np.ndarray:
        """M (d, d) on white inputs, as it is on columns in units of their standard deviation: C^{−½} M C^{−½}.

        For M the mean of ∇f ∇fᵀ these are the same gradients, by the columns.
        """
        return self.root @ M @ self.root
