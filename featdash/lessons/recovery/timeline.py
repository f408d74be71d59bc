"""What is measured along a recovery: the rows of its timeline, its pictures of neurons, and its summary."""

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
from featdash.learners.population_loss import PopulationLoss
from featdash.learners.recovery import Student, StudentLoss
from featdash.learners.sample_loss import SampleLoss, residual_labels
from featdash.lessons.recovery.recipe import RecoverySpec
from featdash.recipes.events import Frame
from featdash.tasks.streams import stream
from featdash.tasks.teacher import Teacher
from featdash.theory.arc_cosine import cosines, unit_rows

STAGES = ("start", "gradient step", "head", "both layers")
PICTURED_NEURONS = 120


@dataclass(frozen=True, eq=False)
class Branches:
    """The student that goes on to train both layers, and the one that stops at W¹ and trains its head."""

    go: Student
    stop: Student

    @classmethod
    def untrained(cls, student: Student) -> Branches:
        """Before the fork: one student."""
        return cls(student, student)


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

    def about_teacher(self) -> dict[str, np.ndarray]:
        """The arrays of the frame `teacher`."""
        teacher = self.teacher
        return {
            "directions": teacher.directions,
            "weights": teacher.weights,
            "linear_part": teacher.linear_part,
            "axes": self.axes,
            "stars": teacher.directions @ self.axes.T,
        }

    def match(self, student: Student) -> dict[str, Any]:
        """What the neurons have of the teacher's."""
        mass, directions = student.mass, self.teacher.directions
        living = alive(mass, self.teacher.weights)
        return {
            "nearest": nearest_neuron(student.W, mass, directions, self.lines),
            "mass_weighted_cosine": mass_weighted_cosine(student.W, mass, directions, self.lines),
            "alive": int(living.sum()),
            "cancelling": cancelling_pairs(student.a, student.W, living, self.lines),
            "mass": float(mass.sum()),
        }

    def losses(self, student: Student, stage: int) -> tuple[float, float]:
        """Population and training loss; before stage 2 those of the zero output, as the head is not trained yet."""
        a = np.zeros_like(student.a) if stage < 2 else student.a
        population = self.population.loss(a, student.W)
        sampled = self.training is not self.population
        return population, self.training.loss(a, student.W) if sampled else population

    def picture(self, student: Student) -> dict[str, np.ndarray]:
        """Directions in the picture's space, masses and signs of the first 120 neurons."""
        shown = slice(PICTURED_NEURONS)
        return {
            "points": (unit_rows(student.W[shown])[0] @ self.axes.T).astype(np.float32),
            "mass": student.mass[shown].astype(np.float32),
            "sign": np.sign(student.a[shown]).astype(np.int8),
        }


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
        self.rows: list[dict[str, Any]] = []

    def show(self, step: int, stage: int, lam: float, fork: Branches, drawn: bool = True) -> Iterator[Frame]:
        """Add a row; where `drawn`, yield the timeline and the picture of the neurons."""
        go, stop = self.scene.match(fork.go), self.scene.match(fork.stop)
        loss, train = self.scene.losses(fork.go, stage)
        row = {"step": step, "stage": stage, "lam": lam, "loss": loss, "train": train, **go}
        row["stop_loss"] = self.scene.losses(fork.stop, stage)[0]
        row |= {f"stop_{name}": stop[name] for name in ("mass_weighted_cosine", "cancelling")}
        self.rows.append(row)
        if drawn:
            yield Frame("timeline", step, self.arrays())
            picture, stopped = self.scene.picture(fork.go), self.scene.picture(fork.stop)
            living = alive(fork.go.mass, self.scene.teacher.weights)[:PICTURED_NEURONS]
            yield Frame("neurons", step, picture | {"alive": living} | {f"stop_{k}": v for k, v in stopped.items()})

    def arrays(self, prefix: str = "") -> dict[str, np.ndarray]:
        """Each column as an array (T,), `nearest` as (T, r)."""
        return {prefix + name: np.array([row[name] for row in self.rows]) for name in self.rows[0]}


def pauses(steps: int) -> list[int]:
    """At most 280 steps of stage 3 at which a row is added: geometric and regular together, and the last."""
    return _spread(steps, geometric=100, regular=180)


def pictures(steps: int) -> frozenset[int]:
    """At most 56 of them at which neurons are drawn."""
    rows = np.array(pauses(steps))
    wanted = _spread(steps, geometric=28, regular=28)
    return frozenset(int(rows[np.argmin(np.abs(rows - step))]) for step in wanted)


def _spread(steps: int, geometric: int, regular: int) -> list[int]:
    points = np.concatenate([np.geomspace(1, steps, geometric), np.linspace(1, steps, regular)])
    return sorted({round(point) for point in points})


def summarise(timeline: Timeline, stepped: Student, head: HeadLoss) -> dict[str, Any]:
    """The stages' numbers, «stop» beside them, and what the first step did."""
    scene, rows = timeline.scene, timeline.rows
    last = {row["stage"]: row for row in rows}
    keys = ("loss", "mass_weighted_cosine", "alive", "cancelling")
    linear = scene.teacher.linear_part[None]
    least = head.ridge(1e-10 * max(head.spectrum[0].largest / 2, 1.0))
    moved = stepped.W[unit_rows(stepped.W)[1] > 0]
    return {
        "stages": [{"name": STAGES[stage], **{key: row[key] for key in keys}} for stage, row in last.items()],
        "stop": {
            "loss": rows[-1]["stop_loss"],
            "mass_weighted_cosine": rows[-1]["stop_mass_weighted_cosine"],
            "cancelling": rows[-1]["stop_cancelling"],
            "least_loss": scene.population.loss(least, stepped.W),
        },
        "first_step": {
            "dead": len(stepped.W) - len(moved),
            "one_direction": median_abs_cosine(moved, one_direction(moved)[None]),
            "linear_part": median_abs_cosine(moved, linear),
        },
        "nearest": [float(cosine) for cosine in rows[-1]["nearest"]],
        "target_variance": scene.population.loss(np.zeros(len(stepped.a)), stepped.W),
    }


def median_abs_cosine(W: np.ndarray, line: np.ndarray) -> float:
    """Median over the neurons W (m, d) of |cos| with one line (1, d); 0 without neurons."""
    return float(np.median(np.abs(cosines(W, line)))) if len(W) else 0.0
