"""Samples: nested, separate by purpose, the same in chunks as in one piece, and of the law they claim."""

import math

import numpy as np
import pytest
from scipy import stats

from featdash.tasks.gaussian import PURPOSES, GaussianTask, random_directions
from featdash.theory.target import resolve_target


def task(noise: float = 1.0, seed: int = 0, name: str = "rank-3", d: int = 10) -> GaussianTask:
    return GaussianTask(resolve_target(name, d, random_directions(3, d, np.random.default_rng(9))), noise, seed)


def test_a_shorter_draw_is_the_start_of_a_longer_one():
    for short, long in zip(task().sample(100, "train"), task().sample(1000, "train"), strict=True):
        np.testing.assert_array_equal(short, long[:100])


@pytest.mark.parametrize("rows", [1, 700, 1000, 5000])
@pytest.mark.parametrize("purpose", ["holdout", "test"])
def test_chunks_are_the_one_shot_draw(purpose, rows):
    """Bitwise for independent rows; the projection onto the test sample's levels rounds with the number of rows."""
    same = np.testing.assert_array_equal if purpose == "holdout" else np.testing.assert_allclose
    whole = task().sample(1000, purpose)
    seen = 0
    for where, part in task().chunks(1000, purpose, rows):
        assert where.start == seen
        assert len(part.X) <= rows
        for piece, full in zip(part, whole, strict=True):
            same(piece, full[where])
        seen = where.stop
    assert seen == 1000


def test_purposes_and_seeds_share_no_row_and_the_noise_level_changes_no_input():
    first = {task(seed=seed).sample(5, purpose).X[0, 0] for purpose in PURPOSES for seed in (0, 1)}
    assert len(first) == 2 * len(PURPOSES)
    quiet, loud = task(noise=0).sample(50, "train"), task(noise=2).sample(50, "train")
    np.testing.assert_array_equal(quiet.X, loud.X)
    np.testing.assert_array_equal(quiet.y, quiet.clean)
    np.testing.assert_allclose((loud.y - loud.clean) / 2, task(noise=1).sample(50, "train")[1] - quiet.clean)


def test_inputs_and_noise_are_standard_normal_and_independent():
    """Kolmogorov–Smirnov at level 1e-4, fixed seed; covariances within five standard errors 1/√n."""
    X, y, clean = task(noise=0.5).sample(20_000, "test")
    noise = (y - clean) / 0.5
    assert stats.kstest(noise, "norm").pvalue > 1e-4
    assert stats.kstest(X.ravel(), "norm").pvalue > 1e-4
    together = np.column_stack([X, noise, X.ravel()[:20_000]])  # the last: inputs in the order in which they are drawn
    assert np.abs(np.corrcoef(together.T) - np.eye(12)).max() < 5 / math.sqrt(20_000)


def test_the_test_sample_has_one_level_in_each_nth_of_the_law_along_each_principal_direction():
    problem = task()
    X = problem.sample(500, "test").X
    for level in (X @ problem.target.subspace.T).T:
        np.testing.assert_array_equal(np.sort((stats.norm.cdf(level) * 500).astype(int)), np.arange(500))


def test_a_risk_measured_on_the_test_sample_spreads_less_than_on_independent_rows():
    """E f*² = 1 for Figure 1's target; 60 seeds of 20 000 points, where the law of the means predicts 0.07 and 0.13."""
    target = resolve_target("figure-1", 10)
    spread = {}
    for purpose in ("holdout", "test"):
        means = [np.mean(GaussianTask(target, 0.0, seed).sample(20_000, purpose).clean ** 2) for seed in range(60)]
        assert abs(np.mean(means) - 1) < 5 * np.std(means) / math.sqrt(60)
        spread[purpose] = np.std(means)
    assert spread["test"] < 0.75 * spread["holdout"]


def test_random_directions_are_orthonormal_and_uniform():
    """Each entry of a Haar row has mean 0 and variance 1/d; five standard errors over 4000 draws."""
    rng = np.random.default_rng(0)
    draws = np.array([random_directions(2, 5, rng) for _ in range(4000)])
    np.testing.assert_allclose(draws @ draws.transpose(0, 2, 1), np.broadcast_to(np.eye(2), (4000, 2, 2)), atol=1e-12)
    assert np.abs(draws.mean(axis=0)).max() < 5 * math.sqrt(1 / 5 / 4000)
    assert np.abs((draws**2).mean(axis=0) - 1 / 5).max() < 5 * math.sqrt(2 / 25 / 4000)


def test_bad_recipes_are_refused():
    with pytest.raises(ValueError, match="noise must be a number from 0 up, got -1"):
        task(noise=-1)
    with pytest.raises(ValueError, match="noise must be a number"):
        task(noise=math.nan)
    with pytest.raises(ValueError, match="purpose must be one of train"):
        task().sample(5, "tset")
    with pytest.raises(ValueError, match="n and rows must be at least 1"):
        task().sample(0, "train")
    with pytest.raises(ValueError, match="k must be from 1 to d = 3, got 4"):
        random_directions(4, 3, np.random.default_rng(0))
