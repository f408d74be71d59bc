"""Two ways to solve Kα = y: a direct factorisation, n³, and Richardson's iteration, n² a step."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.linalg import cho_factor, cho_solve

POWER_STEPS = 30  # the estimate of s_max is then within a few per cent, and always from below
SAFETY = 0.9  # keeps η s_max < 2 by far when the estimate is that much too small


def richardson(K: np.ndarray, y: np.ndarray, eta: float) -> Iterator[np.ndarray]:
    """α ← α − η(Kα − y) from α = 0; yields α (n,) after each step, O(n²).

    K (n, n) symmetric and positive semi-definite; converges for 0 < η < 2/s_max(K). In the eigenvectors q of K,
    α_t = Σ q (q·y)(1 − (1 − ηs)^t)/s: eigenvalues s ≫ 1/(ηt) are solved, those far below not yet touched.
    For ridge give K + (nλ/2) I. It is gradient descent on the head a = Φᵀα, K = ΦΦᵀ, of step nη/2 on its mean loss.
    Also known as Landweber's iteration.
    """
    check_system(K, y)
    if not eta > 0:
        raise ValueError(f"eta must be > 0, got {eta}; use step_length(K)")
    return _iterates(K, y, eta)


def _iterates(K: np.ndarray, y: np.ndarray, eta: float) -> Iterator[np.ndarray]:
    alpha = np.zeros(len(y))
    while True:
        alpha = alpha - eta * (K @ alpha - y)
        yield alpha


def step_length(K: np.ndarray, rng: np.random.Generator) -> float:
    """η = 0.9/s_max(K), s_max by power iteration: O(n²) a product."""
    v = rng.standard_normal(len(K))
    for _ in range(POWER_STEPS):
        v /= np.linalg.norm(v)
        v = K @ v
    return float(SAFETY / np.linalg.norm(v))


def bounded_step(K: np.ndarray) -> float:
    """η = 1/max_i Σ_j |K_ij| <= 1/s_max(K), by Gershgorin: converges for every K, shorter than need be; O(n²) once."""
    return float(1 / np.linalg.norm(K, np.inf))


def solve_directly(K: np.ndarray, y: np.ndarray) -> np.ndarray:
    """α (n,) = K⁻¹y by Cholesky, n³/3 flops; K (n, n) is overwritten, no second one is held.

    K positive definite; numpy's LinAlgError if it is not.
    """
    check_system(K, y)
    # LAPACK works by columns, and K is symmetric: its transpose is the same matrix without a copy
    return cho_solve(cho_factor(K.T, lower=True, overwrite_a=True, check_finite=False), y, check_finite=False)


def check_system(K: np.ndarray, y: np.ndarray) -> None:
    """ValueError unless K is (n, n) for the n labels y."""
    if K.shape != (len(y), len(y)):
        raise ValueError(
            f"K must be {len(y)} by {len(y)} for {len(y)} labels, got {K.shape}; use the kernel of the sample"
        )
