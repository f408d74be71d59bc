"""Latent variables: f*(x) = g(Ux) at fixed n as d grows, kernels against methods that learn the features.

A kernel needs n of order d^p; for Algorithm 1 n ≳ d²r + d r^p is enough, and no lower bound is known to us. At fixed n
the kernels lose the degrees k with d^k > n one after the other, which leaves the energies above as plateaus. The race
shows the same against n.
The default target has degree 3: squared errors on He₄ have tails so heavy that 4000 test points leave an error of
0.1 to 0.3 in a risk (see `standard_error`), five times as much.
Frames, result and summary: see `featdash.lessons.shared.dimension_run`; the summary has the target's degree, rank and
energies too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from featdash.learners.methods import PREDICTORS
from featdash.lessons.shared.dimension_recipe import DimensionSweepSpec, sweep_cost
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, MultipleChoice, Number, setting
from featdash.tasks.gaussian import GaussianTask
from featdash.theory.target import resolve_target


@dataclass(frozen=True)
class LatentSpec(DimensionSweepSpec):
    """The recipe of a sweep over the dimension with the latent variables fixed."""

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


EXPERIMENT = Experiment(
    name="latent",
    title="Latent variables",
    noun="latents",
    spec=LatentSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.shared.dimension_run"),
)
