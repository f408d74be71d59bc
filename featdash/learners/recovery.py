"""Recovering a teacher in three stages: one gradient step, a regression, then both layers with fading weight decay.

Stage 1  W¹ = −η₁ ∇_W L at a start of zero output: the neurons enter the teacher's subspace
Stage 2  ridge regression of the head, then |a_i| = ‖w_i‖
Stage 3  θ ← θ − η(∇L + λθ) on both layers, λ lowered in steps to 0: the neurons turn onto the teacher's directions

Source: Zhou and Ge 2024 for the stages; the step sizes, the ridge and the λ schedule are our choices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np

from featdash.learners.head_descent import HeadLoss
from featdash.theory.kernels import unit_rows

ROUNDING = 1e-13  # of Σ|a_i|‖w_i‖: what twins that should cancel leave in a gradient


class StudentLoss(Protocol):
    """A loss of a student, over a population or a sample."""

    @property
    def steepness(self) -> float:
        """Curvature per unit of (‖a‖² + ‖W‖²)/2."""

    def head(self, W: np.ndarray) -> HeadLoss:
        """The loss in the head alone."""

    def loss(self, a: np.ndarray, W: np.ndarray) -> float:
        """The loss."""

    def gradients(self, a: np.ndarray, W: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Its gradients (m,) and (m, d)."""


@dataclass(frozen=True, eq=False)
class Student:
    """Output weights a (m,) and neurons W (m, d), without biases."""

    a: np.ndarray
    W: np.ndarray

    @property
    def mass(self) -> np.ndarray:
        """|a_i|‖w_i‖, shape (m,): what neuron i adds to the output, up to its direction."""
        return np.abs(self.a) * unit_rows(self.W)[1]


@dataclass(frozen=True)
class DecaySchedule:
    """Weight decay of stage 3: λ₀, λ₀q, ..., λ₀q^drops and at last 0, an equal number of steps at each.

    steps : of stage 3 altogether.
    """

    steps: int
    lam0: float
    decay: float
    drops: int

    @property
    def levels(self) -> tuple[float, ...]:
        return (*(self.lam0 * self.decay**k for k in range(self.drops + 1)), 0.0)

    def lam(self, step: int) -> float:
        """λ of the step that follows `step` finished ones."""
        return self.levels[min(step * len(self.levels) // self.steps, len(self.levels) - 1)]

    def starts(self) -> list[int]:
        """The steps at which a level begins, and the last step."""
        count = len(self.levels)
        return [-(-level * self.steps // count) for level in range(count + 1)]

    def stretches(self, begin: int, end: int) -> Iterator[tuple[int, float]]:
        """(steps, λ) of each level between two steps, in order."""
        cuts = [begin, *(cut for cut in self.starts() if begin < cut < end), end]
        for left, right in pairwise(cuts):
            yield right - left, self.lam(left)


def draw_student(width: int, d: int, rng: np.random.Generator) -> Student:
    """w_i ~ N(0, I/d), a_i = ±1."""
    W = rng.standard_normal((width, d)) / np.sqrt(d)
    return Student(rng.choice([-1.0, 1.0], size=width), W)


def first_step(loss: StudentLoss, start: Student) -> Student:
    """W¹ = −η₁ ∇_W L where the output is zero, η₁ such that the rows have RMS norm 1; a is kept.

    The zero output comes from a mirrored twin (−a_i, w_i) of each neuron. After the step the twin is (−a_i, −w_i), no
    other neuron for an even activation; only the m originals are kept. A zero gradient gives a zero neuron.
    Source: Damian, Lee, Soltanolkotabi 2022, Algorithm 1, line 2 with λ₁ = 1/η₁.
    """
    twins = np.concatenate([start.a, -start.a]), np.concatenate([start.W, start.W])
    gradient = loss.gradients(*twins)[1][: len(start.a)]
    gradient[unit_rows(gradient)[1] <= ROUNDING * start.mass.sum()] = 0.0
    rms = np.sqrt(np.sum(gradient**2) / len(gradient))
    return Student(start.a, -gradient / (rms or 1.0))


def balance(student: Student) -> Student:
    """|a_i| = ‖w_i‖ for every neuron, without changing what the network computes."""
    size = np.sqrt(student.mass)
    return Student(np.sign(student.a) * size, unit_rows(student.W)[0] * size[:, None])


def train_both_layers(
    loss: StudentLoss, student: Student, eta: float, schedule: DecaySchedule, pauses: Sequence[int]
) -> Iterator[tuple[int, Student]]:
    """Gradient descent θ ← θ − η(∇L + λθ) on a and W; yields (step, student) after each step in `pauses`, ascending.

    Where the network is so heavy that η would overshoot, 1/(curvature + λ) takes its place, with the curvature's bound
    steepness·(‖a‖² + ‖W‖²)/2.
    """
    a, W = student.a.copy(), student.W.copy()
    begin = 0
    for pause in pauses:
        for step in range(begin, pause):
            lam = schedule.lam(step)
            grad_a, grad_W = loss.gradients(a, W)
            weight = (a @ a + np.einsum("ij,ij->", W, W)) / 2
            step_size = min(eta, 1 / (loss.steepness * weight + lam)) if weight > 0 else eta
            shrink = 1 - step_size * lam
            a *= shrink
            a -= step_size * grad_a
            W *= shrink
            W -= step_size * grad_W
        begin = max(begin, pause)
        yield pause, Student(a.copy(), W.copy())
