"""How many spikes: the step and its features written out once more in NumPy, and the claims at three seeds."""

import numpy as np
import pytest
from trial_runs import PARTS, computed

from featdash.figures.picture import Theme
from featdash.lessons.spikes.frames import DirectionFrame, FeatureFrame
from featdash.lessons.spikes.pictures import feature_spectrum, spectrum_film
from featdash.lessons.spikes.recipe import ALPHAS, SpikesSpec
from featdash.lessons.spikes.run import run, second_direction, since, take_apart
from featdash.recipes.events import Frame, Progress
from featdash.tasks.streams import stream

SMALL = {"n": 120, "d": 30, "neurons": 90, "d2": 10, "seed": 5}


def written_out(spec, alpha):
    """Singular values, edge and correlations by plain SVDs, on the run's own draws."""
    X, Z = (
        stream(spec.seed, "gaussian", part, "inputs").standard_normal((spec.n, spec.d)) for part in ("train", "fresh")
    )
    y = X[:, 0] + (X[:, 0] ** 2 - 1) / np.sqrt(2)
    if spec.remove_linear:
        y = y - y.mean() - X @ (X.T @ y / spec.n)
    rng = stream(spec.seed, "algorithm1", "start")
    W = rng.standard_normal((spec.neurons, spec.d)) / np.sqrt(spec.d)
    a = rng.choice([-1.0, 1.0], size=spec.neurons) / np.sqrt(spec.neurons)
    for j in range(spec.neurons):
        pull = -2 * a[j] * np.mean(y[:, None] * (X @ W[j] > 0)[:, None] * X, axis=0)
        W[j] -= spec.n**alpha * pull
    F = np.maximum(Z @ W.T, 0)
    F -= F.mean(axis=0)
    z = Z @ (X.T @ y)
    z /= np.linalg.norm(X.T @ y)
    powers = np.column_stack([z**k for k in range(1, 5)])
    Q = np.linalg.qr(powers - powers.mean(axis=0))[0]
    edge = np.linalg.svd(F - Q @ (Q.T @ F), compute_uv=False)[0]
    U, values, _ = np.linalg.svd(F, full_matrices=False)
    return values, edge, np.abs(U[:, :3].T @ Q)


@pytest.mark.parametrize("settings", [{}, {"remove_linear": True}, {"neurons": 150}])
def test_the_features_are_those_of_a_step_written_out(settings):
    spec = SpikesSpec(**{**SMALL, **settings})
    frames = {event.at: event for event in run(spec) if isinstance(event, Frame) and event.stream == "steps"}
    assert tuple(frames) == ALPHAS
    for alpha in (0.0, 0.35, 0.5):
        found = FeatureFrame.from_arrays(frames[alpha].arrays)
        values, edge, correlation = written_out(spec, alpha)
        np.testing.assert_allclose(found.values[:20], values[:20], rtol=1e-4)
        assert found.edge == pytest.approx(edge, rel=1e-6)
        np.testing.assert_allclose(found.correlation[0], correlation[0], atol=1e-4)
        assert found.spikes == int(np.sum(values > 1.05 * edge))


def test_taking_apart_finds_a_planted_spike_and_no_other():
    rng = np.random.default_rng(0)
    basis = np.linalg.qr(rng.standard_normal((200, 4)))[0]
    noise = rng.standard_normal((200, 80)) / np.sqrt(200)
    planted = noise + 6 * np.outer(basis[:, 1], rng.standard_normal(80) / np.sqrt(80))
    assert take_apart(noise, basis).spikes == 0
    frame = take_apart(planted, basis)
    assert frame.spikes == 1
    assert frame.correlation[0].argmax() == 1
    assert frame.correlation[0, 1] > 0.9


def test_in_the_film_a_mark_comes_with_its_spike_and_the_axes_hold_all_step_sizes():
    correlation = np.eye(3, 4)
    small, large = (FeatureFrame(np.array([first, 1.0, 0.5, 0.5]), 1.0, correlation) for first in (1.0, 9.0))
    figure = feature_spectrum(small, 0.0, [small, large], theme=Theme()).figure
    assert figure.layout.xaxis.range[1] > 9
    changes = spectrum_film(figure, [small, large], [0.0, 0.5]).changes
    bars, marks = (next(i for i, one in enumerate(figure.data) if one.name == name) for name in ("all", "spikes"))
    np.testing.assert_array_equal(changes["data", marks, "x"], [[np.nan] * 3, [9, np.nan, np.nan]])
    assert changes["data", marks, "text"] == [["", "", ""], ["He₁(z): 1.00", "", ""]]
    assert [sum(heights) for heights in changes["data", bars, "y"]] == [4, 4]


def test_a_gradient_of_two_directions_is_read_as_it_was_made():
    rng = np.random.default_rng(1)
    plus, minus = np.zeros((2, 12))
    plus[:2], minus[:2] = np.sqrt(0.5), (np.sqrt(0.5), -np.sqrt(0.5))
    made = 5 * np.outer(rng.standard_normal(60), plus) + 0.5 * np.outer(rng.standard_normal(60), minus)
    clean = second_direction(made)
    assert clean.together == pytest.approx(1, abs=0.02)
    assert clean.single == pytest.approx(1)
    noisy = second_direction(made + rng.standard_normal((60, 12)))
    assert noisy.single < 0.7
    assert second_direction(np.zeros((5, 3))) is not None


def test_a_run_tells_its_frames():
    events = list(run(SpikesSpec(**SMALL)))
    progress = [event.fraction for event in events if isinstance(event, Progress)]
    assert progress == sorted(progress)
    samples = [event for event in events if isinstance(event, Frame) and event.stream == "samples"]
    summary = events[-1].summary
    assert [frame.at for frame in samples] == summary["directions"]["n"]
    rows = [DirectionFrame.from_arrays(frame.arrays) for frame in samples]
    assert [row.together for row in rows] == summary["directions"]["together"]
    assert summary["directions"]["single_at_square"] == rows[summary["directions"]["n"].index(100)].single


def test_since_is_the_place_after_the_last_that_falls_short():
    assert since([0, 1, 0, 2, 1], 1, "abcde") == "d"
    assert since([1, 1], 1, "ab") == "a"
    assert since([1, 0], 1, "ab") is None


@pytest.mark.parametrize("seed", [0, 7, 11])
def test_the_claims_hold_at_three_seeds(seed):
    summary = computed("spikes", PARTS["spikes"].experiment.spec(seed=seed)).summary
    assert [summary["spikes"][index] for index in (0, 4, 7, 10)] == [0, 1, 2, 2]
    assert summary["first"][4] == pytest.approx(0.98, abs=0.005)
    assert 0.935 < summary["second"][7] < 0.955
    assert min(summary["second"][-2:]) > 0.965
    assert summary["two_from"] in (0.3, 0.35)
    assert summary["directions"]["together_from"] == 1778
    assert 0.255 < summary["directions"]["single_at_square"] < 0.295


def test_single_neurons_follow_the_square_of_the_dimension_and_all_together_its_multiple():
    """Halving d₂: at n = d₂² a neuron has as much of v₋; at n = 10 d₂ all together have."""
    for d2 in (50, 100):
        found = computed("spikes", PARTS["spikes"].experiment.spec(d2=d2, n=50, d=10, neurons=800)).summary[
            "directions"
        ]
        assert found["single_at_square"] == pytest.approx(0.27, abs=0.03)
        assert found["together_from"] / d2 == pytest.approx(17, rel=0.4)
