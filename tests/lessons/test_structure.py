"""Rank and condition: κ against second differences, a layer and its shares against a step in plain NumPy, the run."""

import numpy as np
import pytest
from scipy.stats import linregress

from featdash.lessons.structure.recipe import POWERS, Case, StructureSpec, leading_order
from featdash.lessons.structure.run import layer, run, shares
from featdash.recipes.events import Frame, Progress
from featdash.theory.target import PolynomialTarget

SMALL = StructureSpec(ranks=(1, 2, 3), ratios=(1, 2, 4), d=12, width=20, repeats=2, seed=5)


@pytest.fixture(scope="module")
def small():
    """The events of that run."""
    return list(run(SMALL))


def hessian_by_differences(f, d, rng, points=200, step=0.5):
    """The mean second differences of a quadratic, which are exact."""
    X, eye = rng.standard_normal((points, d)), step * np.eye(d)
    rows = [[np.mean(f(X + a + b) - f(X + a) - f(X + b) + f(X)) for b in eye] for a in eye]
    return np.array(rows) / step**2


@pytest.mark.parametrize("case", [Case(1, 1.0), Case(4, 1.0), Case(2, 3.0), Case(3, 4.0)])
def test_difficulty_is_that_of_the_hessian_of_a_target_of_mean_square_1(case):
    target, rng = case.target(6), np.random.default_rng(0)
    eigenvalues = np.abs(np.linalg.eigvalsh(hessian_by_differences(target, 6, rng)))
    kept = eigenvalues[eigenvalues > 1e-6]
    assert len(kept) == case.rank
    kappa = 1 / kept.min() / np.sqrt(case.rank)
    assert case.difficulty == pytest.approx(kappa**2 * case.rank)
    assert kept.max() / kept.min() == pytest.approx(case.ratio)
    assert target.second_moment == pytest.approx(1)


def plain_layer(weights, d, n, neurons, noise, rng):
    """The gradient of one step after line 1, written out."""
    X = rng.standard_normal((n, d))
    y = (X[:, : len(weights)] ** 2 - 1) @ weights / np.sqrt(2 * np.sum(weights**2)) + noise * rng.standard_normal(n)
    y = y - y.mean() - X @ (X.T @ y / n)
    W = rng.standard_normal((neurons, d)) / np.sqrt(d)
    return ((W @ X.T > 0) * y) @ X / n


def plain_shares(W, r, weak):
    inside, outside = (W[:, :r] ** 2).sum(axis=0), (W[:, r:] ** 2).sum()
    V = np.linalg.svd(W)[2][:r]
    sine = np.linalg.norm(V - np.pad(V[:, :r], ((0, 0), (0, W.shape[1] - r))), 2)
    weakest, strongest = inside[weak].mean(), inside[:1].mean() if len(weak) < r else inside.mean()
    return weakest / (weakest + outside), strongest / (strongest + outside), 1 - sine**2


@pytest.mark.parametrize(("case", "noise"), [(Case(3, 1.0), 0.0), (Case(2, 2.0), 0.0), (Case(2, 2.0), 1.0)])
def test_shares_are_those_of_a_step_written_out(case, noise):
    """Means over draws that have nothing in common: four standard errors of their difference."""
    spec = StructureSpec(d=12, width=40, repeats=10, noise=noise, seed=3)
    index = POWERS.index(3)
    weak = list(range(3)) if case.ratio == 1 else [1]
    ours = np.array([shares(case, layer(spec, case, repeat, index)) for repeat in range(40)])
    rng = np.random.default_rng(1)
    plain = [plain_layer(case.weights, 12, spec.sizes[index], 20, noise, rng) for _ in range(40)]
    others = np.array([plain_shares(W, case.rank, weak) for W in plain])
    error = np.sqrt((ours.var(axis=0, ddof=1) + others.var(axis=0, ddof=1)) / 40)
    assert np.all(np.abs(ours.mean(axis=0) - others.mean(axis=0)) < 4 * error)


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_the_leading_order_is_met_where_d_is_large(noise):
    """One direction, d = 200: the share is 1/(1 + line d²κ²r/n) within its spread and the next order of 1/d."""
    d, rng = 200, np.random.default_rng(2)
    n = round(leading_order(noise) * d**2 / 2)
    found = np.mean([plain_shares(plain_layer(np.ones(1), d, n, 100, noise, rng), 1, [0])[0] for _ in range(3)])
    assert found == pytest.approx(0.5, abs=0.03)


