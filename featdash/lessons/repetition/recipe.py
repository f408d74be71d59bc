"""Look twice: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.lessons.shared.gaussian_recipe import SingleDirectionSpec
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Choice, Cost, MultipleChoice, Number, setting

LOOKS = ("once", "twice")
PAUSES = 60  # frames between the start and the end
ROWS = 512  # steps whose samples are drawn at a time
COPIES = 4  # arrays of a block of samples, beside what is reused
BASE = 19_000_000  # bytes of the special functions and their buffers, whatever the sizes


@dataclass(frozen=True)
class RepetitionSpec(SingleDirectionSpec):
    """The recipe of a comparison; rates are in units of 1/d, times in units of d."""

    dims: tuple[int, ...] = setting(
        (64, 128, 256),
        MultipleChoice(Number(4, 1024, whole=True), most=3),
        "Dimensions d",
        "Numbers of inputs, a curve for each.",
    )
    rho: float = setting(0.2, Number(0, 5), "First look ρ·d", "Size of the step between the two looks; 0 is one look.")
    gamma: float = setting(0.1, Number(1e-3, 1), "Step γ·d", "Size of the step that is kept.")
    noise: float = settings.noise(0.0)
    time: int = setting(300, Number(1, 1000, whole=True), "Samples T/d", "Samples a run sees, over d.")
    runs: int = setting(40, Number(2, 400, whole=True), "Runs", "Neurons, each with samples of its own.")
    seed: int = settings.seed()
    looks: tuple[str, ...] = setting(LOOKS, MultipleChoice(Choice(LOOKS)), "Looks", "How often a sample is seen.")

    @property
    def rho_of(self) -> dict[str, float]:
        """Variant -> ρ·d."""
        return {name: self.rho if name == "twice" else 0.0 for name in self.looks}


def cost(spec: RepetitionSpec) -> Cost:
    """A block of samples at a time; a step is some twenty operations on two numbers a run."""
    steps = spec.time * sum(spec.dims)
    memory = BASE + 8 * COPIES * ROWS * spec.runs
    return Cost(int(memory), 0.5 + steps * (3e-5 + 2.5e-7 * spec.runs), f"lower time to {max(1, spec.time // 3)}")


EXPERIMENT = Experiment(
    name="repetition",
    title="Look twice",
    noun="repetition",
    spec=RepetitionSpec,
    cost=cost,
    run=in_worker("featdash.lessons.repetition.run"),
)
