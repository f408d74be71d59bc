"""The curse of dimensionality: kernels and a network on a bare Lipschitz function of all d inputs, at fixed n.

The function is a sum of triangle waves in 200 random directions, of one slope in every dimension and of variance 1, so
that an error of 1 is the zero predictor's (see `featdash.tasks.support`). Inputs are N(0, I_d).
Frames, result and summary: see `featdash.lessons.shared.dimension_run`.
"""

from __future__ import annotations

from dataclasses import dataclass

from featdash.lessons.shared.dimension_recipe import DimensionSweepSpec, sweep_cost
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Number, setting
from featdash.tasks.support import SupportTask


@dataclass(frozen=True)
class DimensionSpec(DimensionSweepSpec):
    """The recipe of a sweep over the dimension."""

    steepness: float = setting(2.0, Number(0.1, 10), "Steepness", "Length of every wave's frequency.")

    def task(self, d: int, seed: int) -> SupportTask:
        return SupportTask("subspace", d, d, self.steepness, 0.0, self.noise, seed)


EXPERIMENT = Experiment(
    name="dimension",
    title="Curse of dimensionality",
    noun="dimensions",
    spec=DimensionSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.shared.dimension_run"),
)
