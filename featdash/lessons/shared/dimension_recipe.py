"""The settings that every sweep over the dimension has, and what such a sweep costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from featdash.learners.methods import PREDICTORS
from featdash.recipes import settings
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Choice, Cost, MultipleChoice, Number, Spec, setting
from featdash.tasks.gaussian import Sample

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
