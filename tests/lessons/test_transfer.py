"""Transfer: the frozen layer is the race's, the refit is a plain ridge head, and the figure comes out as predicted."""

import json
from dataclasses import replace

import numpy as np
import pytest
from event_streams import last_of
from sklearn.linear_model import Ridge

from featdash.learners.algorithm1 import (
    first_layer_gradient,
    linear_part,
    mean_gradient,
    remove_linear_part,
    start_network,
)
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.shared.gaussian_race import train_first_layer
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.lessons.sweep.column_recipe import ColumnSpec
from featdash.lessons.sweep.run import run as run_column
from featdash.lessons.transfer.recipe import PRESETS, TRANSFER, TransferColumnSpec, TransferSpec, cost
from featdash.lessons.transfer.run import pretrain, run
from featdash.recipes.events import Frame, Progress
from featdash.recipes.experiment import find_experiment
from featdash.runs.composite import CellFailed
from featdash.runs.limits import Limits, TooLarge

SMALL = {"width": 60, "holdout": 600, "test": 500}


def last(generator):
    *_, event = generator
    return event


def test_the_gradient_over_chunks_is_that_of_the_whole_sample():
    rng = np.random.default_rng(0)
    X, y = rng.standard_normal((1000, 6)), rng.standard_normal(1000)
    chunks = [(X[a:b], y[a:b]) for a, b in ((0, 1), (1, 700), (700, 1000))]
    whole, pieces = remove_linear_part(X, y), linear_part(chunks)
    assert pieces.alpha == pytest.approx(whole.alpha, abs=1e-14)
    np.testing.assert_allclose(pieces.beta, whole.beta, rtol=1e-12, atol=1e-14)
    start = start_network(40, 6, rng)
    expected = first_layer_gradient(X, y - whole(X), start)
    np.testing.assert_allclose(mean_gradient(chunks, pieces, start), expected, rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("variant", [{}, {"rotated": True, "remove_linear": False, "biases": "kept"}])
def test_the_frozen_layer_is_that_of_the_race(variant):
    spec = TransferColumnSpec(pretraining="z1*z2", target="z1", n=500, width=40, seed=2, **variant)
    race = RaceSpec(target="z1*z2", n=500, width=40, seed=2, **variant)
    task = task_of(race.target, race, race.seed)
    trained = last_of(train_first_layer(race, task.sample(race.n, "train"), task.target.subspace, "cpu"))
    network = pretrain(spec, task_of(spec.pretraining, spec, 2), "cpu")
    np.testing.assert_allclose(network.W, trained.network.W, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(network.b, trained.network.b)


@pytest.mark.parametrize("fresh", [True, False])
def test_the_refit_is_ridge_on_the_frozen_features(fresh):
    """Against scikit-learn's Ridge at the λ that was chosen, alpha = Nλ/2."""
    spec = TransferColumnSpec(n=2000, N=(50, 400), seed=1, fresh_data=fresh, **SMALL)
    network = pretrain(spec, task_of(spec.pretraining, spec, 1), "cpu")
    task = task_of(spec.target, spec, 1)
    sample, test = task.sample(400, "fresh" if fresh else "train"), task.sample(spec.test, "test")

    def features(X):
        return np.maximum(X @ network.W.T + network.b, 0)

    for point in last(run(spec)).summary["points"]:
        N = point["N"]
        ridge = Ridge(alpha=N * point["lam"] / 2, fit_intercept=False, solver="svd")
        ridge.fit(features(sample.X[:N]), sample.y[:N])
        risk = np.mean((ridge.predict(features(test.X)) - test.clean) ** 2)
        assert point["excess_risk"] == pytest.approx(risk, rel=2e-4)


def test_fresh_data_are_new_and_stale_ones_are_the_pretraining_inputs():
    spec = TransferColumnSpec()
    before, after = task_of(spec.pretraining, spec, 0), task_of(spec.target, spec, 0)
    np.testing.assert_array_equal(after.sample(50, "train").X, before.sample(50, "train").X)
    assert not np.any(after.sample(50, "fresh").X == before.sample(50, "train").X)


def test_points_and_the_layer_come_as_frames():
    events = list(run(TransferColumnSpec(n=100, N=(5, 30), **SMALL)))
    frames = [event for event in events if isinstance(event, Frame)]
    assert [(frame.stream, frame.at) for frame in frames] == [("layer", 100), ("points", 5), ("points", 30)]
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    points = events[-1].summary["points"]
    assert [(one["n"], one["N"], one["method"]) for one in points] == [(100, 5, "transfer"), (100, 30, "transfer")]


def test_training_from_scratch_is_judged_by_the_same_samples():
    spec = TransferSpec(n=(300,), N=(20, 80), seeds=(0, 1), from_scratch=True, **SMALL)
    recipes = TRANSFER.cells(spec)
    assert [name for name, _ in recipes] == ["column", "transfer-column"] * 2
    results = [last((run if name == "transfer-column" else run_column)(cell)) for name, cell in recipes]
    results[2] = CellFailed("lost")
    summary = TRANSFER.gather(spec, results).summary
    scratch = [point for point in summary["points"] if point["method"] == "algorithm1"]
    assert [(one["n"], one["N"], one["seed"]) for one in scratch] == [(None, 20, 0), (None, 80, 0)]
    alone = last(run_column(ColumnSpec(target=spec.target, n=(20, 80), seed=0, **SMALL)))
    assert [one["excess_risk"] for one in scratch] == [one["excess_risk"] for one in alone.summary["points"]]
    (gap,) = summary["gaps"]
    assert gap == {"method": "algorithm1", "n": None, "N": [20, 80], "seed": 1, "reason": "lost"}
    by_transfer = [row for row in summary["statistics"] if row["method"] == "transfer"]
    assert [(row["n"], row["N"], row["seeds"]) for row in by_transfer] == [(300, 20, 2), (300, 80, 2)]
    assert summary["alignment"][0]["n"] == 300
    json.dumps(summary, allow_nan=False)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_recipe_spelled_out(name):
    spec = TRANSFER.recipe({"preset": name})
    assert spec == TransferSpec.from_mapping(json.loads(spec.canonical_json()))
    assert TRANSFER.preset_of(spec) == name
    assert find_experiment("transfer").cost(spec).seconds < 900
    assert find_experiment("transfer").cost(spec).memory < 1e9


def test_the_paper_preset_has_the_stated_grid():
    spec = PRESETS["figure2-paper"]
    assert spec.n == tuple(10**k for k in range(7))
    np.testing.assert_array_equal(spec.N, np.floor(10 ** (np.arange(9) / 2) + 1e-9))


def test_bad_recipes_are_refused_with_the_remedy():
    for values, words in (
        ({"target": "z1*z2"}, "richer pretraining"),
        ({"width": 7}, "use 8"),
        ({"pretraining": "import os"}, "; "),
        ({"n": [10**8]}, "each of n must be"),
    ):
        with pytest.raises(ValueError, match=words):
            TransferSpec.from_mapping(values)
    huge = replace(PRESETS["figure2-paper"], seeds=tuple(range(100)), width=4000)
    with pytest.raises(TooLarge, match="transfer needs about"):
        Limits().check_cost(find_experiment("transfer"), huge)


def test_the_cost_of_a_cell_grows_with_its_sizes():
    base = TransferColumnSpec()
    for change in ({"n": 10**6}, {"N": (100, 100_000)}, {"width": 2000}, {"holdout": 200_000}):
        changed = TransferColumnSpec(**change)
        assert cost(changed).seconds > cost(base).seconds
    # streamed: ten times the pretraining sample, the same memory
    memory = [cost(TransferColumnSpec(n=n)).memory for n in (10**5, 10**6)]
    assert memory[0] == memory[1]


def test_pretraining_is_what_makes_few_new_samples_enough():
    """d = 10, He3 after He2/2 + He3/√12: n = d⁴ learns at N = 1000 what n = d¹ does not."""
    risks = {
        n: last(run(TransferColumnSpec(n=n, N=(1000,), width=200, holdout=5000, test=5000))).summary["points"][0]
        for n in (10, 10_000)
    }
    assert risks[10_000]["excess_risk"] < 0.3
    assert risks[10]["excess_risk"] > 0.9


def test_a_refusal_names_the_setting_that_it_is_about():
    with pytest.raises(ValueError, match=r"^pretraining target must"):
        TransferSpec(pretraining="os.system")
    with pytest.raises(ValueError, match=r"; lower those in N$"):
        TransferSpec(N=(10, 10**9))
    with pytest.raises(ValueError, match=r"got nan; write a number$"):
        TransferSpec(noise=float("nan"))
