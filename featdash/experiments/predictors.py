"""The methods that the adaptivity experiments compare, each fitted from a sample and a holdout alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream

METHODS = ("rbf", "laplace", "ntk", "network", "algorithm1")
SPOKEN = {  # as a progress line calls them
    "rbf": "Gaussian kernel",
    "laplace": "Laplace kernel",
    "ntk": "NTK",
    "network": "network, all layers trained",
    "algorithm1": "Algorithm 1",
}
LENGTHS = (0.5, 1.0, 2.0)  # of the rms distance of an input from their mean; the holdout chooses, as it does λ

Predictor = Callable[[np.ndarray], np.ndarray]


def fit_predictor(name: str, train: Sample, holdout: Sample, width: int, steps: int, seed: int) -> Predictor:
    """The named method on `train`, its λ, length scale or stopping time chosen on `holdout`.

    rbf, laplace : kernel ridge, λ and one of `LENGTHS` from the holdout.  ntk : kernel ridge with the infinite-width
    tangent kernel, λ from the holdout.  network : all layers trained for `steps`, stopped where the holdout is best.
    algorithm1 : one step on the first layer, ridge head, λ from the holdout.  width : of the latter two.
    """
    if name == "network":
        from featdash.learners.trained_network import Training, train_network

        fits = train_network(Training(width, steps), train[:2], holdout[:2], stream(seed, "network"))
        return min(fits, key=lambda fit: fit.holdout_risk)
    if name == "algorithm1":
        from featdash.learners.algorithm1 import Algorithm1Regressor

        return Algorithm1Regressor(width, random_state=seed).fit(train.X, train.y, holdout[:2]).predict
    from featdash.learners.kernel_ridge import Kernel, fit_kernel

    spread = float(np.sqrt(train.X.var(axis=0).sum()))
    lengths = (1.0,) if name == "ntk" else tuple(length * spread for length in LENGTHS)
    return fit_kernel([Kernel(name, length) for length in lengths], train[:2], holdout[:2])


def fitting_seconds(name: str, n: int, d: int, width: int, steps: int) -> float:
    """A careful estimate on one core: an eigendecomposition of n³ numbers a kernel, or the network's updates."""
    if name == "network":
        return steps * (8e-5 + 128 * width * (5e-9 + d * 1.5e-10))
    if name == "algorithm1":
        return 0.1 + 2e-8 * n * width
    return (1 if name == "ntk" else len(LENGTHS)) * (0.03 + 4e-10 * n**3 + 1.5e-4 * n + 5e-8 * n * d)
