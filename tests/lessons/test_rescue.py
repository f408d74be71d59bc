"""A rescue changes the labels of the step and nothing else; its averages are those of plain numpy."""

import numpy as np
import pytest
from scipy.special import softmax
from scipy.stats import norm

from featdash.learners.label_transform import SignThreshold
from featdash.lessons.race import run as race_run
from featdash.lessons.repetition.recipe import RepetitionSpec
from featdash.lessons.rescue.frames import CosineTable, RescueTable
from featdash.lessons.rescue.recipe import RATIOS, RescueSpec
from featdash.lessons.rescue.run import cosines_of_averages, run
from featdash.recipes.events import Frame, Progress
from featdash.tasks.gaussian import GaussianTask
from featdash.tasks.streams import of_seed
from featdash.theory.target import resolve_target

SMALL = RescueSpec(d=8, n=2000, width=60, dims=(20, 40), repeats=2, holdout=500, test=500, noise=0.3, seed=5)


@pytest.fixture(scope="module")
def finished():
    return list(run(SMALL))


def test_with_plain_labels_it_is_algorithm_1_of_the_race(finished):
    *_, alone = race_run.run(SMALL.race())
    found = finished[-1].summary["variants"]["none"]
    assert found["excess_risk"] == pytest.approx(alone.summary["methods"]["algorithm1"]["excess_risk"], rel=1e-3)
    assert found["alignment"] == pytest.approx(alone.summary["alignment"]["after"], rel=1e-9)


def test_the_step_on_thresholded_labels_is_that_of_a_loop_over_neurons(finished):
    """Alignment of −Σ a T(y) x 1{w·x > 0} by hand, without a linear part taken out."""
    target = resolve_target(SMALL.target, SMALL.d)
    sample = GaussianTask(target, SMALL.noise, SMALL.seed).sample(SMALL.n, "train")
    T = np.where(np.abs(sample.y) > SMALL.threshold, np.sign(sample.y), 0.0)
    starts = of_seed(SMALL.seed)("algorithm1", "start").standard_normal((SMALL.width // 2, SMALL.d))
    rows = np.array([sum(t * x for t, x in zip(T, sample.X, strict=True) if x @ w > 0) for w in starts])
    share = np.sum(rows[:, 0] ** 2) / np.sum(rows**2)
    found = finished[-1].summary["variants"]["sign_threshold"]["alignment"]
    assert found == pytest.approx(share, abs=0.02)


def test_one_average_is_that_of_plain_numpy():
    target, d, sizes = resolve_target("transfer", 12), 12, [150, 400]
    found = cosines_of_averages(
        target, 0.0, {"a": SignThreshold(0.82), "b": np.tanh}, 1, sizes, np.random.default_rng(7)
    )
    rng = np.random.default_rng(7)
    X = [rng.standard_normal((150, d))]
    rng.standard_normal(150)
    X.append(rng.standard_normal((250, d)))
    X = np.concatenate(X)
    y = (X[:, 0] ** 3 - 3 * X[:, 0]) / np.sqrt(6)
    for name, T in (("a", np.sign(y) * (np.abs(y) > 0.82)), ("b", np.tanh(y))):
        for size, cosine in zip(sizes, found[name], strict=True):
            w = np.mean(T[:size, None] * X[:size], axis=0)
            assert cosine == pytest.approx(abs(w[0]) / np.linalg.norm(w), abs=1e-12)


def test_one_average_of_an_even_target_is_the_leading_eigenvector():
    target, d, n = resolve_target("He4(z1)/sqrt(24)", 15), 15, 900
    (found,) = cosines_of_averages(target, 0.0, {"T": SignThreshold(1.25)}, 2, [n], np.random.default_rng(4))["T"]
    X = np.random.default_rng(4).standard_normal((n, d))
    y = (X[:, 0] ** 4 - 6 * X[:, 0] ** 2 + 3) / np.sqrt(24)
    T = np.sign(y) * (np.abs(y) > 1.25)
    M = sum(t * (np.outer(x, x) - np.eye(d)) for t, x in zip(T, X, strict=True)) / n
    values, vectors = np.linalg.eigh(M)
    assert found == pytest.approx(abs(vectors[0, np.argmax(np.abs(values))]), abs=1e-9)
    assert found > 0.9


def test_an_average_with_a_linear_part_depends_on_n_over_d_alone():
    """cos² = 1/(1 + E T² d/(n E[Tz]²)) for large d; here 2φ(2) and 2Φ(−2)."""
    linear, square = 2 * norm.pdf(2), 2 * norm.sf(2)
    for d in (100, 300):
        cosines = [
            cosines_of_averages(
                resolve_target("transfer", d), 0.0, {"T": SignThreshold(0.8165)}, 1, [10 * d], np.random.default_rng(s)
            )["T"][0]
            for s in range(12)
        ]
        assert np.mean(cosines) == pytest.approx(1 / np.sqrt(1 + square / (10 * linear**2)), abs=0.03)


def test_tables_fill_cell_by_cell_and_progress_goes_up(finished):
    cells = [frame for frame in finished if isinstance(frame, Frame) and frame.stream == "cells"]
    assert [frame.at for frame in cells] == list(range(1, 16))
    filled = [sum(np.isfinite(r).sum() for r in RescueTable.from_arrays(f.arrays).risk.values()) for f in cells]
    assert filled == list(range(1, 16))
    averages = [frame for frame in finished if isinstance(frame, Frame) and frame.stream == "cosines"]
    assert len(averages) == 4
    table = CosineTable.from_arrays(averages[-1].arrays)
    assert all(np.isfinite(one).all() for one in table.cosine.values())
    assert table.cosine["none"].shape == (2, 2, len(RATIOS))
    fractions = [event.fraction for event in finished if isinstance(event, Progress)]
    assert fractions == sorted(fractions)


def test_leaving_a_kind_of_labels_out_changes_no_other(finished):
    *_, alone = run(RescueSpec(**{**vars(SMALL), "transforms": ("sign_threshold",)}))
    assert alone.summary["variants"]["sign_threshold"] == finished[-1].summary["variants"]["sign_threshold"]


def test_a_softmax_head_changes_no_other_and_its_step_is_on_its_weights(finished):
    """Alignment of the step on softmax weights by hand; E T is 0, so that a constant less changes little."""
    *_, event = run(RescueSpec(**{**vars(SMALL), "transforms": ("none", "softmax"), "rho": 1.0, "cut": 2.0}))
    variants = event.summary["variants"]
    assert variants["none"] == finished[-1].summary["variants"]["none"]
    sample = GaussianTask(resolve_target(SMALL.target, SMALL.d), SMALL.noise, SMALL.seed).sample(SMALL.n, "train")
    T = SMALL.n * softmax(np.clip(sample.y, -2, 2)) - 1
    starts = of_seed(SMALL.seed)("algorithm1", "start").standard_normal((SMALL.width // 2, SMALL.d))
    rows = np.array([sum(t * x for t, x in zip(T, sample.X, strict=True) if x @ w > 0) for w in starts])
    share = np.sum(rows[:, 0] ** 2) / np.sum(rows**2)
    assert variants["softmax"]["alignment"] == pytest.approx(share, abs=0.02)


def test_a_target_of_two_directions_is_refused_in_one_sentence():
    for spec in (RescueSpec, RepetitionSpec):
        with pytest.raises(ValueError, match="target must follow a single direction, got 2 of them; take one such as"):
            spec(target="z1*z2")
