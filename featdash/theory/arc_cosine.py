"""Gaussian moments of |u·x| and ReLU(u·x), x ~ N(0, I_d): the arc-cosine kernel of degree 1 and its parts.

With c = cos∠(u, v), everything follows from

    E|u·x||v·x| = (2/π) ‖u‖‖v‖ (√(1 − c²) + c arcsin c),      E|u·x| = √(2/π) ‖u‖,

which is (2/π)‖u‖‖v‖(sin θ + (π/2 − θ) cos θ) for the acute angle θ, and ReLU(z) = (|z| + z)/2.
Vectors need not be of unit norm; a zero vector has zero moments. Source: Cho and Saul 2009, equation 6.
"""

from __future__ import annotations

import numpy as np


def unit_rows(W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Directions (m, d) and norms (m,) of the rows of W (m, d); the direction of a zero row is zero, never NaN."""
    norms = np.sqrt(np.einsum("ij,ij->i", W, W))
    return W / np.where(norms > 0, norms, 1.0)[:, None], norms


def cosines(W: np.ndarray, V: np.ndarray) -> np.ndarray:
    """cos∠(w_i, v_j) in [-1, 1], shape (m, k); 0 with a zero vector."""
    return np.clip(unit_rows(W)[0] @ unit_rows(V)[0].T, -1.0, 1.0)


def absolute_product(W: np.ndarray, V: np.ndarray) -> np.ndarray:
    """E|w_i·x||v_j·x|, shape (m, k)."""
    c = cosines(W, V)
    return 2 / np.pi * _norm_products(W, V) * (np.sqrt(1 - c * c) + c * np.arcsin(c))


def absolute_covariance(W: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Cov(|w_i·x|, |v_j·x|), shape (m, k): the product less the means (2/π)‖w‖‖v‖; never negative."""
    return absolute_product(W, V) - 2 / np.pi * _norm_products(W, V)


def relu_covariance(W: np.ndarray, V: np.ndarray, linear: bool = True) -> np.ndarray:
    """Cov(ReLU(w_i·x), ReLU(v_j·x)), shape (m, k); without `linear`, of ReLU less its linear part, which is |·|/2."""
    even = absolute_covariance(W, V) / 4
    return even + W @ V.T / 4 if linear else even


def _norm_products(W: np.ndarray, V: np.ndarray) -> np.ndarray:
    return np.outer(unit_rows(W)[1], unit_rows(V)[1])
