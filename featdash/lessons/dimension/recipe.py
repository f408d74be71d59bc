"""Errors of several methods at a fixed sample size as the dimension grows: on bare Lipschitz functions of all d inputs,
on a support of low dimension, and on latent variables. The recipes, and what a run of them costs.

Frames, result and summary: see `featdash.lessons.dimension.run`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from featdash.learners.methods import PREDICTORS
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Choice, Cost, MultipleChoice, Number, Spec, setting
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.support import SHAPES, SupportTask
from featdash.theory.target import resolve_target

HOLDOUT, TEST = 1000, 4000
LEVEL = 0.25  # of the target's variance 1: the error up to which a dimension counts as reached
FUNCTION = 15_000_000  # bytes that the target's waves take on the largest sample


class Task(Protocol):
    """Draws samples of purposes train, holdout and test."""

    def sample(self, n: int, purpose: str) -> Sample: ...


@dataclass(frozen=True)
class DimensionSweepSpec(Spec):
    """The settings that every sweep over d has."""

    dims: tuple[int, ...] = setting(
        (1, 2, 5, 10, 20),
        MultipleChoice(Number(1, 100, whole=True), most=12),
        "Dimensions d",
        "Numbers of inputs at which the error is measured.",
    )
    n: int = setting(500, Number(20, 2000, whole=True), "Samples n", "The same at every dimension.", group="Data")
    noise: float = settings.noise(0.1, "Standard deviation; the function's is 1.")
    methods: tuple[str, ...] = setting(
        ("rbf", "ntk", "network"),
        MultipleChoice(Choice(tuple(PREDICTORS))),
        "Methods",
        "Which predictors are measured at each dimension.",
        group="Method",
    )
    repeats: int = setting(
        3,
        Number(1, 10, whole=True),
        "Repeats",
        "How many functions and samples each error averages over.",
        group="Repeats",
    )
    width: int = settings.width(100, 1000, "Neurons of the trained network, even.")
    steps: int = setting(
        800,
        Number(1, 20_000, whole=True),
        "Network steps",
        "Updates of the network's weights, all layers together.",
        group="Training",
    )
    seed: int = settings.seed()

    def task(self, d: int, seed: int) -> Task:
        """What is learned in dimension d; each repeat has a seed of its own."""
        raise NotImplementedError

    def about(self) -> dict[str, Any]:
        """What the summary says of the task beside the errors."""
        return {}


def reach(dims: list[int], errors: np.ndarray) -> float | None:
    """d where the errors (D,) first rise through `LEVEL`, on the line between two points in log d.

    None where they stay below it; the smallest d where they begin above it.
    """
    above = np.flatnonzero(errors > LEVEL)
    if not len(above):
        return None
    row = above[0]
    if row == 0:
        return float(dims[0])
    share = (LEVEL - errors[row - 1]) / (errors[row] - errors[row - 1])
    return float(dims[row - 1] * (dims[row] / dims[row - 1]) ** share)


def sweep_cost(spec: DimensionSweepSpec) -> Cost:
    """One fit at a time, beside the samples and what drew them."""
    fits = [PREDICTORS[name] for name in spec.methods]
    one = sum(fit.seconds(spec.n, d, spec.width, spec.steps) for fit in fits for d in spec.dims)
    samples = FUNCTION + 2 * 8 * max(spec.dims) * (spec.n + HOLDOUT + TEST)
    fitted = max(fit.memory(spec.n, HOLDOUT + TEST, spec.width) for fit in fits)
    memory = ARITHMETIC + LIBRARIES + samples + fitted
    return Cost(int(memory), 0.5 + spec.repeats * one, f"lower n to {max(10, spec.n // 2)}, or the repeats")


@dataclass(frozen=True)
class DimensionSpec(DimensionSweepSpec):
    """The curse of dimensionality: kernels and a network on a bare Lipschitz function of all d inputs.

    The function is a sum of triangle waves in 200 random directions, of one slope in every dimension and of variance 1,
    so that an error of 1 is the zero predictor's (see `featdash.tasks.support`). Inputs are N(0, I_d).
    """

    steepness: float = setting(2.0, Number(0.1, 10), "Steepness", "Length of every wave's frequency.")

    def task(self, d: int, seed: int) -> SupportTask:
        return SupportTask("subspace", d, d, self.steepness, 0.0, self.noise, seed)


@dataclass(frozen=True)
class SupportSpec(DimensionSweepSpec):
    """Inputs in R^d near an r-dimensional subspace or sphere, r fixed as d grows.

    The label is a Lipschitz function of the position on the support; its sample is the same at every d, embedded anew.
    The summary has r too.
    """

    shape: str = setting("sphere", Choice(SHAPES), "Support", "What the inputs lie on: a flat subspace or a sphere.")
    r: int = setting(2, Number(1, 20, whole=True), "Intrinsic r", "Dimension of the subspace or sphere.")
    dims: tuple[int, ...] = setting(
        (4, 10, 30, 100),
        MultipleChoice(Number(2, 300, whole=True), most=12),
        "Dimensions d",
        "Numbers of inputs of the space around the support.",
    )
    thickness: float = setting(0.1, Number(0, 2), "Thickness τ", "Size of the noise off the support, relative to it.")
    steepness: float = setting(2.0, Number(0.1, 10), "Steepness", "Length of every wave's frequency.")
    steps: int = setting(
        1000,
        Number(1, 20_000, whole=True),
        "Network steps",
        "Updates of the network's weights, all layers together.",
        group="Training",
    )

    def check_together(self) -> None:
        self.task(min(self.dims), self.seed)

    def task(self, d: int, seed: int) -> SupportTask:
        return SupportTask(self.shape, self.r, d, self.steepness, self.thickness, self.noise, seed)

    def about(self) -> dict[str, Any]:
        return {"r": self.r}


@dataclass(frozen=True)
class LatentSpec(DimensionSweepSpec):
    """Latent variables: f*(x) = g(Ux), kernels against methods that learn the features.

    A kernel needs n of order d^p; for Algorithm 1 n ≳ d²r + d r^p is enough. At
    fixed n the kernels lose the degrees k with d^k > n one after the other, which leaves the energies above as
    plateaus. The race shows the same against n.
    The default target has degree 3: squared errors on He₄ have tails so heavy that 4000 test points leave an error of
    0.1 to 0.3 in a risk (see `standard_error`), five times as much.
    The summary has the target's degree, rank and energies too.
    """

    target: str = settings.target("pretrain")
    dims: tuple[int, ...] = setting(
        (4, 8, 16, 32),
        MultipleChoice(Number(1, 100, whole=True), most=12),
        "Dimensions d",
        "Numbers of inputs at which the error is measured.",
    )
    n: int = setting(1200, Number(20, 2000, whole=True), "Samples n", "The same at every dimension.", group="Data")
    noise: float = settings.noise(0.5, "Standard deviation; a named target's is 1.")
    methods: tuple[str, ...] = setting(
        ("algorithm1", "network", "ntk"),
        MultipleChoice(Choice(tuple(PREDICTORS))),
        "Methods",
        "Which predictors are measured at each dimension.",
        group="Method",
    )
    repeats: int = setting(
        3, Number(1, 10, whole=True), "Repeats", "Samples that each error is averaged over.", group="Repeats"
    )
    width: int = settings.width(300, 1000, "Neurons of Algorithm 1 and of the trained network, even.")

    def check_together(self) -> None:
        resolve_target(self.target, min(self.dims))

    def task(self, d: int, seed: int) -> GaussianTask:
        return GaussianTask(resolve_target(self.target, d), self.noise, seed)

    def about(self) -> dict[str, Any]:
        return {"target": resolve_target(self.target, max(self.dims)).describe()}


DIMENSION = Experiment(
    name="dimension",
    title="Curse of dimensionality",
    noun="dimensions",
    spec=DimensionSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.dimension.run"),
)
SUPPORT = Experiment(
    name="support",
    title="Low-dimensional support",
    noun="supports",
    spec=SupportSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.dimension.run"),
)
LATENT = Experiment(
    name="latent",
    title="Latent variables",
    noun="latents",
    spec=LatentSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.dimension.run"),
)
