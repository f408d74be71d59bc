"""Two summaries side by side: the numbers of a run on a page, and those of the same run on another machine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

AGREE = 1e-6  # relative; other processors and libraries round sums differently, but by far less than this
TIMES = "seconds"  # part of the names of numbers that differ from machine to machine
MOST = 20  # differences listed one by one
CLOCKS = "Times, and what is computed from them, differ from machine to machine."


def comparison(here: Mapping[str, Any], there: Mapping[str, Any]) -> str:
    """A sentence that says whether all numbers agree to a millionth, times left out; else the places that differ.

    there : the summary on the page.
    """
    mine, theirs = (dict(_numbers(summary)) for summary in (here, there))
    lines = [
        f"{name}: {mine.get(name)} here, {theirs.get(name)} on the page"
        for name in {**theirs, **mine}
        if not _agree(mine.get(name), theirs.get(name))
    ]
    if not lines:
        return f"All {len(theirs)} numbers agree with the page's."
    more = [f"and {len(lines) - MOST} more"] if len(lines) > MOST else []
    return "\n".join([f"{len(lines)} of {len(theirs)} numbers differ. {CLOCKS}", *lines[:MOST], *more])


def _numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """(place, number) of each number in a summary, as ("methods.ntk.lam", 0.1)."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            if TIMES not in str(key):
                yield from _numbers(part, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list | tuple):
        for index, part in enumerate(value):
            yield from _numbers(part, f"{name}.{index}")
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield name, value


def _agree(one: float | None, other: float | None) -> bool:
    return one is not None and other is not None and math.isclose(one, other, rel_tol=AGREE, abs_tol=1e-12)
