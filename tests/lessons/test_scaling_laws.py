"""A scaling law: gradients by quadrature and autograd, single equations by small steps, and what its runs say."""

import itertools
import math

import numpy as np
import pytest
import torch
from numpy.polynomial.hermite_e import hermegauss, hermeval

from featdash.learners.additive_network import AdditiveNetwork
from featdash.lessons.scaling_laws.frames import SingleTasks, TaskFrame, crossing
from featdash.lessons.scaling_laws.recipe import MANY, ScalingLawsSpec
from featdash.lessons.scaling_laws.run import many_tasks, run
from featdash.recipes.events import Frame, Progress
from featdash.tasks.streams import stream
from featdash.theory.single_index_flow import SingleIndexFlow

QUICK = {"tasks": 5, "d": 12, "width": 24, "start": 0.03, "seed": 3}


def polynomial(z, k):
    return hermeval(z, [0] * k + [1]) / math.sqrt(math.factorial(k))


def grid(d):
    """Nodes and weights of a Gauss quadrature over N(0, I_d), exact for what is integrated here."""
    z, w = hermegauss(9)
    points = np.array(list(itertools.product(z, repeat=d)))
    weights = np.array([math.prod(one) for one in itertools.product(w / w.sum(), repeat=d)])
    return points, weights


def quadrature_loss(V, a, k, X, weights):
    r = np.linalg.norm(V, axis=1)
    error = polynomial(X @ (V / r[:, None]).T, k) @ r**2 - polynomial(X[:, : len(a)], k) @ a
    return weights @ error**2 / 2


