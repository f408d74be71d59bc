"""Axes of risks and sizes: ranges that move seldom while curves grow, ticks in the house's numbers."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from featdash.figures.text import number

STOPS = [step * 10.0**power for power in range(-300, 300) for step in (1, 2, 5)]
SMALLEST, LARGEST = STOPS[2], STOPS[-3]  # what an axis can hold, with a stop to spare
SHORT = 2.5  # decades; a longer axis has ticks at powers of ten only
MOST_TICKS = 8  # of these powers
FINEST = 1e-12  # of the largest value; what is smaller, as a risk that is 0 but for rounding, is left below the axis


def value_range(values: Sequence[float | None], log: bool) -> tuple[float, float]:
    """The axis range that holds every finite value, as Plotly wants it: log10 on a log axis, of those above FINEST.

    It ends at 1, 2 or 5 times a power of ten, so that an axis over growing curves moves seldom.
    """
    finite = [value for value in values if value is not None and math.isfinite(value) and (value > 0 or not log)]
    low, high = (max(min(finite), -LARGEST), min(max(finite), LARGEST)) if finite else (0.1, 1.0)
    if not log:
        return min(0.0, low), max(high * 1.08, 1e-9)
    high = max(high, SMALLEST)
    low = min(max(low, FINEST * high, SMALLEST), high)
    top = STOPS[bisect_left(STOPS, high * 1.02)]
    bottom = STOPS[bisect_right(STOPS, low * 0.98) - 1]
    return math.log10(bottom), math.log10(top)


def value_axis(title: str, vertical: tuple[float, float], log: bool) -> dict:
    """Title, kind, range and ticks of an axis; 1, 2, 5 a decade, so that a short range has numbers."""
    axis = {"title_text": title, "type": "log" if log else "linear", "range": vertical}
    if not log:
        return axis
    low, high = vertical[0] - 1e-9, vertical[1] + 1e-9
    if high - low <= SHORT:
        ticks = [stop for stop in STOPS if low <= math.log10(stop) <= high]
        return axis | {"tickvals": ticks, "ticktext": [number(tick) for tick in ticks]}
    every = math.ceil((high - low) / MOST_TICKS)
    return axis | decades(math.ceil(low / every) * every, math.floor(high), every)


def decades(low: int, high: int, every: int = 1) -> dict:
    """Ticks at powers of ten, written in the house's numbers, level even where they are close."""
    values = [10.0**power for power in range(low, high + 1, every)]
    return {"tickvals": values, "ticktext": [number(value) for value in values], "tickangle": 0}
