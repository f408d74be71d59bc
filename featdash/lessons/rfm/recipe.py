"""Kernels that learn features: the recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.learners.methods import kernel_seconds, machine_memory, machine_seconds
from featdash.lessons.race.recipe import RaceSpec
from featdash.lessons.race.recipe import cost as race_cost
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Choice, Cost, Number, Spec, setting
from featdash.theory.target import resolve_target

RIVALS = ("algorithm1", "ntk")  # beside the kernel, on the same data
KERNELS = ("laplace", "gaussian")
PAIR = 1e-8  # seconds of the kernel at a pair of inputs
LOOKS = 4  # at the judging samples, a round


@dataclass(frozen=True)
class RfmSpec(Spec):
    """The recipe of a kernel machine that is re-weighted by its own gradients; defaults are Figure 1's target."""

    target: str = settings.target("figure-1")
    n: int = setting(
        1000, Number(20, 4000, whole=True), "Samples n", "Training samples; the time grows like n³.", group="Data"
    )
    d: int = setting(10, Number(2, 60, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    rounds: int = setting(4, Number(1, 12, whole=True), "Rounds", "How often M is made anew from the fit's gradients.")
    kernel: str = setting(
        "laplace", Choice(KERNELS), "Kernel", "What the kernel makes of a distance ρ: exp(−ρ/ℓ) or exp(−ρ²/2ℓ²)."
    )
    length: float = setting(3.0, Number(0.1, 30), "Length ℓ", "Length scale, in units of the spread of the inputs, √d.")
    noise: float = settings.noise()
    width: int = settings.width(1000, 4000, "Neurons of Algorithm 1 and of the NTK's network, even.")
    seed: int = settings.seed()
    holdout: int = settings.holdout(5000, 100_000)
    test: int = settings.test(20_000, 100_000)

    def check_together(self) -> None:
        resolve_target(self.target, self.d)

    @property
    def race(self) -> RaceSpec:
        """The race of the two rivals on the same data."""
        names = ("target", "n", "d", "noise", "width", "seed", "holdout", "test")
        return RaceSpec(methods=RIVALS, **{name: getattr(self, name) for name in names})


def cost(spec: RfmSpec) -> Cost:
    """The rounds, a factorisation and a head for each, and the rivals."""
    others, beside = spec.holdout + spec.test, race_cost(spec.race)
    rounds = machine_seconds(spec.n, spec.d, 0, 0) / 5 + kernel_seconds(2, spec.n, spec.d, 0, 0)
    seconds = beside.seconds + (spec.rounds + 1) * (rounds + LOOKS * PAIR * spec.n * others)
    own = ARITHMETIC + LIBRARIES + machine_memory(spec.n, others, 0) + 8 * (spec.n + others) * (spec.d + 2)
    remedy = f"lower n to {max(20, int(spec.n * 0.5))}, the rounds or the width"
    return Cost(int(max(own, beside.memory)), seconds, remedy)


EXPERIMENT = Experiment(
    name="rfm",
    title="Kernels that learn features",
    noun="rounds",
    spec=RfmSpec,
    cost=cost,
    run=in_worker("featdash.lessons.rfm.run"),
)
