"""A sweep is races side by side: each cell equals the race run alone, a failed cell is a gap, a preset is a recipe."""

import json

import numpy as np
import pytest

from featdash.learners.methods import RACING
from featdash.lessons.phase_map.recipe import EXPERIMENT as PHASE_MAP
from featdash.lessons.phase_map.recipe import RIVALS, PhaseMapSpec
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.race.run import run as run_race
from featdash.lessons.shared.gaussian_recipe import task_of, without_preprocessing
from featdash.lessons.sweep.column_recipe import ColumnSpec
from featdash.lessons.sweep.recipe import EXPERIMENT, PRESETS, SweepSpec
from featdash.lessons.sweep.run import run as run_column
from featdash.recipes.events import Frame, Progress
from featdash.recipes.experiment import find_experiment
from featdash.recipes.spec import Number
from featdash.recipes.version import run_id
from featdash.recipes.whole_numbers import WholeNumbers
from featdash.runs.composite import CellFailed
from featdash.runs.execution import Flags, perform
from featdash.runs.limits import Limits, TooLarge
from featdash.theory.target import resolve_target

JUDGES = {"holdout": 1500, "test": 1200}
ROTATED = {"target": "z1*z2", "rotated": True, "fresh_data": True}
KEPT = {"d": 5, "biases": "kept", "step_rule": "fixed", "remove_linear": False}


def column(**settings):
    return list(run_column(ColumnSpec(**JUDGES, **settings)))


def points_of(events):
    return events[-1].summary["points"]


# Complete Krylov spaces (n = 90), normal equations (width 60) and 60 Lanczos steps (width 180) are all met.
@pytest.mark.parametrize(("n", "width", "variant"), [(90, 60, ROTATED), (400, 60, {}), (560, 180, KEPT)])
def test_a_cell_equals_the_race_run_alone(n, width, variant):
    race = list(run_race(RaceSpec(n=n, width=width, seed=4, methods=RACING, **JUDGES, **variant)))[-1].summary
    for method in RACING:
        *_, point = points_of(column(method=method, n=(7, 40, n), width=width, seed=4, **variant))
        alone = race["methods"][method]
        # features in single precision move a risk by about 1e-6 of itself
        assert point["excess_risk"] == pytest.approx(alone["excess_risk"], rel=2e-5)
        assert point["lam"] == pytest.approx(alone["lam"], rel=1e-4)
        assert point["standard_error"] == pytest.approx(alone["standard_error"], rel=2e-5)
    aligned = points_of(column(method="algorithm1", n=(n,), width=width, seed=4, **variant))[0]["alignment"]
    assert aligned == pytest.approx(race["alignment"]["after"], abs=1e-12)


@pytest.mark.parametrize("method", RACING)
def test_a_point_does_not_depend_on_the_rest_of_the_grid(method):
    settings = {"method": method, "width": 40, "seed": 1}
    together = {point["n"]: point for point in points_of(column(n=(20, 150, 400), **settings))}
    for n in (20, 150):
        (alone,) = points_of(column(n=(n,), **settings))
        assert alone["excess_risk"] == pytest.approx(together[n]["excess_risk"], rel=2e-5)


@pytest.mark.parametrize("method", RACING)
def test_points_come_as_frames_and_progress_never_goes_back(method):
    events = column(method=method, n=(10, 50), width=20)
    frames = [event for event in events if isinstance(event, Frame)]
    assert [(frame.stream, frame.at) for frame in frames] == [("points", 10), ("points", 50)]
    for frame, point in zip(frames, points_of(events), strict=True):
        shown = {name: array.item() for name, array in frame.arrays.items()}
        assert shown == {name: point[name] for name in ("n", "excess_risk", "alignment") if name in point}
    fractions = [event.fraction for event in events if isinstance(event, Progress)]
    assert fractions == sorted(fractions)
    assert fractions[-1] <= 1


def test_a_sweep_is_its_columns_with_means_and_gaps():
    spec = SweepSpec(n=(10, 60), widths=(20, 40), seeds=(0, 3), load=1200, **JUDGES)
    failing = ("ntk", 20, 3)
    results = []
    for name, cell in EXPERIMENT.cells(spec):
        assert name == "column"
        broken = (cell.method, cell.width, cell.seed) == failing
        results.append(CellFailed("no memory") if broken else list(run_column(cell))[-1])
    summary = EXPERIMENT.gather(spec, results).summary
    assert summary["gaps"] == [{"method": "ntk", "width": 20, "seed": 3, "n": [10, 60], "reason": "no memory"}]
    points = summary["points"]
    assert {(one["width"], one["n"]) for one in points} == {(20, 10), (20, 60), (40, 10)}  # 40 · 60 > load
    assert len(points) == 3 * 2 * 3 - 2
    for row in summary["statistics"]:
        risks = [p["excess_risk"] for p in points if all(p[key] == row[key] for key in ("method", "width", "n"))]
        assert row["seeds"] == len(risks) == (1 if (row["method"], row["width"]) == ("ntk", 20) else 2)
        assert row["mean"] == pytest.approx(sum(risks) / len(risks))
        assert (row["std"] is None) == (len(risks) == 1)
        if len(risks) == 2:
            assert row["std"] == pytest.approx(abs(risks[0] - risks[1]) / np.sqrt(2))
    json.dumps(summary, allow_nan=False)


