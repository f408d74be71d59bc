"""The stream of «Rank and condition», one target at all sample sizes; and what the targets need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from featdash.lessons.structure.recipe import Case
from featdash.recipes.events import NamedArrays
from featdash.theory.exponents import Growth, growth

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


def growth_of(cases: Sequence[Case], rows: Mapping[Case, np.ndarray], sizes: Sequence[int]) -> Growth:
    """Where the rows (N,) of the cases pass ½ for good, and the power of κ²r in it."""
    return growth([case.difficulty for case in cases], sizes, np.array([rows[case] for case in cases]), HALF, True)
