"""The loss of a network on many tasks against time, on log-log axes, and what single equations make of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import name_above, value_axis, value_range
from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle, Picture, Theme, blank
from featdash.figures.text import Numbers, number, quote_number, thin_out, trace_values, with_decimals

EARLIEST = 0.3  # of the axis; before it nothing happens
LOWEST = 1e-5  # of the axis
GUIDE_POINTS = 20  # so that a film draws the guide as it draws a curve
STYLES = {
    "network": MethodStyle("network", *SUBJECT),
    "alone": MethodStyle("tasks one by one, summed", *CASES[1]),
    "many": MethodStyle("10\u202f000 such tasks", *CASES[0]),
}


class Curve(NamedTuple):
    """Losses at times (K,), over E f*²."""

    t: Numbers
    loss: Numbers


def scaling_law(
    curves: Mapping[str, Curve],
    slopes: Mapping[str, float | None],
    *,
    hidden: Collection[str] = (),
    theme: Theme,
    height: int = 400,
) -> Picture:
    """Curves by the names of STYLES; slopes : "predicted", which is drawn as a guide, and those of curves, if known.

    hidden : curves that are not drawn; the axes have room for them, and the legend names them.
    """
    figure = blank(theme, height, "Loss against time; 1 is to predict 0")
    table: dict[str, list] = {"curve": [], "t": [], "loss": []}
    drawn = {name: curve for name, curve in curves.items() if name not in hidden}
    for name, curve in drawn.items():
        _draw(figure, name, curve, table)
    losses = [one for curve in curves.values() for one in trace_values(curve.loss) if one and one > LOWEST]
    latest = max((float(one) for curve in curves.values() for one in curve.t), default=1.0)
    guide_curve = drawn.get("many") or next(iter(drawn.values()), None)
    prediction = slopes.get("predicted")
    if guide_curve and prediction is not None and len(guide_curve.t) > 1:
        _guide(figure, guide_curve, prediction, theme)
    across = [math.log10(EARLIEST), math.log10(max(latest, 2 * EARLIEST))]
    figure.update_xaxes(**value_axis("time t (log scale)", (across[0], across[1]), True))
    figure.update_yaxes(**value_axis("loss (log scale)", value_range([*losses, 1.0], True), True))
    guide = f"┄ slope {number(round(prediction, 2))}" if prediction is not None else ""
    tags = [STYLES[name].tag() for name in curves]
    name_above(figure, [*tags, guide] if guide else tags, theme)
    return Picture(figure, _finding(drawn, slopes), table, _headline(slopes))


def _draw(figure: go.Figure, name: str, curve: Curve, table: dict[str, list]) -> None:
    style = STYLES[name]
    late = np.asarray(curve.t, float) > 0  # there is no t = 0 on this axis
    t, loss = thin_out(np.asarray(curve.t, float)[late], np.asarray(curve.loss, float)[late])
    y = [one if one is not None and one > 0 else None for one in trace_values(loss)]
    marker = {"symbol": style.marker, "size": 7, "color": style.colour, "maxdisplayed": 8}
    hover = f"{style.label}<br>t = %{{x:.3g}}<br>loss %{{y:.3g}}<extra></extra>"
    line = style.line(2.6 if name == "network" else 2)
    figure.add_scatter(
        x=trace_values(t), y=y, mode="lines+markers", name=style.label, line=line, marker=marker, hovertemplate=hover,
    )  # fmt: skip
    table["curve"] += [style.label] * len(t)
    table["t"] += trace_values(t)
    table["loss"] += y


def _guide(figure: go.Figure, curve: Curve, slope: float, theme: Theme) -> None:
    """The predicted slope, a little above the curve, through its last decade and a half."""
    t, loss = np.asarray(curve.t, float), np.asarray(curve.loss, float)
    last = float(t[-1]) / 3
    first = max(last / 30, EARLIEST)
    level = 2 * float(np.interp(last, t, loss))
    if not level > 0 or first >= last:
        return
    hover = f"predicted slope {number(round(slope, 2))}<br>t = %{{x:.3g}}<extra></extra>"
    along = np.geomspace(first, last, GUIDE_POINTS)
    figure.add_scatter(
        x=trace_values(along), y=trace_values(level * (along / last) ** slope), mode="lines",
        name="predicted slope", line=theme.theory("dot") | {"width": 2}, hovertemplate=hover,
    )  # fmt: skip


def _finding(curves: Mapping[str, Curve], slopes: Mapping[str, float | None]) -> str:
    """Where the network is, and the slopes that are known."""
    network = curves.get("network")
    clauses = []
    if network is not None and len(network.t):
        at, loss = float(network.t[-1]), float(network.loss[-1])
        clauses.append(f"at t = {number(float(f'{at:.3g}'))} the network's loss is {quote_number(loss)}")
    slope_words = [f"{quote_number(slope, 2)} for {STYLES[name].label}" for name, slope in slopes.items()
             if slope is not None and name in STYLES]  # fmt: skip
    if slope_words:
        clauses.append(f"the slopes are {', '.join(slope_words)}")
    if slopes.get("predicted") is not None:
        clauses.append(f"theory has {quote_number(slopes['predicted'] or 0.0, 2)} for infinitely many tasks")
    words = "; ".join(clauses) or "no curve is there yet"
    return f"{words[0].upper()}{words[1:]}."


def _headline(slopes: Mapping[str, float | None]) -> str:
    """The fitted slopes beside the predicted one, once they are there."""
    prediction, network, many = (slopes.get(name) for name in ("predicted", "network", "many"))
    if prediction is None or many is None:
        return ""
    words = f"10\u202f000 tasks {with_decimals(many, 2)}, theory {with_decimals(prediction, 2)}"
    return f"Slope of {words}" if network is None else f"Slope {with_decimals(network, 2)}, {words}"
