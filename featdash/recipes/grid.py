"""A grid: experiments carried out at every place of a few axes, and one result from those of all cells."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby, product
from typing import Any, TypeVar

import numpy as np

from featdash.recipes.events import Frame, Result
from featdash.recipes.experiment import Entry, find_experiment
from featdash.recipes.spec import Cost, Spec

STATISTICS = ("method", "width", "n", "N")
Place = Mapping[str, Any]  # one value of each axis
Cell = tuple[str, Spec]  # the name of an experiment, and its recipe
Row = Mapping[str, Any]
SpecT = TypeVar("SpecT", bound=Spec)


@dataclass(frozen=True)
class CellResults:
    """What the cells of a grid have given, in their order.

    cells : (place, summary) of each cell, None in place of the summary of a cell that failed.
    points : a row for each point of each cell, with the place of the cell.
    gaps : a row for each cell that failed, its place and the `reason`.
    """

    cells: list[tuple[Place, Mapping[str, Any] | None]]
    points: list[dict[str, Any]]
    gaps: list[dict[str, Any]]


def points_of(cell: Any, summary: Mapping[str, Any]) -> Iterable[Row]:  # noqa: ARG001
    """The rows that a cell's summary calls `points`; none where it has no such list."""
    return summary.get("points", ())


def place_alone(cell: Any) -> Row:  # noqa: ARG001
    """A gap that says nothing of its cell but where it is."""
    return {}


@dataclass(frozen=True, kw_only=True)
class Grid(Entry[SpecT]):
    """What is computed in cells, one at each place of a few axes, by as many workers as there are.

    axes : `axes(spec) -> {name: values}`. Places are the product of the values, the first axis changing most slowly.
    cell : `cell(spec, place) -> (experiment name, recipe)`. Cells are independent of one another; each is a run of its
        own, cached and shared like any other, so an interrupted grid resumes for free.
    cell_experiments : the names that `cell` gives.
    points : `points(recipe, summary) -> rows` of a cell that came through; its place is added where a row has none.
    gap : `gap(recipe) -> row`, what a gap says of its cell beside the place and the reason.
    summary : `summary(spec, results) -> Result`, of a `CellResults`.
    remedy : what to lower where all cells together cost too much.
    cell_streams : of the cells' frames, those that the grid shows and stores; None for all.
    """

    axes: Callable[[SpecT], Mapping[str, Sequence[Any]]]
    cell: Callable[[SpecT, Place], Cell]
    cell_experiments: tuple[str, ...]
    points: Callable[[Any, Mapping[str, Any]], Iterable[Row]] = points_of
    gap: Callable[[Any], Row] = place_alone
    summary: Callable[[SpecT, CellResults], Result]
    remedy: str
    cell_streams: tuple[str, ...] | None = None
    cost: Callable[[SpecT], Cost] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "cost", self.total_cost)

    def places(self, spec: SpecT) -> list[Place]:
        """Where the cells are, in their order."""
        axes = self.axes(spec)
        return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]

    def cells(self, spec: SpecT) -> list[Cell]:
        """(experiment name, recipe) of each cell."""
        return [self.cell(spec, place) for place in self.places(spec)]

    def total_cost(self, spec: SpecT) -> Cost:
        """Of the cells one after the other: the largest memory, the sum of the seconds."""
        costs = [find_experiment(name).cost(recipe) for name, recipe in self.cells(spec)]
        return Cost(max(one.memory for one in costs), sum(one.seconds for one in costs), self.remedy)

    def gather(self, spec: SpecT, results: Sequence[Result | Exception]) -> Result:
        """The result, from those of the cells in their order; a failed cell is an Exception in its place.

        A grid of which no cell came through has failed itself: ValueError with the reason of the first.
        """
        parts = CellResults([], [], [])
        for place, (_, recipe), result in zip(self.places(spec), self.cells(spec), results, strict=True):
            if isinstance(result, Exception):
                parts.cells.append((place, None))
                parts.gaps.append({**place, **self.gap(recipe), "reason": str(result)})
            else:
                parts.cells.append((place, result.summary))
                parts.points.extend({**place, **row} for row in self.points(recipe, result.summary))
        if len(parts.gaps) == len(parts.cells):
            raise ValueError(parts.gaps[0]["reason"])
        return self.summary(spec, parts)

    def so_far(self, spec: SpecT, frames: Iterable[Frame]) -> Result:
        """What would be the result if the points that have come were all.

        frames : of the streams "cell/<index>/points", one for each point, and of others such as "cell/<index>/layer",
            whose numbers are those of the cell's summary.
        """
        summaries: list[dict[str, Any]] = [{"points": []} for _ in self.places(spec)]
        for frame in frames:
            _, index, stream = frame.stream.split("/")
            numbers = {name: value.item() for name, value in frame.arrays.items()}
            if stream == "points":
                summaries[int(index)]["points"].append(numbers)
            else:
                summaries[int(index)] |= numbers
        return self.gather(spec, [Result(summary) for summary in summaries])


def statistics(rows: Iterable[Row], value: str = "excess_risk", by: Sequence[str] = STATISTICS) -> list[dict[str, Any]]:
    """Mean and sample standard deviation of `value` over the rows that agree in `by`, sorted by it.

    `seeds` counts the rows; a single one has no standard deviation: None. A name of `by` that a row lacks counts as
    None, and comes first.
    """

    def key(row: Row) -> tuple:
        return tuple((one is not None, one or 0) for one in map(row.get, by))

    table = []
    for _, members in groupby(sorted(rows, key=key), key):
        group = list(members)
        values = np.array([row[value] for row in group])
        std = float(np.std(values, ddof=1)) if len(values) > 1 else None
        which = {name: group[0].get(name) for name in by}
        table.append({**which, "seeds": len(values), "mean": float(np.mean(values)), "std": std})
    return table


def as_map(
    rows: Iterable[Row], value: str, down: tuple[str, Sequence[Any]], across: tuple[str, Sequence[Any]]
) -> np.ndarray:
    """(D, N) : `value` of the rows, nan where there is no row.

    down, across : a name of the rows and its D values, one a line; and its N values, one a column.
    """
    (line, lines), (column, columns) = down, across
    table = np.full((len(lines), len(columns)), np.nan)
    for row in rows:
        table[lines.index(row[line]), columns.index(row[column])] = row[value]
    return table
