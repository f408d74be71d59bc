"""The sample that chooses λ, and the head it chooses: the same for every learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array, check_consistent_length, check_random_state

from featdash.learners.head import solve_head
from featdash.learners.layer import Features
from featdash.tasks.sample import Labelled
from featdash.theory.ridge_path import SpectralPath

HOLDOUT_SHARE = 0.2


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
    held = max(1, round(HOLDOUT_SHARE * len(X)))
    return (X[order[held:]], y[order[held:]]), (X[order[:held]], y[order[:held]])


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
