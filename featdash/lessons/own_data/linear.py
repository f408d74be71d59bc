"""What a fit is, and ridge regression on white inputs: the head of the inputs themselves."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from featdash.learners.head import solve_head
from featdash.learners.truncated_network import LinearFeatures
from featdash.tasks import Labelled


class Fit(NamedTuple):
    """predict : white inputs (k, d) ↦ (k,).

    looks (d, d) : symmetric, positive semidefinite, on white inputs: how much the layer responds to each direction.
    """

    predict: Callable[[np.ndarray], np.ndarray]
    looks: np.ndarray


def ridge(train: Labelled, holdout: Labelled) -> Fit:
    """x ↦ β·x for centred labels, λ from the holdout; it looks along β."""
    head = solve_head(LinearFeatures(train[0]), train[1], {"holdout": (LinearFeatures(holdout[0]), holdout[1])})
    beta = head.weights(head.path.tune("holdout")).cpu().numpy().astype(float)
    return Fit(lambda X: X @ beta, np.outer(beta, beta))
