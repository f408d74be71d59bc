"""A stair: targets and coefficients by enumeration, the network against autograd, and what its runs count."""

import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch

from featdash.learners.online_sgd import OnlineNetwork
from featdash.lessons.staircase.frames import StepCounts
from featdash.lessons.staircase.recipe import (
    ALL,
    GAP,
    HIGH,
    LONG,
    LOOSE,
    NONE,
    STEP_SECONDS,
    TARGETS,
    StaircaseSpec,
    cost,
)
from featdash.lessons.staircase.run import begin, run
from featdash.recipes.events import Frame, Progress
from featdash.theory.boolean import BooleanPolynomial, all_monomials, corners, fourier_coefficients

LEAPS = {ALL: 1, GAP: 2, NONE: 3, LOOSE: 1, LONG: 1, HIGH: 3}
QUICK = {"dims": (8, 12), "width": 32, "rate": 0.1, "steps": 600, "repeats": 2, "seed": 3}


@pytest.fixture(scope="module")
def quick():
    """The events of that run."""
    return list(run(StaircaseSpec(**QUICK)))


@pytest.mark.parametrize("name", TARGETS)
def test_the_leap_is_the_least_over_all_orders(name):
    target = BooleanPolynomial.from_text(name)
    leaps = []
    for order in itertools.permutations(target.monomials):
        known, worst = set(), 0
        for monomial in order:
            worst, known = max(worst, len(set(monomial) - known)), known | set(monomial)
        leaps.append(worst)
    assert target.leap == min(leaps) == LEAPS[name]


def test_a_target_is_read_as_it_is_written():
    assert BooleanPolynomial.from_text("x1+x3x1").monomials == ((0,), (0, 2))
    X = np.array([[1, -1, -1, 1], [-1, -1, -1, 1]])
    np.testing.assert_array_equal(BooleanPolynomial.from_text(ALL)(X), [1 - 1 + 1, -1 + 1 - 1])
    for wrong in ("", "x1+", "x1*x2", "x0", "x1+x1", "x1x1", "2x1"):
        with pytest.raises(ValueError, match="must"):
            BooleanPolynomial.from_text(wrong)


def test_coefficients_are_those_of_the_fourier_basis():
    rng = np.random.default_rng(0)
    known = rng.standard_normal(7)
    points = np.repeat(corners(3), 5, axis=0)
    values = sum(c * np.prod(points[:, list(one)], axis=1) for c, one in zip(known, all_monomials(3), strict=True))
    np.testing.assert_allclose(fourier_coefficients(values + 2.5, 3), known, atol=1e-12)


@pytest.mark.parametrize("biases", [False, True])
def test_a_step_is_the_gradient_of_autograd_in_mean_field_scaling(biases):
    m, d, rate, rng = 6, 5, 0.3, np.random.default_rng(1)
    network = OnlineNetwork(m, d, rate, np.random.default_rng(2), biases)
    a, b, W = (torch.tensor(part.copy(), dtype=torch.float64) for part in
               (network.parameters.a * m, network.parameters.b, network.parameters.W))  # fmt: skip
    assert sorted(a.tolist()) == [-1, -1, -1, 1, 1, 1]
    assert bool(b.any()) == biases
    X, y = rng.choice([-1.0, 1.0], (4, d)), rng.standard_normal(4)
    np.testing.assert_allclose(network(X.astype(np.float32)), 0, atol=1e-7)
    parts = [part.requires_grad_() for part in (a, b, W)]
    loss = torch.mean((torch.relu(torch.tensor(X) @ W.T + b) @ a / m - torch.tensor(y)) ** 2)
    loss.backward()
    network.step(X.astype(np.float32), y.astype(np.float32))
    moved = (network.parameters.a * m, network.parameters.b, network.parameters.W)
    for part, found in zip(parts, moved, strict=True):
        expected = (part - rate * m * part.grad).detach().numpy()
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_a_bare_product_of_three_moves_the_biases_alone():
    """The claim's theorem, by enumeration of the cube: all gradients at the start, over all 2^7 inputs."""
    X = np.array(list(itertools.product((-1.0, 1.0), repeat=7)))
    W, a = np.random.default_rng(4).standard_normal((9, 7)), np.array([1, -1] * 4 + [1.0])
    gates, y = X @ W.T > 0, X[:, 0] * X[:, 1] * X[:, 2]
    pull = {
        "a": np.mean(y[:, None] * gates * (X @ W.T), axis=0),
        "W": np.einsum("n,nj,j,ni->ji", y, gates, a, X) / len(X),
        "b": np.mean(y[:, None] * gates * a, axis=0),
    }
    assert np.abs(pull["a"]).max() < 1e-12
    assert np.abs(pull["W"]).max() < 1e-12
    assert np.abs(pull["b"]).max() > 0.01
    linear = np.einsum("n,nj,j,ni->ji", X[:, 0], gates, a, X) / len(X)
    assert np.abs(linear[:, 0]).min() > 0.4


