"""The streams of «Kernels that learn features»: the matrix of each round, and what it is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class MatrixFrame(NamedArrays):
    """A frame of `matrices`, at = round; round 0 is the fixed kernel.

    M (d, d) : over its trace, so that its diagonal adds up to 1.  share : of M on the principal subspace, 0..1.
    """

    M: np.ndarray
    share: float


@dataclass(frozen=True, eq=False)
class RiskFrame(NamedArrays):
    """A frame of `risks`, at = round: excess : E(f̂ − f*)² of the kernel of that round, its λ from the holdout."""

    excess: float
