"""From emergence to scaling laws: its recipe, and what a run of it costs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Cost, Number, Spec, setting

LONGEST = 0.25  # step of the population flow: half of what the fitted tasks stand
MANY = 10_000  # tasks of the line that is computed from single equations alone
BEYOND = 1.3  # a run ends so much after the last predicted jump
STEP_SECONDS, PAIR_SECONDS, NUMBER_SECONDS = 2e-4, 1.5e-9, 2e-11  # a step, a pair of neurons, a multiplication
BASE = 11_000_000  # bytes of the code and a table, whatever the sizes
PAIR_BYTES, BATCH_BYTES = 5, 20  # of a pair of neurons at the peak, and of a sample with a neuron


@dataclass(frozen=True)
class ScalingLawsSpec(Spec):
    """The recipe of a network on a sum of tasks, a_p = p^(−β), a direction each."""

    beta: float = setting(1.0, Number(0.6, 2), "Decay β", "Task p has the weight p to the power −β.")
    tasks: int = setting(64, Number(1, 100, whole=True), "Tasks P", "Hidden directions at right angles, one per task.")
    degree: int = setting(
        4, Number(3, 6, whole=True), "Degree k", "Each task is the Hermite polynomial of degree k.", group="Method"
    )
    d: int = setting(100, Number(2, 150, whole=True), "Dimension d", "Inputs; at least as many as tasks.", group="Data")
    width: int = setting(
        512, Number(1, 800, whole=True), "Width m", "Neurons that look for a task each.", group="Method"
    )
    start: float = setting(
        0.01,
        Number(1e-3, 0.1),
        "Length at the start",
        "Length of every neuron at the start; short neurons get going late.",
    )
    batch: int = setting(
        0,
        Number(0, 4096, whole=True),
        "Samples a step",
        "New samples in each step; with 0 gradients are exact averages.",
        group="Training",
    )
    rate: float = setting(
        0.01, Number(1e-3, 0.1), "Rate η", "Time that a step takes, if there are samples.", group="Training"
    )
    time: float = setting(600, Number(1, 2000), "Most time", "The latest time at which a run ends.")
    seed: int = settings.seed()

    def check_together(self) -> None:
        if self.tasks > self.d:
            raise ValueError(f"tasks must be at most d = {self.d}, got {self.tasks}; lower tasks or raise d")

    @property
    def weights(self) -> np.ndarray:
        """a (P,)."""
        return weights_of(self.tasks, self.beta)

    @property
    def slope(self) -> float:
        """Of the loss in t on log-log axes by theory, for infinitely many tasks and neurons."""
        return -(2 * self.beta - 1) / self.beta


def weights_of(tasks: int, beta: float) -> np.ndarray:
    """p^(−β) for p = 1 ... tasks."""
    return np.arange(1, tasks + 1) ** -float(beta)


def cost(spec: ScalingLawsSpec) -> Cost:
    """Seconds: steps to the end, which is guessed from the typical best overlap; bytes of what passes through one."""
    best = min(0.9, math.sqrt(2 * math.log(max(2, spec.width)) / spec.d))
    turn = best ** (2 - spec.degree) / (spec.degree * (spec.degree - 2))
    grow = -math.log(spec.start) / 2
    end = min(spec.time, BEYOND * (turn + grow) * spec.tasks**spec.beta)
    m, rows = spec.width, spec.batch or spec.width
    steps = end / (spec.rate if spec.batch else LONGEST) + 200
    each = STEP_SECONDS + rows * m * (PAIR_SECONDS * spec.degree / 4 + NUMBER_SECONDS * 4 * spec.d)
    remedy = "lower the width, the tasks, the time or the samples a step"
    memory = BASE + (BATCH_BYTES if spec.batch else PAIR_BYTES) * rows * m + 8 * m * spec.d
    return Cost(int(memory), 0.7 + steps * each, remedy)


EXPERIMENT = Experiment(
    name="scaling-laws",
    title="From emergence to scaling laws",
    noun="scaling law",
    spec=ScalingLawsSpec,
    cost=cost,
    run=in_worker("featdash.lessons.scaling_laws.run"),
)
