"""Digits beside Gaussian inputs: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, Cost, Number, Spec, setting
from featdash.tasks.ten_digits import CLASSES, SIDE

GAUSSIANS = ("white", "matched")
MOMENTUM = 0.9
JUDGES = 2000  # Gaussian inputs that judge, a run
MOMENTS = (10, 30, 100, 300, 1000)  # steps whose accuracies the summary has, beside the last
BASE = 150_000_000  # bytes of scikit-learn and the images


@dataclass(frozen=True)
class MixtureSpec(Spec):
    """The recipe of students of a mixture; the paper's networks for MNIST have 9 neurons."""

    m: int = setting(20, Number(2, 200, whole=True), "Neurons m", "Of the teacher and of all students.", group="Method")
    gaussian: str = setting(
        "white", Choice(GAUSSIANS), "Gaussian inputs", "Independent pixels, or with the covariance of the digits."
    )
    steps: int = setting(
        1500, Number(10, 5000, whole=True), "Steps", "Minibatch steps of teacher and students.", group="Training"
    )
    batch: int = setting(
        64, Number(1, 256, whole=True), "Batch size", "Training inputs in each step.", group="Training"
    )
    rate: float = setting(0.1, Number(1e-3, 1), "Rate", "Length of a step, with a momentum of 0.9.", group="Training")
    runs: int = setting(5, Number(1, 20, whole=True), "Runs", "Each has its own split, teacher and students.")
    seed: int = settings.seed()


def cost(spec: MixtureSpec) -> Cost:
    """Three networks a run, each a forward and two backward products a step."""
    numbers = spec.runs * spec.batch * spec.m * (SIDE**2 + CLASSES)
    seconds = 1.0 + 3 * spec.steps * (2e-4 + 3e-5 * spec.runs + 1.5e-9 * numbers)
    memory = BASE + 8 * spec.runs * (6000 * SIDE**2 + 5000 * (spec.m + 3 * CLASSES))
    return Cost(int(memory), seconds, "lower steps, runs or m")


EXPERIMENT = Experiment(
    name="mixture",
    title="Digits and noise",
    spec=MixtureSpec,
    cost=cost,
    run=in_worker("featdash.lessons.mixture.run"),
)
