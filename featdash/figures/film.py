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
        """The film as film.js reads it: numbers in single precision and base64, and every other value once, with the
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


def differences(first: go.Figure, last: go.Figure) -> dict[Path, tuple[Any, Any]]:
    """Leaf -> its value in each of two figures of the same traces and notes, where it is not the same in both."""
    moments = [whole(first), whole(last)]
    changes: Changes = {}
    _collect(("data",), [moment["data"] for moment in moments], changes)
    narrow = [moment["layout"].get("meta", {}).get("narrow", {}) for moment in moments]  # where the stage is narrow
    for part in ("annotations", "shapes"):
        _collect(("layout", part), [moment["layout"].get(part, []) for moment in moments], changes)
        _collect(("layout", "meta", "narrow", part), [layout.get(part, []) for layout in narrow], changes)
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
