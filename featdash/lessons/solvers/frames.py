"""The stream `seconds` of the cost of kernel ridge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class Seconds(NamedArrays):
    """A frame of `seconds`, at = timings so far.

    n (k,) : the sizes.  direct (k,), richardson (k,) : least seconds so far of the direct solve and of one Richardson
    step.
    """

    n: np.ndarray
    direct: np.ndarray
    richardson: np.ndarray
