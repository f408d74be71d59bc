"""A network whose neurons may each learn one task of a sum, under population gradients or on fresh samples.

Target: f*(x) = Σ_p a_p h(x_p), h = He_k/√k!, x ~ N(0, I_d). Network: f(x) = Σ_j r_j² h(u_j·x), r_j = ‖v_j‖ and
u_j = v_j/r_j: the squared length of a neuron is its coefficient. E h(u·x) h(w·x) = (u·w)^k for unit vectors, so that
the population loss needs no samples.
"""

from __future__ import annotations

import math

import numpy as np


class AdditiveNetwork:
    """V (m, d), in single precision, from rows of length `start` and uniform directions; weights a (P,), P <= d.

    A step moves V by −η times the gradient of ½ E(f − f*)², of the population or of a batch.
    """

    def __init__(self, weights: np.ndarray, degree: int, V: np.ndarray) -> None:
        self.weights, self.degree = weights.astype(np.float32), degree
        self.V = V.astype(np.float32)

    @property
    def lengths(self) -> np.ndarray:
        """r (m,)."""
        return np.sqrt(np.einsum("jd,jd->j", self.V, self.V))

    @property
    def directions(self) -> np.ndarray:
        """u (m, d), rows of length 1."""
        return self.V / self.lengths[:, None]

    def population_pull(self) -> np.ndarray:
        """−∇_V of ½ E(f − f*)² -> (m, d)."""
        k, r, u = self.degree, self.lengths, self.directions
        P = len(self.weights)
        gram = power(u @ u.T, k - 1)
        gram *= r**2
        pull = -(gram @ u)
        pull[:, :P] += self.weights * power(u[:, :P], k - 1)
        along = np.einsum("jd,jd->j", pull, u)
        return r[:, None] * (k * pull + ((2 - k) * along)[:, None] * u)

    def sample_pull(self, X: np.ndarray) -> np.ndarray:
        """−∇_V of the mean of ½ (f − f*)² over the rows of X (B, d), in single precision -> (m, d)."""
        k, r, u = self.degree, self.lengths, self.directions
        values, slopes = hermite_and_slope(X @ u.T, k)
        error = self.target(X) - values @ r**2
        slopes *= error[:, None]
        pull = (slopes.T @ X) / len(X)
        along = error @ values / len(X)
        across = pull - np.einsum("jd,jd->j", pull, u)[:, None] * u
        return r[:, None] * (2 * along[:, None] * u + across)

    def target(self, X: np.ndarray) -> np.ndarray:
        """f* on the rows of X (B, d) -> (B,)."""
        return hermite_and_slope(X[:, : len(self.weights)], self.degree)[0] @ self.weights

    def shares(self) -> tuple[np.ndarray, float]:
        """What is learned of each task, Σ_j r_j² u_jp^k / a_p (P,), and E(f − f*)² as a share of E f*²."""
        k, c, u = self.degree, self.lengths**2, self.directions
        sums = c @ power(u[:, : len(self.weights)], k)
        size = c @ power(u @ u.T, k) @ c
        full = float(self.weights @ self.weights)
        return sums / self.weights, float(full - 2 * self.weights @ sums + size) / full


def power(x: np.ndarray, exponent: int) -> np.ndarray:
    """x to a small whole power, by products: many times faster than `**` in single precision."""
    result = x.copy()
    for _ in range(exponent - 1):
        result *= x
    return result


def hermite_and_slope(z: np.ndarray, degree: int) -> tuple[np.ndarray, np.ndarray]:
    """He_k(z)/√k! and its derivative √k He_{k−1}(z)/√(k−1)!, in z's precision; k >= 1."""
    before, now = np.ones_like(z), z
    for j in range(1, degree):
        before, now = now, (z * now - math.sqrt(j) * before) / math.sqrt(j + 1)
    return now, math.sqrt(degree) * before
