"""Errors of several methods as the dimension grows, with what theory predicts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import end_labels, value_axis, value_range
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import FLAT, number, quote_number, thin_out, trace_values, trend
from featdash.lessons.shared.frames import ErrorCurve

FLOOR = 1e-9  # an error below is drawn here: a log axis has no zero
TICKS_APART = 0.05  # of the axis
Curves = Mapping[str, ErrorCurve]


@dataclass(frozen=True)
class Prediction:
    """A line of theory: its points, its dash, and the name beside it."""

    label: str
    d: Sequence[float] | np.ndarray
    error: Sequence[float] | np.ndarray
    dash: str = "solid"


@dataclass(frozen=True)
class Theory:
    """Lines of theory; marks : (d, text), dimensions to mark with a vertical line."""

    predictions: Sequence[Prediction] = ()
    marks: Sequence[tuple[float, str]] = ()


NO_THEORY = Theory()


def error_curves(
    curves: Curves,
    dims: Sequence[int],
    *,
    theme: Theme,
    title: str,
    theory: Theory = NO_THEORY,
    height: int = 400,
) -> Picture:
    """E(f̂ − f*)² against d, log-log: a curve for each method, with a band from the least to the largest repeat.

    curves : method -> the errors measured so far.
    dims : every dimension of the run, so that the axis stands still.
    """
    predictions = theory.predictions
    figure = blank(theme, height, title)
    for method, curve in curves.items():
        for trace in _curve(method, curve):
            figure.add_scatter(**trace)
    for line in predictions:
        figure.add_scatter(**_theory(line, theme))
    levels = [value for line in predictions for value in line.error]
    vertical = value_range([*levels, 1.0, *(e for curve in curves.values() for e in (*curve.low, *curve.high))], True)
    across = [math.log10(min(dims)), math.log10(max(dims))]
    edge = 0.03 * (across[1] - across[0] or 1.0)
    figure.update_xaxes(**value_axis("dimension d of the inputs", (across[0] - edge, across[1] + edge), True))
    figure.update_xaxes(tickvals=(ticks := _apart(sorted(dims))), ticktext=[number(tick) for tick in ticks])
    figure.update_yaxes(**value_axis("error E (f̂ − f*)²", vertical, True))
    _marks(figure, theory.marks, dims, theme)
    end_labels(figure, _labels(curves, predictions), vertical, theme=theme, log=True, height=height)
    return Picture(figure, _finding(curves), _table(curves, predictions))


def short(method: str) -> str:
    """A method's name without its explanation."""
    return METHODS[method].label.split(",")[0]


def _curve(method: str, curve: ErrorCurve) -> tuple[dict, dict]:
    """The band and the curve."""
    style, d = METHODS[method], curve.d.tolist()
    low, high, error = (np.maximum(values, FLOOR).tolist() for values in (curve.low, curve.high, curve.error))
    band = {
        "x": trace_values([*d, *reversed(d)]),
        "y": trace_values([*high, *reversed(low)]),
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": style.colour,
        "opacity": 0.15,
        "hoverinfo": "skip",
        "name": style.label,
    }
    hover = [f"{number(a)} to {number(b)} over the repeats" for a, b in zip(low, high, strict=True)]
    means = {
        "x": trace_values(d),
        "y": trace_values(error),
        "mode": "lines+markers",
        "line": style.line(2.5),
        "marker": {"symbol": style.marker, "size": 9},
        "name": style.label,
        "customdata": hover,
        "hovertemplate": f"{style.label}<br>d = %{{x}} inputs<br>error %{{y:.3g}}<br>%{{customdata}}<extra></extra>",
    }
    return band, means


def _theory(line: Prediction, theme: Theme) -> dict:
    x, y = thin_out(line.d, line.error)
    hover = f"{line.label}, theory<br>d = %{{x:.3g}} inputs<br>error %{{y:.3g}}<extra></extra>"
    return {"x": trace_values(x), "y": trace_values(y), "mode": "lines", "name": line.label,
            "line": theme.theory(line.dash) | {"width": 1.4}, "hovertemplate": hover}  # fmt: skip


