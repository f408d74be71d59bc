"""A film of a picture: what changes in its figure from moment to moment, small enough for a browser to have it all."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

Path = tuple[str | int, ...]  # of a leaf of a figure, as ("data", 0, "x")
Changes = dict[Path, Any]
HIDDEN = {"visible": False}


@dataclass(frozen=True, eq=False)
class Until:
    """Of a trace: at each moment it is drawn up to one of these places (K,) of its horizontal axis, ascending."""

    places: np.ndarray


@dataclass(frozen=True, eq=False)
class Film:
    """What moves in a picture. Between two moments the browser interpolates numbers linearly and holds all else.

    times (K,) : the moments, ascending, counted in phases of the timeline: 0 to 1 in the first, 1 to 2 in the next.
    changes : leaf of the figure -> its values, an array (K, ...) of numbers or K values of any kind; trace -> Until.
    """

    times: Sequence[float]
    changes: Changes

    def to_mapping(self) -> dict[str, Any]:
        """The film as stage.js reads it: numbers in single precision and base64, and every other value once, with the
        index of the value that each moment shows.
        """
        changes = [{"path": list(path), **_encode(values)} for path, values in self.changes.items()]
        return {"times": [round(float(time), 4) for time in self.times], "changes": changes}


def times_of(index: int, count: int) -> list[float]:
    """Where the `count` moments of that phase stand on the timeline."""
    return [index + place for place in np.linspace(0, 1, count)]


def place_of(parts: Sequence[Any], name: str) -> int:
    """Where the trace, note or shape of that name stands among its like. ValueError if there is none."""
    return [part.get("name") if isinstance(part, dict) else part.name for part in parts].index(name)


def _encode(values: np.ndarray | Sequence[Any] | Until) -> dict[str, Any]:
    if isinstance(values, Until):
        return {"until": [float(place) for place in values.places]}
    if isinstance(values, np.ndarray):
        numbers = np.ascontiguousarray(values, dtype="<f4")
        return {"shape": list(numbers.shape), "numbers": base64.b64encode(numbers.tobytes()).decode()}
    kinds: list[Any] = []
    which = []
    for value in values:
        if value not in kinds:
            kinds.append(value)
        which.append(kinds.index(value))
    return {"values": kinds, "which": which}


def film_of(figures: Sequence[go.Figure], times: Sequence[float]) -> tuple[go.Figure, Film]:
    """The last of these figures, and the film that leads through all of them.

    Traces are matched by type and name; one that is missing at a moment is hidden then. An axis gets one range, which
    holds those of all moments, so that it stands still.
    """
    moments = [whole(figure) for figure in figures]
    _align([moment["data"] for moment in moments])
    _hold_axes([moment["layout"] for moment in moments])
    changes: Changes = {}
    _collect(("data",), [moment["data"] for moment in moments], changes)
    layouts = [{name: part for name, part in moment["layout"].items() if name != "template"} for moment in moments]
    _collect(("layout",), layouts, changes)
    return go.Figure(moments[-1], skip_invalid=True), Film(times, changes)


def differences(first: go.Figure, last: go.Figure) -> dict[Path, tuple[Any, Any]]:
    """Leaf -> its value in each of two figures of the same traces and notes, where it is not the same in both."""
    moments = [whole(first), whole(last)]
    changes: Changes = {}
    _collect(("data",), [moment["data"] for moment in moments], changes)
    for part in ("annotations", "shapes"):
        _collect(("layout", part), [moment["layout"].get(part, []) for moment in moments], changes)
    return {path: (values[0], values[1]) for path, values in changes.items()}


def whole(figure: go.Figure) -> dict[str, Any]:
    """The figure as JSON values, arrays as lists: Plotly writes those of NumPy as bytes in base64."""
    json: dict[str, Any] = _read(figure.to_plotly_json())
    return json


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        if "bdata" in value:
            shape = [int(length) for length in str(value.get("shape", -1)).split(",")]
            return np.frombuffer(base64.b64decode(value["bdata"]), value["dtype"]).reshape(shape).tolist()
        return {name: part if name == "template" else _read(part) for name, part in value.items()}
    return [_read(part) for part in value] if isinstance(value, list | tuple) else value


def _align(moments: Sequence[list[dict[str, Any]]]) -> None:
    """Give every moment the same traces in the same order."""
    keyed = [_by_key(traces) for traces in moments]
    order = _common_order([list(traces) for traces in keyed])
    for traces, own in zip(moments, keyed, strict=True):
        nearest = {key: next(one[key] for one in reversed(keyed) if key in one) for key in order}
        traces[:] = [own[key] if key in own else nearest[key] | HIDDEN for key in order]


def _by_key(traces: Sequence[dict[str, Any]]) -> dict[tuple, dict[str, Any]]:
    """(type, name, how many of these came before) -> trace."""
    keyed: dict[tuple, dict[str, Any]] = {}
    for trace in traces:
        name = (trace.get("type"), trace.get("name"))
        keyed[(*name, sum(key[:2] == name for key in keyed))] = trace
    return keyed


def _common_order(orders: Sequence[list[tuple]]) -> list[tuple]:
    """All keys in one order: that of the last moment, with each other key after the one that preceded it."""
    common = list(orders[-1])
    for order in orders:
        for index, key in enumerate(order):
            if key not in common:
                before = order[index - 1] if index else None
                common.insert(common.index(before) + 1 if before in common else 0, key)
    return common


def _hold_axes(layouts: Sequence[dict[str, Any]]) -> None:
    for name in {name for layout in layouts for name in layout if name[1:].startswith("axis")}:
        ranges = [layout.get(name, {}).get("range") for layout in layouts]
        fixed = [ends for ends in ranges if ends is not None and None not in ends]
        if len(fixed) < len(layouts) or not all(isinstance(end, int | float) for ends in fixed for end in ends):
            continue
        upward = fixed[-1][0] <= fixed[-1][1]
        low, high = min(min(ends) for ends in fixed), max(max(ends) for ends in fixed)
        for layout in layouts:
            layout[name]["range"] = [low, high] if upward else [high, low]


def _collect(path: Path, values: Sequence[Any], changes: Changes) -> None:
    """Note in `changes` the leaves below `path` that are not the same at all moments."""
    if all(isinstance(value, dict) for value in values):
        for name in dict.fromkeys(name for value in values for name in value):
            _collect((*path, name), [value.get(name) for value in values], changes)
        return
    lists = [_plain(value) for value in values]
    if all(one == lists[0] for one in lists):
        return
    of_parts = all(isinstance(one, list) and all(isinstance(part, dict) for part in one) for one in lists)
    if of_parts and len({len(one) for one in lists}) == 1:
        for index in range(len(lists[0])):
            _collect((*path, index), [one[index] for one in lists], changes)
        return
    numbers = _numbers(lists)
    changes[path] = lists if numbers is None else numbers


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else list(value) if isinstance(value, tuple) else value


def _numbers(values: Sequence[Any]) -> np.ndarray | None:
    """(K, ...) if all moments have equally many numbers, with nan for gaps; else None."""
    if any(value is None or isinstance(value, str | bool) for value in values):
        return None
    try:
        array = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        return None
    return array if array.size and not _has_words(values[-1]) else None


def _has_words(value: Any) -> bool:
    """Whether a leaf has text or truth values among its numbers, which become numbers by themselves."""
    if isinstance(value, list):
        return any(_has_words(part) for part in value)
    return isinstance(value, str | bool)
