"""What is measured along a recovery: the rows of its timeline, the neurons on show, and its summary."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from featdash.geometry.teacher_match import (
    alive,
    cancelling_pairs,
    mass_weighted_cosine,
    nearest_neuron,
    one_direction,
    teacher_axes,
)
from featdash.learners.head_descent import HeadLoss
from featdash.learners.recovery import Student, StudentLoss
from featdash.learners.student_loss import PopulationLoss, SampleLoss, residual_labels
from featdash.lessons.recovery.frames import Rows, ShownNeurons, Students, TeacherDirections, join_rows
from featdash.lessons.recovery.recipe import RecoverySpec
from featdash.recipes.events import Frame
from featdash.tasks.streams import stream
from featdash.tasks.teacher import Teacher
from featdash.theory.kernels import cosines, unit_rows

STAGES = ("start", "gradient step", "head", "both layers")
SHOWN_NEURONS = 120


@dataclass(frozen=True, eq=False)
class Branches:
    """The student that goes on to train both layers, and the one that stops at W¹ and trains its head."""

    go: Student
    stop: Student

    @classmethod
    def at_start(cls, student: Student) -> Branches:
        """Before the fork: one student."""
        return cls(student, student)


@dataclass(frozen=True, eq=False)
class Match:
    """What a student's neurons have of the teacher's: columns of `Rows`, at one step."""

    nearest: np.ndarray
    mass_weighted_cosine: float
    alive: int
    cancelling: int
    mass: float


@dataclass(frozen=True, eq=False)
class Scene:
    """A teacher, the loss that is trained on, the loss that is reported, and the axes of the pictures."""

    spec: RecoverySpec
    teacher: Teacher
    population: PopulationLoss
    training: StudentLoss
    axes: np.ndarray

    @property
    def lines(self) -> bool:
        """Whether w and −w count as one neuron."""
        return not self.spec.keep_linear

    def shown_teacher(self) -> TeacherDirections:
        """The teacher in the pictures' axes."""
        return TeacherDirections(self.teacher.weights, self.teacher.directions @ self.axes.T)

    def match(self, student: Student) -> Match:
        """What the neurons have of the teacher's."""
        mass, directions = student.mass, self.teacher.directions
        living = alive(mass, self.teacher.weights)
        return Match(
            nearest=nearest_neuron(student.W, mass, directions, self.lines),
            mass_weighted_cosine=mass_weighted_cosine(student.W, mass, directions, self.lines),
            alive=int(living.sum()),
            cancelling=cancelling_pairs(student.a, student.W, living, self.lines),
            mass=float(mass.sum()),
        )

    def losses(self, student: Student, stage: int) -> tuple[float, float]:
        """Population and training loss; before stage 2 those of the zero output, as the head is not trained yet."""
        a = np.zeros_like(student.a) if stage < 2 else student.a
        population = self.population.loss(a, student.W)
        sampled = self.training is not self.population
        return population, self.training.loss(a, student.W) if sampled else population

    def shown_neurons(self, student: Student) -> ShownNeurons:
        """The first 120 of them, in the pictures' axes."""
        sample = slice(SHOWN_NEURONS)
        return ShownNeurons(
            points=(unit_rows(student.W[sample])[0] @ self.axes.T).astype(np.float32),
            mass=student.mass[sample].astype(np.float32),
            sign=np.sign(student.a[sample]).astype(np.int8),
        )


def make_scene(spec: RecoverySpec) -> Scene:
    """The scene of a recipe; with n > 0 the training loss is that of n samples, preprocessed as in stage 0."""
    teacher = spec.teacher()
    population = PopulationLoss(teacher.directions, teacher.weights, spec.keep_linear)
    training: StudentLoss = population
    if spec.n:
        X = stream(spec.seed, "recovery", "train").standard_normal((spec.n, spec.d))
        training = SampleLoss(X, residual_labels(X, teacher(X), spec.keep_linear), spec.keep_linear)
    return Scene(spec, teacher, population, training, teacher_axes(teacher.directions))


