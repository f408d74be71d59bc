"""The timeline of a recovery: loss, cosines and counts over its stages, on one axis that can be brushed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from featdash.figures.axes import decades, margin_of, panel_labels, value_axis, value_range
from featdash.figures.palette import NOISE
from featdash.figures.picture import METHODS, MethodStyle, Picture, Theme, blank
from featdash.figures.text import (
    count_noun,
    letters,
    number,
    quote_number,
    thin_out,
    trace_values,
    with_decimals,
    with_index,
)
from featdash.lessons.recovery.frames import HEAD, Rows

STAGE_3 = 4.3  # its length on the axis, where stages 1 and 2 have length 1
STAGES = {"1 step": (0.0, 1.0), "2 head": (1.0, 2.0), "3 both layers": (2.0, 2.0 + STAGE_3)}
ALL, FIRST_STAGES = "all", "stages 1–2"
WINDOWS = {ALL: (0.0, 2.0 + STAGE_3), FIRST_STAGES: (0.0, 2.0), "stage 3": (2.0, 2.0 + STAGE_3)}
LOSS, COSINE, COUNT = "loss", "cosine", "count"  # what the panels show, in their order
SHARES = {LOSS: 0.44, COSINE: 0.33, COUNT: 0.23}  # of the height, where all are shown
GAP = 0.06
GO, STOP = METHODS["network"], METHODS["algorithm1"]
LONG_DASH = {"dash": "12px,3px"}  # the gaps of the usual one would swallow the falls at each drop of λ
COSINES = (-0.03, 1.22)
LONG = 5  # decades; a longer axis has a tick at every other one


Curve = tuple[np.ndarray, dict, MethodStyle | None]  # values (T,), line, tag


@dataclass(frozen=True)
class StepAxis:
    """The axis over the steps.

    steps : of stage 3, so that it stands still.  log : stage 3 on a log scale.  window : one of WINDOWS.
    at : a step to mark.  decays : whether λ is lowered on the way.
    """

    steps: int
    log: bool = True
    window: str = "all"
    at: float | None = None
    decays: bool = True

    def places(self, step: Sequence[float] | np.ndarray) -> np.ndarray:
        """Where steps stand on it."""
        return stage_places(step, self.steps, self.log)


def recovery_timeline(
    rows: Rows, axis: StepAxis, *, theme: Theme, lines: bool = True, curves: str = ALL, height: int = 430
) -> Picture:
    """Three panels over one axis, or one; dragging across it selects a range of steps, a double click brings all back.

    lines : the cosines are absolute; curves : one of SHARES alone, or ALL.
    """
    shares = SHARES if curves == ALL else {curves: 1.0}
    figure = blank(theme, height, f"{GO.tag('<b>go on</b>')}   {STOP.tag('<b>stop after Algorithm 1</b>')}")
    make_subplots(
        len(shares), 1, figure=figure, shared_xaxes=True, vertical_spacing=GAP, row_heights=[*shares.values()]
    )
    places = axis.places(rows.step)
    drawn = {
        LOSS: (_losses(rows), _loss_range(rows)),
        COSINE: (_cosines(rows), COSINES),
        COUNT: (_counts(rows), value_range([*rows.alive, *rows.cancelling, *rows.stop_cancelling], False)),
    }
    room = (height - 5 * theme.text - 26) * (1 - GAP * (len(shares) - 1))
    texts = []
    for panel, (kind, share) in enumerate(shares.items(), start=1):
        ones, vertical = drawn[kind]
        labels = _draw(figure, panel, kind, ones, places, rows.step)
        high = room * share - (theme.text if panel > 1 else 0)  # no label stands above its own panel
        panel_labels(figure, labels, vertical, panel=panel, room=high, theme=theme, log=kind == LOSS)
        texts += [text for _, text in labels]
    _shade(figure, theme, rows, axis, len(shares))
    _axes(figure, {kind: drawn[kind][1] for kind in shares}, axis, lines)
    if theme.large and len(shares) > 1:  # the panels of a wall are low: the whole name would reach into the next one
        figure.update_yaxes(title_text="loss", row=1, col=1)
    figure.update_layout(
        dragmode="zoom",
        meta={"ends": True},  # on a narrow stage they stand in the picture
        margin={"r": margin_of(letters(texts), theme), "t": 3 * theme.text + 12},
    )
    return Picture(figure, _finding(rows, curves), _table(rows), headline=_headline(rows, curves))


def stage_places(step: Sequence[float] | np.ndarray, steps: int, log: bool) -> np.ndarray:
    """Where steps stand: 0, 1, 2 one apart, then stage 3 over its own length, evenly in t or in log(1 + t)."""
    at = np.asarray(step, dtype=float)
    t = np.maximum(at - HEAD, 0)
    share = np.log1p(t) / np.log1p(steps) if log else t / steps
    return np.minimum(at, HEAD) + STAGE_3 * share


def _losses(rows: Rows) -> dict[str, Curve]:
    """label -> (values, line, tag); «stop» is drawn first, so that «go on» is never hidden by it."""
    curves: dict[str, Curve] = {
        "stop": (rows.stop_loss, STOP.line(1.8), STOP),
        "go on": (rows.loss, GO.line(2.5) | LONG_DASH, GO),
    }
    if not np.array_equal(rows.train, rows.loss):
        curves["training loss"] = (rows.train, GO.line(1), GO)
    return curves


def _cosines(rows: Rows) -> dict[str, Curve]:
    dashes = ("solid", "dash", "dot", "dashdot")
    curves: dict[str, Curve] = {
        f"nearest {with_index('u', i + 1)}": (column, {"color": NOISE, "width": 1.5, "dash": dashes[i % 4]}, None)
        for i, column in enumerate(rows.nearest.T)
    }
    curves["all, by mass: stop"] = (rows.stop_mass_weighted_cosine, STOP.line(1.8), STOP)
    curves["all, by mass: go on"] = (rows.mass_weighted_cosine, GO.line(2.5) | LONG_DASH, GO)
    return curves


def _counts(rows: Rows) -> dict[str, Curve]:
    return {
        "alive": (rows.alive, {"color": NOISE, "width": 1.8}, None),
        "cancelling: stop": (rows.stop_cancelling, STOP.line(1.8), STOP),
        "cancelling pairs": (rows.cancelling, GO.line(2.5) | LONG_DASH, GO),
    }


def _draw(
    figure: go.Figure, panel: int, kind: str, curves: Mapping[str, Curve], places: np.ndarray, step: np.ndarray
) -> list[tuple[float, str]]:
    """The curves of one panel; returns their labels, the nearest neurons' as one."""
    labels: list[tuple[float, str]] = []
    nearest: list[float] = []
    for name, (values, line, style) in curves.items():
        x, y, at = thin_out(places, values, step)
        hover = f"{name}<br>step %{{customdata:,.0f}}<br>{kind} %{{y:.4g}}<extra></extra>"
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
        text = f"{name} {with_decimals(end, 3) if 'by mass' in name else number(float(f'{end:.3g}'))}"
        labels.append((end, style.tag(text) if style else f'<span style="color:{NOISE}">─</span> {text}'))
    if nearest:
        least = math.floor(1000 * min(nearest)) / 1000
        labels.append((min(nearest), f'<span style="color:{NOISE}">─</span> nearest to each uₖ ≥ {least:.3f}'))
    return labels


