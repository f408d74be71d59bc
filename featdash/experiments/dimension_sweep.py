"""Errors of several methods at a fixed sample size as the dimension of the inputs grows.

Frames `errors`, at = points measured so far; for each method M with points
    M/d (k,)                        dimensions measured, ascending
    M/error (k,), M/low (k,), M/high (k,)   mean, smallest and largest E(f̂ − f*)² over the repeats so far
Arrays of the result: d (D,), M/errors (D, repeats), and M/test_errors (D, repeats), the standard error of each from
the finite test sample.
Summary: n, dims, level, and for each method its mean, low and high error at each d, the standard error of the mean
from the finite test samples, the ratio of the last mean to the first (1: flat in d), `reach`, the dimension at which
the mean error first rises through the level (null: it does not within the dimensions measured), `reaches`, the same of
each repeat, and the seconds spent.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from featdash.experiments.events import Event, Frame, Progress, Result
from featdash.experiments.predictors import METHODS, SPOKEN, fit_predictor, fitting_seconds
from featdash.experiments.spec import LIBRARIES, Choice, Cost, Number, Several, Spec, Width, setting
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream

HOLDOUT, TEST = 1000, 4000
LEVEL = 0.25  # of the target's variance 1: the error up to which a dimension counts as reached
FOOTPRINT = LIBRARIES + 30_000_000  # bytes, whatever the size


@dataclass(frozen=True)
class DimensionSweep(Spec):
    """The settings that every sweep over d has."""

    dims: tuple[int, ...] = setting(
        (1, 2, 5, 10, 20), Several(Number(1, 100, whole=True), most=12), "Dimensions d", "Number of inputs."
    )
    n: int = setting(500, Number(20, 2000, whole=True), "Samples n", "The same at every dimension.")
    noise: float = setting(0.1, Number(0, 10), "Label noise ς", "Standard deviation; the function's is 1.")
    methods: tuple[str, ...] = setting(
        ("rbf", "ntk", "network"), Several(Choice(METHODS)), "Methods", "Who is measured."
    )
    repeats: int = setting(3, Number(1, 10, whole=True), "Repeats", "Functions and samples to average over.")
    width: int = setting(100, Width(2, 1000), "Width m", "Of the network, even.")
    steps: int = setting(800, Number(1, 20_000, whole=True), "Network steps", "Parameter updates.")
    seed: int = setting(0, Number(0, 2**31 - 1, whole=True), "Seed", "Same seed, same numbers.")


class Task(Protocol):
    """Draws samples of purposes train, holdout and test."""

    def sample(self, n: int, purpose: str) -> Sample: ...


def sweep(spec: DimensionSweep, task_of: Callable[[int, int], Task]) -> Iterator[Event]:
    """The events of a sweep; task_of(d, seed) is the task of a cell. All dimensions first, then repeats of them."""
    dims = sorted(spec.dims)
    errors = {name: np.full((len(dims), spec.repeats), np.nan) for name in spec.methods}
    test_errors = {name: np.full_like(found, np.nan) for name, found in errors.items()}
    seconds = dict.fromkeys(spec.methods, 0.0)
    yield Progress(0.0, "drawing the data")
    yield from _measure(spec, dims, task_of, errors, test_errors, seconds)
    arrays = {"d": np.array(dims), **{f"{name}/errors": found for name, found in errors.items()}}
    arrays |= {f"{name}/test_errors": found for name, found in test_errors.items()}
    yield Result(summarise(spec.n, dims, errors, test_errors, seconds), arrays)


def _measure(
    spec: DimensionSweep,
    dims: list[int],
    task_of: Callable[[int, int], Task],
    errors: dict[str, np.ndarray],
    test_errors: dict[str, np.ndarray],
    seconds: dict[str, float],
) -> Generator[Event, None, None]:
    """Fill the last three, a point at a time."""
    points, total = 0, spec.repeats * len(dims) * len(spec.methods)
    for repeat in range(spec.repeats):
        seed = int(stream(spec.seed, "repeat", repeat).integers(2**31))
        for row, d in enumerate(dims):
            samples = _draw(task_of(d, seed), spec.n)
            for name in spec.methods:
                started = time.perf_counter()
                squares = squared_errors(name, samples, spec, seed)
                seconds[name] += time.perf_counter() - started
                errors[name][row, repeat] = squares.mean()
                test_errors[name][row, repeat] = squares.std() / np.sqrt(TEST)
                points += 1
                yield Frame("errors", points, picture(dims, errors))
                yield Progress(points / total, f"{SPOKEN[name]} at d = {d}, repeat {repeat + 1} of {spec.repeats}")


def _draw(task: Task, n: int) -> dict[str, Sample]:
    return {
        purpose: task.sample(size, purpose) for purpose, size in (("train", n), ("holdout", HOLDOUT), ("test", TEST))
    }


def squared_errors(name: str, samples: Mapping[str, Sample], spec: DimensionSweep, seed: int) -> np.ndarray:
    """(f̂ − f*)² of the named method on the test sample, (TEST,).

    On one core: two share matrices of this size at a gain of a third, and at a loss of five times on a busy machine.
    """
    from threadpoolctl import threadpool_limits

    with threadpool_limits(1):
        predict = fit_predictor(name, samples["train"], samples["holdout"], spec.width, spec.steps, seed)
        return (predict(samples["test"].X) - samples["test"].clean) ** 2


def picture(dims: list[int], errors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """The arrays of a frame: mean, low and high of what has been measured."""
    arrays = {}
    for name, found in errors.items():
        rows = [row for row in range(len(dims)) if np.isfinite(found[row, 0])]
        if rows:
            arrays[f"{name}/d"] = np.array([dims[row] for row in rows])
            for label, of in (("error", np.nanmean), ("low", np.nanmin), ("high", np.nanmax)):
                arrays[f"{name}/{label}"] = of(found[rows], axis=1)
    return arrays


def summarise(
    n: int,
    dims: list[int],
    errors: Mapping[str, np.ndarray],
    test_errors: Mapping[str, np.ndarray],
    seconds: Mapping[str, float],
) -> dict[str, Any]:
    """Plain numbers; see the module's docstring."""
    methods = {}
    for name, found in errors.items():
        mean = found.mean(axis=1)
        methods[name] = {
            "error": mean.tolist(),
            "low": found.min(axis=1).tolist(),
            "high": found.max(axis=1).tolist(),
            "standard_error": (np.sqrt(np.sum(test_errors[name] ** 2, axis=1)) / found.shape[1]).tolist(),
            "ratio": float(mean[-1] / mean[0]),
            "reach": reach(dims, mean),
            "reaches": [reach(dims, repeat) for repeat in found.T],
            "seconds": round(seconds[name], 3),
        }
    return {"n": n, "dims": dims, "level": LEVEL, "methods": methods}


def reach(dims: list[int], errors: np.ndarray) -> float | None:
    """d where the errors (D,) first rise through `LEVEL`, on the line between two points in log d.

    None where they stay below it; the smallest d where they begin above it.
    """
    above = np.flatnonzero(errors > LEVEL)
    if not len(above):
        return None
    row = above[0]
    if row == 0:
        return float(dims[0])
    share = (LEVEL - errors[row - 1]) / (errors[row] - errors[row - 1])
    return float(dims[row - 1] * (dims[row] / dims[row - 1]) ** share)


def sweep_cost(spec: DimensionSweep) -> Cost:
    """A kernel holds its matrix, eigenvectors and workspace, and the holdout's and test's rows."""
    one = sum(fitting_seconds(name, spec.n, d, spec.width, spec.steps) for name in spec.methods for d in spec.dims)
    memory = FOOTPRINT + 8 * (5 * spec.n**2 + 3 * (HOLDOUT + TEST) * spec.n + 4 * max(spec.dims) * (spec.n + TEST))
    return Cost(int(memory), 0.5 + spec.repeats * one, f"lower n to {max(10, spec.n // 2)}, or the repeats")
