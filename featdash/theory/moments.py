"""Gaussian moments of a polynomial from its Hermite expansion {a: h_a}, g(z) = sum_a h_a prod_i He_{a_i}(z_i)."""

from __future__ import annotations

import math

import numpy as np

from featdash.theory.polynomial import Coefficients


def squared_norm(degrees: tuple[int, ...]) -> int:
    """E (prod_i He_{a_i}(z_i))² = prod_i a_i!."""
    return math.prod(map(math.factorial, degrees))


def gradient_factor(expansion: Coefficients) -> np.ndarray:
    """A matrix J (terms, k) with JᵀJ = E ∇g ∇gᵀ.

    Column i holds the Hermite coefficients of ∂_i g, each times its √(prod a!); the derivative of He_a is a He_{a-1}.
    """
    k = len(next(iter(expansion)))
    rows: dict[tuple[int, ...], np.ndarray] = {}
    for degrees, coefficient in expansion.items():
        for i in (i for i in range(k) if degrees[i]):
            lowered = (*degrees[:i], degrees[i] - 1, *degrees[i + 1 :])
            rows.setdefault(lowered, np.zeros(k))[i] += coefficient * degrees[i] * math.sqrt(squared_norm(lowered))
    return np.array(list(rows.values())).reshape(-1, k)


def expected_hessian(expansion: Coefficients) -> np.ndarray:
    """E ∇² g, (k, k): 2 h_a at a = 2 e_i on the diagonal, h_a at a = e_i + e_j off it."""
    k = len(next(iter(expansion)))
    hessian = np.zeros((k, k))
    for degrees, coefficient in expansion.items():
        if sum(degrees) == 2:
            i, j = np.repeat(np.arange(k), degrees)
            hessian[i, j] = hessian[j, i] = 2 * coefficient if i == j else coefficient
    return hessian
