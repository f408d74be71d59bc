"""Pictures at the stops of sliders: one in full, at rest, and each other by what differs from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

DIGITS = 6  # of a number in a table
Stops = tuple[int, ...]  # where each slider stands
Change = list[Any]  # [path, value], or [path] of what is no longer there


@dataclass(frozen=True)
class Slider:
    """One control of a file: stops : in words; at : the one it stands at first."""

    label: str
    stops: tuple[str, ...]
    at: int


@dataclass(frozen=True)
class Shown:
    """A picture of a file, see `content`; moved : what it is with the sliders elsewhere, if they move it."""

    name: str
    rest: Mapping[str, Any]
    moved: Mapping[Stops, Mapping[str, Any]] = field(default_factory=dict)


def content(picture: Mapping[str, Any], table: Mapping[str, Sequence]) -> dict[str, Any]:
    """A picture as the stage of a page reads it, in plain JSON values, with its table, numbers of six digits."""
    return {**picture, "table": {name: [_short(value) for value in column] for name, column in table.items()}}


def describe(shown: Shown) -> dict[str, Any]:
    """A picture as the file keeps it: `rest`, and `moved`: stops as "2,0" -> the changes that lead there."""
    moved = {",".join(map(str, stops)): list(changes(shown.rest, one)) for stops, one in shown.moved.items()}
    return {"panel": shown.name, "rest": shown.rest, "moved": {stops: found for stops, found in moved.items() if found}}


def changes(old: Any, new: Any, path: tuple[str | int, ...] = ()) -> Iterator[Change]:
    """What makes `new` of `old`, as few and as deep as possible; lists of other lengths are replaced as wholes."""
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
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new) and _nested(old):
        for index, pair in enumerate(zip(old, new, strict=True)):
            yield from changes(*pair, (*path, index))
    else:
        yield [list(path), new]


def _nested(values: list) -> bool:
    """Traces, notes and shapes, in which one thing changes; a column of numbers changes as a whole."""
    return bool(values) and all(isinstance(value, dict) for value in values)


def _short(value: Any) -> Any:
    """The value with at most six digits; text, whole numbers and None as they are."""
    return float(f"{value:.{DIGITS}g}") if isinstance(value, float) else value
