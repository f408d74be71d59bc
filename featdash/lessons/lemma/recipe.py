"""Lemma 1: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, Cost, Number, Spec, setting
from featdash.theory.target import resolve_target

BLOCKS = 15_000_000  # bytes of the blocks in which a sample is visited, as measured
FLOPS_A_SECOND = 4e9  # gates are compared one by one, so far below the rate of a matrix product


@dataclass(frozen=True)
class LemmaSpec(Spec):
    """The recipe of a look at Lemma 1."""

    target: str = settings.target("figure-1")
    d: int = setting(10, Number(2, 200, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    n: int = setting(
        100_000, Number(1000, 400_000, whole=True), "Samples n", "The most samples in the gradient.", group="Data"
    )
    width: int = settings.width(400, 2000)
    noise: float = settings.noise()
    repeats: int = setting(
        6, Number(1, 20, whole=True), "Repeats", "Independent samples for the error against n.", group="Repeats"
    )
    seed: int = settings.seed()

    def check_together(self) -> None:
        resolve_target(self.target, self.d)


def cost(spec: LemmaSpec) -> Cost:
    """Each repeat visits 2.3 n rows of its sample, over all the sizes; with the sample its copy, or the next one."""
    memory = ARITHMETIC + BLOCKS + 2 * 8 * spec.n * (spec.d + 3)
    flops = 2.3 * spec.repeats * spec.n * spec.width / 2 * (4 * spec.d + 10)
    return Cost(int(memory), 1.0 + flops / FLOPS_A_SECOND, f"lower n to {max(1000, int(spec.n * 0.4))}, or repeats")


EXPERIMENT = Experiment(
    name="lemma", title="Lemma 1, seen", spec=LemmaSpec, cost=cost, run=in_worker("featdash.lessons.lemma.run")
)
