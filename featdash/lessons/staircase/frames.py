"""The streams of a stair: the courses at the largest dimension, and the steps that each network took."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class CourseFrame(NamedArrays):
    """A frame of `courses`, at = step: the networks of the first repeat at the largest dimension.

    loss (T,) : E(f − f*)² on the test points, a row a target, NaN for one that diverged.
    coefficients (T, S) : of f at every monomial of `theory.boolean.all_monomials`.
    """

    loss: np.ndarray
    coefficients: np.ndarray


@dataclass(frozen=True, eq=False)
class StepCounts(NamedArrays):
    """A frame of `steps`, at = networks that are done.

    steps (T, D, R) : after which the loss was below the level, for target, dimension and repeat; 0 for one that never
        was, NaN for one that is still to come.
    """

    steps: np.ndarray

    def steps_of(self, target: int, dimension: int) -> np.ndarray:
        """Steps of the networks that are done, ∞ for one that gave up, ascending."""
        one = self.steps[target, dimension]
        numbers = one[~np.isnan(one)]
        return np.sort(np.where(numbers > 0, numbers, np.inf))
