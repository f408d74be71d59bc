"""Hidden layers in order: the filters and heads written out once more in NumPy, and the claim at other seeds."""

import numpy as np
import pytest
from trial_runs import computed

from featdash.lessons.hidden_layers.frames import STAGES, ErrorFrame, FilterFrame
from featdash.lessons.hidden_layers.heads import Moments, products_of
from featdash.lessons.hidden_layers.recipe import LAMS, HiddenLayersSpec
from featdash.lessons.hidden_layers.run import Filters, hierarchy, run
from featdash.recipes.events import Frame

SMALL = {"n": 800, "d": 12, "r": 3, "noise": 0.2, "seed": 5}


def drawn(seed=0, n=900, d=7):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, np.tanh(X[:, 0] ** 2 - X[:, 1] * X[:, 2]) + 0.1 * rng.standard_normal(n)


@pytest.mark.parametrize("r", [1, 3, 7])
def test_the_second_filter_is_the_label_weighted_direction_among_orthonormal_quadratics(r):
    X, y = drawn()
    filters = Filters.of(X, y)
    Z = X @ filters.vectors[:, :r]
    fresh = np.random.default_rng(1).standard_normal((50, 7))
    found = np.zeros(50)
    for k in range(r):
        for m in range(k + 1):
            scale, constant = (np.sqrt(0.5), 1.0) if k == m else (1.0, 0.0)
            beta = np.mean((y - y.mean()) * (Z[:, k] * Z[:, m] - constant) * scale)
            new = fresh @ filters.vectors[:, :r]
            found += beta * (new[:, k] * new[:, m] - constant) * scale
    np.testing.assert_allclose(filters.second(fresh, r), found, atol=1e-10)


def test_the_first_filter_keeps_the_largest_eigenvalues_of_either_sign():
    X, y = drawn()
    M = np.zeros((7, 7))
    for x, label in zip(X, y, strict=True):
        M += (label - y.mean()) * np.outer(x, x) / len(y)
    filters = Filters.of(X, y)
    np.testing.assert_allclose(np.sort(filters.values), np.linalg.eigvalsh(M), atol=1e-10)
    assert (np.diff(np.abs(filters.values)) <= 0).all()
    np.testing.assert_allclose(M @ filters.vectors, filters.vectors * filters.values, atol=1e-10)


def test_a_head_is_the_best_ridge_on_the_holdout():
    X, y = drawn()
    holdout, test = drawn(1, 300), drawn(2, 400)
    moments = Moments(products_of(7))
    moments.extend(X[:350], y[:350])
    moments.extend(X[350:], y[350:])

    def phi(X):
        k, m = np.triu_indices(7)
        return np.where(k == m, (X[:, k] ** 2 - 1) / np.sqrt(2), X[:, k] * X[:, m])

    F = phi(X)
    A = F - F.mean(axis=0)
    unit = np.mean(np.var(F, axis=0))
    errors = []
    for lam in LAMS:
        rows = np.vstack([A, np.sqrt(len(y) * lam * unit) * np.eye(A.shape[1])])
        c = np.linalg.lstsq(rows, np.concatenate([y - y.mean(), np.zeros(A.shape[1])]), rcond=None)[0]
        pair = [np.mean((Y - y.mean() - (phi(Z) - F.mean(axis=0)) @ c) ** 2) for Z, Y in (holdout, test)]
        errors.append(pair)
    best = min(errors)[1] / np.var(test[1])
    assert moments.error(holdout, test) == pytest.approx(best, rel=1e-4)


@pytest.mark.parametrize("outer", ["tanh", "sine", "cubic"])
def test_the_target_is_that_of_its_formula(outer):
    spec = HiddenLayersSpec(**SMALL, outer=outer)
    target = hierarchy(spec)
    X, y = target.sample("train", 60_000)
    Z = X @ target.U
    q = (Z[:, 0] ** 2 + Z[:, 1] ** 2 - Z[:, 2] ** 2 - 1) / np.sqrt(6)
    g = {"tanh": np.tanh(3 * q), "sine": 0.6 * q + np.sin(3 * q), "cubic": (q + (q**3 - 3 * q) / 6**0.5) / 1.6}
    np.testing.assert_allclose(y, g[outer], atol=1e-12)
    np.testing.assert_allclose(target.U.T @ target.U, np.eye(3), atol=1e-12)
    assert np.mean(q) == pytest.approx(0, abs=0.02)
    assert np.var(q) == pytest.approx(1, abs=0.03)
    noisy = target.sample("train", 60_000, 0.5)[1]
    assert np.std(noisy - y) == pytest.approx(0.5, abs=0.01)


def test_frames_and_summary_say_the_same_and_sizes_are_nested():
    spec = HiddenLayersSpec(**SMALL)
    *events, result = run(spec)
    frames = {name: {} for name in ("filters", "errors")}
    for event in events:
        if isinstance(event, Frame):
            frames[event.stream][event.at] = event.arrays
    assert list(frames["filters"]) == list(frames["errors"]) == [50, 100, 200, 400, 800]
    last = FilterFrame.from_arrays(frames["filters"][800])
    target = hierarchy(spec)
    X, y = target.sample("train", 800, 0.2)
    half = Filters.of(X[:400], y[:400])
    np.testing.assert_allclose(FilterFrame.from_arrays(frames["filters"][400]).values, half.values)
    kept = Filters.of(X, y).vectors[:, :3]
    assert result.summary["share"] == pytest.approx(np.linalg.norm(target.U.T @ kept) ** 2 / 3)
    for stage in STAGES:
        told = {n: ErrorFrame.from_arrays(arrays).of(stage) for n, arrays in frames["errors"].items()}
        assert told == {float(n): value for n, value in result.summary["by_size"][stage].items()}
        assert result.summary["errors"][stage] == told[800]
    assert result.summary["least"] == abs(last.values[2]) >= result.summary["bulk"] == abs(last.values[3])


@pytest.mark.parametrize("seed", [7, 11])
def test_each_filter_needs_the_other_at_other_seeds(seed):
    errors = computed("hidden-layers", HiddenLayersSpec(seed=seed)).summary["errors"]
    assert errors["two"] < 0.1
    assert 0.19 < errors["one"] < 0.24
    assert 0.25 < errors["second"] < 0.29 < errors["products"] < 0.35
    assert errors["random"] > 0.8
