"""Risk against width: how many neurons each method needs at one sample size; a grid of columns of one point.

A cell is one (seed, width, method), a column as in a sweep with its one n, so that the first seed's curves are complete
before the second begins.

Streams: those of the columns, "cell/<index>/points", at = n, see `featdash.lessons.sweep.run`; no arrays of its own.

Summary
    risk        {METHOD: {WIDTH: mean excess risk over the seeds}}
    weights     {METHOD: {WIDTH: numbers that the last line fits}}: distinct neurons, times d + 2 for tangent features
    alignment   {WIDTH: mean alignment of Algorithm 1's first layer after its step}
    match       {"rival", "width", "risk", "neurons"}: of the other methods at their widest the one with the lowest
                risk, and the narrowest Algorithm 1 from which on all are below it by both standard deviations, null
                where the widest is not; null where Algorithm 1 or any other is missing
    points      list of {"method", "width", "weights", "seed", "excess_risk", "standard_error", "lam"}
    statistics  list of {"method", "width", "weights", "seeds", "mean", "std"} over seeds; std with n − 1, null for one
    gaps        list of {"method", "width", "seed", "reason"} of cells that failed
    target      as in a race
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from featdash.learners.methods import METHODS, RACING
from featdash.lessons.race.recipe import PAPER_METHODS
from featdash.lessons.shared.gaussian_recipe import BaselineSpec, settings_of
from featdash.lessons.sweep.column_recipe import ColumnSpec
from featdash.recipes import settings
from featdash.recipes.events import Result
from featdash.recipes.grid import CellResults, Grid, Place, statistics
from featdash.recipes.spec import Choice, MultipleChoice, Number, Width, setting
from featdash.recipes.whole_numbers import WholeNumbers
from featdash.theory.target import resolve_target

TRAINED = "algorithm1"  # whose first layer moves, and whose width is compared with the others'
BY = ("method", "width", "weights")


@dataclass(frozen=True)
class WidthSpec(BaselineSpec):
    """The recipe of a comparison of widths; the default is Figure 1's target at n = d⁴."""

    widths: tuple[int, ...] = setting(
        (4, 10, 30, 100, 300, 1000),
        WholeNumbers(Width(2, 4000), most=12),
        "Widths m",
        "Even numbers of neurons; each is a point of every curve.",
        group="Method",
    )
    n: int = setting(
        10_000, Number(1, 100_000, whole=True), "Samples n", "Training samples, the same at all widths.", group="Data"
    )
    seeds: tuple[int, ...] = settings.seeds((0, 1, 2, 3, 4), 20)
    methods: tuple[str, ...] = setting(
        PAPER_METHODS,
        MultipleChoice(Choice(RACING)),
        "Methods",
        "Which predictors are compared; each has its own curve.",
        group="Method",
    )


def axes(spec: WidthSpec) -> dict[str, Sequence[Any]]:
    """Seed by seed, narrow before wide."""
    return {"seed": spec.seeds, "width": spec.widths, "method": spec.methods}


def cell(spec: WidthSpec, place: Place) -> tuple[str, ColumnSpec]:
    """The column of one method at one width and one seed, with the one n."""
    return "column", ColumnSpec(**settings_of(spec), d=spec.d, distinct=spec.distinct, **place, n=(spec.n,))


def weights_of(column: ColumnSpec) -> int:
    """How many numbers the last line fits: one a distinct neuron, or with tangent features d + 2."""
    return column.responses(column.method, column.n[-1]) * (column.d + 2 if METHODS[column.method].tangent else 1)


def points(column: ColumnSpec, summary: Mapping[str, Any]) -> list[dict[str, Any]]:
    """That of a column, with the weights of its head."""
    return [{**point, "weights": weights_of(column)} for point in summary["points"]]


def summary(spec: WidthSpec, results: CellResults) -> Result:
    """All points, their means and standard deviations, what they say of the widths, and the gaps."""
    means = statistics(results.points, by=BY)
    return Result(
        {
            "risk": by_width(means, "mean"),
            "weights": by_width(means, "weights"),
            "alignment": alignments(results.points),
            "match": match(means),
            "points": [{name: value for name, value in one.items() if name != "n"} for one in results.points],
            "statistics": means,
            "gaps": results.gaps,
            "target": resolve_target(spec.target, spec.d).describe(),
        }
    )


def by_width(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    """{method: {width: that number}}."""
    table: dict[str, dict[str, Any]] = {}
    for row in rows:
        table.setdefault(row["method"], {})[str(row["width"])] = row[name]
    return table


def alignments(points: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """{width: mean over the seeds} of Algorithm 1's first layer after its step."""
    trained = [row for row in points if row["method"] == TRAINED]
    return {str(row["width"]): row["mean"] for row in statistics(trained, "alignment", by=("width",))}


def match(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """The best of the others at their widest, and the narrowest Algorithm 1 from which on all bands are below its."""
    ours = sorted((row["width"], row["mean"] + (row["std"] or 0.0)) for row in rows if row["method"] == TRAINED)
    widest = {row["method"]: row for row in sorted(rows, key=lambda row: row["width"]) if row["method"] != TRAINED}
    if not ours or not widest:
        return None
    rival = min(widest.values(), key=lambda row: row["mean"])
    neurons = None
    for width, high in reversed(ours):
        if not high < rival["mean"] - (rival["std"] or 0.0):
            break
        neurons = width
    return {"rival": rival["method"], "width": rival["width"], "risk": rival["mean"], "neurons": neurons}


EXPERIMENT = Grid(
    name="width",
    title="Risk against width",
    spec=WidthSpec,
    axes=axes,
    cell=cell,
    cell_experiments=("column",),
    points=points,
    summary=summary,
    remedy="lower n, the largest width or the number of seeds",
)
