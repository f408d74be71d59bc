"""Spike and bulk: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.geometry.spectrum import BLOCK_GATES
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, Cost, Number, Spec, setting
from featdash.theory.target import resolve_target

FLOPS_A_SECOND = 4e10  # single precision, two cores
GRADIENT_COPIES = 7  # of R gradients, in single precision


@dataclass(frozen=True)
class SpectrumSpec(Spec):
    """The recipe of a spectrum; defaults are three directions in twenty."""

    target: str = settings.target("rank-3")
    d: int = setting(20, Number(2, 100, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    n: int = setting(
        100_000, Number(1000, 200_000, whole=True), "Samples n", "The most samples in the gradient.", group="Data"
    )
    width: int = settings.width(1000, 2000)
    noise: float = settings.noise()
    copies: int = setting(
        20,
        Number(1, 100, whole=True),
        "Copies of the noise",
        "Copies of pure noise that give the edge of the bulk.",
        group="Repeats",
    )
    seed: int = settings.seed()

    def check_together(self) -> None:
        resolve_target(self.target, self.d)


def cost(spec: SpectrumSpec) -> Cost:
    """The nulls dominate: two of R label vectors each, at sizes that add up to 2.5 n.

    Bytes of the sample; of the label vectors, listed and stacked; of both nulls' gradients; and of a block of gates, as
    numbers, truth values and single precision, beside its moments.
    """
    labels = 2 * spec.copies
    flops = 2.5 * spec.n * spec.width / 2 * (2 * spec.d * (labels + 3) + 40)
    memory = ARITHMETIC + 8 * spec.n * (spec.d + 2) + 2 * 8 * spec.n * spec.copies
    neurons, columns = spec.width // 2, spec.copies * spec.d
    rows = min(spec.n, BLOCK_GATES // max(neurons, columns))
    memory += 4 * GRADIENT_COPIES * neurons * columns + rows * (9 * neurons + 4 * columns)
    return Cost(int(memory), 1.0 + flops / FLOPS_A_SECOND, f"lower n to {max(1000, int(spec.n * 0.4))}, or copies")


EXPERIMENT = Experiment(
    name="spectrum",
    title="Spike and bulk",
    spec=SpectrumSpec,
    cost=cost,
    run=in_worker("featdash.lessons.spectrum.run"),
)
