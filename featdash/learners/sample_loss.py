"""The mean squared error of a student on n samples, gradient by gradient over all of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.learners.algorithm1 import remove_linear_part
from featdash.learners.head_descent import HeadLoss
from featdash.learners.population_loss import tiles
from featdash.theory.arc_cosine import unit_rows


@dataclass(frozen=True, eq=False)
class SampleLoss:
    """L(a, W) = (1/n) Σ_i (Σ_j a_j σ(w_j·x_i) − y_i)², without ½.

    X (n, d), y (n,) : the labels as preprocessed.
    linear : σ(w·x) = ReLU(w·x) − ‖w‖/√(2π); without it |w·x|/2 − ‖w‖/√(2π): both of mean 0 under N(0, I).
    """

    X: np.ndarray
    y: np.ndarray
    linear: bool = False

    @property
    def steepness(self) -> float:
        """As for the population, times (1 + √(d/n))²: the largest eigenvalue of the sample covariance of x, nearly."""
        n, d = self.X.shape
        return (2.0 if self.linear else 1.0) * (1 + np.sqrt(d / n)) ** 2

    def head(self, W: np.ndarray) -> HeadLoss:
        """The quadratic in a, for fixed W (m, d)."""
        (n, _), m = self.X.shape, len(W)
        G, b = np.zeros((m, m)), np.zeros(m)
        for rows in tiles(n, m * m):
            features = self._features(self.X[rows] @ W.T, unit_rows(W)[1])
            G += features.T @ features / n
            b += features.T @ self.y[rows] / n
        return HeadLoss(G, b, float(self.y @ self.y / n))

    def loss(self, a: np.ndarray, W: np.ndarray) -> float:
        """L(a, W)."""
        norms = unit_rows(W)[1]
        residuals = (self._features(self.X[r] @ W.T, norms) @ a - self.y[r] for r in tiles(len(self.y), W.size))
        return sum(float(residual @ residual) for residual in residuals) / len(self.y)

    def gradients(self, a: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """∂L/∂a (m,) and ∂L/∂W (m, d), from p_j = (1/n) Σ_i ρ_i ∂_w σ(w_j·x_i), ρ the residual.

        As σ is homogeneous, ∂L/∂a_j = 2 w_j·p_j and ∂L/∂w_j = 2 a_j p_j. At w = 0 the slope of |·| is taken as 0.
        """
        units, norms = unit_rows(W)
        even, charge, view = np.zeros_like(W), 0.0, np.zeros(W.shape[1])
        for rows in tiles(len(self.y), W.size):
            X = self.X[rows]
            Z = X @ W.T
            residual = self._features(Z, norms) @ a - self.y[rows]
            charges = residual[:, None] * X
            even += np.copysign(0.5, Z, out=Z).T @ charges
            charge += residual.sum()
            view += charges.sum(axis=0)
        even[norms == 0] = 0.0
        p = even - charge / np.sqrt(2 * np.pi) * units
        if self.linear:
            p += view / 2
        p /= len(self.y)
        return 2 * np.einsum("ij,ij->i", W, p), 2 * a[:, None] * p

    def _features(self, Z: np.ndarray, norms: np.ndarray) -> np.ndarray:
        features = np.abs(Z)
        if self.linear:
            features += Z
        features /= 2
        features -= norms / np.sqrt(2 * np.pi)
        return features


def residual_labels(X: np.ndarray, y: np.ndarray, linear: bool) -> np.ndarray:
    """y − α − β·x, what line 1 of Algorithm 1 leaves of the labels, shape (n,); with `linear`, y − α."""
    removed = remove_linear_part(X, y)
    centred = y - removed.alpha
    return centred if linear else centred - X @ removed.beta
