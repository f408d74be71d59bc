"""More than one step: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, Choice, Cost, MultipleChoice, Number, Spec, setting
from featdash.theory.target import resolve_target

STEPS = (1, 2, 4, 8)  # T₁, for which samples are counted
LONGEST = max(STEPS)
RISK_STEPS = (1, 2, 3, 4, 8)  # T₁, after which a head is trained
RISK_TARGET, RISK_NOISE = "figure-1", 1.0
RISK_SIZES = {10: 1000, 50: 3000}  # d -> n
RISK_WIDTH, RISK_HOLDOUT, RISK_TEST = 400, 2000, 4000
RISK_REPEATS = 2
HEADS = 68_000_000  # bytes that one of these heads takes, measured
LOSSES = ("correlation", "square_mean", "square_root")  # the last two with an output of 1/m and 1/√m times a sum
SQUARES = 3  # of d²: the most samples that are tried
FLOPS_A_SECOND = 1.2e10  # of one core, in single precision, activation and all


@dataclass(frozen=True)
class MoreStepsSpec(Spec):
    """The recipe of a comparison of one step with several; defaults are a bowl, He₂/√2."""

    target: str = settings.target("He2(z1)/sqrt(2)")
    activation: str = setting(
        "relu",
        Choice(("relu", "log_cosh")),
        "Activation σ",
        "ReLU, or log cosh, which is smooth with σ′(0) = 0 and σ″(0) = 1.",
        "Method",
    )
    neurons: int = setting(100, Number(10, 400, whole=True), "Neurons m", "All of them distinct.", "Method")
    d: int = setting(400, Number(10, 500, whole=True), "Dimension d", "Of the layer that is watched step by step.")
    n: int = setting(8000, Number(50, 20_000, whole=True), "Samples n", "That the watched layer sees.", "Data")
    dims: tuple[int, ...] = setting(
        (25, 50, 100, 200),
        MultipleChoice(Number(10, 200, whole=True), 2, 5),
        "Dimensions of the count",
        "In which the samples are counted that an alignment of ½ takes.",
    )
    noise: float = settings.noise(0.0)
    repeats: int = setting(
        3, Number(1, 10, whole=True), "Repeats", "Draws of the data for each dimension of the count.", "Repeats"
    )
    seed: int = settings.seed()

    def check_together(self) -> None:
        resolve_target(self.target, min(self.d, *self.dims))


def cost(spec: MoreStepsSpec) -> Cost:
    """Seconds of all gradients, if an alignment of ½ is not reached before the most samples; and of the heads.

    Bytes of the largest sample, and of a block of its responses; or of the watched sample and of the heads, which are
    solved last.
    """
    watch_work = 4 * spec.n * spec.d * spec.neurons * LONGEST * len(LOSSES)
    count_work = [4 * 2 * SQUARES * d**3 * spec.neurons for d in spec.dims]
    heads = 1.5 * RISK_REPEATS  # seconds of a repeat
    seconds = 0.5 + (watch_work + spec.repeats * sum(count_work)) / FLOPS_A_SECOND + heads
    watched = 4 * spec.n * spec.d
    most = max(4 * SQUARES * max(spec.dims) ** 3, watched + HEADS)
    return Cost(int(ARITHMETIC + most), seconds, "lower the dimensions, n or the neurons")


EXPERIMENT = Experiment(
    name="more-steps",
    title="More than one step",
    noun="steps",
    spec=MoreStepsSpec,
    cost=cost,
    run=in_worker("featdash.lessons.more_steps.run"),
)
