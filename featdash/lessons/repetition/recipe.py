"""Look twice: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from featdash.lessons.shared.gaussian_recipe import SingleDirectionSpec
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, Cost, Flag, MultipleChoice, Number, setting

LOOKS = ("once", "twice")
ACTIVATIONS = ("relu", "tanh")
PAUSES = 30  # frames between the start and the end, of either stream
ROWS = 512  # steps whose samples are drawn at a time
COPIES = 5  # arrays of a block of samples, beside what is reused
BASE = 29_000_000  # bytes of the special functions, and of what a label becomes, whatever the sizes
REFERENCE = 80  # the dimension at which one look takes steps as long as two looks do


class Variant(NamedTuple):
    """A neuron, and how often it looks at a sample."""

    activation: str
    looks: str


VARIANTS = {  # as streams and summary name them: a ReLU's by its looks alone
    "once": Variant("relu", "once"),
    "twice": Variant("relu", "twice"),
    "tanh_once": Variant("tanh", "once"),
    "tanh_twice": Variant("tanh", "twice"),
}


@dataclass(frozen=True)
class RepetitionSpec(SingleDirectionSpec):
    """The recipe of a comparison; rates are in units of 1/d, times in units of d and of d²."""

    dims: tuple[int, ...] = setting(
        (32, 64, 128),
        MultipleChoice(Number(4, 1024, whole=True), most=3),
        "Dimensions d",
        "Numbers of inputs, a curve for each.",
    )
    activations: tuple[str, ...] = setting(
        ACTIVATIONS, MultipleChoice(Choice(ACTIVATIONS)), "Activation σ", "Of the neuron: ReLU, or tanh."
    )
    looks: tuple[str, ...] = setting(LOOKS, MultipleChoice(Choice(LOOKS)), "Looks", "How often a sample is seen.")
    rho: float = setting(0.2, Number(0, 5), "First look ρ·d", "Size of the step between the two looks; 0 is one look.")
    gamma: float = setting(0.1, Number(1e-3, 1), "Step γ·d", "Size of the step that is kept.")
    shorter: bool = setting(
        True,
        Flag(),
        "Shorter steps for one look",
        f"One look takes γ·d times √({REFERENCE}/d), a choice of ours that shows d²; off: γ·d, as two looks take.",
    )
    noise: float = settings.noise(0.0)
    time: int = setting(300, Number(1, 1000, whole=True), "Samples T/d", "Samples a run sees, over d.")
    squares: int = setting(
        7, Number(1, 50, whole=True), "Samples T/d², one look", "Samples a run with one look sees, over d²."
    )
    runs: int = setting(100, Number(2, 400, whole=True), "Runs", "Neurons, each with samples of its own.")
    seed: int = settings.seed()

    @property
    def variants(self) -> dict[str, Variant]:
        """Those of VARIANTS that are compared."""
        return {
            name: one
            for name, one in VARIANTS.items()
            if one.activation in self.activations and one.looks in self.looks
        }

    def rates(self, one: Variant, d: int) -> tuple[float, float]:
        """γ and ρ."""
        if one.looks == "twice":
            return self.gamma / d, self.rho / d
        return self.gamma / d * ((REFERENCE / d) ** 0.5 if self.shorter else 1.0), 0.0

    def last(self, one: Variant, d: int) -> int:
        """Samples of a run."""
        linear = self.time * d
        return max(linear, self.squares * d * d) if one.looks == "once" else linear


def cost(spec: RepetitionSpec) -> Cost:
    """A block of samples at a time; a step is some twenty operations on a number for each run."""
    steps = sum(spec.last(one, d) for one in spec.variants.values() for d in spec.dims)
    memory = BASE + 8 * COPIES * ROWS * spec.runs
    return Cost(int(memory), 0.5 + steps * (1.3e-5 + 5e-8 * spec.runs), "lower the dimensions, time or squares")


EXPERIMENT = Experiment(
    name="repetition",
    title="Look twice",
    noun="repetition",
    spec=RepetitionSpec,
    cost=cost,
    run=in_worker("featdash.lessons.repetition.run"),
)
