"""How features emerge from inputs with structure: patterns of a dictionary, digits, digits beside Gaussian inputs.

The recipes, and what a run of them costs.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Choice, Cost, MultipleChoice, Number, Spec, setting
from featdash.tasks.dictionary import PatternLaw, parity_counts
from featdash.tasks.digits import CLASSES, SIDE, check_pair
from featdash.tasks.streams import stream
from featdash.theory.ridge_path import KEPT_BYTES, STEP_BLOCK

FIXED = ("random_features", "ntk", "linear")  # of the truncated network
COMPARED = ("network", *FIXED)
HEAD_STEPS = 30  # Lanczos steps; at 60 the default accuracies and hinge losses are the same to 1e-6
CURVE_ROWS = 4000  # test samples behind a point of the curves: its standard error is below 0.008
CHECKPOINTS = 20  # of the minibatch phase, log-spaced: steps after which a run shows a frame
FLOPS_A_SECOND = 2e10  # a conservative single-precision rate of one core on these shapes
PRODUCT_COPIES = 5  # arrays of a product with new columns, in single precision
BLOCK_COPIES = 20  # arrays of a block where the activation is smoothed, as measured
AT_ONCE = {"course": 0.8, "head": 0.6}  # how much of what these two hold is there at the peak, measured
LIKE_K = 5  # the start's scales and the noise are those of k = 5 patterns: real images have no k
GAUSSIANS = ("white", "matched")
MOMENTUM = 0.9
JUDGES = 2000  # Gaussian inputs that judge, a run
MOMENTS = (10, 30, 100, 300, 1000)  # steps whose accuracies the summary has, beside the last
BASE = 150_000_000  # bytes of scikit-learn and the images


@dataclass(frozen=True)
class TwoStageSchedule:
    """How a course is run.

    noise : σ_ξ in step 2. output, size : what fixes η₁ and η₂, see `learners.two_step`.
    steps : of minibatches, at least 1. rate : ρ; each method's step is ρ / E‖∂g/∂θ‖², taken at its own start, so that
    a step on one sample moves the output there by about ρ, for all methods alike.
    """

    noise: float
    output: float
    size: float
    steps: int
    rate: float


@dataclass(frozen=True)
class EmergenceSpec(Spec):
    """The recipe of a comparison; defaults are the paper's simulation, where the paper tells."""

    k: int = setting(5, Number(1, 15, whole=True), "Relevant k", "How many patterns decide the label.")
    D: int = setting(
        100,
        Number(2, 200, whole=True),
        "Patterns D",
        "How many patterns the dictionary has; an input shows some of them.",
    )
    d: int = setting(500, Number(2, 1000, whole=True), "Dimension d", "Length of an input x; at least D.", group="Data")
    p0: float = setting(0.5, Number(0.01, 0.5), "Background p₀", "How often a background pattern is present.")
    structure: float = setting(
        1.0, Number(0, 1), "Structure strength", "0: independent fair patterns; 1: the full law."
    )
    labels: str = setting("parity", Choice(("parity", "counts")), "Labels", "parity: odd counts; counts: those below.")
    positive_counts: tuple[int, ...] = setting(
        (1, 3, 5),
        MultipleChoice(Number(1, 15, whole=True)),
        "Label set P",
        "Counts with label +1, if labels are by counts.",
    )
    m: int = setting(
        300,
        Number(2, 1000, whole=True),
        "Neurons m",
        "Distinct neurons at the start; the network has 2m.",
        group="Method",
    )
    n: int = setting(
        20_000, Number(10, 50_000, whole=True), "Samples n", "Fresh samples in each of the two steps.", group="Data"
    )
    first_output: float = setting(
        0.1, Number(1e-3, 1e3), "Size of step 1", "RMS of the output after step 1.", group="Method"
    )
    second_size: float = setting(1.0, Number(1e-2, 1e2), "Size of step 2", "RMS of w·x after step 2.", group="Method")
    steps: int = setting(
        200, Number(1, 2000, whole=True), "Minibatch steps", "Steps on all parameters after step 2.", group="Training"
    )
    batch: int = setting(
        200, Number(1, 2000, whole=True), "Batch size", "Fresh samples in each minibatch step.", group="Training"
    )
    rate: float = setting(
        15.0, Number(1e-3, 1e3), "Rate ρ", "How far a minibatch step moves an output.", group="Training"
    )
    holdout: int = settings.holdout(5000, 50_000)
    test: int = settings.test(10_000, 50_000, "Inputs that measure accuracy, never used in fitting.")
    seed: int = settings.seed()

    def check_together(self) -> None:
        if self.k >= self.D:
            raise ValueError(f"k must be below D = {self.D}, got {self.k}; lower k, or raise D")
        if self.d < self.D:
            raise ValueError(f"D must be at most d = {self.d}, got {self.D}; lower D, or raise d")
        self.law()

    def law(self) -> PatternLaw:
        """The structured law at full strength; A is drawn from the seed."""
        positive = parity_counts(self.k) if self.labels == "parity" else self.positive_counts
        relevant = np.sort(stream(self.seed, "emergence", "relevant").permutation(self.D)[: self.k])
        return PatternLaw(self.D, tuple(relevant.tolist()), positive, self.p0)

    def schedule(self) -> TwoStageSchedule:
        return TwoStageSchedule(self.k**-1.5, self.first_output, self.second_size, self.steps, self.rate)


