"""The film of a finished picture whose curves are drawn along their axis, made from its figure alone.

What was measured at a place is there once the film has come to that place: curves grow, points, bars and cells appear,
and the name at the end of a curve goes with it, without the number that it ends at. What is known beforehand stands
still, what is fitted afterwards comes at the end. No moment is drawn: a film takes some milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from featdash.figures.axes import TINY, spread
from featdash.figures.film import Changes, Film, Until, whole

# At the end of a curve's name: the number that it ends at, but not that of «N = 100».
MEASURED = re.compile(r"(?<!=)(?: [≈≥≤])? [−\d.,·\u202f⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+(?: at t = .*)?$")
SAME = 1e-3  # relative to its axis: a name stands at the last value of its curve
CLOSE = 1e-9  # relative: of two places that are one
LINE = 1.3  # heights of its letters that a name takes
LETTERS = 12  # pixels, where a name does not say

Part = Mapping[str, Any]  # a trace, an axis or a note, as JSON has it


def grown(
    figure: go.Figure,
    times: Sequence[float],
    still: Collection[str] = (),
    places: Sequence[float] | None = None,
    each: bool = False,
) -> Film | None:
    """What moves in the figure while it is drawn from its first measured place to its last; None if nothing does.

    times (K,) : of the moments on the timeline, which go evenly from one measured place to the next; the last moment
        shows the whole figure. Panels whose axes have one range share their places.
    still : beginnings of the names of traces that are known beforehand, such as a prediction.
    places (K,) : where each moment stands on the horizontal axes, ascending, where it is not a measured place.
    each : whether curves go from one of their own places to the next, where one moment stands elsewhere on each.
    """
    drawn = whole(figure)
    layout = drawn["layout"]
    moving = [
        (index, trace, (*_axis_key(layout, trace), trace.get("name") if each else None))
        for index, trace in enumerate(drawn["data"])
        if not (trace.get("name") or "").startswith(tuple(still))
    ]
    maps = {key: [_ends(trace)] for _, trace, key in moving if trace["type"] == "heatmap"}
    measured: dict[tuple, list[np.ndarray]] = {}
    for _, trace, key in moving:
        if (x := _measured(trace)) is not None:
            measured.setdefault(key, []).append(x)
    known = None if places is None else np.asarray(places, dtype=float)
    stops = {key: _stops(x, len(times)) if known is None else known for key, x in (measured | maps).items()}
    changes: Changes = {}
    for index, trace, key in moving:
        if key in stops:
            changes |= _of_trace(("data", index), trace, stops[key])
    curves = [(trace, stops[key]) for _, trace, key in moving if key in stops and _is_curve(trace)]
    if changes:
        changes |= _of_names(layout, curves)
    return Film(times, changes) if changes else None


def _axis_key(layout: Part, trace: Part) -> tuple:
    """What the axis of a trace shares with the axes that it moves along with."""
    name = trace.get("xaxis") or "x"
    axis = layout.get(f"xaxis{name[1:]}", {})
    return (tuple(axis.get("range") or (name,)), axis.get("type"))


def _measured(trace: Part) -> np.ndarray | None:
    """(N,) : where something was measured; None of a line alone, a band, and what has no numbers across."""
    drawn = trace["type"] == "bar" or (trace["type"] == "scatter" and "markers" in trace.get("mode", ""))
    return _numbers(trace.get("x")) if drawn else None


def _numbers(values: Any) -> np.ndarray | None:
    try:
        return np.asarray(values, dtype=float) if values is not None and len(values) else None
    except (TypeError, ValueError):
        return None


def _middles(trace: Part) -> np.ndarray:
    """(columns,) : of a heatmap's cells; its x are their middles or their edges, or not said."""
    columns, x = np.asarray(trace["z"]).shape[1], _numbers(trace.get("x"))
    if x is None:
        return np.arange(columns, dtype=float)
    return (x[1:] + x[:-1]) / 2 if len(x) > columns else x


def _ends(trace: Part) -> np.ndarray:
    """(columns,) : right ends of a heatmap's cells, so that what stands in a cell comes with it."""
    middles, x = _middles(trace), _numbers(trace.get("x"))
    if x is not None and len(x) > len(middles):
        return x[1:]
    half = np.diff(middles, append=2 * middles[-1] - middles[-2] if len(middles) > 1 else middles[-1] + 1) / 2
    return middles + half


def _stops(measured: Sequence[np.ndarray], count: int) -> np.ndarray:
    """(count,) : ascending places, each as many measured ones after the one before it."""
    places = np.unique(np.concatenate(measured).round(9))
    return np.interp(np.linspace(0, len(places) - 1, count), np.arange(len(places)), places)


def _is_curve(trace: Part) -> bool:
    """Whether it is a line over ascending places; a band goes back again."""
    if trace["type"] != "scatter" or "lines" not in trace.get("mode", "") or trace.get("fill") == "toself":
        return False
    x, y = _numbers(trace.get("x")), _numbers(trace.get("y"))
    return x is not None and y is not None and bool(np.isfinite(y).any() and np.all(np.diff(x) >= 0))


