"""Two label-weighted spectral filters: directions of x that the labels name, then one quadratic of what is kept."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np


@dataclass(frozen=True, eq=False)
class Filters:
    """The eigenvalues (d,) and eigenvectors (d, d), as columns, of M = mean of (y − ȳ) xxᵀ, largest |value| first."""

    values: np.ndarray
    vectors: np.ndarray

    @classmethod
    def of(cls, X: np.ndarray, y: np.ndarray) -> Self:
        """From inputs (n, d) and labels (n,)."""
        values, vectors = np.linalg.eigh((X * (y - y.mean())[:, None]).T @ X / len(X))
        order = np.argsort(-np.abs(values))
        return cls(values[order], vectors[:, order])

    def first(self, X: np.ndarray, r: int) -> np.ndarray:
        """ẑ (n, r): the inputs along the first r eigenvectors."""
        return X @ self.vectors[:, :r]

    def second(self, X: np.ndarray, r: int) -> np.ndarray:
        """q̂ (n,) = ½ Σ_{k ≤ r} value_k (ẑ_k² − 1); r = d leaves the first filter out.

        It is β · φ(ẑ), φ the orthonormal polynomials of degree 2 in ẑ and β the mean of (y − ȳ) φ(ẑ) on the same
        sample: the eigenvectors make the mean of (y − ȳ) ẑ_k ẑ_l zero for k ≠ l.
        """
        return (self.first(X, r) ** 2 - 1) @ self.values[:r] / 2
