"""Ridge on fixed features of a network at its start: what random features and the tangent kernel have in common."""

from __future__ import annotations

from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from featdash.learners.feature_map import NeuronFeatures
from featdash.learners.holdout import generator, predict_head, training_and_holdout, tuned_head
from featdash.learners.network import draw_network


class FixedFeaturesRegressor(RegressorMixin, BaseEstimator):
    """Ridge on `features` of a network drawn from the symmetric start, which is never trained.

    Parameters
    ----------
    width : m, even.
    lams : ridge strengths to choose from on the holdout; None for the path's own grid.
    lanczos_steps : of the head's solver; None for its own choice.
    random_state : seeds the network and the holdout split.
    device : "cpu" or "cuda".

    After fit: network_, weights_ (one a feature of the distinct neurons), lam_, path_ (every λ and t), n_features_in_.
    """

    features: ClassVar[type[NeuronFeatures]]

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

    def fit(self, X: ArrayLike, y: ArrayLike, holdout: tuple[ArrayLike, ArrayLike] | None = None) -> Self:
        """X (n, d), y (n,); holdout (X_h, y_h) chooses λ, None sets a fifth of the sample apart for it."""
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True)
        rng = generator(self.random_state)
        training, held = training_and_holdout(X, y, holdout, rng)
        self.network_ = draw_network(self.width, X.shape[1], rng, biases=True)
        head = tuned_head(
            self.features,
            self.network_,
            training,
            held,
            lams=self.lams,
            steps=self.lanczos_steps,
            device=self.device,
        )
        self.path_, self.lam_, self.weights_ = head.path, head.lam, head.weights
        return self

    def predict(self, X: ArrayLike) -> np.ndarray:
        """The function learned, on the rows of X, (n,)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return predict_head(self.features, X, self.network_, self.weights_, self.device)
