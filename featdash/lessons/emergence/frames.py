"""The result of a comparison: fixed features against the lower bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class FixedFeatures(NamedArrays):
    """Ridge heads over λ on the features of one fixed method, scaled into [−1, 1].

    norm (l,) : the norm B of the weights.  hinge (l,) : test hinge loss.  size : the number N of features.
    """

    norm: np.ndarray
    hinge: np.ndarray
    size: int
