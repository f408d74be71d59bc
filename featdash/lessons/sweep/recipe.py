"""Sample complexity: excess risk against n, for three methods, several widths and seeds; a grid of columns.

A cell is one (seed, width, method) with all its n, in that order, so that the first seed's curves are complete before
the second begins. Widths whose product with n exceeds `load` leave those n out: Figure 1 goes to n = 10⁵ at width 100
and to 10⁴ at width 1000, n·m <= 10⁷ for both.

Streams: those of the columns, "cell/<index>/points", at = n, see `featdash.lessons.sweep.run`; no arrays of its own.

Summary
    points      list of {"method", "width", "n", "N", "seed", "excess_risk", "standard_error", "lam"}; N is null
    statistics  list of {"method", "width", "n", "N", "seeds", "mean", "std"} over seeds; std with n − 1, null for one
    gaps        list of {"method", "width", "seed", "n", "reason"} of cells that failed, n the list of its sizes
    target      as in a race
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from featdash.learners.methods import RACING
from featdash.lessons.race.recipe import PAPER_METHODS
from featdash.lessons.shared.gaussian_recipe import BaselineSpec, settings_of, without_preprocessing
from featdash.lessons.sweep.column_recipe import HALF_POWERS, ColumnSpec
from featdash.recipes import settings
from featdash.recipes.events import Result
from featdash.recipes.grid import Cell, CellResults, Grid, Place, statistics
from featdash.recipes.spec import Choice, MultipleChoice, Number, Width, setting
from featdash.recipes.whole_numbers import WholeNumbers
from featdash.theory.target import resolve_target


@dataclass(frozen=True)
class SweepSpec(BaselineSpec):
    """The recipe of a sweep; the default is «Figure 1, quick»."""

    n: tuple[int, ...] = setting(
        HALF_POWERS,
        WholeNumbers(Number(1, 200_000, whole=True), most=40),
        "Samples n",
        'A list, or powers such as "10^0..5 by 1/2".',
        group="Data",
    )
    widths: tuple[int, ...] = setting(
        (100, 1000),
        WholeNumbers(Width(2, 4000), most=6),
        "Widths m",
        "Neurons of the networks, a panel for each width.",
        group="Method",
    )
    seeds: tuple[int, ...] = settings.seeds((0, 1, 2), 100)
    methods: tuple[str, ...] = setting(
        PAPER_METHODS,
        MultipleChoice(Choice(RACING)),
        "Methods",
        "Which predictors are compared; each has its own curves.",
        group="Method",
    )
    load: float = setting(1e7, Number(2, 8e8), "Largest n·m", "Larger n are left out at that width.", group="Data")
    fresh_data: bool = settings.fresh_data()

    def check_together(self) -> None:
        super().check_together()
        for width in self.widths:
            if self.n[0] * width > self.load:
                rule = f"load must be at least {self.n[0] * width} for n = {self.n[0]} at width {width}"
                raise ValueError(f"{rule}, got {self.load:g}; raise load or leave the width out")


QUICK = SweepSpec(
    target="figure-1", d=10, noise=1.0, methods=PAPER_METHODS, n=HALF_POWERS, load=1e7,
    widths=(100, 1000), seeds=(0, 1, 2), holdout=20_000, test=20_000,
)  # fmt: skip
PRESETS: dict[str, SweepSpec] = {
    "figure1-quick": QUICK,
    "figure1-paper": replace(QUICK, seeds=tuple(range(10)), holdout=10**5, test=10**5),
    "figure1-unprocessed": without_preprocessing(QUICK),
}


def axes(spec: SweepSpec) -> dict[str, Sequence[Any]]:
    """Seed by seed, narrow before wide."""
    return {"seed": spec.seeds, "width": spec.widths, "method": spec.methods}


def cell(spec: SweepSpec, place: Place) -> Cell:
    """The column of one method at one width and one seed, with the n that the load allows."""
    sizes = tuple(n for n in spec.n if n * place["width"] <= spec.load)
    common = {**settings_of(spec), "d": spec.d, "distinct": spec.distinct, "fresh_data": spec.fresh_data}
    return "column", ColumnSpec(**common, **place, n=sizes)


def points(column: ColumnSpec, summary: Mapping[str, Any]) -> list[dict[str, Any]]:  # noqa: ARG001
    """Those of a column; nothing is refitted, so there is no N."""
    return [{"N": None, **point} for point in summary["points"]]


def summary(spec: SweepSpec, results: CellResults) -> Result:
    """All points, their means and standard deviations, and the gaps."""
    target = resolve_target(spec.target, spec.d).describe()
    table = statistics(results.points)
    return Result({"points": results.points, "statistics": table, "gaps": results.gaps, "target": target})


EXPERIMENT = Grid(
    name="sweep",
    title="Sample complexity",
    presets=PRESETS,
    spec=SweepSpec,
    axes=axes,
    cell=cell,
    cell_experiments=("column",),
    points=points,
    gap=lambda column: {"n": list(column.n)},
    summary=summary,
    remedy="lower the largest n, the widths or the number of seeds",
)
