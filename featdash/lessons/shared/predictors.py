"""The methods that the adaptivity experiments compare, each fitted from a sample and a holdout alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from featdash.learners.algorithm1 import Algorithm1Regressor
from featdash.learners.kernel_ridge import Kernel, fit_kernel
from featdash.learners.trained_network import Training, train_network
from featdash.lessons.shared.predictor_recipe import LENGTHS
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream

SPOKEN = {  # as a progress line calls them
    "rbf": "Gaussian kernel",
    "laplace": "Laplace kernel",
    "ntk": "NTK",
    "network": "network, all layers trained",
    "algorithm1": "Algorithm 1",
}


Predictor = Callable[[np.ndarray], np.ndarray]


def fit_predictor(name: str, train: Sample, holdout: Sample, width: int, steps: int, seed: int) -> Predictor:
    """The named method on `train`, its λ, length scale or stopping time chosen on `holdout`.

    rbf, laplace : kernel ridge, λ and one of `LENGTHS` from the holdout.  ntk : kernel ridge with the infinite-width
    tangent kernel, λ from the holdout.  network : all layers trained for `steps`, stopped where the holdout is best.
    algorithm1 : one step on the first layer, ridge head, λ from the holdout.  width : of the latter two.
    """
    if name == "network":
        fits = train_network(Training(width, steps), train[:2], holdout[:2], stream(seed, "network"))
        return min(fits, key=lambda fit: fit.holdout_risk)
    if name == "algorithm1":
        return Algorithm1Regressor(width, random_state=seed).fit(train.X, train.y, holdout[:2]).predict

    spread = float(np.sqrt(train.X.var(axis=0).sum()))
    lengths = (1.0,) if name == "ntk" else tuple(length * spread for length in LENGTHS)
    return fit_kernel([Kernel(name, length) for length in lengths], train[:2], holdout[:2])
