"""The mean squared error of a student network against a teacher: over all of N(0, I_d), or on n samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from featdash.learners.algorithm1 import remove_linear_part
from featdash.learners.head_descent import HeadLoss
from featdash.theory.kernels import relu_covariance, unit_rows


@dataclass(frozen=True, eq=False)
class PopulationLoss:
    """L(a, W) = Var[Σ_i a_i σ(w_i·x) − Σ_k s_k σ(u_k·x)], x ~ N(0, I_d): a mean square without ½, constant fitted.

    directions (r, d) : u_k, of unit norm.
    weights (r,) : s_k.
    linear : σ is the ReLU; without it σ = |·|/2, the ReLU whose linear part has been removed (fitted) on both sides.

    With v = (a, −s) and K the covariances of all the neurons, L = vᵀKv. Loss and gradient cost O(m(m + r)d).
    """

    directions: np.ndarray
    weights: np.ndarray
    linear: bool = False

    @property
    def steepness(self) -> float:
        """A bound on the Gauss-Newton curvature of L per unit of (‖a‖² + ‖W‖²)/2.

        It is 2E[σ² + σ'²(û·x)²] of a unit neuron: 1 for |·|/2 and 2 for the ReLU, reached when all neurons coincide.
        """
        return 2.0 if self.linear else 1.0

    def head(self, W: np.ndarray) -> HeadLoss:
        """The quadratic in a, for fixed W (m, d)."""
        G = relu_covariance(W, W, self.linear)
        b = relu_covariance(W, self.directions, self.linear) @ self.weights
        among = relu_covariance(self.directions, self.directions, self.linear)
        return HeadLoss(G, b, float(self.weights @ among @ self.weights))

    def loss(self, a: np.ndarray, W: np.ndarray) -> float:
        """L(a, W), to about 1e-16 of the two variances."""
        return self.head(W).loss(a)

    def gradients(self, a: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """∂L/∂a (m,) and ∂L/∂W (m, d).

        σ is homogeneous, so σ(w·x) = w·∂_w σ(w·x) and one pass over the cosines c_ij gives both: with q_j = v_j ‖v_j‖,
        p_i = (1/2π)[ŵ_i Σ_j q_j (√(1 − c_ij²) − 1) + Σ_j q_j arcsin(c_ij) v̂_j] + linear/4 Σ_j q_j v̂_j,
        ∂L/∂a_i = 2 w_i·p_i and ∂L/∂w_i = 2 a_i p_i.
        """
        units, norms = unit_rows(W)
        V = np.concatenate([units, self.directions])
        q = np.concatenate([a * norms, -self.weights])
        charges = q[:, None] * V
        p = np.empty_like(W)
        for rows in tiles(len(W), V.size):
            c = units[rows] @ V.T
            np.clip(c, -1.0, 1.0, out=c)
            arcs = np.arcsin(c)
            np.multiply(c, c, out=c)
            np.subtract(1.0, c, out=c)
            np.sqrt(c, out=c)
            p[rows] = arcs @ charges
            p[rows] += (c @ q - q.sum())[:, None] * units[rows]
        p /= 2 * np.pi
        if self.linear:
            p += charges.sum(axis=0) / 4
        return 2 * np.einsum("ij,ij->i", W, p), 2 * a[:, None] * p


def tiles(rows: int, each: int) -> Iterator[slice]:
    """Slices of `rows`, such that a product of one with a matrix of `each` entries has at most 2^18 multiplications.

    Such a product stays in a core's cache, and OpenBLAS gives it to one thread: below that size its threads cost more
    than they save, and ten times more where other work shares the cores.
    """
    height = max(1, 2**18 // each)
    return (slice(start, min(start + height, rows)) for start in range(0, rows, height))


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
        even, charge, moment = np.zeros_like(W), 0.0, np.zeros(W.shape[1])
        for rows in tiles(len(self.y), W.size):
            X = self.X[rows]
            Z = X @ W.T
            residual = self._features(Z, norms) @ a - self.y[rows]
            charges = residual[:, None] * X
            even += np.copysign(0.5, Z, out=Z).T @ charges
            charge += residual.sum()
            moment += charges.sum(axis=0)
        even[norms == 0] = 0.0
        p = even - charge / np.sqrt(2 * np.pi) * units
        if self.linear:
            p += moment / 2
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
    linear_part = remove_linear_part(X, y)
    labels = y - linear_part.alpha
    return labels if linear else labels - X @ linear_part.beta
