"""The timeline of a recovery: loss, cosines and counts over its stages, on one axis that can be brushed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.axes import decades, value_axis, value_range
from featdash.figures.findings import count_noun, quote_number, with_decimals
from featdash.figures.palette import METHODS, MethodStyle, Theme, blank
from featdash.figures.panel_labels import margin_of, panel_labels
from featdash.figures.picture import Picture
from featdash.figures.text import indexed, letters, number, thin_out, trace_values

HEAD = 2  # the step after which both layers are trained
STAGE_3 = 4.3  # its length on the axis, where stages 1 and 2 have length 1
STAGES = {"1 step": (0.0, 1.0), "2 head": (1.0, 2.0), "3 both layers": (2.0, 2.0 + STAGE_3)}
WINDOWS = {"all": (0.0, 2.0 + STAGE_3), "stages 1–2": (0.0, 2.0), "stage 3": (2.0, 2.0 + STAGE_3)}
SHARES = (0.44, 0.33, 0.23)  # of the height: loss, cosines, counts
GAP = 0.06
GO, STOP = METHODS["network"], METHODS["algorithm1"]
LONG_DASH = {"dash": "12px,3px"}  # the gaps of the usual one would swallow the falls at each drop of λ
FAINT = METHODS["linear"].colour
QUANTITIES = ("loss", "cosine", "count")
COSINES = (-0.03, 1.22)
QUANTITIES = ("loss", "cosine", "count")  # of the panels, for the pointer
LONG = 5  # decades; a longer axis has a tick at every other one


def recovery_timeline(
    rows: Mapping[str, Any],
    steps: int,
    *,
    theme: Theme,
    log: bool = True,
    window: str = "all",
    lines: bool = True,
    at: float | None = None,
    height: int = 430,
) -> Picture:
    """Three panels over one axis; dragging across it selects a range of steps, a double click brings all back.

    rows : the timeline's columns, "step", "stage", "lam", "loss", "train", "nearest" (T, r), "mass_weighted_cosine",
        "alive", "cancelling", "stop_loss", "stop_mass_weighted_cosine", "stop_cancelling", each (T,).
    steps : of stage 3, so that the axis stands still. log : stage 3 on a log scale. window : one of WINDOWS.
    lines : the cosines are absolute. at : a step to mark.
    """
    figure = blank(theme, height, f"{GO.tag('<b>go on</b>')}   {STOP.tag('<b>stop after Algorithm 1</b>')}", panels=3)
    make_subplots(3, 1, figure=figure, shared_xaxes=True, vertical_spacing=GAP, row_heights=list(SHARES))
    places = stage_places(rows["step"], steps, log)
    curves = [_losses(rows), _cosines(rows), _counts(rows)]
    verticals = [
        _loss_range(rows),
        COSINES,
        value_range([*rows["alive"], *rows["cancelling"], *rows["stop_cancelling"]], False),
    ]
    room = (theme.height(height, 3) - 5 * theme.text - 26) * (1 - 2 * GAP)
    texts = []
    for panel, (drawn, vertical) in enumerate(zip(curves, verticals, strict=True), start=1):
        labels = _draw(figure, panel, drawn, places, rows["step"])
        high = room * SHARES[panel - 1] - (theme.text if panel > 1 else 0)  # no label stands above its own panel
        panel_labels(figure, labels, vertical, panel=panel, room=high, theme=theme, log=panel == 1)
        texts += [text for _, text in labels]
    _shade(figure, theme, at, rows, steps, log)
    _axes(figure, verticals, steps, log, window)
    figure.update_yaxes(title_text="|cosine|" if lines else "cosine", row=2, col=1)
    figure.update_layout(
        dragmode="zoom",
        margin={"r": margin_of(letters(texts), theme), "t": 3 * theme.text + 12, "b": 2 * theme.text + 14},
    )
    return Picture(figure, _finding(rows), _table(rows))


def stage_places(step: Sequence[float], steps: int, log: bool) -> np.ndarray:
    """Where steps stand: 0, 1, 2 one apart, then stage 3 over its own length, evenly in t or in log(1 + t)."""
    step = np.asarray(step, dtype=float)
    t = np.maximum(step - HEAD, 0)
    share = np.log1p(t) / np.log1p(steps) if log else t / steps
    return np.minimum(step, HEAD) + STAGE_3 * share


def _losses(rows: Mapping[str, Any]) -> dict[str, tuple]:
    """label -> (values, line, tag); «stop» is drawn first, so that «go on» is never hidden by it."""
    drawn = {"stop": (rows["stop_loss"], STOP.line(1.8), STOP), "go on": (rows["loss"], GO.line(2.5) | LONG_DASH, GO)}
    if not np.array_equal(rows["train"], rows["loss"]):
        drawn["training loss"] = (rows["train"], GO.line(1), GO)
    return drawn


def _cosines(rows: Mapping[str, Any]) -> dict[str, tuple]:
    dashes = ("solid", "dash", "dot", "dashdot")
    nearest = np.asarray(rows["nearest"], float)
    drawn = {
        f"nearest {indexed('u', index + 1)}": (column, {"color": FAINT, "width": 1.5, "dash": dashes[index % 4]}, None)
        for index, column in enumerate(nearest.T)
    }
    drawn["all, by mass: stop"] = (rows["stop_mass_weighted_cosine"], STOP.line(1.8), STOP)
    drawn["all, by mass: go on"] = (rows["mass_weighted_cosine"], GO.line(2.5) | LONG_DASH, GO)
    return drawn


def _counts(rows: Mapping[str, Any]) -> dict[str, tuple]:
    return {
        "alive": (rows["alive"], {"color": FAINT, "width": 1.8}, None),
        "cancelling: stop": (rows["stop_cancelling"], STOP.line(1.8), STOP),
        "cancelling pairs": (rows["cancelling"], GO.line(2.5) | LONG_DASH, GO),
    }


def _draw(
    figure: go.Figure, panel: int, drawn: Mapping[str, tuple], places: np.ndarray, step: Sequence[float]
) -> list[tuple[float, str]]:
    """The curves of one panel; returns their labels, the nearest neurons' as one."""
    labels, nearest = [], []
    for name, (values, line, style) in drawn.items():
        x, y, at = thin_out(places, values, step)
        hover = f"{name}<br>step %{{customdata:,.0f}}<br>{QUANTITIES[panel - 1]} %{{y:.4g}}<extra></extra>"
        figure.add_scatter(
            x=trace_values(x),
            y=trace_values(y),
            customdata=trace_values(at),
            name=name,
            mode="lines+markers" if style else "lines",
            line=line,
            marker=_marker(style),
            hovertemplate=hover,
            row=panel,
            col=1,
        )
        end = float(values[-1])
        if name.startswith("nearest"):
            nearest.append(end)
            continue
        text = f"{name} {f'{end:.3f}' if 'by mass' in name else number(float(f'{end:.3g}'))}"
        labels.append((end, style.tag(text) if style else f'<span style="color:{FAINT}">─</span> {text}'))
    if nearest:
        least = math.floor(1000 * min(nearest)) / 1000
        labels.append((min(nearest), f'<span style="color:{FAINT}">─</span> nearest to each uₖ ≥ {least:.3f}'))
    return labels


