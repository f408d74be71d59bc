"""The two-layer ReLU network at its start as m → ∞: its tangent kernel in closed form.

For w_j ~ N(0, I_d/d), b_j ~ N(0, b²) and a_j = ±1, write x̃ = (x/√d, b): a neuron's input w_j·x + b_j is g·x̃ with
g ~ N(0, I_{d+1}). With θ the angle between x̃ and ỹ,

    E σ(g·x̃)σ(g·ỹ)   = ‖x̃‖‖ỹ‖ (sin θ + (π − θ) cos θ)/(2π),      E σ'(g·x̃)σ'(g·ỹ) = (π − θ)/(2π).

Normalisation: kernels are *per neuron*, the limit of ΦΦᵀ/m over all m neurons (a mirrored half included), because the
network has no 1/m. The finite kernels grow with m; a ridge predictor does not see the factor, λ takes it up.
`bias_scale` b is 1 for the baselines of the race, and 0 for the paper's start.
Sources: Cho and Saul 2009, equations 3 to 6; Jacot, Gabriel, Hongler 2018; features of SCIENCE.md's section 1.
"""

from __future__ import annotations

import numpy as np

from featdash.theory.arc_cosine import cosines, unit_rows


def tangent_kernel(X: np.ndarray, Y: np.ndarray, bias_scale: float = 1.0) -> np.ndarray:
    """The NTK per neuron, (n, k): E σσ + (x·y + 1) E σ'σ', of the gradients in a, W and b.

    The bias is trained, hence the + 1, even where it starts at zero (bias_scale = 0). As σ(z) = z σ'(z), the first term
    is ‖x̃‖‖ỹ‖ sin θ/(2π) + x̃·ỹ E σ'σ', so one angle a pair serves both.
    """
    lifted, other = _lifted(X, bias_scale), _lifted(Y, bias_scale)
    c, norms = cosines(lifted, other), _norm_products(lifted, other)
    products = np.asarray(X) @ np.asarray(Y).T + 1
    return norms * np.sqrt(1 - c * c) / (2 * np.pi) + (products + norms * c) * _gates(c, norms)


def _gates(c: np.ndarray, norms: np.ndarray) -> np.ndarray:
    return np.where(norms > 0, 0.25 + np.arcsin(c) / (2 * np.pi), 0.0)


def _norm_products(lifted: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.outer(unit_rows(lifted)[1], unit_rows(other)[1])


def _lifted(X: np.ndarray, bias_scale: float) -> np.ndarray:
    """x̃ = (x/√d, b), (n, d + 1)."""
    X = np.asarray(X, dtype=float)
    if bias_scale < 0:
        raise ValueError(f"bias_scale must be >= 0, got {bias_scale}; use 0 for a network without random biases")
    return np.column_stack([X / np.sqrt(X.shape[1]), np.full(len(X), float(bias_scale))])