def test_a_failing_cell_does_not_stop_the_sweep():
    """In a real run, whose tangent-kernel cells raise what a linear algebra library raises."""
    spec = SweepSpec(n=(10, 30), widths=(20,), seeds=(0, 1), methods=("random_features", "ntk"), **JUDGES)
    experiment = find_experiment("column")
    broken = type(experiment)(**{**vars(experiment), "run": fail_for_the_tangent_kernel})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("featdash.runs.execution.find_experiment", {"column": broken}.__getitem__)
        outcome = perform(EXPERIMENT, spec, [].append, Flags(), "cpu")
    assert outcome.status == "done"
    assert {gap["method"] for gap in outcome.result.summary["gaps"]} == {"ntk"}
    assert {point["method"] for point in outcome.result.summary["points"]} == {"random_features"}
    assert "matrix" in outcome.result.summary["gaps"][0]["reason"]


def fail_for_the_tangent_kernel(spec, device):
    if spec.method == "ntk":
        raise np.linalg.LinAlgError("matrix is singular")
    yield from run_column(spec, device)


def test_a_sweep_of_which_nothing_came_through_has_failed():
    spec = SweepSpec(n=(10,), widths=(20,), seeds=(0,), **JUDGES)
    with pytest.raises(ValueError, match="lost; press Run"):
        EXPERIMENT.gather(spec, [CellFailed("lost; press Run")] * len(EXPERIMENT.cells(spec)))
    maps = PhaseMapSpec(dimensions=(3,), n=(40,), width=40, seeds=(0,), holdout=500, test=500)
    with pytest.raises(ValueError, match="lost; press Run"):
        PHASE_MAP.gather(maps, [CellFailed("lost; press Run")] * 2)


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_is_the_recipe_spelled_out(name):
    short = EXPERIMENT.recipe({"preset": name})
    spelled = SweepSpec.from_mapping(json.loads(short.canonical_json()))
    assert short == spelled == PRESETS[name]
    assert run_id("sweep", short) == run_id("sweep", spelled)
    assert EXPERIMENT.preset_of(short) == name
    assert "preset" not in short.to_mapping()


def test_what_is_given_beside_a_preset_stays():
    default = SweepSpec()
    spec = EXPERIMENT.recipe({"preset": "figure1-paper", "seeds": list(default.seeds), "d": 12})
    assert spec.seeds == default.seeds
    assert (spec.d, spec.holdout, EXPERIMENT.preset_of(spec)) == (12, 100_000, "custom")
    with pytest.raises(ValueError, match="preset must be one of custom, figure1-quick"):
        EXPERIMENT.recipe({"preset": "figure9"})


def test_the_paper_preset_has_the_published_grid():
    spec = PRESETS["figure1-paper"]
    grids = {(cell.width, cell.n) for _, cell in EXPERIMENT.cells(spec)}
    powers = tuple(int(np.floor(10 ** (k / 2) + 1e-9)) for k in range(11))
    assert grids == {(100, powers), (1000, powers[:9])}
    assert len(EXPERIMENT.cells(spec)) == 60


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("10^0..5 by 1/2", (1, 3, 10, 31, 100, 316, 1000, 3162, 10000, 31622, 100000)),
        ("10^1..3", (10, 100, 1000)),
        ("0..3", (0, 1, 2, 3)),
        ("2..10 by 4", (2, 6, 10)),
        ([30, 10], (10, 30)),
    ],
)
def test_a_grid_is_a_list_a_range_or_powers(text, numbers):
    assert WholeNumbers(Number(0, 1e6, whole=True)).check("n", text) == numbers


@pytest.mark.parametrize(
    "text", ["", "10^", "1..2 by 0", "1..2 by 1/0", "0..99999", "5..1", "10^0..9999", "x", "٣..٤x"]
)
def test_a_grid_that_makes_no_sense_is_refused_in_one_sentence(text):
    with pytest.raises(ValueError, match="n must") as refusal:
        WholeNumbers(Number(0, 1e6, whole=True)).check("n", text)
    assert "; " in str(refusal.value)
    assert len(str(refusal.value)) < 250


def test_bad_recipes_are_refused_with_the_remedy():
    for values, words in (
        ({"widths": [101]}, "use 102"),
        ({"widths": [4000], "n": [10_000]}, "raise load"),
        ({"target": "z1*z7", "d": 5}, "raise d"),
        ({"n": [0, 10]}, "each of n must be"),
        ({"n": [10, 10]}, "must not repeat"),
    ):
        with pytest.raises(ValueError, match=words):
            SweepSpec.from_mapping(values)