class Timeline:
    """The rows so far, and the frames they make."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self._rows: list[Rows] = []
        self._rows_in_frames = 0

    def show(self, step: int, stage: int, lam: float, fork: Branches, with_frames: bool = True) -> Iterator[Frame]:
        """Add a row; where `with_frames`, yield the rows since the last frame, and the neurons."""
        self._rows.append(self._row(step, stage, lam, fork))
        if with_frames:
            yield Frame("timeline", step, join_rows(self._rows[self._rows_in_frames :]).to_arrays())
            self._rows_in_frames = len(self._rows)
            students = Students(self.scene.shown_neurons(fork.go), self.scene.shown_neurons(fork.stop))
            yield Frame("neurons", step, students.to_arrays())

    def _row(self, step: int, stage: int, lam: float, fork: Branches) -> Rows:
        go, stop = self.scene.match(fork.go), self.scene.match(fork.stop)
        loss, train = self.scene.losses(fork.go, stage)
        return Rows(
            step=np.array([step]),
            stage=np.array([stage]),
            lam=np.array([lam]),
            loss=np.array([loss]),
            train=np.array([train]),
            **{name: np.array([number]) for name, number in vars(go).items()},
            stop_loss=np.array([self.scene.losses(fork.stop, stage)[0]]),
            stop_mass_weighted_cosine=np.array([stop.mass_weighted_cosine]),
            stop_cancelling=np.array([stop.cancelling]),
        )

    def rows(self) -> Rows:
        """All rows."""
        return join_rows(self._rows)


def pauses(steps: int) -> list[int]:
    """At most 280 steps of stage 3 at which a row is added: geometric and regular together, and the last."""
    return _spread(steps, geometric=100, regular=180)


def frame_steps(steps: int) -> frozenset[int]:
    """At most 56 of them after which the neurons are shown."""
    rows = np.array(pauses(steps))
    targets = _spread(steps, geometric=28, regular=28)
    return frozenset(int(rows[np.argmin(np.abs(rows - step))]) for step in targets)


def _spread(steps: int, geometric: int, regular: int) -> list[int]:
    points = np.concatenate([np.geomspace(1, steps, geometric), np.linspace(1, steps, regular)])
    return sorted({round(point) for point in points})


def summarise(timeline: Timeline, after_step: Student, head: HeadLoss) -> dict[str, Any]:
    """The stages' numbers, «stop» beside them, and what the first step did."""
    scene, rows = timeline.scene, timeline.rows()
    last = {stage: row for row, stage in enumerate(rows.stage.tolist())}
    linear = scene.teacher.linear_part[None]
    least = head.ridge(1e-10 * max(head.spectrum[0].largest / 2, 1.0))
    neurons = after_step.W[unit_rows(after_step.W)[1] > 0]
    nothing, loss = scene.population.loss(np.zeros(len(after_step.a)), after_step.W), rows.loss[-1].item()
    note = above_nothing(loss, nothing, scene.spec.n)
    return {
        "stages": [
            {
                "name": STAGES[stage],
                "loss": rows.loss[row].item(),
                "mass_weighted_cosine": rows.mass_weighted_cosine[row].item(),
                "alive": rows.alive[row].item(),
                "cancelling": rows.cancelling[row].item(),
            }
            for stage, row in last.items()
        ],
        "stop": {
            "loss": rows.stop_loss[-1].item(),
            "mass_weighted_cosine": rows.stop_mass_weighted_cosine[-1].item(),
            "cancelling": rows.stop_cancelling[-1].item(),
            "least_loss": scene.population.loss(least, after_step.W),
        },
        "first_step": {
            "dead": len(after_step.W) - len(neurons),
            "one_direction": median_abs_cosine(neurons, one_direction(neurons)[None]),
            "linear_part": median_abs_cosine(neurons, linear),
        },
        "nearest": rows.nearest[-1].tolist(),
        "target_variance": nothing,
        **({"note": note} if note else {}),
    }


def above_nothing(loss: float, nothing: float, n: int) -> str:
    """A sentence if the run ended at a larger loss than that of predicting 0, else ""."""
    if loss <= nothing:
        return ""
    remedy = f"the student fits its {n} samples and not the teacher; raise Samples n" if n else "lower Step η"
    return f"The run ended at a loss of {loss:.2g}, above the {nothing:.2g} of predicting 0: {remedy}"


def median_abs_cosine(W: np.ndarray, line: np.ndarray) -> float:
    """Median over the neurons W (m, d) of |cos| with one line (1, d); 0 without neurons."""
    return float(np.median(np.abs(cosines(W, line)))) if len(W) else 0.0
