"""Kernels of a ReLU layer in closed form: arc-cosine moments, and the tangent kernel of the two-layer network.

With c = cos∠(u, v), the Gaussian moments of |u·x| and ReLU(u·x), x ~ N(0, I_d), all follow from

    E|u·x||v·x| = (2/π) ‖u‖‖v‖ (√(1 − c²) + c arcsin c),      E|u·x| = √(2/π) ‖u‖,

which is (2/π)‖u‖‖v‖(sin θ + (π/2 − θ) cos θ) for the acute angle θ, and ReLU(z) = (|z| + z)/2.
Vectors need not be of unit norm; a zero vector has zero moments.

The network at its start as m → ∞: for w_j ~ N(0, I_d/d), b_j ~ N(0, b²) and a_j = ±1, write x̃ = (x/√d, b): a neuron's
input w_j·x + b_j is g·x̃ with g ~ N(0, I_{d+1}). With θ the angle between x̃ and ỹ,

    E σ(g·x̃)σ(g·ỹ)   = ‖x̃‖‖ỹ‖ (sin θ + (π − θ) cos θ)/(2π),      E σ'(g·x̃)σ'(g·ỹ) = (π − θ)/(2π).

Normalisation: kernels are *per neuron*, the limit of ΦΦᵀ/m over all m neurons (a mirrored half included), because the
network has no 1/m. The finite kernels grow with m; a ridge predictor does not see the factor, λ takes it up.
`bias_scale` b is 1 for the baselines of the race, and 0 for the paper's start.
Sources: Cho and Saul 2009, equations 3 to 6; Jacot, Gabriel, Hongler 2018.
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


def tangent_kernel(X: np.ndarray, Y: np.ndarray, bias_scale: float = 1.0) -> np.ndarray:
    """The NTK per neuron, (n, k): E σσ + (x·y + 1) E σ'σ', of the gradients in a, W and b.

    The bias is trained, hence the + 1, even where it starts at zero (bias_scale = 0). As σ(z) = z σ'(z), the first term
    is ‖x̃‖‖ỹ‖ sin θ/(2π) + x̃·ỹ E σ'σ', so one angle a pair serves both.
    """
    x_lift, y_lift = _lift(X, bias_scale), _lift(Y, bias_scale)
    c, norms = cosines(x_lift, y_lift), _norm_products(x_lift, y_lift)
    products = np.asarray(X) @ np.asarray(Y).T + 1
    return norms * np.sqrt(1 - c * c) / (2 * np.pi) + (products + norms * c) * _gates(c, norms)


def _norm_products(W: np.ndarray, V: np.ndarray) -> np.ndarray:
    return np.outer(unit_rows(W)[1], unit_rows(V)[1])


def _gates(c: np.ndarray, norms: np.ndarray) -> np.ndarray:
    return np.where(norms > 0, 0.25 + np.arcsin(c) / (2 * np.pi), 0.0)


def _lift(X: np.ndarray, bias_scale: float) -> np.ndarray:
    """x̃ = (x/√d, b), (n, d + 1)."""
    X = np.asarray(X, dtype=float)
    if bias_scale < 0:
        raise ValueError(f"bias_scale must be >= 0, got {bias_scale}; use 0 for a network without random biases")
    return np.column_stack([X / np.sqrt(X.shape[1]), np.full(len(X), float(bias_scale))])