def test_a_grid_too_large_is_refused_with_its_estimate():
    limits = Limits()
    spec = EXPERIMENT.recipe({"preset": "figure1-paper", "seeds": "0..99", "widths": [2000, 4000]})
    with pytest.raises(TooLarge, match=r"sweep needs about \d+ s, the limit is 900 s; lower"):
        limits.check_cost(EXPERIMENT, spec)
    for name in PRESETS:
        limits.check_cost(EXPERIMENT, PRESETS[name])
    # more of anything costs more
    for change in ({"seeds": (0, 1, 2, 3)}, {"d": 20}, {"holdout": 40_000}):
        assert EXPERIMENT.cost(SweepSpec(**change)).seconds > EXPERIMENT.cost(SweepSpec()).seconds


def test_rotation_keeps_both_targets_in_one_frame():
    spec = ColumnSpec(rotated=True, target="z1*z2", d=6)
    task = task_of("z1", spec, 5, like="z1*z2")
    whole = task_of("z1*z2", spec, 5)
    np.testing.assert_allclose(task.target.subspace @ whole.target.subspace.T, [[1, 0]], atol=1e-12)


def test_a_phase_map_places_each_column():
    spec = PhaseMapSpec(dimensions=(3, 6), n=(40, 400), width=40, seeds=(0, 1), holdout=500, test=500)
    recipes = PHASE_MAP.cells(spec)
    results = [list(run_column(cell))[-1] for _, cell in recipes]
    lost = next(index for index, (_, cell) in enumerate(recipes) if (cell.d, cell.method, cell.seed) == (6, "ntk", 1))
    results[lost] = CellFailed("lost")
    result = PHASE_MAP.gather(spec, results)
    assert result.arrays["alignment"].shape == (2, 2)
    for row, d in enumerate(spec.dimensions):
        for place in range(len(spec.n)):
            values = {"algorithm1": [], "ntk": []}
            for index, (_, cell) in enumerate(recipes):
                if cell.d == d and index != lost:
                    values[cell.method].append(results[index].summary["points"][place]["excess_risk"])
            assert len(values["ntk"]) == (1 if d == 6 else 2)
            ratio = np.mean(values["algorithm1"]) / np.mean(values["ntk"])
            assert result.arrays["ratio"][row, place] == pytest.approx(ratio)
    assert [(gap["d"], gap["method"], gap["seed"]) for gap in result.summary["gaps"]] == [(6, "ntk", 1)]
    assert len(result.summary["cells"]) == 4
    json.dumps(result.summary, allow_nan=False)


def test_a_phase_map_shows_a_gap_as_nan():
    spec = PhaseMapSpec(dimensions=(3,), n=(40,), width=40, seeds=(0,), holdout=500, test=500)
    (_, first), _ = PHASE_MAP.cells(spec)
    result = PHASE_MAP.gather(spec, [list(run_column(first))[-1], CellFailed("lost")])
    assert np.isnan(result.arrays["ratio"]).all()
    (cell,) = result.summary["cells"]
    assert cell["ntk"] is None
    assert cell["ratio"] is None
    assert cell["algorithm1"] > 0


def test_the_first_step_beats_the_tangent_kernel_past_d_squared():
    """Figure 1's target in d = 10 at n = 3162: Algorithm 1 under ½ and both kernels above it."""
    assert resolve_target("figure-1", 10).second_moment == pytest.approx(1)
    compared = ("algorithm1", "random_features", "ntk")
    risks = {
        method: points_of(column(method=method, n=(3162,), width=100, seed=0))[0]["excess_risk"] for method in compared
    }
    assert risks["algorithm1"] < 0.5 < min(risks["random_features"], risks["ntk"])


def test_without_preprocessing_few_samples_do_no_harm():
    """The published curve starts flat at the risk of the zero predictor."""
    spec = ColumnSpec(method="algorithm1", width=40, n=(1, 3, 10, 31), holdout=4000, test=4000)
    printed, unprocessed = (
        [point["excess_risk"] for point in list(run_column(one))[-1].summary["points"]]
        for one in (spec, without_preprocessing(spec))
    )
    zero = np.mean(task_of(spec.target, spec, spec.seed).sample(4000, "test").clean ** 2)
    assert unprocessed == pytest.approx([zero] * 4, rel=0.01)
    assert min(printed) > 1.2 * zero


@pytest.mark.parametrize("rival", RIVALS)
def test_any_method_that_races_can_be_mapped_against_algorithm_1(rival):
    spec = PhaseMapSpec(dimensions=(3,), n=(40,), width=20, seeds=(0,), rival=rival, holdout=300, test=300)
    results = [list(run_column(cell))[-1] for _, cell in PHASE_MAP.cells(spec)]
    (cell,) = PHASE_MAP.gather(spec, results).summary["cells"]
    ours, theirs = (result.summary["points"][0] for result in results)
    assert cell["ratio"] == pytest.approx(ours["excess_risk"] / theirs["excess_risk"])
    assert cell["alignment"] == ours["alignment"]
