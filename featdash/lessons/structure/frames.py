"""The stream of «Rank and condition», one target at all sample sizes; and what the targets need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from featdash.lessons.structure.recipe import Case
from featdash.recipes.named_arrays import NamedArrays
from featdash.theory.exponents import FEWEST, crossing

HALF = 0.5


@dataclass(frozen=True, eq=False)
class CaseFrame(NamedArrays):
    """A frame of `cases`, at = how many repeats are done in all; R of this target so far, N sizes.

    rank, ratio : of the target.  difficulty : κ²r, with the κ of the paper.
    weakest (R, N) : S/(S + B), S the mean squared norm of the layer along a direction of smallest weight, B that
        outside the subspace; ½ where one such direction weighs as much as all useless ones together.
    strongest (R, N) : the same for the direction of largest weight.
    together (R, N) : the squared cosine of the largest angle between the subspace and the r leading right singular
        vectors of the layer.
    """

    rank: int
    ratio: float
    difficulty: float
    weakest: np.ndarray
    strongest: np.ndarray
    together: np.ndarray


@dataclass(frozen=True)
class PowerLaw:
    """n*(x) = c x^slope, fitted through what is known of the targets of a sweep, x = κ²r.

    needed : x -> n*, None where the level is not passed within the sample sizes.  beyond : the x for which not even the
    largest n is enough.  slope, error : of a least-squares line through (log x, log n*), and its standard error; None
    with fewer than three points.  intercept : log c.
    """

    needed: Mapping[float, float | None]
    beyond: tuple[float, ...]
    slope: float | None = None
    error: float | None = None
    intercept: float | None = None


def power_law(cases: Sequence[Case], rows: Mapping[Case, np.ndarray], sizes: Sequence[int]) -> PowerLaw:
    """Where rows (N,) of the cases pass ½ for good."""
    needed = {case.difficulty: crossing(sizes, rows[case] - HALF) for case in cases}
    beyond = tuple(case.difficulty for case in cases if rows[case][-1] <= HALF)
    known = [(np.log(x), np.log(n)) for x, n in needed.items() if n is not None]
    if len(known) < FEWEST:
        return PowerLaw(needed, beyond)
    difficulty, samples = np.array(known).T
    (slope, intercept), covariance = np.polyfit(difficulty, samples, 1, cov=True)
    return PowerLaw(needed, beyond, float(slope), float(np.sqrt(covariance[0, 0])), float(intercept))
