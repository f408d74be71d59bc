"""A grid against its own recipe written out: places in order, points with their place, means, gaps and costs."""

import random
import statistics as stdlib
from dataclasses import dataclass

import numpy as np
import pytest
from toy_experiments import ToySpec

from featdash.recipes.events import Frame, Result
from featdash.recipes.experiment import find_experiment
from featdash.recipes.grid import Grid, as_map, statistics
from featdash.recipes.spec import Number, Spec, setting
from featdash.recipes.whole_numbers import WholeNumbers

WHOLE = Number(0, 99, whole=True)


@dataclass(frozen=True)
class Recipe(Spec):
    steps: tuple[int, ...] = setting((2, 5), WholeNumbers(WHOLE), "Steps")
    seeds: tuple[int, ...] = setting((0, 1, 2), WholeNumbers(WHOLE), "Seeds")


GRID = Grid(
    name="squares",
    title="Squares",
    spec=Recipe,
    axes=lambda spec: {"seed": spec.seeds, "steps": spec.steps},
    cell=lambda _, place: ("count", ToySpec(**place, memory=1e6 * place["steps"], seconds=place["steps"])),
    cell_experiments=("count",),
    points=lambda toy, summary: [{**row, "twice": 2 * toy.steps} for row in summary["points"]],
    gap=lambda toy: {"log": toy.log},
    summary=lambda _, gathered: Result(vars(gathered)),
    remedy="lower the steps",
)
ORDER = [(seed, steps) for seed in (0, 1, 2) for steps in (2, 5)]


def result_of(seed, steps):
    return Result({"points": [{"n": n, "risk": seed + n / steps} for n in (1, 2)]})


def test_the_first_axis_changes_most_slowly():
    assert [(place["seed"], place["steps"]) for place in GRID.places(Recipe())] == ORDER
    assert [(cell.seed, cell.steps) for _, cell in GRID.cells(Recipe())] == ORDER


def test_a_point_has_the_place_of_its_cell_and_a_failed_cell_leaves_a_gap():
    results = [result_of(*place) for place in ORDER]
    results[3] = ValueError("lost")
    summary = GRID.gather(Recipe(), results).summary
    assert summary["gaps"] == [{"seed": 1, "steps": 5, "log": "", "reason": "lost"}]
    assert [summary is None for _, summary in summary["cells"]] == [False, False, False, True, False, False]
    assert summary["points"] == [
        {"seed": seed, "steps": steps, "n": n, "risk": seed + n / steps, "twice": 2 * steps}
        for seed, steps in ORDER
        if (seed, steps) != (1, 5)
        for n in (1, 2)
    ]


def test_a_grid_of_which_no_cell_came_through_has_failed_itself():
    with pytest.raises(ValueError, match=r"^first$"):
        GRID.gather(Recipe(), [ValueError(one) for one in ("first", *"abcde")])


def test_the_frames_so_far_are_gathered_as_the_results_are():
    def frame(index, stream, **numbers):
        return Frame(f"cell/{index}/{stream}", 0, {name: np.array(value) for name, value in numbers.items()})

    frames = [
        frame(index, "points", **row)
        for index, place in enumerate(ORDER)
        for row in result_of(*place).summary["points"]
    ]
    whole = GRID.gather(Recipe(), [result_of(*place) for place in ORDER]).summary
    assert GRID.so_far(Recipe(), reversed(frames)).summary["gaps"] == []
    assert GRID.so_far(Recipe(), frames).summary == whole
    early = GRID.so_far(Recipe(), [frames[3], frame(1, "layer", alignment=0.5)]).summary
    assert early["points"] == [whole["points"][3]]
    assert early["cells"][1][1]["alignment"] == 0.5
    assert GRID.so_far(Recipe(), []).summary["points"] == []


def test_it_costs_its_largest_cell_in_memory_and_all_cells_in_time():
    cost = GRID.cost(Recipe())
    assert (cost.memory, cost.seconds, cost.remedy) == (5e6, 3 * (2 + 5), "lower the steps")
    count = find_experiment("count")
    assert cost.seconds == sum(count.cost(cell).seconds for _, cell in GRID.cells(Recipe()))


def test_means_and_deviations_are_those_of_the_standard_library():
    rng = random.Random(3)
    rows = [
        {"method": method, "n": n, "seed": seed, "risk": rng.random()}
        for method in ("b", "a")
        for n in (None, 30, 4)
        for seed in range(rng.choice((1, 2, 5)))
    ]
    groups = {(row["method"], row["n"]): [] for row in rows}
    for row in rows:
        groups[row["method"], row["n"]].append(row["risk"])
    rng.shuffle(rows)
    table = statistics(rows, "risk", by=("method", "n", "missing"))
    assert [(row["method"], row["n"]) for row in table] == [(m, n) for m in ("a", "b") for n in (None, 4, 30)]
    for row in table:
        values = groups[row["method"], row["n"]]
        assert (row["seeds"], row["missing"]) == (len(values), None)
        assert row["mean"] == pytest.approx(stdlib.mean(values), rel=1e-12)
        spread = stdlib.stdev(values) if len(values) > 1 else None
        assert row["std"] == (spread and pytest.approx(spread, rel=1e-9))


def test_a_map_has_nan_where_no_row_is():
    rows = [{"d": 8, "n": 10, "mean": 0.5}, {"d": 4, "n": 30, "mean": 0.25}]
    table = as_map(rows, "mean", down=("d", (4, 8)), across=("n", (10, 30, 90)))
    np.testing.assert_array_equal(table, [[np.nan, 0.25, np.nan], [0.5, np.nan, np.nan]])
