"""Random features: their kernel, and their ridge."""

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from featdash.learners import RandomFeaturesRegressor
from featdash.learners.feature_map import ReluFeatures
from featdash.learners.network import Network, draw_network, forward


def arc_cosine_kernel(X, Y):
    """E σ(g·x̃)σ(g·ỹ), g ~ N(0, I): |x̃||ỹ| (sin θ + (π − θ) cos θ)/(2π). Cho, Saul 2009."""
    norms = np.linalg.norm(X, axis=1)[:, None] * np.linalg.norm(Y, axis=1)
    angle = np.arccos(np.clip(X @ Y.T / norms, -1, 1))
    return norms * (np.sin(angle) + (np.pi - angle) * np.cos(angle)) / (2 * np.pi)


def test_random_features_converge_to_their_kernel():
    rng = np.random.default_rng(0)
    d, width = 4, 4000
    X = rng.standard_normal((6, d))
    lifted = np.column_stack([X / np.sqrt(d), np.ones(6)])  # w ~ N(0, I/d), b ~ N(0, 1)
    features = ReluFeatures(X, draw_network(width, d, rng, biases=True), dtype=torch.float64)
    phi = features.matmat(torch.eye(width // 2, dtype=torch.float64)).numpy()
    expected = width * arc_cosine_kernel(lifted, lifted)
    products = 2 * phi[:, None, :] * phi[None, :, :] / 2  # one term a distinct neuron, each standing for two
    standard_error = products.std(axis=2) * np.sqrt(width // 2)
    assert np.all(np.abs(phi @ phi.T - expected) < 5 * standard_error)


@pytest.mark.parametrize("mirrored", [True, False])
def test_operator_is_the_matrix_of_neurons(mirrored):
    rng = np.random.default_rng(1)
    X = rng.standard_normal((9, 3))
    start = draw_network(8, 3, rng, biases=True)
    network = start if mirrored else Network(start.a, rng.standard_normal((8, 3)), rng.standard_normal(8))
    full = np.maximum(X @ network.W.T + network.b, 0)
    features = ReluFeatures(X, network, dtype=torch.float64)
    phi = features.matmat(torch.eye(features.shape[1], dtype=torch.float64)).numpy()
    assert features.shape == (9, 4 if mirrored else 8)
    assert np.allclose(phi @ phi.T, full @ full.T, atol=1e-12)
    assert np.allclose(features.rmatmat(torch.eye(9, dtype=torch.float64)).numpy(), phi.T, atol=1e-14)


def test_an_unmirrored_head_predicts_as_its_network():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((9, 3))
    network = Network(rng.standard_normal(6), rng.standard_normal((6, 3)), rng.standard_normal(6))
    features = ReluFeatures(X, network, dtype=torch.float64)
    assert np.allclose(features.matmat(torch.tensor(network.a)[:, None])[:, 0].numpy(), forward(network, X), atol=1e-13)


def test_products_do_not_depend_on_the_blocks_or_on_keeping(monkeypatch):
    rng = np.random.default_rng(3)
    X, network = rng.standard_normal((50, 3)), draw_network(8, 3, rng, biases=True)
    V, U = torch.randn(4, 2, dtype=torch.float64), torch.randn(50, 2, dtype=torch.float64)
    whole = ReluFeatures(X, network, dtype=torch.float64)
    monkeypatch.setattr("featdash.learners.feature_map.BLOCK_RESPONSES", 28)  # 7 rows at a time
    for keep in (True, False):
        parts = ReluFeatures(X, network, dtype=torch.float64, keep=keep)
        for _ in range(2):  # computed, then kept
            assert torch.allclose(parts.matmat(V), whole.matmat(V), atol=1e-13)
            assert torch.allclose(parts.rmatmat(U), whole.rmatmat(U), atol=1e-13)


def test_estimator_is_ridge_on_all_of_its_neurons():
    rng = np.random.default_rng(4)
    X, X_test = rng.standard_normal((150, 4)), rng.standard_normal((30, 4))
    y = X[:, 0] ** 2 + rng.standard_normal(150)
    model = RandomFeaturesRegressor(width=40, random_state=0).fit(X, y, holdout=(X_test, X_test[:, 0] ** 2))
    neurons, neurons_test = (np.maximum(Z @ model.layer_.network.W.T + model.layer_.network.b, 0) for Z in (X, X_test))
    oracle = Ridge(alpha=150 * model.lam_ / 2, fit_intercept=False, solver="svd").fit(neurons, y)
    # single-precision products inside the fit: 1e-7 of the features, magnified by the conditioning at the tuned λ
    assert np.allclose(model.predict(X_test), oracle.predict(neurons_test), rtol=1e-4, atol=1e-4)
