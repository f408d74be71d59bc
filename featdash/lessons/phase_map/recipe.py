"""Phase map: d × n, where one gradient step has found the subspace and where it beats its rival; a composite.

A cell is one (d, method, seed) with all its n, a column as in a sweep, for Algorithm 1 and the rival.

Streams: those of the columns, "cell/<index>/points", at = n; their d is that of `cells(spec)[index]`.

Summary
    cells   list of {"d", "n", "alignment", "algorithm1", RIVAL, "ratio"}, RIVAL by default "ntk": means over seeds of
            the alignment after the step and of both excess risks, and the ratio of the two means; null where a column
            failed
    gaps    list of {"d", "method", "seed", "reason"}
    exponents   {"alignment": {"half"}, METHOD: {"quarter", "half", "three_quarters"}}: of the level ½ of the alignment,
                and of these shares of the zero predictor's risk, {"needed": {D: n or null}, "beyond", "slope",
                "error"}, see `exponents.Growth`
Arrays: alignment, algorithm1, RIVAL and ratio (D, N), nan where there is a gap.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from featdash.learners.methods import RACING
from featdash.lessons.learning_curve.recipe import ColumnSpec
from featdash.lessons.learning_curve.recipe import cost as column_cost
from featdash.lessons.shared.gaussian_recipe import ComparisonSpec, settings_of
from featdash.recipes import settings
from featdash.recipes.events import Result
from featdash.recipes.experiment import Composite
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Choice, Cost, Number, setting
from featdash.recipes.statistics import refuse_nothing, total_cost
from featdash.theory.exponents import growths
from featdash.theory.target import resolve_target

MAPPED = "algorithm1"  # whose alignment is shown
RIVALS = tuple(name for name in RACING if name != MAPPED)
QUARTER_POWERS = tuple(int(10 ** (k / 4) * (1 + 1e-12)) for k in range(6, 17))


@dataclass(frozen=True)
class PhaseMapSpec(ComparisonSpec):
    """The recipe of a phase map; the default is a quick one."""

    dimensions: tuple[int, ...] = setting(
        (5, 7, 10, 14, 20, 28, 40),
        Grid(Number(2, 200, whole=True), most=20),
        "Dimensions d",
        "One row of the map each.",
    )
    n: tuple[int, ...] = setting(
        QUARTER_POWERS,
        Grid(Number(1, 200_000, whole=True), most=40),
        "Samples n",
        "One column of the map each.",
        group="Data",
    )
    width: int = settings.width(300, 4000)
    rival: str = setting("ntk", Choice(RIVALS), "Rival", "Algorithm 1's excess risk is divided by its.", group="Method")
    seeds: tuple[int, ...] = setting(
        (0, 1),
        Grid(Number(0, 2**31 - 1, whole=True), most=20),
        "Seeds",
        "Runs that each cell averages over, one a seed.",
        group="Repeats",
    )
    holdout: int = settings.holdout(5000, 200_000)
    test: int = settings.test(5000, 200_000)

    def check_together(self) -> None:
        resolve_target(self.target, self.dimensions[0])

    @property
    def methods(self) -> tuple[str, str]:
        """The two whose risks are compared."""
        return MAPPED, self.rival


def cells(spec: PhaseMapSpec) -> list[tuple[str, ColumnSpec]]:
    """The columns: a whole map for the first seed, then for the next."""
    shared = {**settings_of(spec), "width": spec.width, "n": spec.n}
    return [
        ("column", ColumnSpec(**shared, d=d, method=method, seed=seed))
        for seed in spec.seeds
        for d in spec.dimensions
        for method in spec.methods
    ]


def gather(spec: PhaseMapSpec, results: Sequence[Result | Exception]) -> Result:
    """The maps, averaged over the seeds that came through; ValueError where none did."""
    shape = len(spec.seeds), len(spec.dimensions), len(spec.n)
    found = {name: np.full(shape, np.nan) for name in ("alignment", *spec.methods)}
    gaps = []
    for (_, cell), result in zip(cells(spec), results, strict=True):
        where = spec.seeds.index(cell.seed), spec.dimensions.index(cell.d)
        if isinstance(result, Exception):
            gaps.append({"d": cell.d, "method": cell.method, "seed": cell.seed, "reason": str(result)})
            continue
        for column, point in enumerate(result.summary["points"]):
            found[cell.method][(*where, column)] = point["excess_risk"]
            if cell.method == MAPPED:
                found["alignment"][(*where, column)] = point["alignment"]
    refuse_nothing([index for index, result in enumerate(results) if isinstance(result, Result)], gaps)
    maps = {name: average(values) for name, values in found.items()}
    maps["ratio"] = maps[MAPPED] / maps[spec.rival]
    zero = resolve_target(spec.target, spec.dimensions[0]).second_moment
    grown = growths(spec.dimensions, spec.n, maps, zero)
    exponents = {name: {level: one.summary() for level, one in by.items()} for name, by in grown.items()}
    return Result({"cells": cell_list(spec, maps), "gaps": gaps, "exponents": exponents}, maps)


def average(values: np.ndarray) -> np.ndarray:
    """The mean over the first axis of what is not nan; nan where nothing is left."""
    known = ~np.isnan(values)
    total, count = np.where(known, values, 0).sum(axis=0), known.sum(axis=0)
    return np.divide(total, count, out=np.full(total.shape, np.nan), where=count > 0)


def cell_list(spec: PhaseMapSpec, maps: dict[str, np.ndarray]) -> list[dict[str, float | int | None]]:
    """The cells of the maps one by one, as plain numbers."""
    return [
        {"d": d, "n": n, **{name: None if np.isnan(one[row, column]) else float(one[row, column])
                            for name, one in maps.items()}}
        for row, d in enumerate(spec.dimensions)
        for column, n in enumerate(spec.n)
    ]  # fmt: skip


def cost(spec: PhaseMapSpec) -> Cost:
    """The sum over the columns."""
    columns = [column_cost(cell) for _, cell in cells(spec)]
    return total_cost(columns, "lower the largest n or d, or the number of seeds")


EXPERIMENT = Composite(
    name="phase-map",
    title="Phase map",
    spec=PhaseMapSpec,
    cost=cost,
    cells=cells,
    gather=gather,
    cell_experiments=("column",),
)
