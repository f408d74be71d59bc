"""The methods that are compared over dimensions, each fitted from a sample and a holdout alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from featdash.learners.kernel_ridge import Kernel, fit_kernel
from featdash.learners.methods import METHODS, PREDICTORS
from featdash.learners.trained_network import Training, train_network
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream

Predictor = Callable[[np.ndarray], np.ndarray]


def fit_predictor(name: str, train: Sample, holdout: Sample, width: int, steps: int, seed: int) -> Predictor:
    """The named method on `train`, its λ, length scale or stopping time chosen on `holdout`.

    width : of a network, even; steps : updates of a network all of whose layers are trained.
    """
    return PREDICTORS[name].load()(name, train, holdout, width, steps, seed)


def fit_kernel_ridge(name: str, train: Sample, holdout: Sample, width: int, steps: int, seed: int) -> Predictor:
    """Kernel ridge, λ and one of the method's lengths from the holdout."""
    del width, steps, seed
    spread = float(np.sqrt(train.X.var(axis=0).sum()))
    lengths = [length * spread for length in PREDICTORS[name].lengths] or [1.0]
    return fit_kernel([Kernel(name, length) for length in lengths], train[:2], holdout[:2])


def fit_network(name: str, train: Sample, holdout: Sample, width: int, steps: int, seed: int) -> Predictor:
    """All layers trained for `steps`, stopped where the holdout is best."""
    fits = train_network(Training(width, steps), train[:2], holdout[:2], stream(seed, name))
    return min(fits, key=lambda fit: fit.holdout_risk)


def fit_learner(name: str, train: Sample, holdout: Sample, width: int, steps: int, seed: int) -> Predictor:
    """The estimator of a method that races, λ from the holdout."""
    del steps
    return METHODS[name].load()(width, random_state=seed).fit(train.X, train.y, holdout[:2]).predict
