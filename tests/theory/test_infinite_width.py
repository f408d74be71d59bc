"""The infinite-width kernels are the limits of the finite network's, and kernels."""

import numpy as np
import pytest
import torch

from featdash.learners.feature_map import TangentFeatures
from featdash.learners.network import draw_network
from featdash.theory.kernels import tangent_kernel

WIDTH, HALF, D = 4000, 2000, 5  # a mirrored network of width 4000 has 2000 independent neurons


@pytest.fixture(scope="module")
def X():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((6, D))
    # a close pair, an opposite one and a long one; not a pair that shares a gate once in 10^4 neurons, as the
    # standard error of a sample that has none of them is no standard error
    return np.vstack([X, X[0] + 1e-3, -X[5], 10 * X[4], np.zeros(D)])


def feature_matrix(network, X):
    """Φ (n, q)."""
    return TangentFeatures(X, network, dtype=torch.float64).rmatmat(torch.eye(len(X), dtype=torch.float64)).numpy().T


def per_neuron(network, X):
    """(m/2, n, n): each distinct neuron's share of the kernel, per neuron of the whole width."""
    phi = feature_matrix(network, X)
    by_head, by_weights, by_bias = np.split(phi, [HALF, HALF * (D + 1)], axis=1)
    blocks = by_weights.reshape(len(X), -1, D)
    shares = np.einsum("ij,kj->jik", by_head, by_head)
    shares += np.einsum("ijd,kjd->jik", blocks, blocks) + np.einsum("ij,kj->jik", by_bias, by_bias)
    return shares * HALF / WIDTH


@pytest.mark.parametrize("biases", [True, False])
def test_finite_kernels_converge_to_the_closed_form(X, biases):
    network = draw_network(WIDTH, D, np.random.default_rng(1), biases=biases)
    shares = per_neuron(network, X)
    standard_error = shares.std(axis=0) / np.sqrt(HALF)
    expected = tangent_kernel(X, X, 1.0 if biases else 0.0)
    # a cosine rounded by ε next to ±1 moves its angle by √(2ε), hence the gates by √(2ε)/(2π) = 3e-9
    rounding = 3e-9 * (1 + np.abs(X @ X.T))
    assert np.all(np.abs(shares.mean(axis=0) - expected) <= 5 * standard_error + rounding)


def test_a_quarter_of_the_error_takes_sixteen_times_the_width(X):
    """The distance of the kernel per neuron to its limit shrinks like m^(-1/2)."""
    expected, distances = tangent_kernel(X, X), []
    for width in (250, 4000):
        squares = []
        for seed in range(40):
            network = draw_network(width, D, np.random.default_rng(seed), biases=True)
            phi = feature_matrix(network, X)
            squares.append(np.sum((phi @ phi.T / width - expected) ** 2))
        distances.append(np.sqrt(np.mean(squares)))
    # each mean of 40 squares scatters by at most √(2/40) of itself, so 5 standard errors of the ratio are 56 %
    assert 4 / 1.6 < distances[0] / distances[1] < 4 * 1.6


def test_closed_form_is_the_integral_over_one_weight():
    """In one dimension without biases, against quadrature over w ~ N(0, 1): σ(wx)σ(wy) + (xy + 1) σ'(wx)σ'(wy)."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    x = np.array([[-1.3], [0.4], [2.0]])
    expected = np.zeros((3, 3))
    for w, weight in zip(nodes, weights / weights.sum(), strict=True):
        rectified, gate = np.maximum(w * x, 0), (w * x > 0).astype(float)
        expected += weight * (rectified @ rectified.T + (x @ x.T + 1) * (gate @ gate.T))
    np.testing.assert_allclose(tangent_kernel(x, x, 0.0), expected, atol=1e-12)


def test_the_diagonal_is_half_of_the_second_moments(X):
    """θ = 0: E σ² = ‖x̃‖²/2 and E σ'² = 1/2."""
    squares = np.sum(X**2, axis=1)
    # arcsin near 1 keeps half of the digits
    np.testing.assert_allclose(np.diag(tangent_kernel(X, X)), (squares / D + 1 + squares + 1) / 2, rtol=1e-8)


def test_opposite_inputs_share_no_gate_without_biases(X):
    np.testing.assert_allclose(tangent_kernel(X[5:6], X[7:8], 0.0), 0.0, atol=1e-8)


@pytest.mark.parametrize("bias_scale", [0.0, 0.5, 1.0])
def test_kernels_are_symmetric_and_positive(X, bias_scale):
    K = tangent_kernel(X, X, bias_scale)
    np.testing.assert_allclose(K, K.T)
    assert np.linalg.eigvalsh(K)[0] > -1e-7 * np.abs(K).max()  # the diagonal is rounded to 1e-8


def test_a_negative_bias_scale_is_refused(X):
    with pytest.raises(ValueError, match="bias_scale must be >= 0, got -1"):
        tangent_kernel(X, X, -1.0)
