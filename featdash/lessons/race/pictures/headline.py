"""The finding of a race in one sentence, from the numbers that its main picture tells."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping

from featdash.figures.findings import join_words
from featdash.figures.palette import METHODS
from featdash.figures.text import number

NEAR = 0.25  # of the plateau, within which a method is said to stop near it
NOTHING = 0.9  # of the target's second moment, above which nothing to speak of is learned


def headline(
    values: Mapping[str, float], *, at_end: bool, plateau: float | None, scale: float | None, fixed: Collection[str]
) -> str:
    """Who ends where, and whether those with fixed features stop where theory says.

    values : method -> excess risk; at_end : whether the heads have converged, else they are on their way;
    plateau : predicted for the methods in `fixed`; scale : E f*², the risk of the zero predictor.
    """
    known = {name: value for name, value in values.items() if math.isfinite(value)}
    if not known:
        return ""
    if not at_end:
        told = [f"{METHODS[name].label} {_short(known[name])}" for name in sorted(known, key=known.__getitem__)]
        return f"So far: {join_words(told)}"
    if scale and min(known.values()) > NOTHING * scale:
        return f"Nobody has learned much: the lowest risk is {_short(min(known.values()))}, of {_short(scale)} at first"
    order = sorted(known, key=known.__getitem__)
    best, rest = order[0], order[1:]
    lead = f"{METHODS[best].label} ends at {_short(known[best])}"
    if not rest:
        return lead
    kernels = [name for name in rest if name in fixed]
    if plateau and len(kernels) > 1 and kernels == rest and all(_is_near(known[name], plateau) for name in kernels):
        return f"{lead}; the others stop near {_short(plateau)}, as predicted"
    return f"{lead}; {join_words([f'{METHODS[name].label} at {_short(known[name])}' for name in rest])}"


def _is_near(value: float, plateau: float) -> bool:
    return abs(value / plateau - 1) < NEAR


def _short(value: float) -> str:
    return number(float(f"{value:.2g}"))