def plain_steps(spec, name, d, repeat):
    """Steps to the level by a network written out once more, in double precision, on the run's own draws."""
    from featdash.tasks.streams import stream

    k, m = 3, spec.width
    points = 2.0 * stream(spec.seed, "staircase", "points", d, repeat).integers(0, 2, (256, d), dtype=np.int8) - 1
    points[:, :k] = np.repeat(list(itertools.product((-1, 1), repeat=k)), 256 // 2**k, axis=0)
    rng = stream(spec.seed, "staircase", "start", d, repeat)
    W = rng.standard_normal((m // 2, d)) / np.sqrt(d)
    a = rng.choice([-1.0, 1.0], size=m // 2)
    W, a, b = np.vstack([W, W]), np.concatenate([a, -a]), np.zeros(m)
    batches = stream(spec.seed, "staircase", "batches", d, repeat)
    label = lambda X: sum(np.prod([X[:, int(i) - 1] for i in part.split("x")[1:]], axis=0) for part in name.split("+"))  # noqa: E731
    for step in range(1, spec.steps + 1):
        X = 2.0 * batches.integers(0, 2, (spec.batch, d), dtype=np.int8) - 1
        z = X @ W.T + b
        error = 2 / len(X) * (np.maximum(z, 0) @ a / m - label(X))
        back = (z > 0) * error[:, None] * a
        a, W, b = (
            a - spec.rate * np.maximum(z, 0).T @ error,
            W - spec.rate * back.T @ X,
            b - spec.rate * back.sum(axis=0),
        )
        if step % 10 == 0 and np.mean((np.maximum(points @ W.T + b, 0) @ a / m - label(points)) ** 2) < spec.level:
            return step
    return None


def test_the_steps_are_those_of_a_network_written_out(quick):
    """Single against double precision may cross the level one look apart."""
    spec, result = StaircaseSpec(**QUICK), quick[-1]
    for name in (ALL, GAP):
        for d in spec.dims:
            expected = sorted(plain_steps(spec, name, d, repeat) for repeat in range(2))
            low, high = result.summary["range"][name][str(d)]
            assert [low, high] == pytest.approx(expected, abs=10)
            assert result.summary["steps"][name][str(d)] == (low + high) / 2


def test_frames_lead_to_the_summary(quick):
    progress = [event.fraction for event in quick if isinstance(event, Progress)]
    assert progress == sorted(progress)
    counts = [event for event in quick if isinstance(event, Frame) and event.stream == "steps"]
    assert [frame.at for frame in counts] == list(range(3, 13))
    last = StepCounts.from_arrays(counts[-1].arrays)
    assert not np.isnan(last.steps).any()
    assert quick[-1].summary["reached"][ALL] == {"8": 2, "12": 2}
    courses = [event for event in quick if isinstance(event, Frame) and event.stream == "courses"]
    assert courses[0].at == 0
    np.testing.assert_allclose(courses[0].arrays["loss"], [3, 2, 1], atol=1e-5)
    np.testing.assert_allclose(courses[-1].arrays["coefficients"][0], [1, 0, 0, 1, 0, 0, 1], atol=0.35)


def test_one_that_gives_up_is_no_number():
    *_, result = run(StaircaseSpec(**{**QUICK, "steps": 20}))
    assert result.summary["steps"][NONE] == {"8": None, "12": None}
    assert result.summary["range"][NONE]["8"] == [None, None]
    assert result.summary["reached"][NONE] == {"8": 0, "12": 0}
    assert result.summary["half"][NONE] == {"x1x2x3": None}
    assert "note" not in result.summary


def test_one_that_diverges_says_so():
    *_, result = run(StaircaseSpec(**{**QUICK, "rate": 10.0}))
    assert "lower the rate" in result.summary["note"]


def test_a_target_added_changes_no_other(quick):
    *_, alone = run(StaircaseSpec(**QUICK, targets=(GAP,)))
    assert alone.summary["steps"][GAP] == quick[-1].summary["steps"][GAP]


def test_the_estimate_counts_all_steps_of_networks_that_never_learn():
    """Each further step of each network costs its seconds, whatever the run begins with."""
    spec = StaircaseSpec(dims=(8, 12), width=2, rate=0.3, steps=300, level=0.05, repeats=1)
    *_, result = run(spec)
    assert not any(any(reached.values()) for reached in result.summary["reached"].values())
    assert "note" not in result.summary, "none diverged"
    networks, longer = len(spec.targets) * len(spec.dims) * spec.repeats, replace(spec, steps=2000)
    assert cost(longer).seconds - cost(spec).seconds > STEP_SECONDS * 1700 * networks


@pytest.mark.filterwarnings("error")
def test_a_network_that_diverges_is_said_without_a_warning():
    climb = begin(StaircaseSpec(**QUICK), ALL, 8, 0)
    climb.values = np.full_like(climb.values, 1e30)  # its square is beyond single precision
    assert np.isnan(climb.loss)
