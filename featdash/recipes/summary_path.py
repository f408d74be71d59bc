"""A place in a run's summary, such as `methods.ntk.error.3`, and the number that is there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_STEP = re.compile(r"([^.\[\]]+)(?:\[([^\]]*)\])?(?:\.|$)")


def value_at(summary: Any, path: str) -> float:
    """The number at that place of a summary; ValueError, with what is missing, if there is none.

    path : names joined by dots; `errors.0` is the first of a list, and `rows[method=ntk,n=1000].mean` the mean of the
        one row of a list that has these values.
    """
    value = summary
    for name, chosen in _STEP.findall(path):
        value = _inside(value, name, path)
        if chosen:
            value = _row(value, dict(part.split("=") for part in chosen.split(",")), path)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"path must lead to a number, got {value!r} at {path}; choose another path")
    return float(value)


def _inside(value: Any, name: str, path: str) -> Any:
    if isinstance(value, list) and name.isdigit() and int(name) < len(value):
        return value[int(name)]
    if isinstance(value, Mapping) and name in value:
        return value[name]
    raise ValueError(f"path must be in the summary, got {path} where {name} is not; see `run --out`")


def _row(rows: Any, wanted: Mapping[str, str], path: str) -> Any:
    found = [row for row in rows if all(str(row.get(name)) == value for name, value in wanted.items())]
    if len(found) != 1:
        raise ValueError(f"path must choose one row, got {path}, which chooses {len(found)}; name more of its values")
    return found[0]
