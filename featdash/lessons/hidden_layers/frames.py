"""The streams of «Hidden layers in order»: what the filters find, and the errors that follow, as samples come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays

STAGES = ("random", "products", "second", "one", "two")  # as in `ErrorFrame.errors`


@dataclass(frozen=True, eq=False)
class FilterFrame(NamedArrays):
    """A frame of `filters`, at = n.

    values (d,) : eigenvalues of the label-weighted average of xxᵀ, the largest in size first.
    share : how much of the r directions kept lies in the hidden ones, 0 to 1.
    labels, two, second (K,) : of new inputs, their noise-free labels, and the number q̂ with and without the first
    filter, in standard deviations.
    correlation (2,) : of q̂ with q on new inputs, with both filters and with the second alone.
    """

    values: np.ndarray
    share: float
    labels: np.ndarray
    two: np.ndarray
    second: np.ndarray
    correlation: np.ndarray


@dataclass(frozen=True, eq=False)
class ErrorFrame(NamedArrays):
    """A frame of `errors`, at = n: of STAGES (5,), squared errors on noise-free new labels over their variance."""

    errors: np.ndarray

    def of(self, stage: str) -> float:
        """Of one of STAGES."""
        return float(self.errors[STAGES.index(stage)])
