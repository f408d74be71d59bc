"""The curse of dimensionality: kernels and a network on a bare Lipschitz function of all d inputs, at fixed n.

The function is a sum of triangle waves in 200 random directions, of one slope in every dimension and of variance 1, so
that an error of 1 is the zero predictor's (see `featdash.tasks.lipschitz`). Inputs are N(0, I_d).
Frames, result and summary: see `featdash.experiments.dimension_sweep`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from featdash.experiments.dimension_sweep import DimensionSweep, sweep, sweep_cost
from featdash.experiments.events import Event
from featdash.experiments.experiment import Experiment
from featdash.experiments.spec import Number, setting
from featdash.tasks.support import SupportTask


@dataclass(frozen=True)
class DimensionSpec(DimensionSweep):
    """The recipe of a sweep over the dimension."""

    steepness: float = setting(2.0, Number(0.1, 10), "Steepness", "Length of every wave's frequency.")


def run(spec: DimensionSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of the sweep."""
    return sweep(spec, lambda d, seed: SupportTask("subspace", d, d, spec.steepness, 0.0, spec.noise, seed))


EXPERIMENT = Experiment(
    name="dimension", title="Curse of dimensionality", noun="dimensions", spec=DimensionSpec, cost=sweep_cost, run=run
)
