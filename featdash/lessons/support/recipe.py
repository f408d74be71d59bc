"""Low-dimensional support: inputs in R^d near an r-dimensional subspace or sphere, at fixed n and r as d grows.

The label is a Lipschitz function of the position on the support; its sample is the same at every d, embedded anew.
Frames, result and summary: see `featdash.lessons.shared.dimension_run`; the summary has the support's dimension r too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from featdash.lessons.shared.dimension_recipe import DimensionSweepSpec, sweep_cost
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, MultipleChoice, Number, setting
from featdash.tasks.support import SHAPES, SupportTask


@dataclass(frozen=True)
class SupportSpec(DimensionSweepSpec):
    """The recipe of a sweep over the dimension around a support."""

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


EXPERIMENT = Experiment(
    name="support",
    title="Low-dimensional support",
    noun="supports",
    spec=SupportSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.shared.dimension_run"),
)