def _of_trace(path: tuple[str | int, ...], trace: Part, stops: np.ndarray) -> Changes:
    if trace["type"] == "heatmap":
        reached = _reached(_middles(trace), stops)[:, None, :]
        return {(*path, "z"): np.where(reached, np.asarray(trace["z"], dtype=float), np.nan)}
    x, y = _numbers(trace.get("x")), _numbers(trace.get("y"))
    if x is None or y is None or trace["type"] not in ("scatter", "bar"):
        return {}
    if trace["type"] == "bar" or "lines" not in trace.get("mode", ""):
        reached = _reached(x, stops)
        return {} if reached.all() else {(*path, "y"): np.where(reached, y, 0.0 if trace["type"] == "bar" else np.nan)}
    if trace.get("fill") == "toself":
        return _of_band(path, x, y, stops)
    if len(x) == 2 and trace["mode"] == "lines":  # through all of the picture: a fit, or known beforehand
        fitted = "fit" in (trace.get("name") or "")
        return {(*path, "visible"): [False] * (len(stops) - 1) + [True]} if fitted else {}
    return {path: Until(stops)} if _is_curve(trace) else {}


def _reached(x: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """(K, N) : whether a place has been reached; at the last moment all have."""
    reached = x <= stops[:, None] + CLOSE * np.maximum(np.abs(stops[:, None]), 1)
    reached[-1] = True
    return reached


def _of_band(path: tuple[str | int, ...], x: np.ndarray, y: np.ndarray, stops: np.ndarray) -> Changes:
    """A band that goes along its upper edge and back along its lower one: what is beyond a place lies folded on it."""
    half = len(x) // 2
    edges = [(x[:half], y[:half]), (x[half:][::-1], y[half:][::-1])]
    if not half or any(np.any(np.diff(along) < 0) for along, _ in edges):
        return {}
    ends = [np.minimum(along, np.maximum(stops[:, None], along[0])) for along, _ in edges]
    heights = [np.stack([np.interp(row, *edge) for row in end]) for end, edge in zip(ends, edges, strict=True)]
    across, up = (np.concatenate([first, second[:, ::-1]], axis=1) for first, second in (ends, heights))
    return {(*path, "x"): across, (*path, "y"): up}


def _of_names(layout: Part, curves: Sequence[tuple[Part, np.ndarray]]) -> Changes:
    """Names at the ends of curves: level with where their curve has come to, apart from one another."""
    found: dict[str, list[tuple[int, Part, np.ndarray]]] = {}
    for index, note in enumerate(layout.get("annotations", ())):
        ref = note.get("yref") or "y"
        axis = layout.get(f"yaxis{ref[1:]}", {})
        if note.get("xanchor") != "left" or note.get("x") != 1 or not axis.get("range"):
            continue
        beside = [_levels(trace, stops, axis) for trace, stops in curves if (trace.get("yaxis") or "y") == ref]
        gaps = [abs(levels[-1] - note["y"]) for levels in beside]
        if gaps and min(gaps) <= SAME * abs(np.ptp(axis["range"])):
            nearest = beside[gaps.index(min(gaps))]
            found.setdefault(ref, []).append((index, note, nearest))
    changes: Changes = {}
    for ref, group in found.items():
        shifts = _shifts(
            np.stack([level for *_, level in group]), layout[f"yaxis{ref[1:]}"], _pixels(layout, ref), group[0][1]
        )
        for (index, note, level), shift in zip(group, shifts, strict=True):
            level[-1], shift[-1] = note["y"], note.get("yshift") or 0
            changes |= _of_name(index, note["text"], level, shift)
    return changes


def _levels(trace: Part, stops: np.ndarray, axis: Part) -> np.ndarray:
    """(K,) : where the curve has come to, as its axis has it; its end at the last moment."""
    x, y = _numbers(trace["x"]), _numbers(trace["y"])
    assert x is not None
    assert y is not None
    known = np.isfinite(y)
    levels = np.interp(stops, x[known], np.log10(np.maximum(y[known], TINY)) if axis.get("type") == "log" else y[known])
    return levels.clip(min(axis["range"]), max(axis["range"]))


def _shifts(levels: np.ndarray, axis: Part, pixels: float, note: Part) -> np.ndarray:
    """(names, K) : pixels by which names are pushed apart; levels (names, K)."""
    low, high = axis["range"]
    size = note.get("font", {}).get("size") or LETTERS
    wanted = pixels * (levels - low) / (high - low)
    shifts = np.zeros_like(levels)
    for moment in range(levels.shape[1]):
        order = np.argsort(wanted[:, moment], kind="stable")
        placed = spread(wanted[order, moment].tolist(), LINE * size, pixels + size)
        shifts[order, moment] = np.array(placed) - wanted[order, moment]
    return shifts


def _of_name(index: int, text: str, level: np.ndarray, shift: np.ndarray) -> Changes:
    path = ("layout", "annotations", index)
    name = MEASURED.sub("", text)
    changes: Changes = {(*path, "y"): level, (*path, "yshift"): shift}
    if name != text:
        changes[(*path, "text")] = [name] * (len(level) - 1) + [text]
    return changes


def _pixels(layout: Part, ref: str) -> float:
    """About the height of an axis."""
    margin = {**layout["template"]["layout"]["margin"], **layout.get("margin", {})}
    start, end = layout[f"yaxis{ref[1:]}"].get("domain") or (0, 1)
    return max((layout["height"] - margin["t"] - margin["b"]) * (end - start), 1.0)
