"""The mean squared error of a student network against a teacher network over all of N(0, I_d): no samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from featdash.learners.head_descent import HeadLoss
from featdash.theory.arc_cosine import relu_covariance, unit_rows


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
