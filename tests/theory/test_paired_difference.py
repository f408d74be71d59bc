"""The error over folds, by its formula written out and by simulation, and when a difference is called clear."""

import numpy as np
import pytest
from scipy import stats

from featdash.theory.paired_difference import QUANTILE, MeanAndError, over_folds


def test_the_quantile_is_students():
    assert pytest.approx(stats.t.ppf(0.975, 4), abs=5e-4) == QUANTILE


def test_the_error_is_the_formula_written_out():
    values = [0.3, 0.5, 0.2, 0.4, 0.35]
    mean = sum(values) / 5
    square = sum((value - mean) ** 2 for value in values) / 4
    found = over_folds(np.array(values), 1 / 3)
    assert found.mean == pytest.approx(mean)
    assert found.error == pytest.approx(((1 / 5 + 1 / 3) * square) ** 0.5)


def test_without_shared_rows_it_is_the_usual_standard_error():
    values = np.random.default_rng(0).standard_normal(5)
    assert over_folds(values, 0.0).error == pytest.approx(stats.sem(values))


def test_two_methods_that_are_alike_are_seldom_told_apart():
    """Ridge at two λ on noise, five folds: the uncorrected test errs more often than the corrected one, which errs
    in at most 5 % of tables but for chance."""
    rng, wrong, plain = np.random.default_rng(1), 0, 0
    for _ in range(400):
        X, y = rng.standard_normal((50, 5)), rng.standard_normal(50)
        differences = []
        for part in np.split(rng.permutation(50), 5):
            train = np.setdiff1d(np.arange(50), part)
            risks = []
            for used in (slice(0, 2), slice(2, 4)):
                beta = np.linalg.lstsq(X[train][:, used], y[train], rcond=None)[0]
                risks.append(np.mean((X[part][:, used] @ beta - y[part]) ** 2))
            differences.append(risks[0] - risks[1])
        wrong += over_folds(np.array(differences), 0.25).is_clear
        plain += over_folds(np.array(differences), 0.0).is_clear
    assert wrong < plain
    assert wrong / 400 < 0.05 + 3 * (0.05 * 0.95 / 400) ** 0.5


def test_what_is_not_known_is_not_clear():
    assert not over_folds(np.array([0.1]), 0.3).is_clear
    assert not MeanAndError(float("nan"), 1.0).is_clear
    assert not MeanAndError(0.0, 0.0).is_clear
    assert MeanAndError(-1.0, 0.1).is_clear
