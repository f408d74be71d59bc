"""What composites make of their cells' points: means over seeds, tables, the sum of the costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

import numpy as np

from featdash.recipes.spec import Cost, Spec

STATISTICS = ("method", "width", "n", "N")


def refuse_nothing(points: Sequence[Any], gaps: Sequence[dict[str, Any]]) -> None:
    """A composite of which no cell came through has failed itself: ValueError with the reason of the first."""
    if gaps and not points:
        raise ValueError(gaps[0]["reason"])


def statistics(
    points: Sequence[dict[str, Any]], value: str = "excess_risk", by: Sequence[str] = STATISTICS
) -> list[dict[str, Any]]:
    """Mean and sample standard deviation of `value` over seeds, for each setting of `by`, sorted by it.

    A single point has no standard deviation: None.
    """

    def key(point: dict[str, Any]) -> tuple:
        return tuple((one is not None, one or 0) for one in map(point.get, by))

    found = []
    for _, grouped in groupby(sorted(points, key=key), key):
        group = list(grouped)
        values = np.array([point[value] for point in group])
        std = float(np.std(values, ddof=1)) if len(values) > 1 else None
        which = {name: group[0].get(name) for name in by}
        found.append({**which, "seeds": len(values), "mean": float(np.mean(values)), "std": std})
    return found


def table(points: Sequence[dict[str, Any]]) -> dict[str, np.ndarray]:
    """The points by columns; a column that some points lack is left out."""
    names = [name for name in (points[0] if points else {}) if all(one.get(name) is not None for one in points)]
    return {name: np.array([point[name] for point in points]) for name in names}


def total_cost(recipes: Sequence[tuple[Spec, Callable[[Any], Cost]]], remedy: str) -> Cost:
    """Of cells one after the other: the largest memory, the sum of the seconds."""
    costs = [cost(spec) for spec, cost in recipes]
    return Cost(max(one.memory for one in costs), sum(one.seconds for one in costs), remedy)
