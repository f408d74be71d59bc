"""What curves over sample sizes say, in the few words above a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from featdash.figures.findings import quote_number
from featdash.figures.text import number

ROOM = 60  # letters of a headline of 90 for the sizes, beside what stands before them

Points = Sequence[tuple[int, float]]  # (sample size, risk), ascending


def below_for_good(points: Points, limit: float) -> int | None:
    """The size from which on all risks are below the limit; None if the last is not."""
    reached = None
    for size, risk in reversed(points):
        if not risk < limit:
            break
        reached = size
    return reached


def halvings(curves: Mapping[str, Points], zero: float, letter: str, where: str = "") -> str:
    """Who is below half the risk of the zero predictor from which size on, the first one first; "" without points.

    curves : name -> its points.  zero : risk of the zero predictor.  letter : of the sample size.
    where : what stands before it all, such as "m = 1000: ".
    """
    known = {name: points for name, points in curves.items() if points}
    if not known:
        return ""
    sizes = {name: below_for_good(points, zero / 2) for name, points in known.items()}
    reached = sorted((size, name) for name, size in sizes.items() if size is not None)
    late = [name for name, size in sizes.items() if size is None]
    if reached:
        ends = [f"{number(size)} ({name})" for size, name in reached] + [f"not yet ({name})" for name in late]
        told = f"{where}error halved by {letter} = {_as_many_as_fit(ends)}"
    else:
        least = min(points[-1][1] for points in known.values())
        told = f"{where}error not halved yet; the lowest at the end is {quote_number(least)}"
    return told[0].upper() + told[1:]


def _as_many_as_fit(ends: Sequence[str]) -> str:
    """The first of them, and others while there is room."""
    told = ends[0]
    for end in ends[1:]:
        told += f", {end}" if len(f"{told}, {end}") <= ROOM else ""
    return told
