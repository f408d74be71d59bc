"""Recovery of a teacher network: the subspace after one step, its directions after training both layers.

The schedule, the step sizes and the ridge are our choices; the stages are Zhou and Ge's. «Go on» trains both layers,
«stop» keeps W¹ and trains the head alone, with the same step size, weight decay and number of steps from the same head.

Frames, in the order in which they come:

`teacher`, one, at 0
    directions (r, d), weights (r,)    u_k and s_k
    linear_part (d,)                   β = ½ Σ s_k u_k, whether removed or kept
    axes (k, d)                        orthonormal rows spanning the picture's space, k = min(r, 3)
    stars (r, k)                       the teacher's directions in it
`timeline`, at = step; each holds all rows so far, T <= 300 of them at last
    step (T,)                   0 start, 1 gradient step, 2 head, 2 + t after t steps of stage 3
    stage (T,)                  0, 1, 2, 3 in that order; step 2 has stage 3 if stage 2 is skipped
    lam (T,)                    weight decay of the step that led here; 0 before stage 3
    loss (T,)                   population loss E(f − f*)², constant (and linear part, unless kept) fitted;
                                that of the zero output up to stage 1, where the head is not trained yet
    train (T,)                  the same on the n samples; equal to `loss` when n = 0
    nearest (T, r)              cosine of each teacher direction to its nearest neuron of positive mass
    mass_weighted_cosine (T,)   Σ m_i max_k cos(w_i, u_k) / Σ m_i with mass m_i = |a_i|‖w_i‖
    alive (T,)                  neurons with m_i >= 0.001 mean |s_k|
    cancelling (T,)             pairs of alive neurons with opposite signs of a and cosine >= 0.95
    mass (T,)                   Σ m_i; the teacher's is Σ |s_k|
    stop_loss (T,), stop_mass_weighted_cosine (T,), stop_cancelling (T,)    «stop»; equal to «go on» up to stage 2
    Cosines are absolute unless the linear part is kept: w and −w are one neuron of |·|.
`neurons`, at = step, at most 60; p = min(m, 120) neurons, always the same ones
    points (p, k)               w_i/‖w_i‖ in the picture's space, so length 1 is wholly inside it; 0 for a dead neuron
    mass (p,), sign (p,), alive (p,)        m_i; sign of a_i, -1, 0 or +1; whether it counts as alive
    stop_points (p, k), stop_mass (p,), stop_sign (p,)      the same for «stop»

Result arrays: `timeline/<name>` as above, and `final/a` (m,), `final/W` (m, d), `stop/a`, `stop/W`.

Summary: `stages`, a list of {name, loss, mass_weighted_cosine, alive, cancelling} at the end of each; `stop`, the same
of «stop», with `least_loss`, the least that any head on W¹ reaches; `first_step`, with the `dead` neurons of zero
gradient and the median |cos| of the others to the `one_direction` nearest to all of them and to the `linear_part` β;
`nearest` per teacher direction; `target_variance`, the loss of the zero predictor.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from featdash.experiments.events import Event, Frame, Progress, Result
from featdash.experiments.experiment import Experiment
from featdash.experiments.recovery_timeline import HEAD, Fork, Timeline, make_scene, pauses, pictures, summarise
from featdash.experiments.spec import Cost, Flag, Number, Spec, Text, setting
from featdash.learners.recovery import Schedule, Student, balance, draw_student, first_step, train_both_layers
from featdash.tasks.streams import stream
from featdash.tasks.teacher import Teacher, equiangular_teacher


@dataclass(frozen=True)
class RecoverySpec(Spec):
    """The recipe of a recovery."""

    d: int = setting(16, Number(2, 64, whole=True), "Dimension d", "Number of inputs; x ~ N(0, I_d).")
    r: int = setting(3, Number(2, 8, whole=True), "Directions r", "Neurons of the teacher, at most d.")
    width: int = setting(100, Number(1, 300, whole=True), "Width m", "Neurons of the student.")
    angle: float = setting(60.0, Number(0, 90), "Angle (°)", "Between any two teacher directions, in degrees.")
    signs: str = setting("+-+", Text(8), "Signs", "Of the teacher's output weights, repeated to length r.")
    eta: float = setting(0.1, Number(1e-3, 1.0), "Step η", "Of stage 3, on both layers.")
    steps: int = setting(20_000, Number(100, 100_000, whole=True), "Steps", "Of stage 3.")
    lam0: float = setting(1e-2, Number(1e-6, 0.1), "Weight decay λ₀", "At the beginning of stage 3.")
    decay: float = setting(0.3, Number(0.05, 0.95), "Decay of λ", "Factor at each drop; after the last one λ is 0.")
    drops: int = setting(6, Number(0, 12, whole=True), "Drops of λ", "How often λ is lowered before it is 0.")
    ridge: float = setting(1e-4, Number(1e-8, 1.0), "Ridge of stage 2", "Strength of the penalty ‖a‖².")
    keep_linear: bool = setting(False, Flag(), "Keep the linear part", "Stage 0 removes the constant only.")
    skip_stage_2: bool = setting(False, Flag(), "Skip stage 2", "Stage 3 begins with the random head a = ±1.")
    weight_decay: bool = setting(True, Flag(), "Weight decay", "Without it λ is 0 throughout stage 3.")
    n: int = setting(0, Number(0, 20_000, whole=True), "Samples n", "0 trains on the exact population loss.")
    seed: int = setting(0, Number(0, 2**31 - 1, whole=True), "Seed", "Same seed, same numbers.")

    def check_together(self) -> None:
        """The teacher must exist: signs of + and -, r <= d, directions that do not coincide."""
        self.teacher()

    def teacher(self) -> Teacher:
        """The teacher of this recipe."""
        rng = stream(self.seed, "recovery", "teacher")
        return equiangular_teacher(self.r, self.d, self.angle, self.signs, rng)

    def schedule(self) -> Schedule:
        """The weight decay of stage 3."""
        return Schedule(self.steps, self.lam0 if self.weight_decay else 0.0, self.decay, self.drops)


def cost(spec: RecoverySpec) -> Cost:
    """From timings on one core: 4 + d/5 ns a step for each pair of neurons (or sample and neuron), and for each of the
    270 rows of the timeline 70 ns for each pair of neurons."""
    partners = spec.n or spec.width + spec.r
    entry = 4e-9 + 2e-10 * spec.d
    seconds = spec.steps * (4e-5 + spec.width * partners * entry)
    seconds += 270 * (7e-8 * spec.width**2 + spec.n * spec.width * entry)
    memory = 20_000_000 + 8 * (20 * spec.width**2 + 3 * spec.n * spec.d)
    return Cost(memory, seconds, "lower n or steps" if spec.n else "lower steps or width")


def run(spec: RecoverySpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001 (NumPy: the matrices are small)
    """The stages in order; see the module for the frames."""
    scene = make_scene(spec)
    timeline = Timeline(scene)
    yield Progress(0.0, "removing the constant" if spec.keep_linear else "removing the constant and the linear part")
    yield Frame("teacher", 0, scene.about_teacher())

    start = draw_student(spec.width, spec.d, stream(spec.seed, "recovery", "student"))
    yield from timeline.show(0, 0, 0.0, Fork.untrained(start))
    yield Progress(0.005, "one gradient step on W")
    stepped = first_step(scene.training, start)
    yield from timeline.show(1, 1, 0.0, Fork.untrained(stepped))

    yield Progress(0.01, "balancing norms" if spec.skip_stage_2 else "regressing the head, balancing norms")
    head = scene.training.head(stepped.W)
    a = stepped.a if spec.skip_stage_2 else head.ridge(spec.ridge)
    fork = Fork(balance(Student(a, stepped.W)), Student(a, stepped.W))
    yield from timeline.show(HEAD, 3 if spec.skip_stage_2 else 2, 0.0, fork)

    schedule, drawn = spec.schedule(), pictures(spec.steps)
    done = told = 0
    for step, student in train_both_layers(scene.training, fork.go, spec.eta, schedule, pauses(spec.steps)):
        for count, lam in schedule.stretches(done, step):
            a = head.descend(a, count, spec.eta, lam)
        done, fork = step, Fork(student, Student(a, stepped.W))
        yield from timeline.show(HEAD + step, 3, schedule.lam(step - 1), fork, drawn=step in drawn)
        told = step if step in drawn else told  # bar, words and picture tell one step
        yield Progress(0.02 + 0.98 * told / spec.steps, f"both layers: step {told} of {spec.steps}")
    final = {"final/a": fork.go.a, "final/W": fork.go.W, "stop/a": fork.stop.a, "stop/W": fork.stop.W}
    yield Result(summarise(timeline, stepped, head), {**timeline.arrays("timeline/"), **final})


EXPERIMENT = Experiment(name="recovery", title="Recovery", spec=RecoverySpec, cost=cost, run=run)
