"""What composites make of their cells' points: means over seeds, the sum of the costs."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

import numpy as np

from featdash.recipes.spec import Cost

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


def total_cost(costs: Sequence[Cost], remedy: str) -> Cost:
    """Of cells one after the other: the largest memory, the sum of the seconds."""
    return Cost(max(one.memory for one in costs), sum(one.seconds for one in costs), remedy)
