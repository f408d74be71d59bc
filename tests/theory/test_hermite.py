"""Hermite polynomials against quadrature, NumPy's own basis and the values of ReLU."""

import math

import numpy as np
import pytest
from numpy.polynomial import hermite_e

from featdash.theory.polynomial import hermite_values, monomial_in_hermite


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


@pytest.mark.parametrize("power", [0, 1, 4, 10, 20])
def test_a_monomial_in_the_hermite_basis_agrees_with_numpy(power):
    found = np.zeros(power + 1)
    for k, c in monomial_in_hermite(power):
        found[k] = c
    np.testing.assert_array_equal(found, hermite_e.poly2herme(np.eye(power + 1)[power]))
