"""How far the rows of a first layer W lie inside the principal subspace span(U). NumPy only."""

from __future__ import annotations

import numpy as np


def subspace_share(W: np.ndarray, U: np.ndarray) -> np.ndarray:
    """The squared fraction ‖U w_j‖² / ‖w_j‖² of each row's norm inside span(U): (m,), in 0..1; 0 for a zero row.

    W : (m, d); U : (r, d), orthonormal rows. A random row has share r/d on average.
    """
    whole = np.sum(W**2, axis=1)
    inside = np.sum((W @ U.T) ** 2, axis=1)
    return np.minimum(np.divide(inside, whole, out=np.zeros_like(inside), where=whole > 0), 1.0)


def alignment(W: np.ndarray, U: np.ndarray) -> float:
    """The squared fraction of the layer's norm inside span(U): ‖WUᵀ‖²_F / ‖W‖²_F, in 0..1; 0 if W is zero.

    The mean of `subspace_share` with every neuron weighted by its squared norm, as it weighs in the features. The plain
    mean is lower: a neuron that starts nearly orthogonal to u has a gradient of almost no norm, and what there is of it
    is noise (Figure 1's target at n = 10⁴: 0.93 weighted, 0.81 plain).
    """
    whole = float(np.sum(W**2))
    return min(float(np.sum((W @ U.T) ** 2)) / whole, 1.0) if whole > 0 else 0.0


def leading_directions(W: np.ndarray) -> np.ndarray:
    """The right singular vectors v_1, v_2, ... of W (m, d) as rows (d, d), largest singular value first.

    Beyond the rank of W they are an arbitrary orthonormal completion. Signs are arbitrary.
    """
    triangle = np.linalg.qr(W, mode="r")  # same right singular vectors, d rows in place of m
    return np.linalg.svd(triangle, full_matrices=True)[2]


def overlap_matrix(W: np.ndarray, U: np.ndarray, k: int) -> np.ndarray:
    """|<u_i, v_j>| between the principal directions and the k leading right singular vectors of W: (r, k), in 0..1."""
    if not 1 <= k <= W.shape[1]:
        raise ValueError(f"k must be from 1 to d = {W.shape[1]}, got {k}; lower k")
    return np.minimum(np.abs(U @ leading_directions(W)[:k].T), 1.0)


def principal_angles(W: np.ndarray, U: np.ndarray) -> np.ndarray:
    """The principal angles between span(U) and span(v_1 ... v_r), r the rows of U: degrees, ascending, (r,).

    Cosines are the singular values of U Vᵀ, sines those of V - V UᵀU; each angle is taken from the one that is
    accurate there (Björck and Golub 1973).
    """
    V = leading_directions(W)[: len(U)]
    cosines = np.linalg.svd(U @ V.T, compute_uv=False)
    sines = np.linalg.svd(V - (V @ U.T) @ U, compute_uv=False)[::-1]
    angles = np.where(cosines**2 < 0.5, np.arccos(np.minimum(cosines, 1)), np.arcsin(np.minimum(sines, 1)))
    return np.degrees(angles)
