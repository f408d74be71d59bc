"""Algorithm 1, each line against an independent computation."""

import numpy as np
import pytest
import torch

from featdash.learners import Algorithm1Regressor
from featdash.learners.algorithm1 import (
    first_layer_gradient,
    gradient_over_prefixes,
    remove_linear_part,
    start_network,
    step_first_layer,
    step_size,
)
from featdash.learners.network import draw_network

D = 6


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400, D))
    return X, 3 + 2 * X[:, 1] + X[:, 0] ** 2 + 0.1 * rng.standard_normal(400)


def gradient_by_autograd(X, y, network):
    W, a, b = torch.tensor(network.W, requires_grad=True), torch.tensor(network.a), torch.tensor(network.b)
    loss = torch.mean((torch.relu(torch.tensor(X) @ W.T + b) @ a - torch.tensor(y)) ** 2)
    loss.backward()
    return W.grad.numpy()


@pytest.mark.parametrize("biases", [False, True])
def test_gradient_matches_autograd(sample, biases):
    network = draw_network(14, D, np.random.default_rng(1), biases=biases)
    expected = gradient_by_autograd(*sample, network)
    assert np.allclose(first_layer_gradient(*sample, network), expected, rtol=1e-12, atol=1e-13)


def test_prefixes_are_gradients_of_the_first_rows(sample):
    X, y = sample
    network = draw_network(10, D, np.random.default_rng(2))
    seen = list(gradient_over_prefixes(X, y, network, [1, 7, 150, 400]))
    assert [size for size, _ in seen] == [1, 7, 150, 400]
    for size, gradient in seen:
        assert np.allclose(gradient, gradient_by_autograd(X[:size], y[:size], network), rtol=1e-12, atol=1e-13)


def test_gradient_does_not_depend_on_the_blocks(sample, monkeypatch):
    network = draw_network(10, D, np.random.default_rng(2))
    whole = first_layer_gradient(*sample, network)
    monkeypatch.setattr("featdash.learners.algorithm1.BLOCK_NUMBERS", 85)  # 17 rows at a time
    assert np.allclose(first_layer_gradient(*sample, network), whole, rtol=1e-12, atol=1e-14)


def test_gradient_asks_for_the_symmetric_start(sample):
    moved = step_first_layer(
        draw_network(4, D, np.random.default_rng(0)), np.ones((4, D)), 1, np.random.default_rng(0), "redrawn"
    )
    with pytest.raises(ValueError, match="network must be mirrored"):
        first_layer_gradient(*sample, moved)


def test_linear_part_is_mean_and_correlation(sample):
    X, y = sample
    linear = remove_linear_part(X, y)
    assert linear.alpha == pytest.approx(sum(y) / 400)
    assert linear.beta == pytest.approx([sum(y * column) / 400 for column in X.T])
    assert linear(X[:1])[0] == pytest.approx(linear.alpha + sum(linear.beta * X[0]))


def test_rms_rule_gives_rows_of_unit_root_mean_square(sample):
    network = draw_network(30, D, np.random.default_rng(3))
    gradient = first_layer_gradient(*sample, network)
    moved = step_first_layer(network, gradient, step_size("rms", gradient, eta=9), np.random.default_rng(0), "redrawn")
    norms = [np.linalg.norm(row) for row in moved.W]
    assert np.sqrt(np.mean(np.square(norms))) == pytest.approx(1, rel=1e-12)


def test_step_forgets_the_start(sample):
    eta, network = 3.0, draw_network(8, D, np.random.default_rng(4))
    gradient = first_layer_gradient(*sample, network)
    moved = step_first_layer(network, gradient, step_size("fixed", gradient, eta), np.random.default_rng(0), "redrawn")
    weight_decay = 1 / eta
    assert np.allclose(moved.W, network.W - eta * (gradient + weight_decay * network.W), atol=1e-13)


def test_biases_are_redrawn_for_all_neurons_or_kept():
    rng = np.random.default_rng(5)
    redrawn = step_first_layer(start_network(4000, D, rng, "redrawn"), np.ones((4000, D)), 1, rng, "redrawn")
    assert len(set(redrawn.b)) == 4000
    assert np.var(redrawn.b) == pytest.approx(1, abs=5 * np.sqrt(2 / 4000))
    start = start_network(6, D, rng, "kept")
    assert start.b.any()
    assert np.array_equal(step_first_layer(start, np.ones((6, D)), 1, rng, "kept").b, start.b)


def test_population_gradient_is_the_series_of_lemma_1():
    """f* = He2(x_1)/√2 has H = √2 e_1 e_1ᵀ and no other Hermite tensor, so with b = 0, w of unit norm,
    c_2 = 1/√(2π), c_3 = 0, c_4 = −1/√(2π) the series ends: ∇_w L = −2a [Hw − (wᵀHw) w/2] / √(2π)."""
    rng = np.random.default_rng(6)
    d, n = 4, 200_000
    X = rng.standard_normal((n, d))
    network = draw_network(10, d, rng)
    gradient = first_layer_gradient(X, (X[:, 0] ** 2 - 1) / np.sqrt(2), network)
    directions = network.W / np.linalg.norm(network.W, axis=1, keepdims=True)
    image = np.sqrt(2) * directions[:, :1] * np.eye(1, d)
    along = np.sqrt(2) * directions[:, :1] ** 2
    lemma = -2 * network.a[:, None] * (image - along * directions / 2) / np.sqrt(2 * np.pi)
    assert np.abs(lemma).max() > 0.3
    # E (f* x_1)² = E (x² − 1)² x²/2 = 5, so an entry's variance is at most 4·5/n; 5 standard errors
    assert np.abs(gradient - lemma).max() < 5 * np.sqrt(4 * 5 / n)


@pytest.mark.parametrize(("setting", "value"), [("step_rule", "adam"), ("biases", "none"), ("width", 7)])
def test_unknown_settings_are_refused_with_the_remedy(sample, setting, value):
    with pytest.raises(ValueError, match=f"(?s){setting} must be .*got .*;"):
        Algorithm1Regressor(**{"width": 8, setting: value}).fit(*sample)


def test_fresh_data_splits_the_sample_between_the_step_and_the_head(sample):
    X, y = sample
    model = Algorithm1Regressor(width=8, fresh_data=True, random_state=0).fit(X, y, holdout=(X, y))
    expected = remove_linear_part(X[:200], y[:200])
    assert model.layer_.linear.alpha == pytest.approx(expected.alpha)
    assert model.layer_.linear.beta == pytest.approx(expected.beta)
    residual = y[200:] - expected(X[200:])
    assert model.path_.level == pytest.approx(np.sqrt(np.mean(residual**2)))


def test_learns_what_it_should_and_beats_the_zero_predictor():
    """He2 in one direction of ten, no noise: after one step neurons point along it, and little risk is left."""
    rng = np.random.default_rng(7)
    X, X_test = rng.standard_normal((4000, 10)), rng.standard_normal((4000, 10))
    model = Algorithm1Regressor(width=200, random_state=0).fit(X, X[:, 0] ** 2 - 1)
    share = np.sum(model.layer_.network.W[:, 0] ** 2) / np.sum(model.layer_.network.W**2)
    assert share > 0.9
    assert np.mean((model.predict(X_test) - X_test[:, 0] ** 2 + 1) ** 2) < 0.05 * 2  # energy of He2 is 2
