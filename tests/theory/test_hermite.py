"""Hermite polynomials against quadrature, NumPy's own basis and the values of ReLU."""

import math

import numpy as np
import pytest
from numpy.polynomial import hermite_e

from featdash.theory.hermite import hermite_to_monomial, hermite_values, monomial_to_hermite, relu_coefficients


def gaussian_quadrature(points: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of E under N(0, 1), exact for polynomials of degree 2 points - 1."""
    nodes, weights = hermite_e.hermegauss(points)
    return nodes, weights / math.sqrt(2 * math.pi)


def test_hermite_are_orthogonal_with_variance_k_factorial():
    nodes, weights = gaussian_quadrature(16)
    values = hermite_values(nodes, 10)
    factorials = np.array([math.factorial(k) for k in range(11)], dtype=float)
    gram = (values * weights) @ values.T / np.sqrt(np.outer(factorials, factorials))
    np.testing.assert_allclose(gram, np.eye(11), atol=1e-11)  # rounding of sums of terms up to 1e2 times 1e-16


def test_hermite_values_agree_with_numpy_on_any_shape():
    x = np.linspace(-4, 4, 12).reshape(3, 4)
    values = hermite_values(x, 7)
    for k in range(8):
        np.testing.assert_allclose(values[k], hermite_e.hermeval(x, np.eye(8)[k]), rtol=1e-12, atol=1e-10)


@pytest.mark.parametrize("degree", [0, 1, 4, 10])
def test_basis_changes_agree_with_numpy_and_undo_each_other(degree):
    coefficients = np.random.default_rng(degree).integers(-9, 10, size=(3, degree + 1)).astype(float)
    for row, ours in zip(coefficients, hermite_to_monomial(coefficients), strict=True):
        expected = np.zeros(degree + 1)
        theirs = hermite_e.herme2poly(row)
        expected[: len(theirs)] = theirs
        np.testing.assert_array_equal(ours, expected)
    np.testing.assert_array_equal(monomial_to_hermite(hermite_to_monomial(coefficients)), coefficients)


def test_relu_coefficients_are_projections_of_relu():
    """h_k = E ReLU(x) He_k(x) / k!, the integral over x > 0 by Gauss–Legendre quadrature on 0..20."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    x, w = 10 * (nodes + 1), 10 * weights  # 0..20, beyond which the density is below 1e-87
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    basis = hermite_values(x, 12)
    projections = [np.sum(w * density * x * basis[k]) / math.factorial(k) for k in range(13)]
    np.testing.assert_allclose(relu_coefficients(12), projections, atol=1e-13)


def test_relu_coefficients_carry_the_energy_of_relu():
    """sum_k h_k² k! = E ReLU² = ½; the tail of the series falls like k^{-3/2}, so 150 terms leave below 1e-3."""
    h = relu_coefficients(150)
    energy = np.cumsum([h[k] ** 2 * math.factorial(k) for k in range(151)])
    assert energy[-1] < 0.5
    assert 0.5 - energy[-1] < 1e-3