def _marker(style: MethodStyle | None) -> dict | None:
    """A few markers on the way: a dash alone is lost where a curve is steep."""
    return {"symbol": style.marker, "size": 6, "maxdisplayed": 14} if style else None


def _loss_range(rows: Mapping[str, Any]) -> tuple[float, float]:
    return value_range([*rows["loss"], *rows["stop_loss"], *rows["train"]], True)


def _shade(figure: go.Figure, theme: Theme, at: float | None, rows: Mapping[str, Any], steps: int, log: bool) -> None:
    """The three stages, where λ is lowered, and the selected step."""
    for index, (name, (left, right)) in enumerate(STAGES.items()):
        figure.add_vrect(
            x0=left, x1=right, fillcolor=theme.grid, opacity=(0.75, 0.15, 0.45)[index], line_width=0, layer="below"
        )
        place = {"x": (left + right) / 2, "xref": "x", "y": 1, "yref": "paper", "yanchor": "bottom"}
        figure.add_annotation(text=name, showarrow=False, font_size=theme.text, **place)
    lam, step = np.asarray(rows["lam"], float), np.asarray(rows["step"], float)
    lowered = np.flatnonzero((lam[1:] < lam[:-1]) & (step[1:] > HEAD + 1)) + 1
    for place in stage_places(step[lowered], steps, log):
        figure.add_vline(x=float(place), line=theme.theory("dot"), opacity=0.5)
    if at is not None:
        figure.add_vline(x=float(stage_places([at], steps, log)[0]), line=theme.theory("solid") | {"width": 1.5})


def _axes(figure: go.Figure, verticals: Sequence[tuple], steps: int, log: bool, window: str) -> None:
    stage = (
        [10**power for power in range(1, 6) if 10**power <= steps]
        if log
        else [steps * part / 4 for part in range(1, 5)]
    )
    ticks = [0, 1, 2, *(HEAD + t for t in stage)]
    texts = ["0", "1", "2", *(number(t) for t in stage)]
    low, high = WINDOWS[window]
    reach = 0.012 * (high - low)
    figure.update_xaxes(
        range=[low - reach, high + reach],
        tickvals=trace_values(stage_places(ticks, steps, log)),
        ticktext=texts,
        uirevision=f"{window}{log}",
    )
    figure.update_xaxes(
        title_text="step; in stage 3 counted from its start; dotted: λ lowered. Drag to select", row=3, col=1
    )
    # Vertical zoom is off, so that dragging is a brush over the steps.
    figure.update_yaxes(fixedrange=True)
    figure.update_yaxes(**_loss_axis(verticals[0]), row=1, col=1)
    figure.update_yaxes(range=verticals[1], tickvals=[0, 0.5, 1], row=2, col=1)
    figure.update_yaxes(title_text="count", range=verticals[2], nticks=4, row=3, col=1)


def _loss_axis(vertical: tuple[float, float]) -> dict:
    low, high = vertical
    every_other = decades(math.floor(low / 2) * 2, math.ceil(high), 2) if high - low > LONG else {}
    return value_axis("loss E (f − f*)²", vertical, True) | every_other


def _loss(value: float) -> str:
    """A loss may be tiny: two digits, and no fewer than are before the point."""
    return quote_number(value) if value >= 1 else number(float(f"{value:.2g}"))


def _finding(rows: Mapping[str, Any]) -> str:
    loss, stopped, cosine = (float(rows[name][-1]) for name in ("loss", "stop_loss", "mass_weighted_cosine"))
    pairs = count_noun(int(rows["cancelling"][-1]), "cancelling pair", "cancelling pairs")
    return (
        f"At step {number(float(rows['step'][-1]))} the loss is {_loss(loss)} going on and "
        f"{_loss(stopped)} stopping after Algorithm 1; going on, the mass-weighted cosine to the "
        f"teacher's directions is {with_decimals(cosine, 3)}, with {pairs}."
    )


def _table(rows: Mapping[str, Any]) -> dict[str, list]:
    table = {name: trace_values(column) for name, column in rows.items() if name != "nearest"}
    nearest = np.asarray(rows["nearest"], float)
    return table | {f"nearest {index + 1}": trace_values(column) for index, column in enumerate(nearest.T)}