def _marker(style: MethodStyle | None) -> dict | None:
    """A few markers on the way: a dash alone is lost where a curve is steep."""
    return {"symbol": style.marker, "size": 6, "maxdisplayed": 14} if style else None


def _loss_range(rows: Rows) -> tuple[float, float]:
    return value_range([*rows.loss, *rows.stop_loss, *rows.train], True)


def _shade(figure: go.Figure, theme: Theme, rows: Rows, axis: StepAxis, panels: int) -> None:
    """The three stages, where λ is lowered, and the selected step.

    All shapes at once: `add_vline` looks through the figure's traces and all shapes before it, panel by panel, and took
    four fifths of the picture's time.
    """
    shapes: list[dict] = []

    def upright(left: float, right: float, **look: object) -> None:
        for panel in ("", "2", "3")[:panels]:
            shapes.append({"xref": f"x{panel}", "yref": f"y{panel} domain", "y0": 0, "y1": 1, "x0": left, "x1": right})
            shapes[-1] |= look

    for index, (name, (left, right)) in enumerate(STAGES.items()):
        look = {"fillcolor": theme.grid, "opacity": (0.75, 0.15, 0.45)[index], "line_width": 0, "layer": "below"}
        upright(left, right, type="rect", **look)
        place = {"x": (left + right) / 2, "xref": "x", "y": 1, "yref": "paper", "yanchor": "bottom"}
        text = name.split()[0] if axis.window == ALL else name  # all three names would lie on one another
        figure.add_annotation(text=text, showarrow=False, font_size=theme.text, **place)
    drops = np.flatnonzero((rows.lam[1:] < rows.lam[:-1]) & (rows.step[1:] > HEAD + 1)) + 1
    for x in map(float, axis.places(rows.step[drops])):
        upright(x, x, type="line", line=theme.theory("dot"), opacity=0.5)
    if axis.at is not None:
        x = float(axis.places([axis.at])[0])
        upright(x, x, type="line", line=theme.theory("solid") | {"width": 1.5})
    figure.update_layout(shapes=shapes)


