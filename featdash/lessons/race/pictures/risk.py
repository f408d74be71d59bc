"""Risk against head steps t."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import RISKS, ROUGH, converged_part, decades, end_labels, note_rough, risk_axis, value_range
from featdash.figures.picture import METHODS, Picture, Theme, blank
from featdash.figures.text import join_words, lowest, number, thin_out, trace_values
from featdash.lessons.shared.frames import LossCurve

FAINTNESS = (1.0, 0.65, 0.4)  # of the first risk on show, the second, the third
BEYOND = 2.2  # the limit t = ∞ is drawn at this multiple of the last t
USUAL = (0.0511, 0.98)  # shares of E f*² between which most runs stay; the axis has room for them from the start
PLATEAU = "theory (d → ∞)"
Curves = Mapping[str, LossCurve]
Limits = Mapping[str, Mapping[str, float]]


def loss_curves(
    heads: Curves,
    *,
    theme: Theme,
    risks: Sequence[str] = ("excess",),
    noise: float = 0.0,
    plateau: float | None = None,
    log: bool = True,
    limits: Limits | None = None,
    at: float | None = None,
    last: float | None = None,
    scale: float | None = None,
    height: int = 330,
) -> Picture:
    """Risk after t head steps, a curve a method.

    heads : method -> its curves; a part that has not settled is pale and its number has an ≈, with a note.
    risks : which of RISKS to draw; the later ones are fainter.
    noise : ς², the floor of the risks measured on noisy labels.
    plateau : the predicted excess risk of a kernel at this n; it says nothing about the training risk.
    limits : method -> {risk: its value at t = ∞, maybe "settled": whether it is}, drawn past the last t, once known.
    log : whether the risk axis is logarithmic; t always is, because the whole descent is in its first thousandth.
    at : the selected t, marked on every curve and named in the labels; inf is the limit and needs `limits`.
    last : right end of the curves, by default their last t; set it so that the axis stands still while they grow.
    scale : E f*², the risk of the zero predictor; the risk axis then holds USUAL times it from the start.
    """
    last = last or max((float(curves.t[-1]) for curves in heads.values()), default=10.0)
    infinity = last * BEYOND
    title = "Risk" if len(risks) > 1 else RISKS[risks[0]].capitalize()
    figure = blank(theme, height, f"{title} while the head trains")
    ends, table = _draw(figure, heads, risks, limits, infinity)
    lines = _theory_lines(risks, noise, plateau, PLATEAU)
    levels = [share * scale + (0.0 if "excess" in risks else noise) for share in USUAL] if scale else []
    vertical = value_range([*table["value"], *lines.values(), *levels, *(value for *_, value in ends)], log)
    figure.update_yaxes(**risk_axis(risks, vertical, log))
    figure.update_xaxes(**_step_axis(last, infinity))
    for value, dash in zip(lines.values(), ("solid", "dashdot"), strict=False):
        figure.add_hline(y=value, line=theme.theory(dash))
    readings = _values_at(heads, ends, at)
    rough = _rough_at(heads, limits, at)
    if at is not None:
        _mark_step(figure, readings, infinity if math.isinf(at) else at, theme)
    if rough or not all(np.all(_settled(curves)) for curves in heads.values()):
        note_rough(figure, theme)
    end_labels(
        figure,
        _labels(readings, lines, _when(at), rough),
        vertical,
        theme=theme,
        log=log,
        height=height,
    )
    return Picture(figure, _finding(readings, risks[0], _moment(heads, limits, at), rough), table)


def _draw(
    figure: go.Figure, heads: Curves, risks: Sequence[str], limits: Limits | None, infinity: float
) -> tuple[list[tuple[str, str, float]], dict[str, list]]:
    """Draw the curves and their limits; returns (method, risk, last value) of each, and the table of all points."""
    ends: list[tuple[str, str, float]] = []
    table: dict[str, list] = {"method": [], "risk": [], "t": [], "value": []}
    for method, curves in heads.items():
        for risk in risks:
            steps, values, settled = thin_out(curves.t, curves.risk(risk), _settled(curves))
            faint = FAINTNESS[risks.index(risk)]
            for rough in (False, True) if not np.all(settled) else (False,):
                part = converged_part(values, settled, rough)
                opacity = faint * (ROUGH if rough else 1.0)
                figure.add_scatter(**_curve(method, risk, steps, part, len(risks) > 1), opacity=opacity)
            if limits:
                faint *= 1.0 if limits[method].get("settled", True) else ROUGH
                path = (steps[-1], infinity), (values[-1], limits[method][risk])
                figure.add_scatter(**_limit(method, *path), opacity=faint)
            ends.append((method, risk, limits[method][risk] if limits else float(values[-1])))
            for key, column in {"t": steps, "value": values}.items():
                table[key] += trace_values(column)
            table["method"] += [METHODS[method].label] * len(steps)
            table["risk"] += [RISKS[risk]] * len(steps)
    return ends, table


def _settled(curves: LossCurve) -> np.ndarray:
    return np.ones(len(curves.t), bool) if curves.settled is None else curves.settled


def _rough_at(heads: Curves, limits: Limits | None, at: float | None) -> set[str]:
    """The methods whose number at the selected t has not settled."""
    if at is None or math.isinf(at):
        return {method for method, values in (limits or {}).items() if not values.get("settled", True)}
    nearest = {method: int(np.argmin(np.abs(curves.t - at))) for method, curves in heads.items()}
    return {method for method, index in nearest.items() if not _settled(heads[method])[index]}


def _curve(method: str, risk: str, steps: np.ndarray, values: np.ndarray, several: bool) -> dict:
    style = METHODS[method]
    name = f"{style.label}, {RISKS[risk]}" if several else style.label
    return {
        "x": trace_values(steps),
        "y": trace_values(values),
        "name": name,
        "mode": "lines+markers",
        "line": style.line(2.5 if risk == "excess" or not several else 1.5),
        "marker": {"symbol": style.marker, "size": 7, "maxdisplayed": 9},
        "hovertemplate": f"{name}<br>t = %{{x:,.0f}}<br>risk = %{{y:.3g}}<extra></extra>",
    }


def _limit(method: str, x: Sequence[float], y: Sequence[float]) -> dict:
    """A thin line from the last t to the limit."""
    line = {"color": METHODS[method].colour, "width": 1, "dash": "dot"}
    return {
        "x": trace_values(x),
        "y": trace_values(y),
        "mode": "lines",
        "line": line,
        "name": f"{METHODS[method].label}, t = ∞",
        "hoverinfo": "skip",
    }


def _when(at: float | None) -> str:
    """The selected t in words; "" for the end of the curves."""
    return "" if at is None or math.isinf(at) else f"at t = {number(at)}"


def _theory_lines(risks: Sequence[str], noise: float, plateau: float | None, name: str) -> dict[str, float]:
    """The horizontal lines that belong to the risks on show; noise adds to what noisy labels measure."""
    noisy = any(risk != "excess" for risk in risks)
    lines = {"noise ς²": noise} if noisy and noise > 0 else {}
    if plateau is not None and plateau > 0 and tuple(risks) != ("train",):
        lines[name] = plateau + (noise if "excess" not in risks else 0.0)
    return lines


def _step_axis(last: float, end: float) -> dict:
    """Ticks over t, and ∞ at the end, where the limit will be drawn: an axis that stands still keeps its zoom.

    Only every other power of ten has a tick, and none next to ∞, for want of room.
    """
    ticks = decades(0, math.floor(math.log10(max(last, 1.0)) - 0.5), 2)
    axis = {"title_text": "head steps t", "type": "log", "range": [0, math.log10(max(end, 2))]}
    return axis | {"tickvals": [*ticks["tickvals"], end], "ticktext": [*ticks["ticktext"], "∞"], "tickangle": 0}


def _values_at(heads: Curves, ends: Sequence[tuple[str, str, float]], at: float | None) -> list[tuple[str, str, float]]:
    """As `ends`, but read off the curves at the selected t; without a t, or at ∞, the ends themselves."""
    if at is None or math.isinf(at):
        return list(ends)
    steps = {method: np.log(curves.t) for method, curves in heads.items()}
    return [(m, risk, float(np.interp(math.log(at), steps[m], heads[m].risk(risk)))) for m, risk, _ in ends]


def _mark_step(figure: go.Figure, readings: Sequence[tuple[str, str, float]], place: float, theme: Theme) -> None:
    """A line at the selected t, and a hollow marker where it meets each curve."""
    figure.add_vline(x=place, line={"color": theme.ink, "dash": "dot", "width": 1})
    for method, _, value in readings:
        style = METHODS[method]
        outline = {"color": style.colour, "width": 3}
        ring = {"symbol": style.marker, "size": 11, "color": theme.paper, "line": outline}
        figure.add_scatter(
            x=[place], y=trace_values([value]), mode="markers", marker=ring, name=style.label, hoverinfo="skip",
            cliponaxis=False,
        )  # fmt: skip


def _labels(
    readings: Sequence[tuple[str, str, float]],
    lines: Mapping[str, float],
    when: str,
    rough: Collection[str] = (),
) -> list[tuple[float, str]]:
    """(value, text) of each curve at the selected t and of each theory line; the glyph has the curve's colour.

    A label stands level with its number, so that the labels are in the order of their numbers; if t is not the end of
    the curve, the label names it.
    """
    several = len({risk for _, risk, _ in readings}) > 1
    labels = [(value, f"─ {name} {number(value)}") for name, value in lines.items()]
    for method, risk, value in readings:
        style = METHODS[method]
        name = f"{style.label}, {risk}" if several else style.label
        about = "≈ " if method in rough else ""
        labels.append((value, style.tag(f"{name} {about}{number(value)} {when}".rstrip())))
    return labels


def _moment(heads: Curves, limits: Limits | None, at: float | None) -> str:
    """The moment that the numbers belong to: the selected step, the limit, or how far the curves have come."""
    if limits and (at is None or math.isinf(at)):
        return "When the heads have converged"
    if at is not None and math.isfinite(at):
        return f"After {number(at)} head {'step' if at == 1 else 'steps'}"
    steps = {float(curves.t[-1]) for curves in heads.values()}
    if len(steps) != 1:
        return "At the last step so far of each head"
    (last,) = steps
    return f"After {number(last)} head {'step' if last == 1 else 'steps'}"


def _finding(ends: Sequence[tuple[str, str, float]], risk: str, moment: str, rough: Collection[str]) -> str:
    approximate = {METHODS[method].label for method in rough}
    values = {METHODS[method].label: value for method, kind, value in ends if kind == risk}
    if not values:
        return f"No method has a {RISKS[risk]} to show yet."
    clauses = [f"{'about ' * (label in approximate)}{number(value)} for {label}" for label, value in values.items()]
    return f"{moment} the {RISKS[risk]} is {join_words(clauses)}{lowest(values)}."


NEAR = 0.25  # a method that ends within this share of the plateau is said to stop near it
NOTHING = 0.9  # share of the target's second moment above which nobody has learned much


def headline(
    values: Mapping[str, float],
    *,
    at_end: bool,
    plateau: float | None,
    scale: float | None,
    fixed_features: Collection[str],
) -> str:
    """Where each method ends, and whether those with fixed features stop where theory says.

    values : method -> excess risk; at_end : whether the heads have converged, or are still on their way;
    plateau : the prediction for the methods in `fixed_features`; scale : E f*², the risk of the zero predictor.
    """
    finite = {name: value for name, value in values.items() if math.isfinite(value)}
    if not finite:
        return ""
    if not at_end:
        clauses = [f"{METHODS[name].label} {_short(finite[name])}" for name in sorted(finite, key=finite.__getitem__)]
        return f"So far: {join_words(clauses)}"
    if scale and min(finite.values()) > NOTHING * scale:
        return (
            f"Nobody has learned much: the lowest risk is {_short(min(finite.values()))}, of {_short(scale)} at first"
        )
    order = sorted(finite, key=finite.__getitem__)
    best, rest = order[0], order[1:]
    lead = f"{METHODS[best].label} ends at {_short(finite[best])}"
    if not rest:
        return lead
    kernels = [name for name in rest if name in fixed_features]
    if plateau and len(kernels) > 1 and kernels == rest and all(_is_near(finite[name], plateau) for name in kernels):
        return f"{lead}; the others stop near {_short(plateau)}, as predicted"
    return join_words([lead, *(f"{METHODS[name].label} at {_short(finite[name])}" for name in rest)])


def _is_near(value: float, plateau: float) -> bool:
    return abs(value / plateau - 1) < NEAR


def _short(value: float) -> str:
    return number(float(f"{value:.2g}"))
