"""Phase map: d × n, where one gradient step has found the subspace and where it beats its rival; a grid.

A cell is one (d, method, seed) with all its n, a column as in a sweep, for Algorithm 1 and the rival.

Streams: those of the columns, "cell/<index>/points", at = n; their d is that of the cell of that index.

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
from typing import Any

import numpy as np

from featdash.learners.methods import RACING
from featdash.lessons.shared.gaussian_recipe import ComparisonSpec, settings_of
from featdash.lessons.sweep.column_recipe import ColumnSpec
from featdash.recipes import settings
from featdash.recipes.events import Result
from featdash.recipes.grid import Cell, CellResults, Grid, Place, Row, as_map, statistics
from featdash.recipes.spec import Choice, Number, setting
from featdash.recipes.whole_numbers import WholeNumbers
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
        WholeNumbers(Number(2, 200, whole=True), most=20),
        "Dimensions d",
        "One row of the map each.",
    )
    n: tuple[int, ...] = setting(
        QUARTER_POWERS,
        WholeNumbers(Number(1, 200_000, whole=True), most=40),
        "Samples n",
        "Each is a column of the map.",
        group="Data",
    )
    width: int = settings.width(300, 4000)
    rival: str = setting(
        "ntk", Choice(RIVALS), "Rival", "Algorithm 1's excess risk is divided by that of this method.", group="Method"
    )
    seeds: tuple[int, ...] = setting(
        (0, 1),
        WholeNumbers(Number(0, 2**31 - 1, whole=True), most=20),
        "Seeds",
        "Each cell is the mean over these seeds.",
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


def axes(spec: PhaseMapSpec) -> dict[str, Sequence[Any]]:
    """A whole map for the first seed, then for the next."""
    return {"seed": spec.seeds, "d": spec.dimensions, "method": spec.methods}


def cell(spec: PhaseMapSpec, place: Place) -> Cell:
    """The column of one method at one d and one seed."""
    return "column", ColumnSpec(**settings_of(spec), width=spec.width, n=spec.n, **place)


def summary(spec: PhaseMapSpec, results: CellResults) -> Result:
    """The maps, averaged over the seeds that came through, and how the samples needed grow with d."""
    maps = maps_of(spec, results.points)
    zero = resolve_target(spec.target, spec.dimensions[0]).second_moment
    growth_by_name = growths(spec.dimensions, spec.n, maps, zero)
    exponents = {name: {level: one.summary() for level, one in by.items()} for name, by in growth_by_name.items()}
    return Result({"cells": cell_list(spec, maps), "gaps": results.gaps, "exponents": exponents}, maps)


def maps_of(spec: PhaseMapSpec, points: Sequence[Row]) -> dict[str, np.ndarray]:
    """(D, N) each: means over the seeds, and the ratio of both risks; nan where there is no point."""
    maps = {}
    for name, method, value in (
        ("alignment", MAPPED, "alignment"),
        *((one, one, "excess_risk") for one in spec.methods),
    ):
        means = statistics((row for row in points if row["method"] == method), value, by=("d", "n"))
        maps[name] = as_map(means, "mean", ("d", spec.dimensions), ("n", spec.n))
    return maps | {"ratio": maps[MAPPED] / maps[spec.rival]}


def cell_list(spec: PhaseMapSpec, maps: dict[str, np.ndarray]) -> list[dict[str, float | int | None]]:
    """The cells of the maps one by one, as plain numbers."""
    return [
        {"d": d, "n": n, **{name: None if np.isnan(one[row, column]) else float(one[row, column])
                            for name, one in maps.items()}}
        for row, d in enumerate(spec.dimensions)
        for column, n in enumerate(spec.n)
    ]  # fmt: skip


EXPERIMENT = Grid(
    name="phase-map",
    title="Phase map",
    spec=PhaseMapSpec,
    axes=axes,
    cell=cell,
    cell_experiments=("column",),
    summary=summary,
    remedy="lower the largest n or d, or the number of seeds",
)
