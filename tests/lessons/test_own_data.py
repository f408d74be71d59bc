"""Your own data: the planted columns are found at three seeds, and the summary is that of the formulas written out."""

import numpy as np
import pytest
from scipy import linalg, stats
from trial_runs import computed

from featdash.lessons.own_data.frames import FitTable
from featdash.lessons.own_data.recipe import COMPARED, OwnDataSpec
from featdash.lessons.own_data.run import planted_share, run
from featdash.recipes.events import Frame, Progress, Result
from featdash.tasks.data_set import DataSet, planted_set
from featdash.tasks.folds import Whitening

SMALL = {"rows": 200, "rounds": 1, "steps": 50, "width": 20}


@pytest.fixture(scope="module")
def wine():
    """The events of a small run."""
    return list(run(OwnDataSpec(dataset="wine", **SMALL)))


@pytest.mark.parametrize("seed", [0, 7, 11])
def test_the_planted_columns_are_found_and_named(seed):
    summary = computed("own-data", OwnDataSpec(seed=seed)).summary
    assert set(summary["found_by"]) == {"rfm", "algorithm1", "network"}
    assert summary["layers"]["rfm"]["share"] > 0.8
    assert sum(summary["layers"]["rfm"]["shares"]) > 0.8
    assert set(summary["layers"]["rfm"]["leading"]) == {"x07", "x21"}
    assert summary["layers"]["linear"]["share"] < 0.2
    risks = {name: row["risk"] for name, row in summary["methods"].items()}
    assert risks["linear"] > 0.95
    assert risks["rfm"] < 0.3


def table_of_own(seed=5):
    """Named columns in other units and another order than those of the set that comes along."""
    found = planted_set(seed, 700)
    order = np.random.default_rng(seed).permutation(30)
    names = np.array([f"column {index}" for index in range(30)])
    X = (found.X * np.geomspace(1e-3, 1e3, 30) + 5)[:, order]
    planted = {f"column {int(np.flatnonzero(order == place)[0])}" for place in (6, 20)}
    return {"columns": names, "X": X, "y": 1e4 * found.y}, planted


def test_in_a_table_of_ones_own_they_are_found_whatever_the_units():
    inputs, planted = table_of_own()
    spec = OwnDataSpec(dataset="upload", steps=100, width=100)
    *_, result = run(spec, "cpu", inputs)
    layer = result.summary["layers"]["rfm"]
    assert set(layer["leading"]) == planted
    assert sum(layer["shares"]) > 0.8
    assert "found_by" not in result.summary


def test_the_summary_is_that_of_the_last_frame_written_out(wine):
    table = FitTable.from_arrays([event for event in wine if isinstance(event, Frame)][-1].arrays)
    summary = wine[-1].summary
    for name in COMPARED:
        values = table.risk[name]
        error = stats.sem(values) * (1 + 5 * table.test_to_train) ** 0.5
        assert summary["methods"][name]["risk"] == pytest.approx(values.mean())
        assert summary["methods"][name]["standard_error"] == pytest.approx(error)
        assert table.look[name].sum() == pytest.approx(1)
    clear = set()
    for first in COMPARED:
        for second in COMPARED:
            difference = table.risk[second] - table.risk[first]
            error = stats.sem(difference) * (1 + 5 * table.test_to_train) ** 0.5
            if difference.mean() > stats.t.ppf(0.975, 4) * error:
                clear.add((first, second))
    assert {(pair["better"], pair["worse"]) for pair in summary["clear"]} == clear
    assert summary["clear_pairs"] == len(clear)


def test_ridge_is_the_dense_solution_on_every_fold():
    """At the best λ of a fine grid of its own, by the normal equations."""
    from featdash.lessons.own_data.linear import ridge

    rng = np.random.default_rng(2)
    X, Xh, Xt = (rng.standard_normal((n, 6)) for n in (80, 30, 40))
    beta = rng.standard_normal(6)
    y, yh = X @ beta + rng.standard_normal(80), Xh @ beta + rng.standard_normal(30)
    found = ridge((X, y), (Xh, yh)).predict

    def dense(lam):
        return linalg.solve(X.T @ X / 80 + lam / 2 * np.eye(6), X.T @ y / 80)

    risks = [np.mean((Xh @ dense(lam) - yh) ** 2) for lam in np.geomspace(1e-6, 1e2, 400)]
    assert np.mean((found(Xh) - yh) ** 2) == pytest.approx(min(risks), rel=0.01)
    assert np.corrcoef(found(Xt), Xt @ beta)[0, 1] > 0.9


def test_the_share_is_one_for_a_function_of_the_planted_columns_alone():
    found = planted_set(0, 2000)
    whitening = Whitening.of(found.X)
    standard = linalg.inv(whitening.root)[:, [6, 20]]
    looks = standard @ np.diag([2.0, 0.5]) @ standard.T
    assert planted_share(looks, whitening, found) == pytest.approx(1)
    assert planted_share(np.eye(30), whitening, found) == pytest.approx(2 / 30)


def test_progress_grows_and_the_first_picture_needs_one_fit_only(wine):
    progress = [event.fraction for event in wine if isinstance(event, Progress)]
    assert progress == sorted(progress)
    assert progress[-1] < 1
    frames = [event.at for event in wine if isinstance(event, Frame)]
    assert frames == list(range(1, 26))
    assert [type(event) for event in wine[:2]] == [Progress, Frame]
    assert isinstance(wine[-1], Result)


def test_the_labels_of_the_test_part_are_never_used_in_a_fit():
    """Other labels in one part change the risks there and wherever it trains or holds out, and no prediction on it."""
    from featdash.lessons.own_data.run import fits_of, white
    from featdash.tasks.folds import five_folds
    from featdash.tasks.streams import stream

    data = planted_set(0, 150)
    fold = five_folds(150, stream(0, "x"))[0]
    other = DataSet(data.columns, data.X, data.y.copy(), data.planted)
    other.y[fold.test] = 1e6
    spec = OwnDataSpec(**SMALL)
    for name in COMPARED:
        predictions = []
        for one in (data, other):
            _, train, holdout, test = white(one, fold)
            *_, fit = fits_of(name, spec, train, holdout, 0)
            predictions.append(fit.predict(test[0]))
        np.testing.assert_array_equal(*predictions)
