"""The film of a finished picture whose curves are drawn along their axis, made from its figure alone.

What was measured at a place appears once the film has reached that place: curves grow, points, bars and cells appear,
and the name at the end of a curve goes with it, without the number that it ends at. What is known beforehand stands
still, and what is fitted afterwards comes at the end. No moment is drawn on its own, so a film takes milliseconds.
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
END_NUMBER = re.compile(r"(?<!=)(?: [≈≥≤])? [−\d.,·\u202f⁰¹²³⁴⁵⁶⁷⁸⁹⁻]+(?: at t = .*)?$")
SAME = 1e-3  # relative to its axis: a name stands at the last value of its curve
CLOSE = 1e-9  # relative: of two places that are one
LINE = 1.3  # heights of its letters that a name takes
LETTERS = 12  # pixels of a letter, unless a name says otherwise

Part = Mapping[str, Any]  # a trace, an axis or a note, as JSON has it


def growing_film(
    figure: go.Figure,
    times: Sequence[float],
    still: Collection[str] = (),
    places: Sequence[float] | None = None,
    each: bool = False,
) -> Film | None:
    """What moves in the figure while it is drawn from its first measured place to its last; None if nothing does.

    times (K,) : the moments on the timeline, which go evenly from one measured place to the next; the last one shows
        the whole figure. Panels whose axes have the same range share their places.
    still : how the names of traces begin that are there from the start, such as a prediction.
    places (K,) : where each moment stands on the horizontal axes, ascending, if not at a measured place.
    each : whether each curve goes along its own places, so that a moment stands at a different place on each.
    """
    json = whole(figure)
    layout = json["layout"]
    moving = [
        (index, trace, (*_axis_key(layout, trace), trace.get("name") if each else None))
        for index, trace in enumerate(json["data"])
        if not (trace.get("name") or "").startswith(tuple(still))
    ]
    maps = {key: [_ends(trace)] for _, trace, key in moving if trace["type"] == "heatmap"}
    places_by_axis: dict[tuple, list[np.ndarray]] = {}
    for _, trace, key in moving:
        if (x := _measured_places(trace)) is not None:
            places_by_axis.setdefault(key, []).append(x)
    common_places = None if places is None else np.asarray(places, dtype=float)
    stops = {
        key: _stops(x, len(times)) if common_places is None else common_places
        for key, x in (places_by_axis | maps).items()
    }
    changes: Changes = {}
    for index, trace, key in moving:
        if key in stops:
            changes |= _of_trace(("data", index), trace, stops[key])
    curves = [(trace, stops[key]) for _, trace, key in moving if key in stops and _is_curve(trace)]
    if changes:
        changes |= _of_names(layout, curves)
    return Film(times, changes) if changes else None


def _axis_key(layout: Part, trace: Part) -> tuple:
    """Range and type of a trace's axis: traces whose axes agree in both move together."""
    name = trace.get("xaxis") or "x"
    axis = layout.get(f"xaxis{name[1:]}", {})
    return (tuple(axis.get("range") or (name,)), axis.get("type"))


def _measured_places(trace: Part) -> np.ndarray | None:
    """(N,) : where something was measured; None for a mere line, a band, or a trace without numbers across."""
    has_points = trace["type"] == "bar" or (trace["type"] == "scatter" and "markers" in trace.get("mode", ""))
    return _numbers(trace.get("x")) if has_points else None


def _numbers(values: Any) -> np.ndarray | None:
    try:
        return np.asarray(values, dtype=float) if values is not None and len(values) else None
    except (TypeError, ValueError):
        return None


def _middles(trace: Part) -> np.ndarray:
    """(columns,) : middles of a heatmap's cells; its x holds their middles, their edges, or nothing."""
    columns, x = np.asarray(trace["z"]).shape[1], _numbers(trace.get("x"))
    if x is None:
        return np.arange(columns, dtype=float)
    return (x[1:] + x[:-1]) / 2 if len(x) > columns else x


def _ends(trace: Part) -> np.ndarray:
    """(columns,) : right ends of a heatmap's cells, so that what is drawn in a cell appears with it."""
    middles, x = _middles(trace), _numbers(trace.get("x"))
    if x is not None and len(x) > len(middles):
        return x[1:]
    half = np.diff(middles, append=2 * middles[-1] - middles[-2] if len(middles) > 1 else middles[-1] + 1) / 2
    return middles + half


def _stops(measurements: Sequence[np.ndarray], count: int) -> np.ndarray:
    """(count,) : ascending places with equally many measured ones between them."""
    places = np.unique(np.concatenate(measurements).round(9))
    return np.interp(np.linspace(0, len(places) - 1, count), np.arange(len(places)), places)


def _is_curve(trace: Part) -> bool:
    """Whether it is a line over ascending places; a band goes back again."""
    if trace["type"] != "scatter" or "lines" not in trace.get("mode", "") or trace.get("fill") == "toself":
        return False
    x, y = _numbers(trace.get("x")), _numbers(trace.get("y"))
    return x is not None and y is not None and bool(np.isfinite(y).any() and np.all(np.diff(x) >= 0))


