"""Latent variables: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.learners.methods import PREDICTORS
from featdash.lessons.shared.dimension_recipe import DimensionSweepSpec, sweep_cost
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, MultipleChoice, Number, setting
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


EXPERIMENT = Experiment(
    name="latent",
    title="Latent variables",
    noun="latents",
    spec=LatentSpec,
    cost=sweep_cost,
    run=in_worker("featdash.lessons.latent.run"),
)
