"""The truncated network: its steps, its gradients against autograd, its features against their definition."""

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.stats import norm

from featdash.learners.minibatch import network_gradient, step_weights
from featdash.learners.network import Network
from featdash.learners.truncated_network import (
    TRUNCATED_RELU,
    LinearFeatures,
    TruncatedFeatures,
    TruncatedTangentFeatures,
    accuracy,
    draw_mirrored_network,
    hinge_loss,
    output,
    smoothed_activation,
)
from featdash.learners.two_step import first_step, hinge_gradient, second_step
from featdash.tasks.gaussian import random_directions

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((60, 5)), RNG.choice([-1.0, 1.0], 60)
NETWORK = Network(RNG.standard_normal(8), RNG.standard_normal((8, 5)), RNG.standard_normal(8))
START = draw_mirrored_network(6, 5, np.random.default_rng(1), (0.7, 0.4, 1.3))


def hinge_by_autograd(network, X, y, activation):
    """Mean hinge loss and parameters that know their gradients; σ written out where it is not smoothed."""
    a, W, b = (torch.tensor(part, requires_grad=True) for part in (network.a, network.W, network.b))
    g = activation(torch.tensor(X) @ W.T + b) @ a
    torch.clamp(1 - torch.tensor(y) * g, min=0).mean().backward()
    return a, W, b


@pytest.mark.parametrize("deviation", [0.05, 0.3, 2.0])
def test_smoothing_is_the_mean_over_the_noise(deviation):
    z = np.array([-1.2, -0.1, 0.0, 0.4, 0.97, 1.0, 1.8])
    wanted = [
        quad(lambda u, at=at: u * norm.pdf(u, at, deviation), 0, 1, epsabs=1e-12)[0] + norm.sf(1, at, deviation)
        for at in z
    ]
    np.testing.assert_allclose(smoothed_activation(deviation).value(torch.tensor(z)), wanted, atol=1e-10)


@pytest.mark.parametrize("activation", [TRUNCATED_RELU, smoothed_activation(0.05), smoothed_activation(0.5)])
def test_derivatives_equal_finite_differences(activation):
    z, h = torch.tensor([-0.7, -0.01, 0.02, 0.5, 0.98, 1.03, 2.0], dtype=torch.float64), 1e-6
    slopes = (activation.value(z + h) - activation.value(z - h)) / (2 * h)
    np.testing.assert_allclose(activation.derivative(z), slopes, atol=1e-7)


def test_no_noise_is_the_truncated_relu():
    z = torch.linspace(-2, 3, 51, dtype=torch.float64)
    assert smoothed_activation(0) is TRUNCATED_RELU
    np.testing.assert_allclose(smoothed_activation(1e-9).value(z), TRUNCATED_RELU.value(z), atol=1e-9)


def test_the_mirrored_start_outputs_zero_and_counts_as_half_right():
    assert START.mirrored
    g = output(X, START)
    assert np.all(g == 0)
    assert accuracy(Y, g) == 0.5
    assert hinge_loss(Y, g) == 1
    assert hinge_loss(np.array([1.0, -1.0]), np.array([3.0, 0.5])) == 0.75  # nothing beyond the margin, and 1.5


@pytest.mark.parametrize("deviation", [0, 0.2])
@pytest.mark.parametrize("network", [START, NETWORK])
def test_components_are_the_autograd_gradient(network, deviation):
    activation = smoothed_activation(deviation)
    value = activation.value if deviation else (lambda z: z.clamp(0, 1))
    _, W, _ = hinge_by_autograd(network, X, Y, value)
    gradient = hinge_gradient(X, Y, network, activation)
    np.testing.assert_allclose(-network.a[:, None] * gradient.components, W.grad, atol=1e-14)


def test_network_gradient_equals_autograd():
    a, W, b = hinge_by_autograd(NETWORK, X, Y, lambda z: z.clamp(0, 1))
    gradient = network_gradient(X, Y, NETWORK)
    for mine, theirs in ((gradient.a, a), (gradient.W, W), (gradient.b, b)):
        np.testing.assert_allclose(mine, theirs.grad, atol=1e-14)


def test_a_step_with_weight_decay_one_over_two_eta_forgets_the_old_weights():
    step = first_step(X, Y, START, 0.1)
    decay = 1 / (2 * step.eta)
    gradient = -START.a[:, None] * step.gradient.components
    wanted = START.W - step.eta * (gradient + 2 * decay * START.W)
    np.testing.assert_allclose(step.network.W, wanted, atol=1e-12)
    np.testing.assert_array_equal(step.network.a, START.a)
    np.testing.assert_array_equal(step.network.b, START.b)


