"""The competitors that learn no features, and the tuned ridge head that all methods are judged by."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from featdash.learners.head import solve_head
from featdash.learners.network import Network
from featdash.learners.truncated_network import (
    LinearFeatures,
    ScaledFeatures,
    TruncatedFeatures,
    TruncatedTangentFeatures,
    accuracy,
    hinge_loss,
)
from featdash.lessons.emergence.recipe import HEAD_STEPS
from featdash.tasks import Labelled

FeaturesOf = Callable[..., ScaledFeatures]  # (X, *, keep) -> the features of X


@dataclass(frozen=True, eq=False)
class MeasuredHead:
    """A ridge head on ±1 labels, λ chosen by squared error on the holdout, measured on the test sample.

    norms, hinges (l,) : ‖θ‖ and hinge loss of the heads at `lams`, for the lower bound.
    """

    accuracy: float
    hinge: float
    lam: float
    lams: np.ndarray
    norms: np.ndarray
    hinges: np.ndarray

    def summary(self) -> dict[str, float]:
        return {"accuracy": self.accuracy, "hinge": self.hinge, "lam": self.lam}


def features_of(method: str, start: Network, device: str) -> FeaturesOf:
    """The feature map of a fixed method, or of the neurons of any network under "random_features"."""

    if method == "linear":
        return lambda X, keep=True: LinearFeatures(X, device=device)  # noqa: ARG005
    kinds: dict[str, FeaturesOf] = {"random_features": TruncatedFeatures, "ntk": TruncatedTangentFeatures}
    return lambda X, keep=True: kinds[method](X, start, device=device, keep=keep)


def measured_head(features: FeaturesOf, train: Labelled, holdout: Labelled, test: Labelled) -> MeasuredHead:
    """Solve on `train`, choose λ on `holdout`, measure on `test`."""
    on_holdout = features(holdout[0], keep=False)
    head = solve_head(features(train[0]), train[1], {"holdout": (on_holdout, holdout[1])}, steps=HEAD_STEPS)
    lam, lams = head.path.tune("holdout"), head.path.default_lams()[::4]
    weights = torch.stack([head.weights(one) for one in (lam, *lams)], dim=1)
    outputs = features(test[0], keep=False).matmat(weights).T.cpu().numpy()
    hinges = hinge_loss(test[1], outputs)
    return MeasuredHead(
        accuracy=float(accuracy(test[1], outputs[0])),
        hinge=float(hinges[0]),
        lam=lam,
        lams=lams,
        norms=torch.linalg.vector_norm(weights[:, 1:], dim=0).cpu().numpy(),
        hinges=hinges[1:],
    )


def bounded_size(method: str, start: Network, largest: float) -> tuple[int, float]:
    """(N, c): the method's number of features of all 2m neurons, and a bound c on them; Φ/c lies in [−1, 1].

    With Φ/c the weights are cθ, of norm c‖θ‖. largest : a bound on |x_j|. ‖θ‖ is the same for the m distinct neurons of
    a mirrored start, with features √2 φ_j, as for all 2m of them.
    """
    d = start.W.shape[1]
    if method == "linear":
        return d, largest
    if method == "random_features":
        return start.width, 1.0
    return start.width * (d + 2), max(1.0, float(np.abs(start.a).max()) * max(1.0, largest))
