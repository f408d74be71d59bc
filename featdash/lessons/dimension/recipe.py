"""The curse of dimensionality: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.lessons.shared.dimension_recipe import DimensionSweepSpec, sweep_cost
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Number, setting


@dataclass(frozen=True)
class DimensionSpec(DimensionSweepSpec):
    """The recipe of a sweep over the dimension."""

    steepness: float = setting(2.0, Number(0.1, 10), "Steepness", "Length of every wave's frequency.")


EXPERIMENT = Experiment(
    name="dimension",
    title="Curse of dimensionality",
    noun="dimensions",
    spec=DimensionSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.dimension.run"),
)