def cost(spec: EmergenceSpec) -> Cost:
    """Memory and time, both mostly the tangent kernel's head; the two courses share nothing but take turns there."""
    samples, per_sample = spec.n + spec.holdout + spec.test, spec.m * (spec.D + 2)
    together = AT_ONCE["course"] * 2 * course_memory(spec) + AT_ONCE["head"] * head_memory(spec)
    memory = ARITHMETIC + together + step_memory(spec)
    products = HEAD_STEPS * (2 * spec.n + spec.holdout) + 12 * spec.test
    curves = 3 * spec.steps * spec.batch * 4 + 2 * CHECKPOINTS * CURVE_ROWS
    flops = 2 * 2 * per_sample * (products + curves + 8 * 2 * spec.n)
    neurons = 2 * 4 * spec.m * HEAD_STEPS * 2 * samples
    seconds = 1.0 + (flops + 4 * neurons) / FLOPS_A_SECOND
    return Cost(int(memory), seconds, f"lower n to {max(10, int(spec.n * 0.4))}, or m")


def course_memory(spec: EmergenceSpec) -> float:
    """Bytes of a course between two heads: its samples and a step's, in double, and the features of its curves."""
    rows = 2 * spec.n + spec.holdout + spec.test
    return 8 * (spec.D + 2) * rows + 3 * 4 * min(spec.test, CURVE_ROWS) * spec.m


def head_memory(spec: EmergenceSpec) -> float:
    """Bytes of the tangent kernel's head: σ and σ' of the neurons if they are kept, inputs, bases, what is seen of the
    holdout, and the products for that."""
    features = spec.m * (spec.D + 2)
    neurons, inputs = 4 * spec.n * spec.m, 4 * (spec.D + 1) * (spec.n + spec.holdout)
    bases = 8 * (HEAD_STEPS + 1) * (spec.n + features + spec.holdout)
    return inputs + (2 * neurons if neurons <= KEPT_BYTES else 0) + bases + 4 * PRODUCT_COPIES * features * HEAD_STEPS


def step_memory(spec: EmergenceSpec) -> float:
    """Bytes of a block of neurons in a feature step. They come on top of a head's: its parts leave holes too small."""
    return 8 * BLOCK_COPIES * min(STEP_BLOCK, 2 * spec.m * spec.n)


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


def digits_cost(spec: DigitsSpec) -> Cost:
    """Memory and time: small, as there are some 360 images; the steps and the tangent features."""
    work = spec.steps * spec.batch + 60 * 400
    seconds = 1.5 + 0.003 * spec.steps + 8 * 2 * spec.m * (SIDE**2 + 2) * work / 5e9
    memory = ARITHMETIC + LIBRARIES + 4 * 400 * spec.m * (SIDE**2 + 2)
    return Cost(memory, seconds, "lower steps, or m")


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


def mixture_cost(spec: MixtureSpec) -> Cost:
    """Three networks a run, each a forward and two backward products a step."""
    numbers = spec.runs * spec.batch * spec.m * (SIDE**2 + CLASSES)
    seconds = 1.0 + 3 * spec.steps * (2e-4 + 3e-5 * spec.runs + 1.5e-9 * numbers)
    memory = BASE + 8 * spec.runs * (6000 * SIDE**2 + 5000 * (spec.m + 3 * CLASSES))
    return Cost(int(memory), seconds, "lower steps, runs or m")


EMERGENCE = Experiment(
    name="emergence", title="Emergence", spec=EmergenceSpec, cost=cost, run=in_worker("featdash.lessons.emergence.run")
)
DIGITS = Experiment(
    name="digits",
    title="Digits",
    spec=DigitsSpec,
    cost=digits_cost,
    run=in_worker("featdash.lessons.emergence.digits_run"),
)
MIXTURE = Experiment(
    name="mixture",
    title="Digits and noise",
    spec=MixtureSpec,
    cost=mixture_cost,
    run=in_worker("featdash.lessons.emergence.mixture_run"),
)