@pytest.mark.parametrize("k", [3, 4, 6])
def test_the_population_gradient_is_that_of_a_quadrature(k):
    rng, a = np.random.default_rng(k), np.array([1.0, 0.4])
    V = rng.standard_normal((4, 3))
    X, weights = grid(3)
    network = AdditiveNetwork(a, k, V)
    expected, e = np.zeros_like(V), 1e-5
    for place in np.ndindex(*V.shape):
        step = np.zeros_like(V)
        step[place] = e
        ends = [quadrature_loss(V + sign * step, a, k, X, weights) for sign in (1, -1)]
        expected[place] = -(ends[0] - ends[1]) / (2 * e)
    np.testing.assert_allclose(network.population_pull(), expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())
    share, loss = network.shares()
    assert loss == pytest.approx(2 * quadrature_loss(V, a, k, X, weights) / (a @ a), rel=1e-4)
    r, u = np.linalg.norm(V, axis=1), V / np.linalg.norm(V, axis=1)[:, None]
    inner = [weights @ (polynomial(X[:, p], k) * (polynomial(X @ u.T, k) @ r**2)) / a[p] for p in range(2)]
    np.testing.assert_allclose(share, inner, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("k", [3, 4, 5])
def test_the_gradient_on_samples_is_that_of_autograd(k):
    rng, a = np.random.default_rng(k), np.array([1.0, 0.5, 0.2])
    V, X = rng.standard_normal((5, 4)), rng.standard_normal((7, 4))
    known = {
        3: lambda z: (z**3 - 3 * z) / math.sqrt(6),
        4: lambda z: (z**4 - 6 * z**2 + 3) / math.sqrt(24),
        5: lambda z: (z**5 - 10 * z**3 + 15 * z) / math.sqrt(120),
    }[k]
    W, x = torch.tensor(V, requires_grad=True), torch.tensor(X)
    r = W.norm(dim=1)
    error = known(x @ (W / r[:, None]).T) @ r**2 - known(x[:, :3]) @ torch.tensor(a)
    torch.mean(error**2 / 2).backward()
    found = AdditiveNetwork(a, k, V).sample_pull(X.astype(np.float32))
    expected = -W.grad.numpy()
    np.testing.assert_allclose(found, expected, rtol=1e-3, atol=1e-4 * np.abs(expected).max())


def small_steps(k, m, x, end, count):
    """The two equations by Runge's fourth-order rule."""

    def speed(state):
        m, x = state
        return np.array([k * m ** (k - 1) * (1 - m * m), 4 * x * (m**k - x)])

    h, state, course = end / count, np.array([m, x]), []
    for step in range(count + 1):
        if step % (count // 20) == 0:
            course.append(state)
        one = speed(state)
        two = speed(state + h / 2 * one)
        three = speed(state + h / 2 * two)
        state = state + h / 6 * (one + 2 * two + 2 * three + speed(state + h * three))
    return np.linspace(0, end, 21), np.array(course)


@pytest.mark.parametrize(("k", "m", "x"), [(3, 0.2, 1e-4), (4, 0.3, 1e-4), (4, 0.1, 0.3), (6, 0.5, 1e-3)])
def test_a_single_task_is_that_of_small_steps(k, m, x):
    flow = SingleIndexFlow(k, m, min(x, 1e-4))
    end = 2 * flow.half_time(x)
    t, course = small_steps(k, m, x, end, 5000)
    share, left = flow.course(t, x)
    power = course[:, 0] ** k
    np.testing.assert_allclose(share, course[:, 1] * power, atol=2e-4)
    np.testing.assert_allclose(left, 1 - 2 * course[:, 1] * power + course[:, 1] ** 2, atol=4e-4)
    assert share[10] == pytest.approx(0.5, abs=1e-3)
    assert flow.course(np.array([1e9]), x)[0] == pytest.approx(1, abs=1e-4)


def plain_flow(spec, end, h=0.005):
    """Shares of the tasks by a network written out once more, in double precision, with small equal steps."""
    V = stream(spec.seed, "scaling-laws", "start").standard_normal((spec.width, spec.d))
    u, k = V / np.linalg.norm(V, axis=1)[:, None], spec.degree
    r, a = np.full(spec.width, spec.start), np.arange(1.0, spec.tasks + 1) ** -spec.beta
    teacher = np.eye(spec.d)[: spec.tasks]
    times, shares = [0.0], [(r**2 @ (u @ teacher.T) ** k) / a]
    for step in range(1, round(end / h) + 1):
        to_teacher, to_others = u @ teacher.T, u @ u.T
        gain = to_teacher**k @ a - to_others**k @ r**2  # E (f* − f) h(u·x)
        turn = k * ((to_teacher ** (k - 1) * a) @ teacher - (to_others ** (k - 1) * r**2) @ u)
        turn -= np.sum(turn * u, axis=1)[:, None] * u
        r, u = r * (1 + 2 * h * gain), u + h * turn
        u /= np.linalg.norm(u, axis=1)[:, None]
        times.append(step * h)
        shares.append((r**2 @ (u @ teacher.T) ** k) / a)
    return np.array(times), np.array(shares)


@pytest.mark.parametrize("degree", [3, 4])
def test_the_jumps_are_those_of_a_network_written_out(degree):
    spec = ScalingLawsSpec(**QUICK, degree=degree)
    *_, result = run(spec)
    times, shares = plain_flow(spec, 1.6 * max(result.summary["jumps"]["predicted"].values()))
    for p, found in result.summary["jumps"]["measured"].items():
        expected = crossing(times, shares[:, int(p) - 1], 0.5)
        assert (found is None) == math.isnan(expected) or expected > 0.99 * max(times) / 1.6 * 1.3
        if found is not None:
            assert found == pytest.approx(expected, rel=0.03)


def test_one_neuron_and_one_task_follow_the_single_equations():
    *_, result = run(ScalingLawsSpec(tasks=1, d=8, width=1, seed=5))
    jumps = result.summary["jumps"]
    assert jumps["measured"]["1"] == pytest.approx(jumps["predicted"]["1"], rel=0.03)
    assert result.summary["slope"]["network"] is None


@pytest.mark.parametrize(("beta", "off"), [(1.0, 0.03), (1.5, 0.01), (2.0, 0.01)])
def test_many_tasks_have_the_predicted_slope(beta, off):
    """What the sum leaves of the tasks beyond the last, p^(1−2β), is what it is off for β of 1."""
    spec = ScalingLawsSpec(beta=beta)
    t, loss = many_tasks(spec, 4.0)
    inside = (t > 4 * 30**beta) & (t < 4 * 300**beta)
    slope = np.polyfit(np.log(t[inside]), np.log(loss[inside]), 1)[0]
    assert slope == pytest.approx(-(2 * beta - 1) / beta, abs=off)
    rest = np.cumsum((np.arange(1, MANY + 1) ** (-2 * beta))[::-1])[::-1]
    at = np.interp(4 * 100**beta, t, loss)
    assert at == pytest.approx(rest[100] / rest[0], rel=0.1)


def test_frames_lead_to_the_summary():
    spec = ScalingLawsSpec(**QUICK)
    events = list(run(spec))
    progress = [event.fraction for event in events if isinstance(event, Progress)]
    assert progress == sorted(progress)
    frames = [event for event in events if isinstance(event, Frame) and event.stream == "courses"]
    rows = [TaskFrame.from_arrays(frame.arrays) for frame in frames]
    assert frames[0].at == 0
    assert rows[0].loss == pytest.approx(1, abs=0.01)
    alone = SingleTasks.from_arrays(next(e for e in events if isinstance(e, Frame) and e.stream == "alone").arrays)
    summary = events[-1].summary
    assert summary["loss"] == rows[-1].loss
    assert summary["jumps"]["predicted"] == {str(p + 1): one for p, one in enumerate(alone.jumps)}
    assert summary["learned"] == sum(one is not None for one in summary["jumps"]["measured"].values())
    assert alone.loss[0] == pytest.approx(1, abs=0.01)
    assert summary["samples"] is None


def test_fresh_samples_learn_as_the_population_does():
    """At the same start; the steps of samples are noisy, so the times agree within a fifth."""
    settings = {**QUICK, "tasks": 3}
    exact, noisy = (list(run(ScalingLawsSpec(**settings, **more)))[-1].summary for more in ({}, {"batch": 512}))
    assert noisy["learned"] == exact["learned"] == 3
    assert noisy["samples"] > 512 * exact["jumps"]["measured"]["3"] / 0.01
    for p, one in exact["jumps"]["measured"].items():
        assert noisy["jumps"]["measured"][p] == pytest.approx(one, rel=0.2)


def test_one_neuron_learns_one_task_and_the_rest_is_left():
    summary = list(run(ScalingLawsSpec(**{**QUICK, "tasks": 3, "width": 1})))[-1].summary
    assert summary["learned"] == 1
    assert summary["loss"] == pytest.approx(summary["unlearned"], abs=0.01)


def test_one_that_diverges_says_so():
    summary = list(run(ScalingLawsSpec(**{**QUICK, "start": 0.1}, batch=1, rate=0.1)))[-1].summary
    assert "lower the rate" in summary["note"]


def test_a_level_is_crossed_between_two_times():
    t = np.array([0.0, 1.0, 3.0])
    assert crossing(t, np.array([0.0, 0.25, 0.75]), 0.5) == pytest.approx(2)
    assert crossing(t, np.array([0.6, 0.2, 0.9]), 0.5) == 0
    assert math.isnan(crossing(t, np.array([0.0, 0.1, 0.2]), 0.5))


def test_more_tasks_than_dimensions_are_refused():
    with pytest.raises(ValueError, match="tasks must be at most d = 20, got 30; lower tasks or raise d"):
        ScalingLawsSpec(tasks=30, d=20)
