"""A stair: which monomials of a target a network learns first, and what it costs where one of them is missing.

Networks of `learners.online_sgd` on uniform ±1 inputs without noise, each step on fresh samples. One is done at the
first of the looks, EVERY steps apart, at which its loss on the test points is below the level.
First the courses: one network a target, at the largest dimension, side by side until a little after the last is done.
Then all the others, one by one.

Streams, see `frames`: `courses` and `steps`. Summary: `steps[TARGET][d]`, the median over the repeats, null where most
gave up; `range`, the least and the most, null for one that gave up; `reached`, how many of the repeats were done;
`growth[TARGET]`, the steps at the largest dimension over those at the smallest; `leap[TARGET]`; and of the courses
`half[TARGET][MONOMIAL]`, the step from which on the coefficient stays above ½, null for never, and
`coefficients[TARGET][MONOMIAL]`, at the end.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from featdash.learners.online_sgd import OnlineNetwork
from featdash.lessons.staircase.frames import CourseFrame, StepCounts
from featdash.lessons.staircase.recipe import EVERY, ROWS, StaircaseSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.streams import stream
from featdash.theory.boolean import (
    BooleanPolynomial,
    all_monomials,
    corners,
    fourier_coefficients,
    monomial_name,
)

AFTERWARDS = 12.0  # over the rate: steps after the last is done, in which what it has learned settles
LOST = 1e3  # of E f*²; a loss above it comes down no more
SPARSE = 500  # steps after which frames come half as often, and so on
COURSES = 0.35  # of the progress


@dataclass(eq=False)
class Climb:
    """One network on its way: its last look at the test points, and the step at which it was done."""

    network: OnlineNetwork
    target: BooleanPolynomial
    batches: np.random.Generator
    points: np.ndarray
    values: np.ndarray
    level: float
    step: int = 0
    finish: int | None = None

    @property
    def loss(self) -> float:
        """E(f − f*)² on the test points; NaN once it diverged."""
        with np.errstate(over="ignore", invalid="ignore"):  # of a network that diverges
            loss = float(np.mean((self.values - self.target(self.points)) ** 2))
        return loss if loss < LOST * len(self.target.monomials) else float("nan")

    def go(self, batch: int) -> None:
        """EVERY steps on fresh samples, and a look."""
        if np.isnan(self.loss):
            return
        d = self.points.shape[1]
        with threadpool_limits(1), np.errstate(all="ignore"):  # the loss says where it diverges
            for _ in range(EVERY):
                X = signs(self.batches, batch, d)
                self.network.step(X, self.target(X))
            self.step += EVERY
            self.values = self.network(self.points)
        if self.finish is None and self.loss < self.level:
            self.finish = self.step


def run(spec: StaircaseSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of a race up the stairs; see the module's docstring."""
    yield Progress(0.0, "drawing the networks")
    largest = int(np.argmax(spec.dims))
    counts = np.full((len(spec.targets), len(spec.dims), spec.repeats), np.nan)
    climbs = {name: begin(spec, name, spec.dims[largest], 0) for name in spec.targets}
    rows = yield from watch(spec, climbs)
    counts[:, largest, 0] = [climb.finish or 0 for climb in climbs.values()]
    yield Frame("steps", len(spec.targets), StepCounts(counts.copy()).to_arrays())
    yield from count(spec, counts, largest)
    lost = [name for name, climb in climbs.items() if np.isnan(climb.loss)]
    note = f"The loss on {' and '.join(lost)} grew beyond all bounds: the steps are too long; lower the rate."
    courses = describe_courses(spec, rows)
    yield Result(describe(spec, counts) | courses | ({"note": note} if lost else {}), {"steps": counts})


