"""Recovery of a teacher network: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.learners.recovery import DecaySchedule
from featdash.recipes import settings
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import Cost, Flag, Number, Spec, Text, setting
from featdash.tasks.streams import stream
from featdash.tasks.teacher import Teacher, equiangular_teacher

FOOTPRINT = 4_000_000  # bytes of its own code and blocks: all arithmetic is NumPy's, which is there


@dataclass(frozen=True)
class RecoverySpec(Spec):
    """The recipe of a recovery."""

    d: int = setting(16, Number(2, 64, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).", group="Data")
    r: int = setting(3, Number(2, 8, whole=True), "Directions r", "Neurons of the teacher, at most d.")
    width: int = setting(
        100, Number(1, 300, whole=True), "Width m", "Neurons of the student; the teacher has r.", group="Method"
    )
    angle: float = setting(60.0, Number(0, 90), "Angle (°)", "Between any two teacher directions, in degrees.")
    signs: str = setting("+-+", Text(8), "Signs", "Signs of the teacher's output weights, repeated up to length r.")
    eta: float = setting(
        0.1,
        Number(1e-3, 1.0),
        "Step η",
        "Length of a step of stage 3, on both layers; shortened where it would overshoot.",
        group="Method",
    )
    steps: int = setting(
        20_000,
        Number(100, 100_000, whole=True),
        "Steps",
        "Gradient steps of stage 3, on both layers.",
        group="Training",
    )
    lam0: float = setting(
        1e-2,
        Number(1e-6, 0.1),
        "Weight decay λ₀",
        "Strength of the weight decay at the beginning of stage 3.",
        group="Method",
    )
    decay: float = setting(
        0.3, Number(0.05, 0.95), "Decay of λ", "Factor at each drop; after the last one λ is 0.", group="Training"
    )
    drops: int = setting(
        6, Number(0, 12, whole=True), "Drops of λ", "How often λ is lowered before it is 0.", group="Training"
    )
    ridge: float = setting(1e-4, Number(1e-8, 1.0), "Ridge of stage 2", "Strength of the penalty ‖a‖².", group="Method")
    keep_linear: bool = setting(
        False, Flag(), "Keep the linear part", "Stage 0 removes the constant only.", group="Method"
    )
    skip_stage_2: bool = setting(
        False, Flag(), "Skip stage 2", "Stage 3 begins with the random head a = ±1.", group="Method"
    )
    weight_decay: bool = setting(True, Flag(), "Weight decay", "Without it λ is 0 throughout stage 3.", group="Method")
    n: int = setting(
        0,
        Number(0, 20_000, whole=True),
        "Samples n",
        "Training samples; with 0 the loss is exact, over all inputs.",
        group="Data",
    )
    seed: int = settings.seed()

    def check_together(self) -> None:
        """The teacher must exist: signs of + and -, r <= d, directions that do not coincide."""
        self.teacher()

    def teacher(self) -> Teacher:
        """The teacher of this recipe."""
        rng = stream(self.seed, "recovery", "teacher")
        return equiangular_teacher(self.r, self.d, self.angle, self.signs, rng)

    def schedule(self) -> DecaySchedule:
        """The weight decay of stage 3."""
        return DecaySchedule(self.steps, self.lam0 if self.weight_decay else 0.0, self.decay, self.drops)


def cost(spec: RecoverySpec) -> Cost:
    """From timings on one core: 4 + d/5 ns a step for each pair of neurons (or sample and neuron), and for each of the
    270 rows of the timeline 70 ns for each pair of neurons."""
    partners = spec.n or spec.width + spec.r
    entry = 4e-9 + 2e-10 * spec.d
    seconds = spec.steps * (4e-5 + spec.width * partners * entry)
    seconds += 270 * (7e-8 * spec.width**2 + spec.n * spec.width * entry)
    memory = FOOTPRINT + 8 * (6 * spec.width**2 + spec.n * spec.d)
    return Cost(memory, seconds, "lower n or steps" if spec.n else "lower steps or width")


EXPERIMENT = Experiment(
    name="recovery", title="Recovery", spec=RecoverySpec, cost=cost, run=in_worker("featdash.lessons.recovery.run")
)
