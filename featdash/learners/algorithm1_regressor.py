"""The estimator of Algorithm 1."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from featdash.learners.algorithm1 import Chunks, FirstStep
from featdash.learners.feature_map import Draw, Layer
from featdash.learners.feature_regressor import FeatureRegressor
from featdash.tasks import Labelled


class Algorithm1Regressor(FeatureRegressor):
    """Algorithm 1: one gradient step on the first layer, then ridge on what it learned.

    Inputs are meant to be N(0, I); nothing is standardised here.

    Parameters
    ----------
    width : m, even.
    step_rule : "rms" (rows of W¹ at RMS norm 1) or "fixed" (η₁ = eta).
    eta : η₁ of the rule "fixed"; the step on W of a loss that is a mean, without ½.
    remove_linear : line 1; False leaves the linear part in y, and all neurons collapse on it.
    biases : "redrawn" after the step (the paper) or "kept", drawn before it (the authors' code).
    fresh_data : the first half of the sample takes the step, the second trains the head.

    The others, and the attributes after fit, as in FeatureRegressor: layer_.network is W¹.
    """

    def __init__(
        self,
        width: int = 1000,
        *,
        step_rule: str = "rms",
        eta: float = 3.0,
        remove_linear: bool = True,
        biases: str = "redrawn",
        fresh_data: bool = False,
        lams: ArrayLike | None = None,
        lanczos_steps: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        device: str = "cpu",
    ) -> None:
        super().__init__(width, lams=lams, lanczos_steps=lanczos_steps, random_state=random_state, device=device)
        self.step_rule = step_rule
        self.eta = eta
        self.remove_linear = remove_linear
        self.biases = biases
        self.fresh_data = fresh_data

    @staticmethod
    def layer(step: FirstStep, chunks: Chunks, d: int, draw: Draw, device: str) -> Layer:
        """Lines 1 to 3."""
        return step.take(chunks, d, draw, device)

    def _step(self) -> FirstStep:
        return FirstStep(self.width, self.step_rule, self.eta, self.remove_linear, self.biases)

    def _parts(self, X: np.ndarray, y: np.ndarray) -> tuple[Labelled, Labelled]:
        half = len(X) // 2 if self.fresh_data and len(X) > 1 else 0
        return (X[:half], y[:half]) if half else (X, y), (X[half:], y[half:])