def _axes(figure: go.Figure, verticals: Mapping[str, tuple], axis: StepAxis, lines: bool) -> None:
    tens = [float(10**power) for power in range(1, 6) if 10**power <= axis.steps]
    stage = tens if axis.log else [axis.steps * part / 4 for part in range(1, 5)]
    ticks = [0, 1, 2, *(HEAD + t for t in stage)]
    texts = ["0", "1", "2", *(number(t) for t in stage)]
    low, high = WINDOWS[axis.window]
    reach = 0.012 * (high - low)
    figure.update_xaxes(
        range=[low - reach, high + reach],
        tickvals=trace_values(axis.places(ticks)),
        ticktext=texts,
        uirevision=f"{axis.window}{axis.log}",
    )
    dotted = "; dotted: λ lowered" if axis.decays else ""
    figure.update_xaxes(title_text=f"step, in stage 3 from its start{dotted}", row=len(verticals), col=1)
    # Vertical zoom is off, so that dragging is a brush over the steps.
    figure.update_yaxes(fixedrange=True)
    cosine = {"title_text": "|cosine|" if lines else "cosine", "tickvals": [0, 0.5, 1]}
    looks = {
        LOSS: _loss_axis,
        COSINE: lambda vertical: {**cosine, "range": vertical},
        COUNT: lambda vertical: {"title_text": "count", "range": vertical, "nticks": 4},
    }
    for panel, (kind, vertical) in enumerate(verticals.items(), start=1):
        figure.update_yaxes(**looks[kind](vertical), row=panel, col=1)


def _loss_axis(vertical: tuple[float, float]) -> dict:
    low, high = vertical
    every_other = decades(math.floor(low / 2) * 2, math.ceil(high), 2) if high - low > LONG else {}
    return value_axis("loss E (f − f*)²", vertical, True) | every_other


def _loss(value: float) -> str:
    """A loss may be tiny: two digits, and no fewer than are before the point."""
    return quote_number(value) if value >= 1 else number(float(f"{value:.2g}"))


def _finding(rows: Rows, curves: str) -> str:
    if curves != ALL:
        return f"{_headline(rows, curves)}, at step {number(float(rows.step[-1]))}."
    loss, stop_loss, cosine = float(rows.loss[-1]), float(rows.stop_loss[-1]), float(rows.mass_weighted_cosine[-1])
    pairs = count_noun(int(rows.cancelling[-1]), "cancelling pair", "cancelling pairs")
    return (
        f"At step {number(float(rows.step[-1]))} the loss is {_loss(loss)} going on and "
        f"{_loss(stop_loss)} stopping after Algorithm 1; going on, the mass-weighted cosine to the "
        f"teacher's directions is {with_decimals(cosine, 3)}, with {pairs}."
    )


def _headline(rows: Rows, curves: str) -> str:
    """Both students after the newest step, of what is shown."""

    def told(loss: np.ndarray, cosine: np.ndarray, pairs: np.ndarray) -> dict[str, str]:
        counted = count_noun(int(pairs[-1]), "cancelling pair", "cancelling pairs")
        mean = f"mean cosine {with_decimals(float(cosine[-1]), 3)}"
        return {LOSS: f"loss {_loss(float(loss[-1]))}", COSINE: mean, COUNT: counted}

    go = told(rows.loss, rows.mass_weighted_cosine, rows.cancelling)
    stop = told(rows.stop_loss, rows.stop_mass_weighted_cosine, rows.stop_cancelling)
    words = f"{go[LOSS]}, {go[COUNT]}" if curves == ALL else go[curves]
    if rows.step[-1] <= HEAD:
        return f"So far: {words}"
    return f"Going on: {words}; stopping after Algorithm 1: {stop[LOSS if curves == ALL else curves]}"


def _table(rows: Rows) -> dict[str, list]:
    names = [field.name for field in fields(rows) if field.name != "nearest"]
    table = {name: trace_values(getattr(rows, name)) for name in names}
    return table | {f"nearest {index + 1}": trace_values(column) for index, column in enumerate(rows.nearest.T)}
