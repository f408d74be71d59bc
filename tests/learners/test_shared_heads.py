"""Heads over one feature map: by its moments or by its products, they are ridge regression, whatever the λ."""

from functools import partial

import numpy as np
import pytest
import torch
from sklearn.linear_model import Ridge

from featdash.learners import feature_map, shared_heads
from featdash.learners.factorisation import bidiagonalise, tridiagonalise
from featdash.learners.feature_map import ReluFeatures, TangentFeatures
from featdash.learners.head import predict, solve_head
from featdash.learners.network import draw_network
from featdash.learners.shared_heads import NormalEquations, ridge_curve, risks_along, tune_heads
from featdash.theory import ridge_path


def many_features(dtype=torch.float32):
    """(features of 1500 samples, the same as a NumPy matrix, labels); 300 features, more than `FEW`."""
    rng = np.random.default_rng(2)
    network = draw_network(600, 3, rng, biases=True)
    X = rng.standard_normal((1500, 3))
    half = network.first_half()
    matrix = np.sqrt(2) * np.maximum(X @ half.W.T + half.b, 0)
    return partial(ReluFeatures, network=network, dtype=dtype), X, matrix, X[:, 0] ** 2 + rng.standard_normal(1500)


@pytest.mark.parametrize("kind", [ReluFeatures, TangentFeatures])
def test_a_ridge_curve_gives_every_ridge_solution(kind):
    """Against predictions from the head's own weights, λ by λ."""
    rng = np.random.default_rng(0)
    X, Z = rng.standard_normal((300, 4)), rng.standard_normal((500, 4))
    network = draw_network(100, 4, rng, biases=True)
    y, truth = X[:, 0] ** 2 + rng.standard_normal(300), Z[:, 0] ** 2
    head = solve_head(kind(X, network, dtype=torch.float64), y)
    lams = head.path.default_lams()
    seen = kind(Z, network, dtype=torch.float64)
    curve = ridge_curve(head, lams)
    (risk,) = risks_along(lambda rows: kind(rows, network, dtype=torch.float64), Z, truth, [curve])
    for index, lam in enumerate(lams):
        errors = (predict(seen, head.weights(lam)) - truth) ** 2
        level = np.mean(y**2)
        assert risk.mean[index] == pytest.approx(np.mean(errors), abs=1e-5 * level, rel=1e-5)
        assert risk.standard_error[index] == pytest.approx(np.std(errors) / np.sqrt(500), rel=1e-4)
    assert curve.basis.shape[1] < 41
    torch.testing.assert_close(curve.basis.T @ curve.basis, torch.eye(curve.basis.shape[1], dtype=torch.float64))


def test_normal_equations_solve_ridge_whatever_the_pieces():
    """Against numpy's solve of (ΦᵀΦ + (nλ/2) I) a = Φᵀy."""
    rng = np.random.default_rng(1)
    network = draw_network(24, 3, rng, biases=True)
    X, y = rng.standard_normal((200, 3)), rng.standard_normal(200)
    equations = NormalEquations(12, torch.device("cpu"))
    for rows in (slice(0, 60), slice(60, 61), slice(61, 200)):
        equations.extend(ReluFeatures(X[rows], network, dtype=torch.float64), y[rows])
    head = equations.head()
    half = network.first_half()
    features = np.sqrt(2) * np.maximum(X @ half.W.T + half.b, 0)
    for lam in head.path.largest * np.array([1e-6, 1e-3, 1.0]):
        exact = np.linalg.solve(features.T @ features + 100 * lam * np.eye(12), features.T @ y)
        np.testing.assert_allclose(head.weights(lam).numpy(), exact, rtol=1e-7, atol=1e-10)
    assert head.path.largest == pytest.approx(np.linalg.norm(features, 2) ** 2 / 100)


def test_moments_are_those_of_the_feature_matrix(monkeypatch):
    monkeypatch.setattr(feature_map, "BLOCK_RESPONSES", 1 << 16)  # several blocks of rows
    featurise, X, matrix, y = many_features(torch.float64)
    gram, view = featurise(X).moments(torch.as_tensor(y))
    np.testing.assert_allclose(gram.numpy(), matrix.T @ matrix, rtol=1e-12)
    np.testing.assert_allclose(view.numpy(), matrix.T @ y, rtol=1e-9, atol=1e-9)


