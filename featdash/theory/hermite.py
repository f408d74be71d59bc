"""Probabilists' Hermite polynomials He_k, orthogonal under x ~ N(0, 1) with E He_j He_k = k! if j = k, else 0."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike


def hermite_values(x: ArrayLike, degree: int) -> np.ndarray:
    """He_0(x) ... He_degree(x) by the recurrence He_{k+1} = x He_k - k He_{k-1}.

    x : any shape; result (degree + 1, *x.shape). Not normalised: He_k has variance k! under N(0, 1).
    """
    x = np.asarray(x, dtype=float)
    values = np.ones((degree + 1, *x.shape))
    if degree > 0:
        values[1] = x
    for k in range(1, degree):
        values[k + 1] = x * values[k] - k * values[k - 1]
    return values


def monomial_in_hermite(power: int) -> list[tuple[int, int]]:
    """The pairs (k, c) of x^power = sum_k c He_k(x): c = power! / (2^j j! k!) for power = k + 2j; exact integers."""
    return [
        (power - 2 * j, math.factorial(power) // (2**j * math.factorial(j) * math.factorial(power - 2 * j)))
        for j in range(power // 2 + 1)
    ]
