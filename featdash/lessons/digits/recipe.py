"""Digits: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.lessons.shared.two_stage_recipe import TwoStageSchedule
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Cost, Number, Spec, setting
from featdash.tasks.digits import SIDE, check_pair

LIKE_K = 5  # the start's scales and the noise are those of k = 5 patterns: real images have no k


@dataclass(frozen=True)
class DigitsSpec(Spec):
    """The recipe of a pair of digits; the default is the paper's pair and width."""

    first: int = setting(0, Number(0, 9, whole=True), "First digit", "The digit with label −1.")
    second: int = setting(1, Number(0, 9, whole=True), "Second digit", "The digit with label +1.")
    m: int = setting(
        50,
        Number(2, 500, whole=True),
        "Neurons m",
        "Distinct neurons at the start; the network has 2m.",
        group="Method",
    )
    first_output: float = setting(
        0.1, Number(1e-3, 1e3), "Size of step 1", "RMS of the output after step 1.", group="Method"
    )
    second_size: float = setting(1.0, Number(1e-2, 1e2), "Size of step 2", "RMS of w·x after step 2.", group="Method")
    steps: int = setting(
        200, Number(1, 2000, whole=True), "Minibatch steps", "Steps on all parameters after step 2.", group="Training"
    )
    batch: int = setting(
        50, Number(1, 100, whole=True), "Batch size", "Training images in each minibatch step.", group="Training"
    )
    rate: float = setting(
        1.0, Number(1e-3, 1e3), "Rate ρ", "How far a minibatch step moves an output.", group="Training"
    )
    seed: int = settings.seed()

    def check_together(self) -> None:
        check_pair(self.first, self.second)

    def schedule(self) -> TwoStageSchedule:
        return TwoStageSchedule(LIKE_K**-1.5, self.first_output, self.second_size, self.steps, self.rate)


def cost(spec: DigitsSpec) -> Cost:
    """Memory and time: small, as there are some 360 images; the steps and the tangent features."""
    work = spec.steps * spec.batch + 60 * 400
    seconds = 1.5 + 0.003 * spec.steps + 8 * 2 * spec.m * (SIDE**2 + 2) * work / 5e9
    memory = ARITHMETIC + LIBRARIES + 4 * 400 * spec.m * (SIDE**2 + 2)
    return Cost(memory, seconds, "lower steps, or m")


EXPERIMENT = Experiment(
    name="digits", title="Digits", spec=DigitsSpec, cost=cost, run=in_worker("featdash.lessons.digits.run")
)
