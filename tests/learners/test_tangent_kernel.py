"""Tangent features without their matrix, against autograd; the estimator against kernel ridge."""

import numpy as np
import pytest
import torch
from sklearn.kernel_ridge import KernelRidge

from featdash.learners import TangentKernelRegressor
from featdash.learners.feature_map import TangentFeatures
from featdash.learners.network import Network, draw_network

N, D, M = 11, 3, 8


def tangent_matrix(network, X):
    """∂f(x_i)/∂(a, W, b) (n, m(d + 2)) by autograd, row by row."""
    parameters = [torch.tensor(part, requires_grad=True) for part in (network.a, network.W, network.b)]
    a, W, b = parameters
    rows = []
    for x in torch.tensor(X):
        gradients = torch.autograd.grad(torch.relu(W @ x + b) @ a, parameters)
        rows.append(torch.cat([gradient.reshape(-1) for gradient in gradients]))
    return torch.stack(rows).numpy()


@pytest.fixture
def sample():
    rng = np.random.default_rng(0)
    return rng.standard_normal((N, D)), draw_network(M, D, rng, biases=True), rng


def test_operator_is_the_matrix_of_gradients(sample):
    X, start, rng = sample
    network = Network(start.a, rng.standard_normal((M, D)), start.b)  # not mirrored: nothing is folded
    matrix = tangent_matrix(network, X)
    features = TangentFeatures(X, network, dtype=torch.float64)
    assert features.shape == matrix.shape == (N, M * (D + 2))
    V, U = rng.standard_normal((matrix.shape[1], 12)), rng.standard_normal((N, 3))
    assert np.allclose(features.matmat(torch.tensor(V)).numpy(), matrix @ V, atol=1e-12)
    assert np.allclose(features.rmatmat(torch.tensor(U)).numpy(), matrix.T @ U, atol=1e-12)


def test_half_of_a_mirrored_network_gives_the_kernel_of_the_whole(sample):
    X, network, _ = sample
    matrix = tangent_matrix(network, X)
    features = TangentFeatures(X, network, dtype=torch.float64)
    half = features.matmat(torch.eye(features.shape[1], dtype=torch.float64)).numpy()
    assert features.shape == (N, M // 2 * (D + 2))
    assert np.allclose(half @ half.T, matrix @ matrix.T, atol=1e-12)


def test_transpose_is_the_adjoint(sample):
    X, network, rng = sample
    features = TangentFeatures(X, network, dtype=torch.float64)
    V, U = (torch.tensor(rng.standard_normal((size, 2))) for size in reversed(features.shape))
    assert torch.allclose(U.T @ features.matmat(V), features.rmatmat(U).T @ V, atol=1e-12)


def test_products_do_not_depend_on_the_blocks(sample, monkeypatch):
    X, network, rng = sample
    whole = TangentFeatures(X, network, dtype=torch.float64)
    V, U = (torch.tensor(rng.standard_normal((size, 9))) for size in reversed(whole.shape))
    monkeypatch.setattr("featdash.learners.feature_map.BLOCK_RESPONSES", 12)  # 3 rows at a time
    parts = TangentFeatures(X, network, dtype=torch.float64, keep=False)
    assert torch.allclose(parts.matmat(V), whole.matmat(V), atol=1e-12)
    assert torch.allclose(parts.rmatmat(U), whole.rmatmat(U), atol=1e-12)


def test_estimator_is_kernel_ridge_on_the_tangent_kernel():
    rng = np.random.default_rng(1)
    X, X_test = rng.standard_normal((80, D)), rng.standard_normal((20, D))
    y = X[:, 0] ** 2 + rng.standard_normal(80)
    model = TangentKernelRegressor(width=20, random_state=0).fit(X, y, holdout=(X_test, X_test[:, 0] ** 2))
    phi, phi_test = tangent_matrix(model.layer_.network, X), tangent_matrix(model.layer_.network, X_test)
    oracle = KernelRidge(alpha=80 * model.lam_ / 2, kernel="precomputed").fit(phi @ phi.T, y)
    # single-precision products inside the fit: 1e-7 of the features, magnified by the conditioning at the tuned λ
    assert np.allclose(model.predict(X_test), oracle.predict(phi_test @ phi.T), rtol=1e-4, atol=1e-4)
