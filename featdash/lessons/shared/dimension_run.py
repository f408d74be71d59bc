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
from typing import Any, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from featdash.learners.methods import METHODS
from featdash.learners.predictors import fit_predictor
from featdash.lessons.shared.dimension_recipe import HOLDOUT, LEVEL, TEST, DimensionSweep, reach
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream


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
                yield Progress(
                    points / total, f"{METHODS[name].label} at d = {d}, repeat {repeat + 1} of {spec.repeats}"
                )


def _draw(task: Task, n: int) -> dict[str, Sample]:
    return {
        purpose: task.sample(size, purpose) for purpose, size in (("train", n), ("holdout", HOLDOUT), ("test", TEST))
    }


def squared_errors(name: str, samples: Mapping[str, Sample], spec: DimensionSweep, seed: int) -> np.ndarray:
    """(f̂ − f*)² of the named method on the test sample, (TEST,).

    On one core: two share matrices of this size at a gain of a third, and at a loss of five times on a busy machine.
    """

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
