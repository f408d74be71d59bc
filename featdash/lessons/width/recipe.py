"""Risk against width: how many neurons each method needs at one sample size; a composite of columns of one point.

A cell is one (seed, width, method), a column as in a sweep with its one n, so that the first seed's curves are complete
before the second begins.

Streams: those of the columns, "cell/<index>/points", at = n, see `learning_curve`; no arrays of its own.

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

import numpy as np

from featdash.learners.methods import METHODS, RACING
from featdash.lessons.learning_curve.recipe import ColumnSpec
from featdash.lessons.learning_curve.recipe import cost as column_cost
from featdash.lessons.race.recipe import PAPER_METHODS
from featdash.lessons.shared.gaussian_recipe import BaselineSpec, settings_of
from featdash.recipes.events import Result
from featdash.recipes.experiment import Composite
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Choice, Cost, MultipleChoice, Number, Width, setting
from featdash.recipes.statistics import refuse_nothing, statistics, total_cost
from featdash.theory.target import resolve_target

TRAINED = "algorithm1"  # whose first layer moves, and whose width is compared with the others'
BY = ("method", "width", "weights")


@dataclass(frozen=True)
class WidthSpec(BaselineSpec):
    """The recipe of a comparison of widths; the default is Figure 1's target at n = d⁴."""

    widths: tuple[int, ...] = setting(
        (4, 10, 30, 100, 300, 1000),
        Grid(Width(2, 4000), most=12),
        "Widths m",
        "Neurons, even; one point a curve each.",
        group="Method",
    )
    n: int = setting(
        10_000, Number(1, 100_000, whole=True), "Samples n", "Training samples, the same at all widths.", group="Data"
    )
    seeds: tuple[int, ...] = setting(
        (0, 1, 2, 3, 4),
        Grid(Number(0, 2**31 - 1, whole=True), most=20),
        "Seeds",
        'A list, or a range such as "0..9".',
        group="Repeats",
    )
    methods: tuple[str, ...] = setting(
        PAPER_METHODS,
        MultipleChoice(Choice(RACING)),
        "Methods",
        "Which predictors are compared, each with a curve of its own.",
        group="Method",
    )


def cells(spec: WidthSpec) -> list[tuple[str, ColumnSpec]]:
    """The columns: seed by seed, narrow before wide."""
    shared = {**settings_of(spec), "d": spec.d, "distinct": spec.distinct, "n": (spec.n,)}
    return [
        ("column", ColumnSpec(**shared, method=method, width=width, seed=seed))
        for seed in spec.seeds
        for width in spec.widths
        for method in spec.methods
    ]


def weights_of(cell: ColumnSpec) -> int:
    """How many numbers the last line fits: one a distinct neuron, or with tangent features d + 2."""
    return cell.responses(cell.method, cell.n[-1]) * (cell.d + 2 if METHODS[cell.method].tangent else 1)


def gather(spec: WidthSpec, results: Sequence[Result | Exception]) -> Result:
    """All points, their means and standard deviations, and the gaps; ValueError where there are only gaps."""
    points, gaps = [], []
    for (_, cell), result in zip(cells(spec), results, strict=True):
        if isinstance(result, Exception):
            gaps.append({**cell.identity(), "reason": str(result)})
        else:
            points += [{**cell.identity(), "weights": weights_of(cell), **point} for point in result.summary["points"]]
    refuse_nothing(points, gaps)
    means = statistics(points, by=BY)
    summary = {
        "risk": by_width(means, "mean"),
        "weights": by_width(means, "weights"),
        "alignment": alignments(points),
        "match": match(means),
        "points": [{name: value for name, value in one.items() if name != "n"} for one in points],
        "statistics": means,
        "gaps": gaps,
        "target": resolve_target(spec.target, spec.d).describe(),
    }
    return Result(summary)


def by_width(rows: Sequence[Mapping[str, Any]], name: str) -> dict[str, dict[str, Any]]:
    """{method: {width: that number}}."""
    found: dict[str, dict[str, Any]] = {}
    for row in rows:
        found.setdefault(row["method"], {})[str(row["width"])] = row[name]
    return found


def alignments(points: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """{width: mean over the seeds} of Algorithm 1's first layer after its step."""
    of: dict[int, list[float]] = {}
    for row in points:
        if row["method"] == TRAINED:
            of.setdefault(row["width"], []).append(row["alignment"])
    return {str(width): float(np.mean(values)) for width, values in sorted(of.items())}


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


def cost(spec: WidthSpec) -> Cost:
    """The sum over the columns."""
    columns = [column_cost(cell) for _, cell in cells(spec)]
    return total_cost(columns, "lower n, the largest width or the number of seeds")


EXPERIMENT = Composite(
    name="width",
    title="Risk against width",
    spec=WidthSpec,
    cost=cost,
    cells=cells,
    gather=gather,
    cell_experiments=("column",),
)
