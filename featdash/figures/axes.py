"""Axes of risks and sizes: ranges that move seldom while curves grow, ticks in the house's numbers."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.palette import Theme
from featdash.figures.text import Numbers, number

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


RISKS = {"excess": "excess risk", "holdout": "holdout risk", "train": "training risk"}
RISK_SYMBOLS = {"excess": "E (f − f*)²", "holdout": "E (f − y)²", "train": "1/n Σ (f(xᵢ) − yᵢ)²"}

ROUGH = 0.35  # opacity of what the solver has not settled
ROUGH_NOTE = "Pale, ≈: rough, beyond the solver's reach."


def converged_part(values: np.ndarray, settled: Numbers | None, rough: bool) -> np.ndarray:
    """The settled values, NaN elsewhere; or with `rough` the others, and the settled ones beside them."""
    values = np.asarray(values, dtype=float)
    known = np.ones(len(values), bool) if settled is None else np.asarray(settled, bool)
    unsettled = ~known
    beside = unsettled | np.append(unsettled[1:], False) | np.append(False, unsettled[:-1])
    return np.where(beside if rough else known, values, np.nan)


def note_rough(figure: go.Figure, theme: Theme) -> None:
    """Says under the picture what is pale in it: over the curves it would hide the lowest, which are the best."""
    below, room = figure.layout.margin.b or figure.layout.template.layout.margin.b, theme.text + 6
    place = {"xref": "paper", "yref": "paper", "x": 0, "xanchor": "left", "y": 0, "yanchor": "top", "yshift": -below}
    font = {"size": theme.text, "color": theme.ink}
    figure.add_annotation(text=ROUGH_NOTE, showarrow=False, font=font, **place)
    figure.update_layout(margin_b=below + room)


def risk_axis(shown: Sequence[str], vertical: tuple[float, float], log: bool) -> dict:
    """The axis of one risk, with its symbol, or of several."""
    title = f"{RISKS[shown[0]]}, {RISK_SYMBOLS[shown[0]]}" if len(shown) == 1 else "risk, mean squared error"
    return value_axis(title, vertical, log)
