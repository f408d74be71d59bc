"""Risk against width: against a network written out in numpy with draws of its own; counts, matches and stairs."""

import json

import numpy as np
import pytest

from featdash.learners.methods import RACING
from featdash.lessons.shared.gaussian_race import layer_of
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.lessons.sweep.run import run as run_column
from featdash.lessons.width.lesson import stairs
from featdash.lessons.width.recipe import EXPERIMENT, WidthSpec, match, weights_of
from featdash.runs.codec import read_archive
from featdash.runs.composite import CellFailed
from featdash.runs.recording import recorded_path

QUICK = {"n": 300, "widths": (4, 20), "seeds": (0, 3), "holdout": 500, "test": 500}
RECORDED = read_archive(recorded_path("width", WidthSpec()), shipped=True).result.summary


def quartic(z):
    return (z**2 - 1) / 2 + (z**4 - 6 * z**2 + 3) / (4 * np.sqrt(3))


def ridge_risk(features, splits, offset):
    """The least mean squared error over λ on the holdout, then against the clean labels of the test sample."""
    train, holdout, test = ((features(X), y - offset(X)) for X, y in splits)
    gram, back = train[0].T @ train[0] / len(train[1]), train[0].T @ train[1] / len(train[1])
    values, vectors = np.linalg.eigh(gram)
    heads = [vectors @ (vectors.T @ back / (np.maximum(values, 0) + lam)) for lam in np.logspace(-8, 2, 41)]
    head = min(heads, key=lambda a: np.mean((holdout[0] @ a - holdout[1]) ** 2))
    return np.mean((test[0] @ head - test[1]) ** 2)