def _apart(dims: Sequence[int]) -> list[int]:
    """The dimensions that get a tick: those that are not too close to the one before."""
    room = TICKS_APART * math.log10(dims[-1] / dims[0]) if len(dims) > 1 else 0.0
    ticks = [dims[0]]
    for d in dims[1:]:
        if math.log10(d / ticks[-1]) >= room:
            ticks.append(d)
    return ticks


def _marks(figure: go.Figure, marks: Sequence[tuple[float, str]], dims: Sequence[int], theme: Theme) -> None:
    for d, text in marks:
        if min(dims) < d < max(dims):
            figure.add_vline(x=d, line={"color": theme.ink, "width": 1, "dash": "dot"}, opacity=0.6)
            note(figure, d, text, theme, xanchor="left", xshift=4, y=0, yanchor="bottom")


def note(figure: go.Figure, x: float, text: str, theme: Theme, **place: object) -> None:
    """A text at x on a log axis; Plotly wants the place of an annotation there as log10 x."""
    figure.add_annotation(
        x=math.log10(x), text=text, yref="y domain", showarrow=False, font={"size": theme.text}, **place
    )


def _labels(curves: Curves, predictions: Sequence[Prediction]) -> list[tuple[float, str]]:
    ends = [(float(curve.error[-1]), method) for method, curve in curves.items()]
    labels = [
        (max(value, FLOOR), METHODS[method].tag(f"{short(method)} {number(round(value, 4))}")) for value, method in ends
    ]
    return labels + [(float(line.error[-1]), f"{GLYPHS[line.dash]} {line.label}") for line in predictions]


GLYPHS = {"solid": "─", "dash": "╌", "dot": "┈", "dashdot": "─·"}


def factors_of(curve: ErrorCurve) -> np.ndarray:
    """(k,) : each error over the first, all at least FLOOR: 1 if the dimension does not matter."""
    errors = np.maximum(curve.error, FLOOR)
    return errors / errors[0]


def growth_of(curve: ErrorCurve) -> float:
    """The last of these factors."""
    return float(factors_of(curve)[-1])


def _finding(curves: Curves) -> str:
    """How each method's error changes from its first to its last dimension."""
    clauses = []
    for method, curve in curves.items():
        if len(curve.d) > 1:
            factor, (first, last) = growth_of(curve), (max(float(curve.error[index]), FLOOR) for index in (0, -1))
            flat = 1 / FLAT < factor < FLAT
            ends = f"from {_end(first)} at d = {number(curve.d[0])} to {_end(last)} at d = {number(curve.d[-1])}"
            by = "" if flat else f", by a factor of {quote_number(max(factor, 1 / factor), 2)}"
            clauses.append(f"{short(method)} {'stays flat' if flat else trend(first, last)} {ends}{by}")
    return (
        f"The error of {'; of '.join(clauses)}." if clauses else "Fewer than two dimensions have been measured so far."
    )


def _end(error: float) -> str:
    return quote_number(error, 4) if error > FLOOR else f"below {number(FLOOR)}"


def _table(curves: Curves, predictions: Sequence[Prediction]) -> dict[str, list]:
    table: dict[str, list] = {"curve": [], "d": [], "error": [], "low": [], "high": []}
    for method, curve in curves.items():
        table["curve"] += [METHODS[method].label] * len(curve.d)
        for name, values in vars(curve).items():
            table[name] += trace_values(values)
    for line in predictions:
        d, error = thin_out(line.d, line.error)
        table["curve"] += [line.label] * len(d)
        table["d"] += trace_values(d)
        table["error"] += trace_values(error)
        table["low"] += [None] * len(d)
        table["high"] += [None] * len(d)
    return table