def test_shares_of_a_layer_inside_the_subspace_and_of_one_outside():
    rng = np.random.default_rng(0)
    inside = np.pad(rng.standard_normal((30, 2)), ((0, 0), (0, 5)))
    assert shares(Case(2, 3.0), inside) == pytest.approx((1, 1, 1))
    assert shares(Case(2, 3.0), inside[:, ::-1]) == pytest.approx((0, 0, 0), abs=1e-12)


def test_frames_lead_to_the_summary(small):
    progress = [event.fraction for event in small if isinstance(event, Progress)]
    assert progress == sorted(progress)
    frames = [event for event in small if isinstance(event, Frame)]
    assert [frame.at for frame in frames] == list(range(1, 11))  # the ratio 1 at rank 2 is shared
    summary = small[-1].summary
    assert set(summary["rank"]["needed"]) == {"1", "2", "3"}
    assert set(summary["condition"]["needed"]) == {"1", "2", "4"}
    assert summary["condition"]["needed"]["1"] == summary["rank"]["needed"]["2"]
    last, square = frames[-1].arrays, POWERS.index(0)
    assert summary["share"]["weakest"] == pytest.approx(last["weakest"][:, square].mean())
    n, mean = summary["rank"]["needed"]["1"], frames[1].arrays["weakest"].mean(axis=0)
    assert np.interp(np.log(n), np.log(SMALL.sizes), mean) == pytest.approx(0.5)


def test_the_slope_is_that_of_polyfit_and_the_last_size_that_is_not_enough_is_said(small):
    summary = small[-1].summary
    for name, difficulty in (("rank", [0.5, 1, 1.5]), ("condition", [1, 2.5, 8.5])):
        one = summary[name]
        known = [(x, n) for x, n in zip(difficulty, one["needed"].values(), strict=True) if n]
        if len(known) == 3:
            x, n = np.log(np.array(known)).T
            line = linregress(x, n)
            assert (one["slope"], one["error"]) == pytest.approx((line.slope, line.stderr))
        else:
            assert one["slope"] is None
            assert one["beyond"]


def test_a_target_does_not_depend_on_the_others():
    few = StructureSpec(ranks=(2, 3, 4), ratios=(1, 2, 3), d=10, width=8, repeats=1)
    more = StructureSpec(ranks=(1, 2, 3, 4), ratios=(1, 2, 3), d=10, width=8, repeats=2)
    first = next(event for event in run(few) if isinstance(event, Frame)).arrays
    second = [event for event in run(more) if isinstance(event, Frame)][2].arrays
    np.testing.assert_array_equal(first["weakest"][0], second["weakest"][0])


@pytest.mark.parametrize("rank", [7, 8])
def test_the_highest_ranks_end_with_a_result(rank):
    """Eight weights to the last digit are more text than a visitor may type."""
    spec = StructureSpec(ranks=(1, 2, 8), ratios=(1, 3, 7.7), rank=rank, d=10, width=8, repeats=1)
    *_, result = run(spec)
    assert set(result.summary["condition"]["needed"]) == {"1", "3", "7.7"}


@pytest.mark.parametrize("case", [Case(1, 1.0), Case(2, 3.0), Case(3, 1.0), Case(6, 1.0), Case(4, 7.7)])
def test_a_target_is_its_formula_read_as_a_visitors(case):
    """To the last bit, where the formula is short enough to be read."""
    target = case.target(12)
    read = PolynomialTarget.from_expression(target.expression, 12)
    X = np.random.default_rng(3).standard_normal((100, 12))
    np.testing.assert_array_equal(target(X), read(X))
    np.testing.assert_array_equal(target.directions, read.directions)
    assert list(target.expansion.items()) == list(read.expansion.items())
