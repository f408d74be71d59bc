"""More than one step: each step by a plain loop over samples and neurons, and the counts by a search of their own."""

import math

import numpy as np
import pytest
import torch

from featdash.learners.several_steps import SteppedLayer, trajectory
from featdash.lessons.more_steps.frames import CountFrame, LayerFrame, RiskFrame
from featdash.lessons.more_steps.recipe import STEPS, MoreStepsSpec
from featdash.lessons.more_steps.run import crossing, exponent, run
from featdash.recipes.events import Frame, Progress
from featdash.tasks.streams import stream

SLOPES = {
    "relu": (lambda z: max(z, 0.0), lambda z: float(z > 0)),
    "log_cosh": (lambda z: math.log(math.cosh(z)), math.tanh),
}
TINY = {"d": 12, "n": 60, "neurons": 10, "dims": [10, 12], "repeats": 1, "seed": 3}


@pytest.fixture(scope="module")
def tiny(small_heads):  # noqa: ARG001
    """The events of that run."""
    return list(run(MoreStepsSpec.from_mapping(TINY)))


def plain_steps(X, y, W, a, activation, scale, steps):
    """W after each step, a sample and a neuron at a time; f = 0 in the first."""
    value, slope = SLOPES[activation]
    for taken in range(steps):
        new = [np.zeros(len(X[0])) for _ in W]
        for x, label in zip(X, y, strict=True):
            z = [float(w @ x) for w in W]
            f = scale * sum(a[j] * value(z[j]) for j in range(len(W))) if taken else 0.0
            for j in range(len(W)):
                new[j] = new[j] + a[j] * (label - f) * slope(z[j]) * x / len(X)
        length = math.sqrt(sum(float(w @ w) for w in new) / len(new))
        W = [w / length for w in new]
        yield np.array(W)


@pytest.mark.parametrize("activation", SLOPES)
@pytest.mark.parametrize("scale", [0.0, 0.1, 0.4])
def test_steps_are_those_of_a_plain_loop(activation, scale):
    rng = np.random.default_rng(2)
    X, y, W = rng.standard_normal((40, 5)), rng.standard_normal(40), rng.standard_normal((6, 5))
    a = np.array([1.0, -1, 1, 1, -1, 1])
    parts = [torch.tensor(one, dtype=torch.float64) for one in (X, y, W, a)]
    layer = SteppedLayer(*parts[2:], activation, scale)
    path = trajectory(*parts, activation, 4)
    for wanted in plain_steps(X, y, list(W), a, activation, scale, 4):
        layer.step([tuple(parts[:2])])
        np.testing.assert_allclose(layer.W.numpy(), wanted, rtol=1e-9, atol=1e-12)
        if not scale:
            np.testing.assert_allclose(next(path).numpy(), wanted, rtol=1e-9, atol=1e-12)


def test_the_frames_are_those_of_steps_written_out(tiny):
    """The run's own draws, line 1 and the alignment, in double precision."""
    frames = [event for event in tiny if isinstance(event, Frame) and event.stream == "layer"]
    rng = stream(3, "more-steps", "layer")
    X = rng.standard_normal((60, 12), dtype=np.float32).astype(float)
    y = (X[:, 0] ** 2 - 1) / math.sqrt(2)
    y = y - y.mean() - X @ (X.T @ y / 60)
    start = stream(3, "more-steps", "layer", "start")
    W = start.standard_normal((10, 12), dtype=np.float32).astype(float)
    a = start.choice(np.array([-1.0, 1.0]), 10)
    for name, scale in (("correlation", 0.0), ("square_mean", 0.1), ("square_root", 10**-0.5)):
        wanted = [W, *plain_steps(X, y, [w / np.linalg.norm(w) for w in W], a, "relu", scale, 8)]
        share = [float(np.sum(one[:, 0] ** 2) / np.sum(one**2)) for one in wanted]
        found = [LayerFrame.from_arrays(frame.arrays).alignment[name] for frame in frames]
        assert found[1:] == pytest.approx(share[1:], abs=1e-3)


def test_a_crossing_is_where_the_line_in_log_n_is_one_half():
    assert crossing({10: 0.2, 40: 0.8}) == pytest.approx(20)
    assert crossing({10: 0.2, 20: 0.3, 40: 0.7, 80: 0.4}) == pytest.approx(20 * math.sqrt(2))
    assert crossing({10: 0.6, 20: 0.7}) == 10
    assert math.isnan(crossing({10: 0.2, 20: 0.4}))


def test_an_exponent_is_that_of_the_law_with_the_error_of_numpy():
    d = np.repeat([25.0, 50, 100], 3)
    rng = np.random.default_rng(0)
    n = 3 * d**1.5 * np.exp(0.1 * rng.standard_normal(9))
    slope, error = exponent(d, n)
    (wanted, _), covariance = np.polyfit(np.log(d), np.log(n), 1, cov=True)
    assert slope == pytest.approx(wanted)
    assert error == pytest.approx(math.sqrt(covariance[0, 0]))
    assert exponent(d, np.where(d < 60, np.nan, n))[0] != exponent(d, n)[0]
    assert all(math.isnan(one) for one in exponent(d, np.full(9, np.nan)))


def test_a_run_tells_its_frames(tiny):
    progress = [event.fraction for event in tiny if isinstance(event, Progress)]
    assert progress == sorted(progress)
    last = {event.stream: event for event in tiny if isinstance(event, Frame)}
    summary = tiny[-1].summary
    counts = CountFrame.from_arrays(last["counts"].arrays).samples
    assert counts.shape == (len(STEPS), 2, 1)
    for row, steps in enumerate(STEPS):
        for column, d in enumerate((10, 12)):
            found = summary["samples"][str(steps)][str(d)]
            assert np.isnan(counts[row, column, 0]) if found is None else counts[row, column, 0] == found
    risk = RiskFrame.from_arrays(last["risks"].arrays).risk.mean(axis=2)
    assert list(summary["risk"]["50"].values()) == pytest.approx(risk[1].tolist())
    assert summary["ratio"]["50"]["three_over_one"] == pytest.approx(risk[1, 2] / risk[1, 0])
