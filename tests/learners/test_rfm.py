"""The recursive feature machine against a plain dense one, which shares no code with it."""

import numpy as np
import pytest
import torch

from featdash.learners import rfm
from featdash.learners.rfm import MahalanobisKernel, fit_machine, rfm_rounds

N, D, ROUNDS, RIDGE, LENGTH = 40, 4, 2, 1e-2, 3.0


def fit_rfm(*sample, **options):
    """(the machine of the last round, M (rounds + 1, d, d) by round)."""
    machines = list(rfm_rounds(*sample, **options))
    return machines[-1], np.stack([machine.M for machine in machines])


@pytest.fixture
def sample():
    """(X (40, 4), y (40,)): a product of two inputs, a third alone, and noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N, D))
    return X, X[:, 0] * X[:, 1] + X[:, 2] + 0.1 * rng.standard_normal(N)


def dense_machines(X, y, kind):
    """(M, duals, f) by round: a kernel of pairs, one by one, a solve, and gradients by autograd."""
    inputs, M = torch.tensor(X), torch.eye(D, dtype=torch.float64)

    def value(x, z, M):
        squared = (x - z) @ M @ (x - z)
        r = squared.sqrt() if squared > 0 else squared * 0
        return torch.exp(-r / LENGTH if kind == "laplace" else -squared / (2 * LENGTH**2))

    for _ in range(ROUNDS + 1):
        K = torch.stack([torch.stack([value(x, z, M) for z in inputs]) for x in inputs])
        duals = torch.linalg.solve(K + N * RIDGE / 2 * torch.eye(N), torch.tensor(y))

        def predict(x, M=M, duals=duals):
            return sum(dual * value(x, z, M) for dual, z in zip(duals, inputs, strict=True))

        yield M.numpy(), duals.numpy(), predict
        slopes = torch.stack([torch.autograd.functional.jacobian(predict, x) for x in inputs])
        M = D * (slopes.T @ slopes) / slopes.square().sum()


@pytest.mark.parametrize("kind", rfm.KINDS)
def test_rounds_are_those_of_a_plain_dense_machine(sample, kind):
    X, y = sample
    new = np.random.default_rng(1).standard_normal((5, D))
    ours = list(rfm_rounds(X, y, ROUNDS, RIDGE, LENGTH, kind))
    assert len(ours) == ROUNDS + 1
    for machine, (M, duals, predict) in zip(ours, dense_machines(X, y, kind), strict=True):
        np.testing.assert_allclose(machine.M, M, rtol=1e-6, atol=1e-6)
        np.testing.assert_allclose(machine.duals, duals, rtol=1e-6, atol=1e-6 * np.abs(duals).max())
        np.testing.assert_allclose(machine(new), [predict(x).item() for x in torch.tensor(new)], rtol=1e-6)
    assert not np.allclose(ours[0].M, ours[-1].M, atol=0.1), "M has moved"


def test_blocks_of_rows_change_nothing(sample, monkeypatch):
    X, y = sample
    whole, by_round = fit_rfm(X, y)
    monkeypatch.setattr(rfm, "ROWS", 7)
    parts, again = fit_rfm(X, y)
    np.testing.assert_allclose(again, by_round, atol=1e-10)
    np.testing.assert_allclose(parts(X), whole(X), atol=1e-10)
    assert by_round.shape == (rfm.ROUNDS + 1, D, D)
    np.testing.assert_allclose(np.trace(by_round, axis1=1, axis2=2), D)


def test_chosen_ridge_has_the_least_error_at_samples_left_out(sample):
    """Each left out in turn, and the rest solved: the definition."""
    X, y = sample
    kernel = MahalanobisKernel(np.eye(D), LENGTH)
    K, chosen = kernel(X, X), fit_machine(kernel, X, y).lam

    def error(lam):
        left = []
        for out in range(N):
            rest = np.arange(N) != out
            duals = np.linalg.solve(K[np.ix_(rest, rest)] + N * lam / 2 * np.eye(N - 1), y[rest])
            left.append(K[out, rest] @ duals - y[out])
        return np.mean(np.square(left))

    lams = 2 / N * np.linalg.eigvalsh(K)[-1] * np.logspace(-8, 2, 41)  # of every head
    assert chosen == pytest.approx(lams[np.argmin([error(lam) for lam in lams])])


def test_it_finds_the_one_direction_that_matters():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((400, 8))
    machine, by_round = fit_rfm(X, X[:, 3] ** 2 - 1)
    shares = by_round[:, 3, 3] / 8
    assert shares[0] == pytest.approx(1 / 8)
    assert shares[-1] > 0.95
    new = rng.standard_normal((400, 8))
    fixed = next(rfm_rounds(X, X[:, 3] ** 2 - 1))
    errors = [np.mean((f(new) - new[:, 3] ** 2 + 1) ** 2) for f in (fixed, machine)]
    assert errors[1] < errors[0] / 4


def test_samples_that_coincide_and_labels_without_slope_are_no_trouble():
    X = np.repeat(np.random.default_rng(3).standard_normal((20, 3)), 2, axis=0)
    machine, by_round = fit_rfm(X, X[:, 0])
    assert np.isfinite(by_round).all()
    assert np.isfinite(machine(X)).all()
    _, flat = fit_rfm(X, np.zeros(40))
    np.testing.assert_array_equal(flat, np.broadcast_to(np.eye(3), flat.shape))
    assert fit_rfm(X, X[:, 0], rounds=0)[1].shape == (1, 3, 3)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"rounds": -1}, "rounds must be >= 0, got -1; 0 is the fixed kernel"),
        ({"ridge": 0.0}, "ridge must be > 0, got 0.0; None chooses it by leaving one sample out"),
        ({"bandwidth": -2.0}, "length must be > 0, got -2.0; None takes it from the inputs"),
        ({"kind": "cosine"}, "kernel must be one of laplace, gaussian, got 'cosine'; choose one of them"),
    ],
)
def test_wrong_arguments_are_refused(sample, change, message):
    with pytest.raises(ValueError, match=f"^{message}$"):
        fit_rfm(*sample, **change)
