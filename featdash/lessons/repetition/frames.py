"""What a comparison of one look with two gives out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class EffectiveLabels(NamedArrays):
    """What an average update makes of a label y (Y,): variant -> T(y) (Y,), and drift : variant -> E[T(y) z]."""

    y: np.ndarray
    effective: Mapping[str, np.ndarray]
    drift: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class OverlapFrame(NamedArrays):
    """The neurons after so many samples a dimension.

    d (D,) : the dimensions, ascending.  overlap : variant -> w·u (D, R), with its sign.
    """

    d: np.ndarray
    overlap: Mapping[str, np.ndarray]
