"""Excess risk against the number of neurons, and against the number of weights that are fitted at the end."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.axes import name_above, risk_axis, value_range
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.seed_band import Row, seed_band
from featdash.figures.text import each, lowest, number, quote_number, trace_values
from featdash.lessons.width.recipe import TRAINED, match

TEN = 10  # places on both axes are log10 of a number
EDGE = 0.06  # of the axis, beyond its ends
Corners = Mapping[str, Sequence[tuple[float, float]]]


def risk_against_width(
    rows: Sequence[Row],
    widths: Sequence[int],
    *,
    theme: Theme,
    stairs: Corners | None = None,
    zero: float = 1.0,
    methods: Sequence[str] = (),
    log: bool = False,
    height: int = 400,
) -> Picture:
    """Mean excess risk against m on a logarithmic axis, a curve a method with a band of one standard deviation.

    rows : {"method", "width", "weights", "mean", "std" or None, "seeds"}; those that exist so far.
    widths : the whole grid, so that the axis stands still.  stairs : method -> (m, risk) at the corners of what is
    predicted.  zero : E f*².  methods : those that will have points.  log : whether the risk's axis is logarithmic
    too, with the slope of 1/m.
    """
    figure = _empty("Excess risk against width m", height, theme)
    for method, corners in (stairs or {}).items():
        _stair(figure, method, corners)
    if log:
        _slope(figure, rows, theme)
    _curves(figure, rows, "width")
    _finish(figure, rows, zero, log, theme)
    _name(figure, methods or _present(rows), theme, bool(stairs), log and any(r["method"] == TRAINED for r in rows))
    across = {"tickvals": [math.log10(m) for m in widths], "ticktext": [number(m) for m in widths]}
    figure.update_xaxes(title_text="width m: neurons (log scale)", range=_range(widths), **across)
    return Picture(figure, _finding(rows), _table(rows), headline=_overtaking(rows))


def risk_against_weights(
    rows: Sequence[Row],
    counts: Sequence[int],
    *,
    theme: Theme,
    zero: float = 1.0,
    methods: Sequence[str] = (),
    log: bool = False,
    height: int = 400,
) -> Picture:
    """The same risks against how many weights are fitted at the end; counts : all of them, for the axis."""
    figure = _empty("Excess risk against fitted weights", height, theme)
    _curves(figure, rows, "weights")
    _finish(figure, rows, zero, log, theme)
    _name(figure, methods or _present(rows), theme, False, False)
    low, high = math.floor(math.log10(min(counts))), math.ceil(math.log10(max(counts)))
    ticks = {"tickvals": list(range(low, high + 1)), "ticktext": [number(10**k) for k in range(low, high + 1)]}
    figure.update_xaxes(title_text="weights that are fitted at the end (log scale)", range=_range(counts), **ticks)
    return Picture(figure, _finding_of_weights(rows), _table(rows))


def _empty(title: str, height: int, theme: Theme) -> go.Figure:
    figure = blank(theme, height, title)
    make_subplots(1, 1, figure=figure)
    return figure


def _curves(figure: go.Figure, rows: Sequence[Row], along: str) -> None:
    for method in _present(rows):
        style = METHODS[method]
        mine = sorted((row for row in rows if row["method"] == method), key=lambda row: row[along])
        seed_band(figure, 1, mine, along, TEN, vars(style), style.label)


def _stair(figure: go.Figure, method: str, corners: Sequence[tuple[float, float]]) -> None:
    """The prediction for a method with fixed features, a thin line of its colour."""
    style = METHODS[method]
    name = f"{style.label}, predicted for large d"
    line = {"color": style.colour, "dash": "dash", "width": 1.2}
    figure.add_scatter(
        x=trace_values([math.log10(m) for m, _ in corners]), y=trace_values([risk for _, risk in corners]),
        mode="lines", line=line, opacity=0.8, name=name, hovertemplate=f"{name}<br>risk %{{y:.3g}}<extra></extra>",
    )  # fmt: skip


def _slope(figure: go.Figure, rows: Sequence[Row], theme: Theme) -> None:
    """A line of slope −1 from Algorithm 1's narrowest point: how the square of Theorem 1's width term falls."""
    ours = sorted((row["width"], row["mean"]) for row in rows if row["method"] == TRAINED)
    if len(ours) < 2:
        return
    (first, risk), (last, _) = ours[0], ours[-1]
    figure.add_scatter(
        x=trace_values([math.log10(first), math.log10(last)]), y=trace_values([risk, risk * first / last]),
        mode="lines", line=theme.theory("dot"), name="slope of 1/m", hoverinfo="skip",
    )  # fmt: skip


def _finish(figure: go.Figure, rows: Sequence[Row], zero: float, log: bool, theme: Theme) -> None:
    """The zero predictor's line, and the axis of the risk."""
    vertical = value_range([*(row["mean"] for row in rows), zero], log)
    figure.add_hline(y=zero, line=theme.theory("dot"))
    figure.update_yaxes(**risk_axis(("excess",), vertical, log))