def test_step_one_gives_the_output_its_size_to_first_order():
    small, smaller = (first_step(X, Y, START, size) for size in (1e-4, 1e-6))
    ratios = [np.sqrt(np.mean(output(X, s.network) ** 2)) / size for s, size in ((small, 1e-4), (smaller, 1e-6))]
    np.testing.assert_allclose(ratios, 1, rtol=1e-3)
    assert small.gradient.active == 1


def test_step_two_gives_the_preactivations_their_size():
    step = second_step(X, Y, NETWORK, 0.1, 0.7)
    assert np.sqrt(np.mean((X @ step.network.W.T) ** 2)) == pytest.approx(0.7)


def test_two_steps_see_a_dictionary_only_through_its_coordinates():
    M = random_directions(5, 9, np.random.default_rng(2))
    start = draw_mirrored_network(6, 9, np.random.default_rng(3), (0.7, 0.4, 1.3))
    seen = Network(start.a, start.W @ M.T, start.b)
    far, near = first_step(X @ M, Y, start, 0.1), first_step(X, Y, seen, 0.1)
    np.testing.assert_allclose(far.network.W, near.network.W @ M, atol=1e-12)
    far, near = (second_step(x, Y, s.network, 0.1, 1.0) for x, s in ((X @ M, far), (X, near)))
    np.testing.assert_allclose(far.network.W, near.network.W @ M, atol=1e-12)


def test_dead_neurons_are_zero_after_the_step_and_counted():
    deaf = Network(NETWORK.a, NETWORK.W, np.where(np.arange(8) < 3, -1e3, NETWORK.b))
    step = second_step(X, Y, deaf, 0.1, 1.0)
    assert np.any(step.gradient.components != 0, axis=1).tolist() == [False] * 3 + [True] * 5
    assert np.all(step.network.W[:3] == 0)
    silent = second_step(X, Y, Network(NETWORK.a, NETWORK.W, np.full(8, -1e3)), 0.1, 1.0)
    assert np.all(silent.network.W == 0)


def dense_features(kind, network):
    """Φ (n, q) written out from the definition, all neurons, in the order (a, W row by row, b)."""
    z = X @ network.W.T + network.b
    values, slopes = np.clip(z, 0, 1), ((z > 0) & (z < 1)) * network.a
    if kind is TruncatedFeatures:
        return values
    return np.column_stack([values, (slopes[:, :, None] * X[:, None, :]).reshape(len(X), -1), slopes])


@pytest.mark.parametrize("kind", [TruncatedFeatures, TruncatedTangentFeatures])
@pytest.mark.parametrize("keep", [True, False])
def test_products_are_those_of_the_written_out_features(kind, keep):
    dense, features = dense_features(kind, NETWORK), kind(X, NETWORK, dtype=torch.float64, keep=keep)
    V, U = (torch.tensor(RNG.standard_normal((size, 2))) for size in (dense.shape[1], len(X)))
    assert features.shape == dense.shape
    np.testing.assert_allclose(features.matmat(V), dense @ V.numpy(), atol=1e-12)
    np.testing.assert_allclose(features.rmatmat(U), dense.T @ U.numpy(), atol=1e-12)
    assert features.energy() == pytest.approx(np.mean(np.sum(dense**2, axis=1)))


@pytest.mark.parametrize("kind", [TruncatedFeatures, TruncatedTangentFeatures])
def test_distinct_neurons_of_a_mirrored_start_have_the_kernel_of_all(kind):
    dense, features = dense_features(kind, START), kind(X, START, dtype=torch.float64)
    kernel = features.matmat(features.rmatmat(torch.eye(len(X), dtype=torch.float64)))
    np.testing.assert_allclose(kernel, dense @ dense.T, atol=1e-12)
    assert features.energy() == pytest.approx(np.mean(np.sum(dense**2, axis=1)))


def test_a_head_step_is_the_autograd_step():
    features = LinearFeatures(X, dtype=torch.float64)
    before = torch.tensor(RNG.standard_normal(5), requires_grad=True)
    torch.clamp(1 - torch.tensor(Y) * (torch.tensor(X) @ before), min=0).mean().backward()
    after = step_weights(features, Y, before.detach(), 0.3)
    np.testing.assert_allclose(after, (before - 0.3 * before.grad).detach(), atol=1e-14)
    assert features.energy() == pytest.approx(np.mean(np.sum(X**2, axis=1)))
