"""The singular values of a gradient, and the bulk beside them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class SpectrumFrame(NamedArrays):
    """The spectrum of the gradient of n' samples.

    values (d,) : singular values of the gradient, descending; min(m/2, d) of them.
    share (d,) : squared share of each right singular vector inside the principal subspace, 0..1.
    null (R, d) : those of R copies of the bulk, noise and what is outside the subspace: its histogram.
    edge, permuted_edge : end of that bulk, and end of the bulk of R shuffled labels.
    """

    values: np.ndarray
    share: np.ndarray
    null: np.ndarray
    edge: float
    permuted_edge: float

    def beyond(self, edge: float) -> int:
        """How many singular values lie beyond an edge."""
        return int(np.sum(self.values > edge))
