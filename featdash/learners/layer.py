"""What a ridge head is trained on: a first layer, and the linear part that the labels are less."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.learners.network import Network


@dataclass(frozen=True)
class LinearPart:
    """x ↦ α + β·x; beta (d,)."""

    alpha: float
    beta: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return self.alpha + X @ self.beta


@dataclass(frozen=True)
class Layer:
    """The head is to predict y − α − β·x from the neurons of `network`."""

    linear: LinearPart
    network: Network
