"""The five methods on one fold: what each predicts, and what its layer looks at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from featdash.learners.algorithm1_regressor import Algorithm1Regressor
from featdash.learners.kernel_ridge import Kernel, fit_kernel
from featdash.learners.methods import PREDICTORS
from featdash.learners.rfm import KernelMachine, rfm_rounds
from featdash.learners.trained_network import Training, train_network
from featdash.lessons.own_data.linear import Fit
from featdash.lessons.own_data.recipe import NETWORK_WIDTH, OwnDataSpec
from featdash.tasks import Labelled
from featdash.tasks.streams import stream


def fixed_kernel(train: Labelled, holdout: Labelled) -> Fit:
    """The Laplace kernel, its length and λ from the holdout; it looks at all white directions alike."""
    d = train[0].shape[1]
    spread = float(np.sqrt(train[0].var(axis=0).sum()))
    kernels = [Kernel("laplace", length * spread) for length in PREDICTORS["laplace"].lengths]
    return Fit(fit_kernel(kernels, train, holdout), np.eye(d))


def feature_machine(spec: OwnDataSpec, train: Labelled, holdout: Labelled) -> Iterator[Fit]:
    """RFM by round: each time the best round on the holdout so far, and its M."""
    best: tuple[float, KernelMachine] | None = None
    for machine in rfm_rounds(*train, rounds=spec.rounds):
        risk = float(np.mean((machine(holdout[0]) - holdout[1]) ** 2))
        if best is None or risk < best[0]:
            best = risk, machine
        yield Fit(best[1], best[1].M)


def one_step(spec: OwnDataSpec, train: Labelled, holdout: Labelled, fold: int) -> Fit:
    """Algorithm 1; its layer is W¹, the linear part that line 1 takes out is not in it."""
    seed = int(stream(spec.seed, "own-data", "algorithm1", fold).integers(2**31 - 1))
    learner = Algorithm1Regressor(spec.width, random_state=seed).fit(*train, holdout=holdout)
    W = learner.layer_.directions
    return Fit(learner.predict, W.T @ W)


def network(spec: OwnDataSpec, train: Labelled, holdout: Labelled, fold: int) -> Fit:
    """A two-layer network, all parameters trained; a neuron counts by its outgoing weight."""
    rng = stream(spec.seed, "own-data", "network", fold)
    fits = train_network(Training(NETWORK_WIDTH, spec.steps), train, holdout, rng)
    best = min(fits, key=lambda fit: fit.holdout_risk)
    W = best.network.W * best.network.a[:, None]
    return Fit(best, W.T @ W)
