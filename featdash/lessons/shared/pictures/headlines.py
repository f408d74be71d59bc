"""Headlines of pictures that several lessons lead with: one short sentence each, true whatever the numbers are."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from featdash.figures.text import number, quote_number

MOST = 90  # letters of a headline


def gradients_headline(exact: np.ndarray, estimates: np.ndarray, samples: float, along: str = "u₁") -> str:
    """How far gradients of n samples (circles) are from those of infinitely many (crosses), as drawn.

    along : the direction, or the directions, of the components that are drawn.
    """
    size = float(np.abs(exact).max())
    if not size:
        return f"With n = {number(samples)}: noise alone, the exact gradient is zero" if estimates.any() else ""
    miss = float(np.linalg.norm((estimates - exact) / size) / np.linalg.norm(exact / size))
    if not miss < 1:
        return f"With n = {number(samples)}: noise as large as the gradient, or larger"
    off = f"{quote_number(100 * miss, 0)}\N{NO-BREAK SPACE}%"
    return f"With n = {number(samples)}: along {along} circles are {off} off the crosses"


def two_digits(value: float) -> str:
    """A number to two digits, as a headline quotes it."""
    return number(float(f"{value:.2g}")) if math.isfinite(value) else number(value)


def shorten(*texts: str) -> str:
    """The first of these texts that is short enough for a headline; "" if none is."""
    return next((text for text in texts if len(text) <= MOST), "")


ROOM = 60  # letters of a headline of 90 that the sizes may take, besides the words before them

Points = Sequence[tuple[int, float]]  # (sample size, risk), ascending


def below_for_good(points: Points, limit: float) -> int | None:
    """The size from which on all risks are below the limit; None if the last is not."""
    first = None
    for size, risk in reversed(points):
        if not risk < limit:
            break
        first = size
    return first


def halvings(curves: Mapping[str, Points], zero: float, letter: str, where: str = "") -> str:
    """From which size on each curve is below half the risk of the zero predictor, earliest first; "" without points.

    curves : name -> its points.  zero : risk of the zero predictor.  letter : of the sample size.
    where : the beginning of the headline, such as "m = 1000: ".
    """
    nonempty = {name: points for name, points in curves.items() if points}
    if not nonempty:
        return ""
    sizes = {name: below_for_good(points, zero / 2) for name, points in nonempty.items()}
    early = sorted((size, name) for name, size in sizes.items() if size is not None)
    late = [name for name, size in sizes.items() if size is None]
    if early:
        ends = [f"{number(size)} ({name})" for size, name in early]
        ends += [f"not yet ({', '.join(late)})"] if late else []
        sentence = f"{where}error halved by {letter} = {_as_many_as_fit(ends)}"
    else:
        least = min(points[-1][1] for points in nonempty.values())
        sentence = f"{where}error not halved yet; the lowest at the end is {quote_number(least)}"
    return sentence[0].upper() + sentence[1:]


def _as_many_as_fit(ends: Sequence[str]) -> str:
    """The first of the ends, and as many others as fit."""
    text = ends[0]
    for end in ends[1:]:
        text += f", {end}" if len(f"{text}, {end}") <= ROOM else ""
    return text
