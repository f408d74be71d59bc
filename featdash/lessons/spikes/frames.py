"""The streams of «How many spikes»: features after steps of several sizes, and a second direction as samples come."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays

MARGIN = 1.05  # over the edge, above which a singular value counts as a spike


@dataclass(frozen=True, eq=False)
class FeatureFrame(NamedArrays):
    """A frame of `steps`, at = α: the features of new samples after a step of size n^α.

    values (k,) : their singular values, descending.  edge : the largest one of what is left of the features when the
    polynomials of z up to degree 4 are taken out.
    correlation (3, 4) : sizes, of the three leading left singular vectors with He₁(z) to He₄(z).
    """

    values: np.ndarray
    edge: float
    correlation: np.ndarray

    @property
    def spikes(self) -> int:
        """How many singular values are beyond the edge and its margin."""
        return int(np.sum(self.values > MARGIN * self.edge))


@dataclass(frozen=True, eq=False)
class DirectionFrame(NamedArrays):
    """A frame of `samples`, at = n: how the second direction v₋ shows in the gradient of n samples.

    together : |cosine| of the second right singular vector of the whole gradient with v₋.
    single : median over the neurons of the |cosine| of their own gradient with v₋, its part along v₊ taken out.
    second : second singular value over the third.
    """

    together: float
    single: float
    second: float
