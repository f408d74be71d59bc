"""Ridge on the features of a first layer: what the estimators of all methods that race have in common."""

from __future__ import annotations

from abc import abstractmethod
from typing import Self

import numpy as np
import torch
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from featdash.learners.algorithm1 import Chunks, FirstStep
from featdash.learners.head import predict
from featdash.learners.holdout import generator, training_and_holdout, tuned_head
from featdash.learners.layer import Draw, Features
from featdash.tasks.sample import Labelled


class FeatureRegressor(RegressorMixin, BaseEstimator):
    """Ridge on the features of the layer that `layer` makes, which is also what races.

    Parameters
    ----------
    width : m, even.
    lams : ridge strengths to choose from on the holdout; None for the path's own grid.
    lanczos_steps : of the head's solver; None for its own choice.
    random_state : seeds the network and the holdout split.
    device : "cpu" or "cuda".

    After fit: layer_ (its linear part and its features), weights_ (one a feature; of mirrored neurons, of those that
    differ), lam_, path_ (every λ and t), n_features_in_.
    """

    def __init__(
        self,
        width: int = 1000,
        *,
        lams: ArrayLike | None = None,
        lanczos_steps: int | None = None,
        random_state: int | np.random.RandomState | None = None,
        device: str = "cpu",
    ) -> None:
        self.width = width
        self.lams = lams
        self.lanczos_steps = lanczos_steps
        self.random_state = random_state
        self.device = device

    @staticmethod
    @abstractmethod
    def layer(step: FirstStep, chunks: Chunks, d: int, draw: Draw, device: str) -> Features:
        """The layer of width step.width that the method makes of a sample in d dimensions.

        draw : its random streams; methods share one only if they mean to.
        """

    def fit(self, X: ArrayLike, y: ArrayLike, holdout: tuple[ArrayLike, ArrayLike] | None = None) -> Self:
        """X (n, d), y (n,); holdout (X_h, y_h) chooses λ, None sets a fifth of the sample apart for it."""
        rows, labels = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        rng = generator(self.random_state)
        training, held = training_and_holdout(rows, labels, holdout, rng)
        first, for_head = self._parts(*training)
        layer = self.layer(self._step(), lambda: [first], rows.shape[1], lambda *_: rng, self.device)
        head = tuned_head(layer, for_head, held, lams=self.lams, steps=self.lanczos_steps, device=self.device)
        self.layer_, self.path_, self.lam_, self.weights_ = layer, head.path, head.lam, head.weights
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """α + β·x and the head's output on the rows of X, (n,)."""
        check_is_fitted(self)
        rows = validate_data(self, X, dtype=np.float64, reset=False)
        features = self.layer_.featurise(self.device, torch.float64)(rows, keep=False)
        return self.layer_.linear(rows) + predict(features, torch.tensor(self.weights_, device=features.device))

    def _step(self) -> FirstStep:
        return FirstStep(self.width)

    def _parts(self, X: np.ndarray, y: np.ndarray) -> tuple[Labelled, Labelled]:
        """The samples that the layer and the head see."""
        return (X, y), (X, y)