def _of_trace(path: tuple[str | int, ...], trace: Part, stops: np.ndarray) -> Changes:
    if trace["type"] == "heatmap":
        edges = _numbers(trace.get("x"))
        if edges is not None and len(edges) > np.asarray(trace["z"]).shape[1]:  # its cells grow as curves do
            return {path: Until(np.append(stops[:-1], max(stops[-1], edges[-1])))}
        mask = _is_reached(_middles(trace), stops)[:, None, :]
        return {(*path, "z"): np.where(mask, np.asarray(trace["z"], dtype=float), np.nan)}
    x, y = _numbers(trace.get("x")), _numbers(trace.get("y"))
    if x is None or y is None or trace["type"] not in ("scatter", "bar"):
        return {}
    if trace["type"] == "bar" or "lines" not in trace.get("mode", ""):
        mask = _is_reached(x, stops)
        return {} if mask.all() else {(*path, "y"): np.where(mask, y, 0.0 if trace["type"] == "bar" else np.nan)}
    if trace.get("fill") == "toself":
        return {path: Until(stops)} if _is_band(trace) else {}
    if len(x) == 2 and trace["mode"] == "lines":  # through all of the picture: a fit, or known beforehand
        fitted = "fit" in (trace.get("name") or "")
        return {(*path, "visible"): [False] * (len(stops) - 1) + [True]} if fitted else {}
    return {path: Until(stops)} if _is_curve(trace) else {}


def _is_reached(x: np.ndarray, stops: np.ndarray) -> np.ndarray:
    """(K, N) : whether a place has been reached; at the last moment all have."""
    mask = x <= stops[:, None] + CLOSE * np.maximum(np.abs(stops[:, None]), 1)
    mask[-1] = True
    return mask


def _is_band(trace: Part) -> bool:
    """Whether it runs along one edge over ascending places, and back along the other."""
    x = _numbers(trace.get("x"))
    if trace.get("fill") != "toself" or x is None or len(x) < 2:
        return False
    half = len(x) // 2
    return bool(np.all(np.diff(x[:half]) >= 0) and np.all(np.diff(x[half:]) <= 0))


def _of_names(layout: Part, curves: Sequence[tuple[Part, np.ndarray]]) -> Changes:
    """Names at the ends of curves: each stays level with the end of its growing curve, and none covers another.

    The name of what stands still has its place, and gives way to those that come by.
    """
    names: dict[str, list[tuple[int, Part, np.ndarray]]] = {}
    grows: set[int] = set()  # notes
    for index, note in enumerate(layout.get("annotations", ())):
        ref = note.get("yref") or "y"
        axis = layout.get(f"yaxis{ref[1:]}", {})
        if note.get("xanchor") != "left" or note.get("x") != 1 or not axis.get("range"):
            continue
        beside = [_levels(trace, stops, axis) for trace, stops in curves if (trace.get("yaxis") or "y") == ref]
        if not beside:
            continue
        gaps = [abs(levels[-1] - note["y"]) for levels in beside]
        level = np.full_like(beside[0], note["y"])
        if min(gaps) <= SAME * abs(np.ptp(axis["range"])):
            level = beside[gaps.index(min(gaps))]
            grows.add(index)
        names.setdefault(ref, []).append((index, note, level))
    changes: Changes = {}
    for ref, group in names.items():
        shifts = shifts_apart(np.stack([level for *_, level in group]), layout, ref, group[0][1])
        for (index, note, level), shift in zip(group, shifts, strict=True):
            level[-1], shift[-1] = note["y"], note.get("yshift") or 0
            if index in grows:
                changes |= _of_name(index, note["text"], level, shift)
            else:
                changes["layout", "annotations", index, "yshift"] = shift
    return changes


def _levels(trace: Part, stops: np.ndarray, axis: Part) -> np.ndarray:
    """(K,) : the height that the curve has reached at each moment, in units of its axis, log10 on a log axis."""
    x, y = _numbers(trace["x"]), _numbers(trace["y"])
    assert x is not None
    assert y is not None
    x, y = x[np.isfinite(y)], y[np.isfinite(y)]
    levels = np.interp(stops, x, np.log10(np.maximum(y, TINY)) if axis.get("type") == "log" else y)
    return levels.clip(min(axis["range"]), max(axis["range"]))


def shifts_apart(levels: np.ndarray, layout: Part, ref: str, note: Part) -> np.ndarray:
    """(names, K) : pixels by which names beside an axis are pushed apart at each moment.

    levels (names, K) : where they belong, as the axis has it; ref : the axis, as "y"; note : one of the names.
    """
    low, high = layout[f"yaxis{ref[1:]}"]["range"]
    size, pixels = note.get("font", {}).get("size") or LETTERS, _pixels(layout, ref)
    centres = pixels * (levels - low) / (high - low)
    shifts = np.zeros_like(levels)
    for moment in range(levels.shape[1]):
        order = np.argsort(centres[:, moment], kind="stable")
        spread_centres = spread(centres[order, moment].tolist(), LINE * size, pixels + size)
        shifts[order, moment] = np.array(spread_centres) - centres[order, moment]
    return shifts


def _of_name(index: int, text: str, level: np.ndarray, shift: np.ndarray) -> Changes:
    path = ("layout", "annotations", index)
    name = END_NUMBER.sub("", text)
    changes: Changes = {(*path, "y"): level, (*path, "yshift"): shift}
    if name != text:
        changes[(*path, "text")] = [name] * (len(level) - 1) + [text]
    return changes


def _pixels(layout: Part, ref: str) -> float:
    """The height of an axis, roughly."""
    margin = {**layout["template"]["layout"]["margin"], **layout.get("margin", {})}
    start, end = layout[f"yaxis{ref[1:]}"].get("domain") or (0, 1)
    return max((layout["height"] - margin["t"] - margin["b"]) * (end - start), 1.0)