def test_normal_equations_grow_to_the_ridge_solution_of_the_rows_they_had():
    """Single-precision blocks, against NumPy's dense solve in double; rows added later change nothing."""
    featurise, X, matrix, y = many_features()
    equations = NormalEquations(300, torch.device("cpu"))
    for rows in (slice(0, 400), slice(400, 1000)):
        equations.extend(featurise(X[rows]), y[rows])
    growing = equations.grow((5, 60, 300))
    heads = [next(growing)]
    equations.extend(featurise(X[1000:]), y[1000:])
    heads += growing
    lam = 1e-4 * heads[-1].path.largest
    features, labels = matrix[:1000], y[:1000]
    exact = features @ np.linalg.solve(features.T @ features + 500 * lam * np.eye(300), features.T @ labels)
    apart = [np.sqrt(np.mean((features @ head.weights(lam).numpy() - exact) ** 2)) for head in heads]
    level = np.sqrt(np.mean(labels**2))
    assert heads[0].path.gap(lam) * level >= apart[0] > 1e-3
    assert apart[-1] < 1e-5 * level
    assert heads[-1].path.level == pytest.approx(level)
    assert heads[-1].path.largest == pytest.approx(np.linalg.norm(features, 2) ** 2 / 500, rel=1e-6)


def test_labels_that_the_features_do_not_see_leave_the_head_at_zero():
    featurise, X, _, y = many_features()
    equations = NormalEquations(300, torch.device("cpu"))
    equations.extend(featurise(X), np.zeros_like(y))
    (head,) = equations.grow((10, 20))
    assert head.weights(1.0).shape == (300,)
    assert not head.weights(1.0).any()


def test_lanczos_of_the_moments_spans_the_krylov_space_of_the_features():
    featurise, X, matrix, y = many_features(torch.float64)
    gram, view = featurise(X).moments(torch.as_tensor(y))
    *_, ours = tridiagonalise(gram, view, 12)
    *_, other = bidiagonalise(featurise(X), torch.as_tensor(y), 12)
    assert (ours.steps, other.steps) == (12, 12)
    np.testing.assert_allclose(ours.T, other.B.T @ other.B, atol=1e-9 * ours.T.max())
    np.testing.assert_allclose((ours.V.T @ other.V).abs().numpy(), np.eye(12), atol=1e-6)
    image = matrix.T @ (matrix @ ours.V.numpy()) - ours.V.numpy() @ ours.T
    np.testing.assert_allclose(image[:, :-1], 0, atol=1e-9 * ours.T.max())
    assert np.linalg.norm(image[:, -1]) == pytest.approx(ours.spill)


def test_heads_by_moments_and_by_features_agree_with_each_other_and_are_as_good_as_ridge(monkeypatch):
    """The λ and the risks of one sample, whichever way a head is solved; and scikit-learn's risk at that λ."""
    featurise, X, matrix, y = many_features()
    found = []
    for pays in (3, 1e9):
        monkeypatch.setattr(ridge_path, "GRAM_PAYS", pays)
        heads = shared_heads.SharedHeads(featurise, 300)
        assert list(heads.train(X[:1200], y[:1200], [200, 600, 1000, 1200])) == [200, 600, 1000, 1200]
        lams = heads.tune(X[1200:], y[1200:])
        found.append((lams, [risk.mean[0] for risk in heads.test(X[1200:], y[1200:], lams)]))
    np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-5)
    np.testing.assert_allclose(found[0][1], found[1][1], rtol=1e-4)
    for n, lam, risk in zip((200, 600, 1000, 1200), *found[0], strict=True):
        model = Ridge(alpha=n * lam / 2, fit_intercept=False).fit(matrix[:n], y[:n])
        assert risk == pytest.approx(np.mean((model.predict(matrix[1200:]) - y[1200:]) ** 2), rel=1e-4)


def test_tuning_takes_the_least_risk_of_the_grid():
    featurise, X, _, y = many_features(torch.float64)
    head = solve_head(featurise(X[:1000]), y[:1000])
    (lam,) = tune_heads(featurise, X[1000:], y[1000:], [head])
    grid = head.path.default_lams()
    risks = [np.mean((predict(featurise(X[1000:]), head.weights(one)) - y[1000:]) ** 2) for one in grid]
    assert lam == pytest.approx(grid[int(np.argmin(risks))])
