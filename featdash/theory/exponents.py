"""How many samples a level takes at each size of a problem, such as its dimension, and with which power they grow."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

LEVELS = {"quarter": 0.25, "half": 0.5, "three_quarters": 0.75}  # of the risk of the zero predictor
ALIGNED = 0.5  # the alignment that counts as found
FEWEST = 3  # points of a fit: two leave nothing to tell its error from


@dataclass(frozen=True)
class Growth:
    """n*(x) of one level, and n* = c x^slope fitted through what is known; x is a dimension, or κ²r.

    needed : x -> n*, None where the level is not crossed within the sample sizes.
    beyond : the x where not even the largest n is enough.
    slope, error : of a least-squares line through (log x, log n*), and its standard error from what it leaves; None
    with fewer than three points. Those without an n* are left out; those beyond would steepen the line.
    intercept : log c.
    """

    needed: Mapping[float, float | None]
    beyond: tuple[float, ...]
    slope: float | None
    error: float | None
    intercept: float | None

    def summary(self) -> dict[str, Any]:
        """As plain numbers."""
        needed = {f"{x:g}": n for x, n in self.needed.items()}
        return {"needed": needed, "beyond": list(self.beyond), "slope": self.slope, "error": self.error}


def growth(places: Sequence[float], sizes: Sequence[int], values: np.ndarray, level: float, rises: bool) -> Growth:
    """Where each row of values (X, N) crosses the level for good, and the power of x in it; rises : from below."""
    gaps = (values - level) if rises else (level - values)
    needed = {x: crossing(sizes, row) for x, row in zip(places, gaps, strict=True)}
    points = [(math.log(x), math.log(n)) for x, n in needed.items() if n is not None]
    beyond = tuple(
        x
        for x, row in zip(places, gaps, strict=True)
        if (values_there := row[~np.isnan(row)]).size and not values_there[-1] > 0
    )
    if len(points) < FEWEST:
        return Growth(needed, beyond, None, None, None)
    x, y = np.array(points).T
    slope = float(np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2))
    residuals = y - y.mean() - slope * (x - x.mean())
    error = float(np.sqrt(np.sum(residuals**2) / (len(x) - 2) / np.sum((x - x.mean()) ** 2)))
    return Growth(needed, beyond, slope, error, float(y.mean() - slope * x.mean()))


def crossing(sizes: Sequence[int], gaps: np.ndarray) -> float | None:
    """The n from which on gaps (N,) are positive, between two sizes on a logarithmic scale; None without a change."""
    points = [(math.log(n), gap) for n, gap in zip(sizes, gaps, strict=True) if not math.isnan(gap)]
    for (low, below), (high, above) in reversed(list(pairwise(points))):
        if not above > 0:
            return None
        if not below > 0:
            return math.exp(low + (high - low) * -below / (above - below))
    return None


def growths(
    dimensions: Sequence[int], sizes: Sequence[int], maps: Mapping[str, np.ndarray], zero: float
) -> dict[str, dict[str, Growth]]:
    """{"alignment": {"half"}, method: {one of LEVELS}}; zero : risk of the zero predictor."""
    growth_of = {"alignment": {"half": growth(dimensions, sizes, maps["alignment"], ALIGNED, True)}}
    for name, values in maps.items():
        if name not in ("alignment", "ratio"):
            growth_of[name] = {
                word: growth(dimensions, sizes, values, level * zero, False) for word, level in LEVELS.items()
            }
    return growth_of
