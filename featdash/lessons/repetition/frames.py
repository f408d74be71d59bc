"""What a comparison of one look with two gives out; a variant goes by its name in `recipe.VARIANTS`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays

HALF = 0.5  # the median overlap at which samples are counted


@dataclass(frozen=True, eq=False)
class EffectiveLabels(NamedArrays):
    """What an average update makes of a label y (Y,): variant -> T(y) (Y,), and drift : variant -> E[T(y) z]."""

    y: np.ndarray
    effective: Mapping[str, np.ndarray]
    drift: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class OverlapFrame(NamedArrays):
    """The neurons after so many samples, counted in units of d or of d².

    d (D,) : the dimensions, ascending.  overlap : variant -> w·u (D, R), with its sign, in half precision.
    """

    d: np.ndarray
    overlap: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class Course:
    """The median of |w·u| of one variant in one dimension: n (K,) samples, ascending from 0; median (K,)."""

    n: np.ndarray
    median: np.ndarray

    @classmethod
    def of(cls, overlaps: Mapping[int, np.ndarray]) -> Course:
        """Samples -> w·u (R,), in half precision, so that pictures and summary have the same numbers."""
        n = sorted(overlaps)
        return cls(np.array(n), np.array([median_size(overlaps[one]) for one in n]))

    @property
    def half(self) -> float | None:
        """The samples at which it first is HALF, on a straight line between two of them; None where it never is."""
        above = np.flatnonzero(self.median >= HALF)
        if not len(above) or above[0] == 0:
            return float(self.n[0]) if len(above) else None
        left, right = above[0] - 1, above[0]
        part = (HALF - self.median[left]) / (self.median[right] - self.median[left])
        return float(self.n[left] + part * (self.n[right] - self.n[left]))


def median_size(overlap: np.ndarray | Sequence[float]) -> float:
    """The median of |w·u|, from numbers in half precision."""
    return float(np.median(np.abs(np.asarray(overlap, np.float16).astype(float))))
