"""Axes of risks and sizes: ranges that move seldom while curves grow, ticks in the house's numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

from featdash.figures.lettering import number

STOPS = [step * 10.0**power for power in range(-15, 13) for step in (1, 2, 5)]
SHORT = 2.5  # decades; a longer axis has ticks at powers of ten only


def value_range(values: Sequence[float | None], log: bool) -> tuple[float, float]:
    """The axis range that holds every value, as Plotly wants it: log10 on a log axis.

    It ends at 1, 2 or 5 times a power of ten, so that an axis over growing curves moves seldom.
    """
    finite = [value for value in values if value is not None and (value > 0 or not log)]
    low, high = (min(finite), max(finite)) if finite else (0.1, 1.0)
    if not log:
        return min(0.0, low), max(high * 1.08, 1e-9)
    top = next(stop for stop in STOPS if stop >= high * 1.02)
    bottom = next(stop for stop in reversed(STOPS) if stop <= low * 0.98)
    return math.log10(bottom), math.log10(top)


def value_axis(title: str, vertical: tuple[float, float], log: bool) -> dict:
    """Title, kind, range and ticks of an axis; 1, 2, 5 a decade, so that a short range has numbers."""
    axis = {"title_text": title, "type": "log" if log else "linear", "range": vertical}
    if not log:
        return axis
    stops = [stop for stop in STOPS if vertical[0] - 1e-9 <= math.log10(stop) <= vertical[1] + 1e-9]
    ticks = [stop for stop in stops if vertical[1] - vertical[0] <= SHORT or f"{stop:e}".startswith("1")]
    return axis | {"tickvals": ticks, "ticktext": [number(tick) for tick in ticks]}


def decades(low: int, high: int, every: int = 1) -> dict:
    """Ticks at powers of ten, written in the house's numbers."""
    values = [10.0**power for power in range(low, high + 1, every)]
    return {"tickvals": values, "ticktext": [number(value) for value in values]}
