"""The Gaussian moments of |·| and ReLU: closed forms against quadrature, Monte Carlo, Cho and Saul, and autograd."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from featdash.theory.kernels import (
    absolute_covariance,
    absolute_product,
    cosines,
    relu_covariance,
)

angles = st.floats(0, np.pi)
norms = st.floats(0.01, 100)


def plane(theta: float, norm: float = 1.0) -> np.ndarray:
    return norm * np.array([[np.cos(theta), np.sin(theta)]])


@given(theta=angles, p=norms, q=norms)
def test_absolute_product_is_an_integral_over_the_angle(theta, p, q):
    """In polar coordinates E|u·x||v·x| = E ρ² · mean over φ of |cos φ cos(φ − θ)|, and E ρ² = 2."""
    kinks = sorted({np.pi / 2, (theta + np.pi / 2) % np.pi})
    mean = quad(lambda phi: abs(np.cos(phi) * np.cos(phi - theta)), 0, np.pi, points=kinks)[0] / np.pi
    assert absolute_product(plane(0, p), plane(theta, q)).item() == pytest.approx(2 * mean * p * q, rel=1e-9)


@given(theta=angles, p=norms, q=norms)
def test_absolute_product_is_cho_and_sauls_kernel_of_the_relu(theta, p, q):
    """|z| is twice the ReLU less z, so E|w·x||v·x| is four times E ReLU(w·x) ReLU(v·x) less w·v."""
    W, V = plane(0, p), plane(theta, q)
    expected = p * q / (2 * np.pi) * (np.sin(theta) + (np.pi - theta) * np.cos(theta))
    found = (absolute_product(W, V) + W @ V.T) / 4
    assert found.item() == pytest.approx(expected, rel=1e-9, abs=1e-12 * p * q)


@pytest.mark.parametrize("linear", [False, True])
def test_covariance_by_monte_carlo(linear):
    rng = np.random.default_rng(0)
    W, V = rng.standard_normal((3, 4)), rng.standard_normal((5, 4))
    X = rng.standard_normal((200_000, 4))
    activation = (lambda z: np.maximum(z, 0)) if linear else (lambda z: np.abs(z) / 2)
    left, right = (activation(X @ rows.T) for rows in (W, V))
    products = (left - left.mean(0))[:, :, None] * (right - right.mean(0))[:, None, :]
    error = products.std(0) / np.sqrt(len(X))
    assert np.all(np.abs(products.mean(0) - relu_covariance(W, V, linear)) < 5 * error)


@given(seed=st.integers(0, 10**6), linear=st.booleans())
def test_covariance_is_positive_semidefinite_and_homogeneous(seed, linear):
    rng = np.random.default_rng(seed)
    W, scale = rng.standard_normal((6, 3)), rng.uniform(0.1, 10, 6)
    K = relu_covariance(W, W, linear)
    assert np.linalg.eigvalsh(K).min() > -1e-12 * K.trace()
    np.testing.assert_allclose(relu_covariance(W * scale[:, None], W, linear), K * scale[:, None], atol=1e-12)


def test_a_neuron_with_itself_and_with_its_mirror_image():
    """Var|z| = 1 − 2/π, for u and for −u alike; orthogonal vectors are independent."""
    u = np.array([[0.6, 0.8, 0.0]])
    for v in (u, -u):
        assert absolute_covariance(u, v).item() == pytest.approx(1 - 2 / np.pi, rel=1e-14)
    assert absolute_covariance(u, np.array([[0.0, 0.0, 3.0]])).item() == pytest.approx(0, abs=1e-15)


def test_zero_vectors_have_zero_moments_and_no_nan():
    W = np.array([[0.0, 0.0], [1.0, 2.0]])
    assert np.all(cosines(W, W)[0] == 0)
    for linear in (False, True):
        assert np.all(relu_covariance(W, W, linear)[0] == 0)
