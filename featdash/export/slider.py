"""Pictures at the stops of sliders: one in full, with the sliders at rest, and the others by what differs from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DIGITS = 6  # of a number in a table
Stops = tuple[int, ...]  # where each slider stands
Change = list[Any]  # [path, value], or [path] of what is no longer there


@dataclass(frozen=True)
class Slider:
    """One control of a file. stops : in words; at : the index of the stop at which it begins."""

    label: str
    stops: tuple[str, ...]
    at: int


@dataclass(frozen=True)
class FilePicture:
    """A picture of a file, see `content`; at_stops : the picture at other stops of the sliders, if they change it."""

    name: str
    rest: Mapping[str, Any]
    at_stops: Mapping[Stops, Mapping[str, Any]] = field(default_factory=dict)


def content(picture: Mapping[str, Any], table: Mapping[str, Sequence]) -> dict[str, Any]:
    """A picture as the stage of a page reads it, in plain JSON values, with its table, numbers of six digits."""
    return {**picture, "table": {name: [_short(value) for value in column] for name, column in table.items()}}


def describe(picture: FilePicture) -> dict[str, Any]:
    """A picture as the file holds it: `rest`, and `at_stops`: stops, such as "2,0" -> the changes that lead there."""
    edits = {",".join(map(str, stops)): list(changes(picture.rest, one)) for stops, one in picture.at_stops.items()}
    at_stops = {stops: some for stops, some in edits.items() if some}
    return {"panel": picture.name, "rest": picture.rest, "at_stops": at_stops}


def changes(old: Any, new: Any, path: tuple[str | int, ...] = ()) -> Iterator[Change]:
    """The changes that turn `old` into `new`, as few and as deep as possible; a list of another length is replaced."""
    if type(old) is type(new) and old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(key for key in old if key not in new)]:
            if key not in new:
                yield [[*path, key]]
            elif key not in old:
                yield [[*path, key], new[key]]
            else:
                yield from changes(old[key], new[key], (*path, key))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and _changes_in_parts(old):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from changes(*pair, (*path, index))
    else:
        yield [list(path), new]


def _changes_in_parts(values: list) -> bool:
    """Whether these are traces, notes or shapes, which change in parts; a column of numbers changes as a whole."""
    return bool(values) and all(isinstance(value, dict) for value in values)


def _short(value: Any) -> Any:
    """The value with at most six digits; text, whole numbers and None as they are."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
