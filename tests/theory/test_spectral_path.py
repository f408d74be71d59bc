"""One factorisation gives ridge at every λ and gradient descent at every step."""

import subprocess
import sys

import numpy as np
import pytest
import torch
from gradient_descent import train_head_by_gradient_descent
from sklearn.linear_model import Ridge

from featdash.learners.factorisation import bidiagonalise
from featdash.learners.feature_map import ReluFeatures, TangentFeatures
from featdash.learners.head import ROWS, Head, Readout, grow_head, predict, solve_head
from featdash.learners.network import Network, draw_network
from featdash.theory.ridge_path import SpectralPath, is_dense

D = 5
LAMS = np.logspace(-4, 3, 12)


class Problem:
    """ReLU features of 300 rows and 40 neurons, or 40 rows and 300: with holdout, test and the explicit matrices."""

    def __init__(self, n: int, m: int, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        network = Network(np.ones(m), rng.standard_normal((m, D)), rng.standard_normal(m))
        samples = {
            name: rng.standard_normal((size, D)) for name, size in (("train", n), ("holdout", 90), ("test", 110))
        }
        self.labels = {name: X[:, 0] ** 2 + X[:, 1] for name, X in samples.items()}
        for name in ("train", "holdout"):
            self.labels[name] = self.labels[name] + rng.standard_normal(len(self.labels[name]))
        self.matrices = {name: np.maximum(X @ network.W.T + network.b, 0) for name, X in samples.items()}
        self.maps = {name: ReluFeatures(X, network, dtype=torch.float64) for name, X in samples.items()}
        self.evaluations = {name: (self.maps[name], self.labels[name]) for name in ("holdout", "test")}

    def solve(self, **options):
        return solve_head(self.maps["train"], self.labels["train"], self.evaluations, **options)

    def risk(self, name, weights):
        return np.mean((self.matrices[name] @ weights - self.labels[name]) ** 2)


@pytest.fixture(params=[(300, 40), (40, 300)], ids=["tall", "wide"], scope="module")
def problem(request):
    return Problem(*request.param)


def test_path_equals_dense_ridge_at_every_lambda(problem):
    head = problem.solve()
    n = len(problem.labels["train"])
    for lam in LAMS:
        oracle = Ridge(alpha=n * lam / 2, fit_intercept=False, solver="svd")
        oracle.fit(problem.matrices["train"], problem.labels["train"])
        scale = np.abs(oracle.coef_).max()
        assert np.allclose(head.weights(lam).numpy(), oracle.coef_, rtol=1e-7, atol=1e-7 * scale)
        for name in ("train", "holdout", "test"):
            assert head.path.risk(name, lam) == pytest.approx(problem.risk(name, oracle.coef_), rel=1e-7)


def weights_after(head: Head, lam: float, t: float | None) -> torch.Tensor:
    """a (q,) after t steps of gradient descent, or in the ridge limit for None."""
    return head.combine(head.path.coordinates(lam, t)[:, None])[:, 0]


@pytest.mark.parametrize("lam", [0.0, 1e-3, 1.0])
def test_path_equals_the_literal_loop_of_gradient_descent(problem, lam):
    head = problem.solve()
    phi, y = torch.tensor(problem.matrices["train"]), torch.tensor(problem.labels["train"])
    eta = float(head.path.step_size(lam))
    for t, iterate in enumerate(train_head_by_gradient_descent(phi, y, lam, eta, 2000), start=1):
        if t in (1, 2, 3, 10, 100, 2000):
            difference = torch.linalg.norm(weights_after(head, lam, t) - iterate) / torch.linalg.norm(iterate)
            assert difference < 1e-6
            assert head.path.risk("test", lam, t) == pytest.approx(problem.risk("test", iterate.numpy()), rel=1e-6)


def test_gradient_descent_ends_at_ridge(problem):
    path = problem.solve().path
    lam = 0.1
    assert path.coefficients(lam, 1e9) == pytest.approx(path.coefficients(lam), rel=1e-9)


def test_no_step_is_the_zero_predictor(problem):
    path = problem.solve().path
    for name in ("train", "holdout", "test"):
        assert path.risk(name, 0.5, 0) == pytest.approx(np.mean(problem.labels[name] ** 2), rel=1e-12)


def test_k_lanczos_steps_hold_the_first_k_iterates(problem):
    k, lam = 12, 1e-2
    path = problem.solve(steps=k).path
    weights = torch.zeros(problem.matrices["train"].shape[1], dtype=torch.float64)
    phi, y = torch.tensor(problem.matrices["train"]), torch.tensor(problem.labels["train"])
    eta = float(path.step_size(lam))
    for t, weights in enumerate(train_head_by_gradient_descent(phi, y, lam, eta, k), start=1):
        assert path.risk("holdout", lam, t) == pytest.approx(problem.risk("holdout", weights.numpy()), rel=1e-9)
        assert path.gap(lam, t) == 0


def test_lanczos_agrees_with_a_dense_factorisation():
    """Unfinished Lanczos on 400 columns against numpy's SVD, wherever `gap` vouches for it."""
    problem = Problem(500, 400, seed=3)
    path = problem.solve(steps=60).path
    P, sigma, Qt = np.linalg.svd(problem.matrices["train"], full_matrices=False)
    lams = path.default_lams()
    vouched = lams[path.gap(lams) < 1e-9]
    assert len(vouched) > 10
    for lam in vouched:
        weights = Qt.T @ (sigma * (P.T @ problem.labels["train"]) / (sigma**2 + 500 * lam / 2))
        assert path.risk("holdout", lam) == pytest.approx(problem.risk("holdout", weights), rel=1e-7)


def test_gap_bounds_the_error_on_the_training_sample():
    problem = Problem(500, 400, seed=4)
    n, phi, y = 500, problem.matrices["train"], problem.labels["train"]
    short = problem.solve(steps=8)
    for lam in np.logspace(-3, 2, 6):
        exact = np.linalg.solve(2 / n * phi.T @ phi + lam * np.eye(400), 2 / n * phi.T @ y)
        error = np.sqrt(np.mean((phi @ (short.weights(lam).numpy() - exact)) ** 2) / np.mean(y**2))
        assert 1e-13 < error <= short.path.gap(lam)


def test_bidiagonalisation_is_a_factorisation_with_orthonormal_bases():
    problem = Problem(60, 50, seed=5)
    y = torch.tensor(problem.labels["train"])
    for krylov in bidiagonalise(problem.maps["train"], y, 50):
        V = krylov.V.numpy()
        assert np.allclose(V.T @ V, np.eye(krylov.steps), atol=1e-12)
        image = problem.matrices["train"] @ V
        assert np.allclose(image.T @ image, krylov.B.T @ krylov.B, atol=1e-9 * krylov.B.max() ** 2)
    assert krylov.steps == np.linalg.matrix_rank(problem.matrices["train"])


def test_lanczos_stops_when_the_space_is_exhausted():
    """Ten copies each of four neurons: rank 4, so four steps are exact for every λ."""
    rng = np.random.default_rng(6)
    X = rng.standard_normal((80, D))
    network = Network(np.ones(40), np.tile(rng.standard_normal((4, D)), (10, 1)), np.zeros(40))
    y = rng.standard_normal(80)
    head = solve_head(ReluFeatures(X, network, dtype=torch.float64), y)
    assert len(head.path.ritz) == 4
    assert head.path.gap(1e-8 * head.path.largest) == 0
    oracle = Ridge(alpha=80 * 1e-3 / 2, fit_intercept=False, solver="svd").fit(np.maximum(X @ network.W.T, 0), y)
    assert np.allclose(head.weights(1e-3).numpy(), oracle.coef_, atol=1e-9)


def test_labels_that_the_features_do_not_see_leave_the_zero_predictor(problem):
    n = len(problem.labels["train"])
    head = solve_head(problem.maps["train"], np.zeros(n), problem.evaluations)
    lam = head.path.tune("holdout")
    assert head.path.risk("train", lam) == 0
    assert head.path.risk("test", [0.1, 1.0], 5) == pytest.approx([np.mean(problem.labels["test"] ** 2)] * 2)
    assert not head.weights(lam).any()


def test_growing_paths_approach_the_last_one(problem):
    heads = list(grow_head(problem.maps["train"], problem.labels["train"], problem.evaluations, checkpoints=(2, 8)))
    assert [len(head.path.ritz) for head in heads[:2]] == [2, 8]
    last = problem.solve().path
    assert heads[-1].path.risk("test", 0.3) == pytest.approx(last.risk("test", 0.3), rel=1e-12)
    gaps = [float(head.path.gap(1.0)) for head in heads]
    assert gaps == sorted(gaps, reverse=True)


def test_readouts_are_linear_functionals_of_the_predictions(problem):
    rng = np.random.default_rng(8)
    mixing, offset = rng.standard_normal((3, 110)), rng.standard_normal(3)
    head = problem.solve(
        readouts={
            "mixed": Readout(problem.maps["test"], mixing, offset),
            "profile": Readout(problem.maps["holdout"]),
        }
    )
    for lam, t in ((0.2, None), (0.01, 30)):
        weights = weights_after(head, lam, t)
        mixed = mixing @ (problem.matrices["test"] @ weights.numpy()) + offset
        assert np.allclose(head.path.read("mixed", lam, t), mixed, atol=1e-9)
        assert np.allclose(head.path.read("profile", lam, t), predict(problem.maps["holdout"], weights))


@pytest.mark.parametrize("rows", [3, ROWS, 2 * ROWS + 5])
def test_the_risk_on_a_sample_is_that_of_its_predictions_however_many_rows_it_has(rows):
    """Its factor is made a few rows at a time; of three samples there are fewer rows than columns."""
    rng = np.random.default_rng(5)
    network = draw_network(40, 3, rng, biases=True)
    X, Z = rng.standard_normal((200, 3)), rng.standard_normal((rows, 3))
    seen = ReluFeatures(Z, network, dtype=torch.float64)
    labels = {"noisy": rng.standard_normal(rows), "clean": Z[:, 0] ** 2}
    solved = solve_head(
        ReluFeatures(X, network, dtype=torch.float64), X[:, 0] ** 2, {name: (seen, y) for name, y in labels.items()}
    )
    for lam in (1e-3, 1e-1):
        predicted = predict(seen, solved.weights(lam))
        for name, y in labels.items():
            assert solved.path.risk(name, lam) == pytest.approx(np.mean((predicted - y) ** 2), rel=1e-9)


def test_holdout_chooses_lambda_and_test_labels_do_not(problem):
    path = problem.solve().path
    risks = [problem.risk("holdout", problem.solve().weights(lam).numpy()) for lam in LAMS]
    assert path.tune("holdout", LAMS) == LAMS[np.argmin(risks)]
    shuffled = {**problem.evaluations, "test": (problem.maps["test"], -99 * problem.labels["test"])}
    other = solve_head(problem.maps["train"], problem.labels["train"], shuffled).path
    assert other.tune("holdout") == path.tune("holdout")


def test_vectors_of_lambda_and_steps_broadcast(problem):
    path = problem.solve().path
    grid = path.risk("test", LAMS[:, None], np.array([1, 10, 100]))
    assert grid.shape == (12, 3)
    assert grid[4, 2] == pytest.approx(path.risk("test", LAMS[4], 100), rel=1e-12)


def test_risk_of_a_perfect_fit_has_no_cancellation():
    """Labels in the span of the features: the risk falls far below 1e-16 of their energy, and is never negative."""
    problem = Problem(60, 20, seed=9)
    y = 1e3 * problem.matrices["train"] @ np.random.default_rng(9).standard_normal(20)
    path = solve_head(problem.maps["train"], y, {"again": (problem.maps["train"], y)}).path
    risk = path.risk("again", 1e-12 * path.largest)
    assert 0 <= risk < 1e-17 * np.mean(y**2)


def test_a_path_survives_its_file(problem, tmp_path):
    path = problem.solve(readouts={"profile": Readout(problem.maps["holdout"])}).path
    np.savez(tmp_path / "run.npz", **path.to_arrays("ntk/"), other=np.arange(3))
    with np.load(tmp_path / "run.npz", allow_pickle=False) as file:
        back = SpectralPath.from_arrays(file, "ntk/")
    for name in ("train", "holdout", "test"):
        assert np.array_equal(back.risk(name, LAMS, 7), path.risk(name, LAMS, 7))
    assert np.allclose(back.read("profile", 0.1), path.read("profile", 0.1), rtol=1e-5, atol=1e-5)
    assert np.array_equal(back.gap(LAMS), path.gap(LAMS))


def test_single_precision_products_leave_the_tuned_risk_alone():
    rng = np.random.default_rng(10)
    X, held = rng.standard_normal((2000, 10)), rng.standard_normal((2000, 10))
    y, y_held = (Z[:, 0] ** 2 + rng.standard_normal(2000) for Z in (X, held))
    network = draw_network(200, 10, rng, biases=True)
    for kind in (ReluFeatures, TangentFeatures):
        single, double = (
            solve_head(kind(X, network, dtype=dtype), y, {"holdout": (kind(held, network, dtype=dtype), y_held)}).path
            for dtype in (torch.float32, torch.float64)
        )
        lams = double.default_lams()
        assert single.tune() == pytest.approx(double.tune(), rel=1e-5)
        assert single.risk("holdout", lams) == pytest.approx(double.risk("holdout", lams), rel=1e-4)
        assert single.risk("holdout", double.tune()) == pytest.approx(double.risk("holdout", double.tune()), rel=1e-6)


@pytest.mark.parametrize(("lam", "steps"), [(0, None), (-1, 5), (float("nan"), None), (1, -2)])
def test_values_off_the_path_are_refused(problem, lam, steps):
    with pytest.raises(ValueError, match=r"(lam|steps) must be >=? 0, got .*;"):
        problem.solve(steps=5).path.coefficients(lam, steps)


def test_evaluating_a_path_needs_numpy_alone():
    loaded = "import sys, featdash.theory.ridge_path; print(sorted({'torch', 'sklearn', 'scipy'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True).stdout == "[]\n"


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device on this machine")
@pytest.mark.parametrize("kind", [ReluFeatures, TangentFeatures])
def test_cuda_gives_the_path_of_the_cpu(kind):
    rng = np.random.default_rng(11)
    X, y, network = rng.standard_normal((300, D)), rng.standard_normal(300), draw_network(60, D, rng, biases=True)
    on_cpu, on_cuda = (
        solve_head(kind(X, network, device=device, dtype=torch.float64), y).path for device in ("cpu", "cuda")
    )
    assert np.allclose(on_cuda.risk("train", LAMS), on_cpu.risk("train", LAMS), rtol=1e-9)


def test_a_head_is_factorised_densely_where_a_short_krylov_space_is_not_right_and_a_dense_one_not_large():
    assert all(is_dense(*sizes) for sizes in [(200, 200), (1024, 1024), (1024, 2**13), (10_000, 121)])
    assert not any(is_dense(*sizes) for sizes in [(120, 5000), (1025, 1025), (1024, 2**13 + 1), (10**6, 121)])
