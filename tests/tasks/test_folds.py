"""The split and the whitening, against formulas that share no code with them."""

import numpy as np
import pytest
from scipy import linalg
from sklearn.model_selection import KFold

from featdash.tasks.data_set import BUNDLED, load_set, planted_set
from featdash.tasks.folds import Whitening, five_folds
from featdash.tasks.streams import stream


@pytest.mark.parametrize("n", [50, 178, 442])
def test_each_row_tests_once_holds_out_once_and_trains_three_times(n):
    folds = five_folds(n, stream(1, "folds"))
    for part, times in (("train", 3), ("holdout", 1), ("test", 1)):
        rows = np.concatenate([getattr(fold, part) for fold in folds])
        assert np.bincount(rows, minlength=n).tolist() == [times] * n
    for fold in folds:
        assert sorted(np.concatenate(fold)) == list(range(n))
    sizes = sorted(len(test) for _, test in KFold(5).split(np.zeros(n)))
    assert sorted(len(fold.test) for fold in folds) == sizes


def correlated(n=4000, d=6):
    rng = np.random.default_rng(0)
    return rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) * np.geomspace(1e-3, 1e3, d) + 7


def test_white_columns_have_mean_zero_and_no_correlation():
    X = correlated()
    Z = Whitening.of(X)(X)
    np.testing.assert_allclose(Z.mean(axis=0), 0, atol=1e-8)
    np.testing.assert_allclose(np.cov(Z.T, bias=True), np.eye(6), atol=1e-8)


def test_the_root_is_that_of_the_inverse_of_the_correlations():
    X = correlated()
    expected = linalg.sqrtm(linalg.inv(np.corrcoef(X.T)))
    np.testing.assert_allclose(Whitening.of(X).root, expected.real, atol=1e-8)


def test_the_columns_of_other_rows_use_the_training_rows_alone():
    X = correlated()
    whitening = Whitening.of(X[:100])
    np.testing.assert_allclose(whitening(X)[:100], whitening(X[:100]))
    assert abs(whitening(X)[100:].mean()) > 1e-6


def test_a_column_that_repeats_another_is_not_magnified():
    X = correlated()
    X = np.column_stack([X, X[:, 0], np.full(len(X), 3.0)])
    Z = Whitening.of(X)(X)
    assert np.isfinite(Z).all()
    assert np.linalg.eigvalsh(np.cov(Z.T))[-1] == pytest.approx(1, abs=1e-3)


def test_pulled_back_gradients_are_those_by_the_columns():
    """Of f(x) = (x₁/s₁)·(x₃/s₃): no other column has an entry, though all are correlated."""
    X = correlated()
    whitening = Whitening.of(X)
    back = linalg.inv(whitening.root)

    def f(z):
        standard = z @ back
        return standard[:, 1] * standard[:, 3]

    Z, step = whitening(X[:200]), 1e-5
    slopes = np.column_stack([(f(Z + step * e) - f(Z - step * e)) / (2 * step) for e in np.eye(6)])
    by_column = np.diag(whitening.pulled_back(slopes.T @ slopes / 200))
    standard = (X[:200] - X.mean(axis=0)) / X.std(axis=0)
    assert by_column[1] == pytest.approx(np.mean(standard[:, 3] ** 2), rel=1e-4)
    np.testing.assert_allclose(by_column[[0, 2, 4, 5]], 0, atol=1e-6)


@pytest.mark.parametrize("name", BUNDLED)
def test_the_sets_that_come_along_are_complete(name):
    data = load_set(name, 0)
    assert data.X.shape == (len(data.y), len(data.columns))
    assert np.isfinite(data.X).all()
    assert (data.X.std(axis=0) > 0).all()
    assert len(set(data.columns)) == len(data.columns)
    assert data.y.std() > 0


def test_the_planted_table_is_what_it_says():
    data = planted_set(3, 20_000)
    assert data.planted == ("x07", "x21")
    left = data.y - data.X[:, 6] * data.X[:, 20]
    assert left.std() == pytest.approx(0.3, abs=0.01)
    apart = np.abs(np.corrcoef(data.X.T)[np.triu_indices(30, 1)])
    assert np.median(apart) > 0.1
    np.testing.assert_array_equal(planted_set(3, 50).X[:, 0].shape, (50,))
