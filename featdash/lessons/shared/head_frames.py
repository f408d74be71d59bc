"""What frames of training heads hold, and what a head has learned along one direction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.named_arrays import NamedArrays

RISKS = {"train": "train", "holdout": "holdout", "excess": "test"}  # as a curve calls them -> as a path does


@dataclass(frozen=True, eq=False)
class LossCurve(NamedArrays):
    """Mean squared errors of a head after t gradient steps, at one λ.

    t (T,) : head steps; excess (T,) : against the noise-free test labels; train, holdout (T,) : against noisy labels.
    settled (T,) : whether the solver went far enough; None where nobody asks.
    """

    t: np.ndarray
    excess: np.ndarray
    train: np.ndarray | None = None
    holdout: np.ndarray | None = None
    settled: np.ndarray | None = None

    def risk(self, name: str) -> np.ndarray:
        """excess, train or holdout (T,)."""
        return np.asarray(getattr(self, name), float)

    def first(self, count: int) -> LossCurve:
        """Its first `count` points."""
        return LossCurve(**{name: values[:count] for name, values in self.to_arrays().items()})


@dataclass(frozen=True, eq=False)
class TargetProfile(NamedArrays):
    """The target along u₁, averaged over the other directions: truth (41,) on the grid z (41,)."""

    z: np.ndarray
    truth: np.ndarray
