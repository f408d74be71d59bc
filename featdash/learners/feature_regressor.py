"""Ridge on the features of a first layer: what the estimators of all methods that race have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import torch
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import check_array, check_consistent_length, check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from featdash.learners.algorithm1 import Chunks, FirstStep
from featdash.learners.feature_map import Draw, Features
from featdash.learners.head import predict, solve_head
from featdash.tasks import Labelled
from featdash.theory.ridge_path import SpectralPath

HOLDOUT_SHARE = 0.2


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
        training, validation = training_and_holdout(rows, labels, holdout, rng)
        first, for_head = self._parts(*training)
        layer = self.layer(self._step(), lambda: [first], rows.shape[1], lambda *_: rng, self.device)
        head = tuned_head(layer, for_head, validation, lams=self.lams, steps=self.lanczos_steps, device=self.device)
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


@dataclass(frozen=True)
class TunedHead:
    """A head at the λ that is best on the holdout: its path, that λ and its weights (q,)."""

    path: SpectralPath
    lam: float
    weights: np.ndarray


def generator(random_state: Any) -> np.random.Generator:
    """scikit-learn's random_state (None, int or RandomState) as a Generator."""
    return np.random.default_rng(check_random_state(random_state).randint(2**31 - 1, size=4))


def training_and_holdout(
    X: np.ndarray, y: np.ndarray, holdout: tuple[ArrayLike, ArrayLike] | None, rng: np.random.Generator
) -> tuple[Labelled, Labelled]:
    """((X, y), holdout), or a fifth of (X, y), drawn at random, set apart where there is no holdout."""
    if holdout is not None:
        X_held = check_array(holdout[0], dtype=np.float64)
        y_held = check_array(holdout[1], dtype=np.float64, ensure_2d=False)
        check_consistent_length(X_held, y_held)
        if X_held.shape[1] != X.shape[1]:
            raise ValueError(f"holdout must have {X.shape[1]} features, got {X_held.shape[1]}; give it as X is given")
        return (X, y), (X_held, y_held)
    if len(X) < 2:
        raise ValueError(
            f"X must have at least 2 rows to set a holdout apart, got 1 sample of {len(X)}; give a holdout"
        )
    order = rng.permutation(len(X))
    count = max(1, round(HOLDOUT_SHARE * len(X)))
    return (X[order[count:]], y[order[count:]]), (X[order[:count]], y[order[:count]])


def tuned_head(
    layer: Features,
    training: Labelled,
    holdout: Labelled,
    *,
    lams: ArrayLike | None,
    steps: int | None,
    device: str,
) -> TunedHead:
    """Solve on `training`, choose λ on `holdout`; the head predicts what the layer's linear part leaves."""
    featurise, (X, y), (X_held, y_held) = layer.featurise(device), training, holdout
    evaluations = {"holdout": (featurise(X_held, keep=False), y_held - layer.linear(X_held))}
    head = solve_head(featurise(X), y - layer.linear(X), evaluations, steps=steps)
    lam = head.path.tune("holdout", lams)
    return TunedHead(head.path, lam, head.weights(lam).cpu().numpy())