def begin(spec: StaircaseSpec, name: str, d: int, repeat: int) -> Climb:
    """A network at its start, its test points and its batches; at equal d and repeat the same for every target."""
    target, k = spec.polynomials()[name], spec.variables
    points = signs(stream(spec.seed, "staircase", "points", d, repeat), ROWS, d)
    points[:, :k] = np.repeat(corners(k), ROWS // 2**k, axis=0)
    start = stream(spec.seed, "staircase", "start", d, repeat)
    network = OnlineNetwork(spec.width, d, spec.rate, start, biases=spec.biases == "drawn")
    batches = stream(spec.seed, "staircase", "batches", d, repeat)
    return Climb(network, target, batches, points, network(points), spec.level)


def signs(rng: np.random.Generator, n: int, d: int) -> np.ndarray:
    """Fair independent signs (n, d), in single precision."""
    return (2 * rng.integers(0, 2, (n, d), dtype=np.int8) - 1).astype(np.float32)


def watch(spec: StaircaseSpec, climbs: dict[str, Climb]) -> Generator[Event, None, dict[int, CourseFrame]]:
    """The frames `courses`; returns them by their steps."""
    rows, step, end = {0: look(spec, climbs)}, 0, float(spec.steps)
    yield Frame("courses", 0, rows[0].to_arrays())
    while step < end:
        step += EVERY
        for climb in climbs.values():
            climb.go(spec.batch)
        if all(climb.finish or np.isnan(climb.loss) for climb in climbs.values()):
            end = min(end, max(step, max(climb.finish or 0 for climb in climbs.values()) + AFTERWARDS / spec.rate))
        one_has_finished = any(climb.finish == step for climb in climbs.values())
        if one_has_finished or step >= end or step % (EVERY * (1 + step // SPARSE)) == 0:
            rows[step] = look(spec, climbs)
            yield Frame("courses", step, rows[step].to_arrays())
            yield Progress(COURSES * min(1.0, step / end), f"training on all targets, step {step}")
    return rows


def look(spec: StaircaseSpec, climbs: dict[str, Climb]) -> CourseFrame:
    """Losses and coefficients of all networks as they stand."""
    with np.errstate(all="ignore"):
        loss = np.array([climb.loss for climb in climbs.values()])
        coefficients = np.array([fourier_coefficients(climb.values, spec.variables) for climb in climbs.values()])
    return CourseFrame(
        loss.astype(np.float32), np.where(np.isnan(loss)[:, None], np.nan, coefficients).astype(np.float32)
    )


def count(spec: StaircaseSpec, counts: np.ndarray, watched_column: int) -> Iterator[Event]:
    """The frames `steps`, as `counts` (T, D, R) fills."""
    cells = [
        (row, column, repeat)
        for repeat in range(spec.repeats)
        for column in np.argsort(spec.dims)
        for row in range(len(spec.targets))
        if (column, repeat) != (watched_column, 0)
    ]
    for index, (row, column, repeat) in enumerate(cells):
        climb = begin(spec, spec.targets[row], spec.dims[column], repeat)
        while climb.finish is None and climb.step < spec.steps and not np.isnan(climb.loss):
            climb.go(spec.batch)
            share = (index + climb.step / spec.steps) / len(cells)
            yield Progress(COURSES + (1 - COURSES) * share, f"counting steps at d = {spec.dims[column]}")
        counts[row, column, repeat] = climb.finish or 0
        yield Frame("steps", len(spec.targets) + index + 1, StepCounts(counts.copy()).to_arrays())


def describe(spec: StaircaseSpec, counts: np.ndarray) -> dict[str, Any]:
    """What the summary says of the steps."""
    table = StepCounts(counts)
    by_dimension = {
        name: {str(d): table.steps_of(row, column) for column, d in enumerate(spec.dims)}
        for row, name in enumerate(spec.targets)
    }
    steps = {name: {d: finite(np.median(one)) for d, one in dims.items()} for name, dims in by_dimension.items()}
    ends = str(min(spec.dims)), str(max(spec.dims))
    return {
        "steps": steps,
        "range": {
            name: {d: [finite(one[0]), finite(one[-1])] for d, one in dims.items()}
            for name, dims in by_dimension.items()
        },
        "reached": {
            name: {d: int(np.isfinite(one).sum()) for d, one in dims.items()} for name, dims in by_dimension.items()
        },
        "growth": {name: ratio(dims[ends[1]], dims[ends[0]]) for name, dims in steps.items()},
        "leap": {name: target.leap for name, target in spec.polynomials().items()},
    }


def finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def ratio(last: float | None, first: float | None) -> float | None:
    return last / first if last and first else None


def describe_courses(spec: StaircaseSpec, rows: dict[int, CourseFrame]) -> dict[str, Any]:
    """What the summary says of the courses: of each target's own monomials alone."""
    place = {monomial: index for index, monomial in enumerate(all_monomials(spec.variables))}
    summary: dict[str, Any] = {"half": {}, "coefficients": {}}
    for row, (name, target) in enumerate(spec.polynomials().items()):
        courses = {
            one: np.array([frame.coefficients[row, place[one]] for frame in rows.values()]) for one in target.monomials
        }
        summary["half"][name] = {monomial_name(one): half(list(rows), course) for one, course in courses.items()}
        summary["coefficients"][name] = {monomial_name(one): finite(course[-1]) for one, course in courses.items()}
    return summary


def half(steps: list[int], course: np.ndarray) -> int | None:
    """The first step from which on the coefficient is above ½."""
    below = np.flatnonzero(~(course > 0.5))
    since = below[-1] + 1 if len(below) else 0
    return steps[since] if since < len(steps) else None