def _name(figure: go.Figure, methods: Sequence[str], theme: Theme, stairs: bool, slope: bool) -> None:
    tags = [METHODS[method].tag() for method in METHODS if method in methods]
    tags += ["┄ predicted for large d"] if stairs else ["··· zero predictor"]
    name_above(figure, [*tags, *(["··· slope of 1/m"] if slope else [])], theme)


def _range(values: Sequence[int]) -> list[float]:
    low, high = math.log10(min(values)), math.log10(max(values))
    edge = EDGE * max(high - low, 1.0)
    return [low - edge, high + edge]


def _present(rows: Sequence[Row]) -> list[str]:
    """The methods that have rows, in the order of their table."""
    present = {row["method"] for row in rows}
    return [method for method in METHODS if method in present]


def _finding(rows: Sequence[Row]) -> str:
    """The risks at the largest width, and from which width on Algorithm 1 is below the best other method."""
    if not rows:
        return "No width has been computed yet."
    widest = max(row["width"] for row in rows)
    values = {METHODS[row["method"]].label: float(row["mean"]) for row in rows if row["width"] == widest}
    sentence = f"At width {number(widest)} the excess risk is {each(values)}{lowest(values)}."
    overtaking = _overtaking(rows)
    return f"{sentence} {overtaking}." if overtaking else sentence


def _overtaking(rows: Sequence[Row]) -> str:
    """From how many neurons on Algorithm 1 is below the best rival at its widest, bands included; "" if unknown."""
    crossing = match(rows)
    if crossing is None:
        return ""
    rival, ours = f"the {METHODS[crossing['rival']].label} with {number(crossing['width'])}", METHODS[TRAINED].label
    if crossing["neurons"] is None:
        return f"{ours} is not clearly below {rival} neurons"
    return f"With {number(crossing['neurons'])} neurons or more, {ours} is below {rival} neurons"


def _finding_of_weights(rows: Sequence[Row]) -> str:
    """Each method's lowest risk, and how many weights it has there."""
    best: dict[str, Any] = {}
    for row in rows:
        if row["method"] not in best or row["mean"] < best[row["method"]]["mean"]:
            best[row["method"]] = row
    if not best:
        return "No width has been computed yet."
    clauses = [
        f"{quote_number(best[method]['mean'])} for {METHODS[method].label} with {number(best[method]['weights'])}"
        for method in _present(rows)
    ]
    return f"The lowest excess risks, and the weights fitted there: {', '.join(clauses)}."


def _table(rows: Sequence[Row]) -> dict[str, list]:
    names = ("method", "width", "weights", "mean", "std", "seeds")
    table: dict[str, list] = {name: [] for name in names}
    for row in rows:
        std = row["std"] and float(f"{row['std']:.6g}")
        cells = (METHODS[row["method"]].label, row["width"], row["weights"], *trace_values([row["mean"]]), std)
        for name, value in zip(names, (*cells, row["seeds"]), strict=True):
            table[name].append(value)
    return table
