"""How many samples a level takes at each dimension, and with which power of the dimension their number grows."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

LEVELS = {"quarter": 0.25, "half": 0.5, "three_quarters": 0.75}  # of the risk of the zero predictor
ALIGNED = 0.5  # the alignment that counts as found
FEWEST = 3  # dimensions of a fit: two leave nothing to tell its error from


@dataclass(frozen=True)
class Growth:
    """n*(d) of one level, and n* = c d^slope fitted through what is known.

    needed : d -> n*, None where the level is not crossed within the sample sizes.
    beyond : the dimensions where not even the largest n is enough.
    slope, error : of a least-squares line through (log d, log n*), and its standard error from what it leaves; None
    with fewer than three dimensions. Dimensions without an n* are left out; those beyond would steepen the line.
    intercept : log c.
    """

    needed: Mapping[int, float | None]
    beyond: tuple[int, ...]
    slope: float | None
    error: float | None
    intercept: float | None

    def summary(self) -> dict[str, Any]:
        """As plain numbers."""
        needed = {str(d): n for d, n in self.needed.items()}
        return {"needed": needed, "beyond": list(self.beyond), "slope": self.slope, "error": self.error}


def growth(dimensions: Sequence[int], sizes: Sequence[int], values: np.ndarray, level: float, rises: bool) -> Growth:
    """Where each row of values (D, N) crosses the level for good, and the power of d in it; rises : from below."""
    gaps = (values - level) if rises else (level - values)
    needed = {d: crossing(sizes, row) for d, row in zip(dimensions, gaps, strict=True)}
    known = [(math.log(d), math.log(n)) for d, n in needed.items() if n is not None]
    beyond = tuple(
        d for d, row in zip(dimensions, gaps, strict=True) if (seen := row[~np.isnan(row)]).size and not seen[-1] > 0
    )
    if len(known) < FEWEST:
        return Growth(needed, beyond, None, None, None)
    x, y = np.array(known).T
    slope = float(np.sum((x - x.mean()) * (y - y.mean())) / np.sum((x - x.mean()) ** 2))
    left = y - y.mean() - slope * (x - x.mean())
    error = float(np.sqrt(np.sum(left**2) / (len(x) - 2) / np.sum((x - x.mean()) ** 2)))
    return Growth(needed, beyond, slope, error, float(y.mean() - slope * x.mean()))


def crossing(sizes: Sequence[int], gaps: np.ndarray) -> float | None:
    """The n from which on gaps (N,) are positive, between two sizes on a logarithmic scale; None without a change."""
    seen = [(math.log(n), gap) for n, gap in zip(sizes, gaps, strict=True) if not math.isnan(gap)]
    for (low, below), (high, above) in reversed(list(pairwise(seen))):
        if not above > 0:
            return None
        if not below > 0:
            return math.exp(low + (high - low) * -below / (above - below))
    return None


def growths(
    dimensions: Sequence[int], sizes: Sequence[int], maps: Mapping[str, np.ndarray], zero: float
) -> dict[str, dict[str, Growth]]:
    """{"alignment": {"half"}, method: {one of LEVELS}}; zero : risk of the zero predictor."""
    found = {"alignment": {"half": growth(dimensions, sizes, maps["alignment"], ALIGNED, True)}}
    for name, values in maps.items():
        if name not in ("alignment", "ratio"):
            found[name] = {
                word: growth(dimensions, sizes, values, level * zero, False) for word, level in LEVELS.items()
            }
    return found
