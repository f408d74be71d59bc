"""A stair: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, Cost, MultipleChoice, Number, Spec, setting
from featdash.theory.boolean import BooleanPolynomial

ALL, GAP, NONE = "x1+x1x2+x1x2x3", "x1+x1x2x3", "x1x2x3"
LOOSE, LONG, HIGH = "x1+x2+x3+x1x2x3", "x1+x1x2+x1x2x3+x1x2x3x4", "x1+x1x2x3x4"
TARGETS = (ALL, GAP, NONE, LOOSE, LONG, HIGH)
BIASES = ("zero", "drawn")
MOST_VARIABLES = 4
EVERY = 10  # steps between two looks at the loss
ROWS = 256  # test points, as many over each corner of the coordinates that matter
STEP_SECONDS, NUMBER_SECONDS = 1.5e-4, 6e-11  # of one core: a step, and one of its multiplications
BASE = 5_000_000  # bytes of the code and its random streams; nothing is computed with torch


@dataclass(frozen=True)
class StaircaseSpec(Spec):
    """The recipe of a race up the stairs; defaults are a stair of three, without its middle, and without both."""

    targets: tuple[str, ...] = setting(
        (ALL, GAP, NONE),
        MultipleChoice(Choice(TARGETS), 1, 4),
        "Targets",
        "Sums of products of inputs, each input +1 or −1.",
    )
    dims: tuple[int, ...] = setting(
        (20, 40, 80),
        MultipleChoice(Number(MOST_VARIABLES, 200, whole=True), 1, 5),
        "Dimensions d",
        "Numbers of inputs; coefficients and losses are drawn at the largest.",
    )
    width: int = settings.width(256, 1000)
    batch: int = setting(64, Number(1, 1000, whole=True), "Batch size", "Fresh samples in each step.", group="Training")
    rate: float = setting(
        0.03, Number(1e-3, 10), "Rate η", "Length of a step, the same for every neuron.", group="Training"
    )
    steps: int = setting(
        6000, Number(EVERY, 20_000, whole=True), "Most steps", "Steps after which a network gives up.", group="Training"
    )
    biases: str = setting(
        "zero", Choice(BIASES), "Biases at the start", "All 0, or drawn from N(0, 1).", group="Method"
    )
    level: float = setting(0.3, Number(0.05, 0.9), "Level", "The loss at which a target counts as learned.")
    repeats: int = setting(
        3, Number(1, 10, whole=True), "Repeats", "Networks for each target and dimension.", group="Repeats"
    )
    seed: int = settings.seed()

    def polynomials(self) -> dict[str, BooleanPolynomial]:
        """The targets by their names, in their order."""
        return {name: BooleanPolynomial.from_text(name) for name in self.targets}

    @property
    def variables(self) -> int:
        """How many leading coordinates hold those that matter to some target."""
        return max(target.variables for target in self.polynomials().values())


def cost(spec: StaircaseSpec) -> Cost:
    """Seconds of all steps: a network that learns is done sooner, but a narrow one, or one on small batches, may not.

    Bytes of the networks in the picture, and of a batch or a look at the test points as it passes through one.
    """
    targets, (d, m) = len(spec.targets), (max(spec.dims), spec.width)
    each = [STEP_SECONDS + NUMBER_SECONDS * numbers_of(spec, dimension) for dimension in spec.dims]
    seconds = spec.steps * targets * spec.repeats * sum(each)
    memory = BASE + 12 * targets * m * (d + 2) + 12 * m * max(spec.batch, ROWS) + 16 * m * d
    return Cost(int(memory), 0.5 + seconds, "lower the steps, the repeats or the dimensions")


def numbers_of(spec: StaircaseSpec, d: int) -> float:
    """Multiplications of a step: forward and backward, and its part of a look at the test points."""
    return spec.width * (2 * spec.batch * (d + 8) + ROWS * (d + 4) / EVERY)


EXPERIMENT = Experiment(
    name="staircase",
    title="A stair",
    noun="stairs",
    spec=StaircaseSpec,
    cost=cost,
    run=in_worker("featdash.lessons.staircase.run"),
)
