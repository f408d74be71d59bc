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


def hermite_in_monomials(degree: int) -> list[tuple[int, int]]:
    """The pairs (power, c) of He_degree(x) = sum c x^power: those of `monomial_in_hermite` with alternating signs."""
    return [(power, (-1) ** j * c) for j, (power, c) in enumerate(monomial_in_hermite(degree))]


def _basis_change(columns: list[list[tuple[int, int]]]) -> np.ndarray:
    matrix = np.zeros((len(columns), len(columns)))
    for column, pairs in enumerate(columns):
        for row, c in pairs:
            matrix[row, column] = c
    return matrix


def monomial_to_hermite(coefficients: ArrayLike) -> np.ndarray:
    """Coefficients h with sum_k h_k He_k(x) = sum_k c_k x^k, along the last axis: (..., p + 1) -> (..., p + 1).

    The matrix is of integers, exact in float64 up to degree 20.
    """
    coefficients = np.asarray(coefficients, dtype=float)
    change = _basis_change([monomial_in_hermite(power) for power in range(coefficients.shape[-1])])
    return coefficients @ change.T


def hermite_to_monomial(coefficients: ArrayLike) -> np.ndarray:
    """Coefficients c with sum_k c_k x^k = sum_k h_k He_k(x): the inverse of `monomial_to_hermite`, same shapes."""
    coefficients = np.asarray(coefficients, dtype=float)
    change = _basis_change([hermite_in_monomials(degree) for degree in range(coefficients.shape[-1])])
    return coefficients @ change.T


def relu_coefficients(degree: int) -> np.ndarray:
    """The h_k of ReLU(x) = sum_k h_k He_k(x), k = 0 ... degree; shape (degree + 1,).

    h_0 = 1/√(2π), h_1 = 1/2, h_{2k} = (-1)^{k-1} / (√(2π) k! 2^k (2k-1)), the other odd ones 0.
    The c_k of Damian et al. (2022), Lemma 1, are those of the series in He_k / k!: c_k = k! h_k.
    """
    h = np.zeros(degree + 1)
    for k in range(degree // 2 + 1):
        h[2 * k] = (-1) ** (k - 1) / (math.sqrt(2 * math.pi) * math.factorial(k) * 2**k * (2 * k - 1))
    if degree >= 1:
        h[1] = 0.5
    return h