def plain_risk(method, m, seed, n=10_000, d=10):
    """Algorithm 1 or the NTK, from the paper's listing: nothing of the package is used."""
    rng = np.random.default_rng([seed, m])
    inputs = [rng.standard_normal((rows, d)) for rows in (n, 10_000, 20_000)]
    noise = (rng.standard_normal(n), rng.standard_normal(10_000), np.zeros(20_000))
    splits = [(X, quartic(X[:, 0]) + e) for X, e in zip(inputs, noise, strict=True)]
    W = rng.standard_normal((m // 2, d))
    W /= np.linalg.norm(W, axis=1, keepdims=True)
    if method == "ntk":

        def features(X):
            gates = X @ W.T > 0
            return np.hstack([gates * (X @ W.T), (gates[:, :, None] * X[:, None, :]).reshape(len(X), -1)])

        return ridge_risk(features, splits, lambda X: np.zeros(len(X)))
    X, y = splits[0]
    alpha, beta = y.mean(), X.T @ y / n
    W, a = np.vstack([W, W]), np.repeat([1.0, -1.0], m // 2)
    pull = ((X @ W.T > 0) * (y - alpha - X @ beta)[:, None]).T @ X / n * a[:, None]
    turned = pull / np.sqrt(np.mean(np.sum(pull**2, axis=1)))
    b = rng.standard_normal(m)
    return ridge_risk(lambda X: np.maximum(X @ turned.T + b, 0), splits, lambda X: alpha + X @ beta)


@pytest.mark.parametrize(("method", "m", "draws"), [("algorithm1", 10, 12), ("algorithm1", 30, 12), ("ntk", 30, 4)])
def test_the_risk_is_that_of_a_network_written_out(method, m, draws):
    """Two means of independent draws: four standard errors of their difference."""
    plain = [plain_risk(method, m, seed) for seed in range(draws)]
    (row,) = (one for one in RECORDED["statistics"] if (one["method"], one["width"]) == (method, m))
    error = np.sqrt(np.var(plain, ddof=1) / draws + row["std"] ** 2 / row["seeds"])
    assert abs(np.mean(plain) - row["mean"]) < 4 * error


@pytest.mark.parametrize("method", RACING)
@pytest.mark.parametrize("distinct", ["half", "all"])
def test_the_weights_are_the_columns_of_the_features(method, distinct):
    spec = WidthSpec(**{**QUICK, "widths": (12,), "methods": (method,), "distinct": distinct})
    cell = EXPERIMENT.cells(spec)[0][1]
    train = task_of(spec.target, cell, 0).sample(300, "train")
    assert weights_of(cell) == layer_of(method, cell, train, "cpu").featurise("cpu")(train.X[:5]).shape[1]


def test_a_run_is_its_columns_with_means_and_gaps():
    spec = WidthSpec(**QUICK)
    results = []
    for _, cell in EXPERIMENT.cells(spec):
        broken = (cell.method, cell.width, cell.seed) == ("ntk", 20, 3)
        results.append(CellFailed("no memory") if broken else list(run_column(cell))[-1])
    summary = EXPERIMENT.gather(spec, results).summary
    assert summary["gaps"] == [{"method": "ntk", "width": 20, "seed": 3, "reason": "no memory"}]
    for row in summary["statistics"]:
        mine = [
            p["excess_risk"] for p in summary["points"] if all(p[name] == row[name] for name in ("method", "width"))
        ]
        assert len(mine) == row["seeds"]
        assert summary["risk"][row["method"]][str(row["width"])] == pytest.approx(np.mean(mine))
        assert summary["weights"][row["method"]][str(row["width"])] == row["weights"]
    assert summary["alignment"].keys() == {"4", "20"}
    json.dumps(summary, allow_nan=False)
    with pytest.raises(ValueError, match="no memory"):
        EXPERIMENT.gather(spec, [CellFailed("no memory")] * len(results))


def rows_of(**risks):
    return [
        {"method": method, "width": width, "weights": width, "seeds": 3, "mean": mean, "std": 0.01}
        for method, means in risks.items()
        for width, mean in zip((4, 10, 30), means, strict=True)
    ]


def test_a_match_asks_for_bands_apart_at_all_wider_ones():
    match_of = lambda *ours: match(rows_of(algorithm1=ours, ntk=(0.9, 0.2, 0.5), random_features=(1, 1, 0.6)))  # noqa: E731
    assert match_of(0.4, 0.3, 0.2) == {"rival": "ntk", "width": 30, "risk": 0.5, "neurons": 4}
    assert match_of(0.4, 0.495, 0.2)["neurons"] == 30
    assert match_of(0.4, 0.3, 0.6)["neurons"] is None
    assert match(rows_of(ntk=(1, 1, 1))) is None
    assert match(rows_of(algorithm1=(1, 1, 1))) is None


def test_the_stairs_fall_where_copies_are_counted():
    """Half of m differ: random features pass d² at m = 200, the NTK d at m = 20; at half of it without copies."""
    found = {name: [(m, round(risk, 9)) for m, risk in corners] for name, corners in stairs(WidthSpec()).items()}
    assert found == {
        "random_features": [(4, 1.0), (20, 1.0), (20, 1.0), (200, 1.0), (200, 0.5), (1000, 0.5)],
        "ntk": [(4, 1.0), (20, 1.0), (20, 0.5), (200, 0.5), (200, 0.5), (1000, 0.5)],
    }
    assert stairs(WidthSpec(distinct="all"))["ntk"][1] == pytest.approx((10, 1.0))


def test_thirty_neurons_beat_the_widest_of_the_others_at_three_seeds():
    assert RECORDED["match"]["neurons"] == 30
    for seed in (0, 1, 2, 3, 4):
        at = {(p["method"], p["width"]): p["excess_risk"] for p in RECORDED["points"] if p["seed"] == seed}
        assert at["algorithm1", 30] < min(at["ntk", 1000], at["random_features", 1000])


def test_the_estimate_is_the_sum_of_its_cells():
    spec = WidthSpec()
    assert EXPERIMENT.cost(spec).seconds < 40
    assert len(EXPERIMENT.cells(spec)) == len(spec.widths) * len(spec.seeds) * len(spec.methods)
