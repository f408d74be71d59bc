"""Line 2 of Algorithm 1 several times over, against a plain loop whose gradients autograd takes."""

import math

import numpy as np
import pytest
import torch

from featdash.learners.algorithm1 import FirstStep
from featdash.learners.several_steps import SeveralSteps
from featdash.tasks.streams import of_seed

N, D, WIDTH, STEPS = 60, 5, 8, 4
SIGMA = {"relu": torch.relu, "log_cosh": lambda z: torch.log(torch.cosh(z))}
SCALE = {"correlation": 1.0, "square_mean": 1 / WIDTH, "square_root": WIDTH**-0.5}


def one_generator(seed):
    """A fresh generator of that seed for every purpose."""
    return lambda *_: np.random.default_rng(seed)


def samples(count, seed=3):
    rng = np.random.default_rng(seed)
    inputs = [rng.standard_normal((N, D)) for _ in range(count)]
    return [(X, 1 + X[:, 0] ** 2 - X[:, 1] + 0.5 * rng.standard_normal(N)) for X in inputs]


def by_autograd(parts, activation, loss, eta, kept, seed):
    """W after each step, its start and its biases drawn here; eta None for rows of root-mean-square norm 1."""
    rng = np.random.default_rng(seed)
    W = torch.tensor(rng.standard_normal((WIDTH // 2, D)) / math.sqrt(D)).repeat(2, 1)
    half = torch.tensor(rng.choice([-1.0, 1.0], WIDTH // 2))
    a = torch.cat([half, -half])
    b = torch.tensor(rng.standard_normal(WIDTH // 2)).repeat(2) if kept else torch.zeros(WIDTH)
    X, y = parts[0]
    alpha, beta = y.mean(), sum(label * x for x, label in zip(X, y, strict=True)) / N
    for X, y in parts:
        inputs, labels = torch.tensor(X), torch.tensor(y - alpha - X @ beta)
        W = W.clone().requires_grad_()
        f = SCALE[loss] * (SIGMA[activation](inputs @ W.T + b) @ a)
        risk = -2 * (labels * f).mean() if loss == "correlation" else ((f - labels) ** 2).mean()
        (slope,) = torch.autograd.grad(risk, W)
        size = eta / SCALE[loss] if eta else 1 / slope.square().sum(dim=1).mean().sqrt()
        W = (-size * slope).detach()
        yield W.numpy()


@pytest.mark.parametrize("activation", SIGMA)
@pytest.mark.parametrize("loss", SCALE)
@pytest.mark.parametrize("fresh", [False, True])
@pytest.mark.parametrize("eta", [None, 0.8])
@pytest.mark.parametrize("biases", ["redrawn", "kept"])
def test_every_step_is_that_of_autograd(activation, loss, fresh, eta, biases):
    parts = samples(STEPS) if fresh else samples(1) * STEPS
    rule = {"rule": "fixed", "eta": eta} if eta else {}
    step = SeveralSteps(
        WIDTH,
        biases=biases,
        count=STEPS,
        loss=loss,
        activation=activation,
        further=(lambda taken: parts[taken - 1]) if fresh else None,
        **rule,
    )
    draw = one_generator(7)
    linear = step.linear_part([parts[0]], D)
    found = list(step.layers(lambda: [parts[0]], linear, step.start(D, draw)))
    wanted = list(by_autograd(parts, activation, loss, eta, biases == "kept", 7))
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-8, atol=1e-10)
    last = step.take(lambda: [parts[0]], D, draw).network
    np.testing.assert_allclose(last.W, wanted[-1], rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("biases", ["redrawn", "kept"])
def test_one_step_of_several_is_the_step_of_algorithm_1(biases):
    """With the same streams, and from a sample in two pieces."""
    ((X, y),) = samples(1)
    pieces = [(X[:20], y[:20]), (X[20:], y[20:])]
    one, several = FirstStep(WIDTH, biases=biases), SeveralSteps(WIDTH, biases=biases)
    layers = [step.take(lambda: pieces, D, of_seed(4)) for step in (one, several)]
    np.testing.assert_allclose(layers[1].network.W, layers[0].network.W, rtol=1e-12)
    np.testing.assert_array_equal(layers[1].network.b, layers[0].network.b)
    np.testing.assert_array_equal(layers[1].network.a, layers[0].network.a)


def test_with_log_cosh_the_mirror_copies_cancel_whatever_the_loss():
    """σ is even: a σ(v·x) − a σ(−v·x) = 0, so that the squared loss sees f = 0."""
    parts = samples(1)
    paths = [
        SeveralSteps(WIDTH, count=3, loss=loss, activation="log_cosh").take(lambda: parts, D, of_seed(1)).network.W
        for loss in SCALE
    ]
    for other in paths[1:]:
        np.testing.assert_allclose(other, paths[0], rtol=1e-9)


def test_after_one_step_the_relus_make_a_linear_function():
    """ReLU(v·x) − ReLU(−v·x) = v·x, for each neuron and its mirror copy."""
    ((X, y),) = samples(1)
    network = SeveralSteps(WIDTH).take(lambda: [(X, y)], D, of_seed(1)).network
    f = np.maximum(X @ network.W.T, 0) @ network.a
    half = WIDTH // 2
    np.testing.assert_allclose(f, X @ (network.a[:half] @ network.W[:half]), atol=1e-12)
    assert np.std(f) > 0.1


def test_weights_beyond_all_use_are_refused_in_one_sentence():
    step = SeveralSteps(WIDTH, rule="fixed", eta=1e4, count=20, loss="square_root")
    rule = (
        r"^the weights of the first layer must stay below 1e\+15, got \d\.\de\+\d+ after step \d+; lower the fixed η₁"
    )
    with pytest.raises(ValueError, match=rule):
        step.take(lambda: samples(1), D, of_seed(1))
