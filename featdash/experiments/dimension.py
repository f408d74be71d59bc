"""The curse of dimensionality: kernels and a network on a bare Lipschitz function of all d inputs, at fixed n.

The function is a sum of triangle waves in 200 random directions, of one slope in every dimension and of variance 1, so
that an error of 1 is the zero predictor's (see `featdash.tasks.lipschitz`). Inputs are N(0, I_d).
Frames, result and summary: see `featdash.experiments.dimension_sweep`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from featdash.experiments.dimension_sweep import sweep, sweep_cost
from featdash.experiments.events import Event
from featdash.experiments.experiment import Experiment
from featdash.experiments.predictors import METHODS
from featdash.experiments.spec import Choice, Number, Several, Spec, setting
from featdash.tasks.support import SupportTask


@dataclass(frozen=True)
class DimensionSpec(Spec):
    """The recipe of a sweep over the dimension."""

    dims: tuple[int, ...] = setting(
        (1, 2, 5, 10, 20), Several(Number(1, 100, whole=True), most=12), "Dimensions d", "Number of inputs."
    )
    n: int = setting(500, Number(20, 2000, whole=True), "Samples n", "The same at every dimension.")
    steepness: float = setting(2.0, Number(0.1, 10), "Steepness", "Length of every wave's frequency.")
    noise: float = setting(0.1, Number(0, 10), "Label noise ς", "Standard deviation; the function's is 1.")
    methods: tuple[str, ...] = setting(
        ("rbf", "ntk", "network"), Several(Choice(METHODS)), "Methods", "Who is measured."
    )
    repeats: int = setting(3, Number(1, 10, whole=True), "Repeats", "Functions and samples to average over.")
    width: int = setting(100, Number(2, 1000, whole=True), "Width m", "Of the network, even.")
    steps: int = setting(800, Number(1, 20_000, whole=True), "Network steps", "Parameter updates.")
    seed: int = setting(0, Number(0, 2**31 - 1, whole=True), "Seed", "Same seed, same numbers.")

    def check_together(self) -> None:
        check_width(self.width)


def check_width(width: int) -> None:
    """ValueError unless even, as `featdash.learners.network` has it; that module imports torch, a Spec must not."""
    if width % 2:
        raise ValueError(f"width must be even for the symmetric start, got {width}; use {width + 1}")


def run(spec: DimensionSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of the sweep."""
    return sweep(spec, lambda d, seed: SupportTask("subspace", d, d, spec.steepness, 0.0, spec.noise, seed))


EXPERIMENT = Experiment(
    name="dimension", title="Curse of dimensionality", noun="dimensions", spec=DimensionSpec, cost=sweep_cost, run=run
)
