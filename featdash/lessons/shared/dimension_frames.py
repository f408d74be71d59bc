"""The stream of a sweep over the dimension."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class ErrorCurve(NamedArrays):
    """What a frame of `errors`, at = points measured so far, holds for each method with points.

    d (k,) : dimensions measured, ascending.
    error (k,), low (k,), high (k,) : mean, smallest and largest E(f̂ − f*)² over the repeats so far.
    """

    d: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
