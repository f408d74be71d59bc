"""Gradient and Hessian of few smooth neurons against torch's automatic differentiation, and their law at the start."""

import numpy as np
import pytest
import torch

from featdash.learners.smooth_network import SmoothNetwork


@pytest.fixture
def drawn():
    rng = np.random.default_rng(4)
    X = rng.standard_normal((30, 5))
    return X, X[:, 0] + X[:, 1] ** 2 - 1, SmoothNetwork(np.array([1.0, -0.5, 2.0]), 0.7 * rng.standard_normal((3, 5)))


def test_gradient_and_hessian_are_those_of_autograd(drawn):
    X, y, network = drawn
    rows, labels, a = (torch.tensor(one) for one in (X, y, network.a))

    def loss(flat):
        values = torch.nn.functional.softplus(rows @ flat.reshape(3, 5).T) - np.log(2)
        return ((values @ a - labels) ** 2).mean() / 2

    flat = torch.tensor(network.W.ravel())
    gradient = torch.autograd.functional.jacobian(loss, flat).numpy()
    hessian = torch.autograd.functional.hessian(loss, flat).numpy()
    np.testing.assert_allclose(network.gradient(X, y).ravel(), gradient, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(network.hessian(X, y), hessian, rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(network.descend(X, y, 0.3).W.ravel(), network.W.ravel() - 0.3 * gradient, rtol=1e-12)


def test_at_the_start_the_hessian_is_made_of_inputs_and_labels_alone(drawn):
    """Blocks ¼ XᵀX/n, less ¼ (1/n) Σ y x xᵀ on the diagonal, which in the mean is lowest along u₂."""
    X, y, _ = drawn
    found = SmoothNetwork(np.ones(2), np.zeros((2, 5))).hessian(X, y)
    inputs, labels = X.T @ X / 30, (X * y[:, None]).T @ X / 30
    wanted = np.block([[inputs - labels, inputs], [inputs, inputs - labels]]) / 4
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-13)
    rng = np.random.default_rng(0)
    X = rng.standard_normal((400_000, 3))
    second = (X * (X[:, 0] + X[:, 1] ** 2 - 1)[:, None]).T @ X / len(X)
    np.testing.assert_allclose(second, np.diag([0.0, 2, 0]), atol=0.05)
