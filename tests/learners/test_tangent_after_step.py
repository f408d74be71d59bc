"""The tangent kernel after the first step: Algorithm 1's layer, and the gradient of the network there."""

import numpy as np
import torch

from featdash.learners import Algorithm1Regressor, TangentAfterStepRegressor
from featdash.learners.algorithm1 import FirstStep
from featdash.tasks.streams import of_seed


def test_its_features_are_the_gradient_by_all_parameters_of_the_network_that_algorithm_1_steps_to():
    """Autograd of f = aᵀσ(Wx + b) at W¹; a product with the features is taken in single precision."""
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((50, 3)), rng.standard_normal(50)
    ways = FirstStep(6), lambda: [(X, y)], 3, of_seed(4), "cpu"
    stepped, layer = Algorithm1Regressor.layer(*ways), TangentAfterStepRegressor.layer(*ways)
    for part in ("a", "W", "b"):
        np.testing.assert_array_equal(getattr(layer.network, part), getattr(stepped.network, part))
    np.testing.assert_array_equal(layer.linear(X), stepped.linear(X))
    features = layer.featurise()(X)
    assert features.shape == (50, 6 * (3 + 2))
    a, W, b = (torch.tensor(np.array(getattr(layer.network, part)), requires_grad=True) for part in ("a", "W", "b"))
    found = features.matmat(torch.eye(30, dtype=torch.float64)).numpy()
    for row, x in zip(found, torch.tensor(X), strict=True):
        by_a, by_W, by_b = torch.autograd.grad(torch.relu(W @ x + b) @ a, (a, W, b))
        np.testing.assert_allclose(row, torch.cat([by_a, by_W.ravel(), by_b]).numpy(), atol=1e-5)
