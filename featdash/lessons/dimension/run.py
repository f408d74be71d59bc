"""Errors of several methods at a fixed sample size as the dimension of the inputs grows.

Stream `errors`, see `ErrorCurve`.
Result: d (D,), M/errors (D, repeats) of each method M.
Summary: n, dims, level, and for each method its mean, low and high error at each d, the standard error of the mean
from the finite test samples, the ratio of the last mean to the first (1: flat in d), `reach`, the dimension at which
the mean error first rises through the level (null: it does not within the dimensions measured), `reaches`, the same of
each repeat, and the seconds spent; and what the lesson's recipe says of its task.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from threadpoolctl import threadpool_limits

from featdash.learners.methods import METHODS
from featdash.learners.predictors import fit_predictor
from featdash.lessons.dimension.recipe import HOLDOUT, LEVEL, TEST, DimensionSweepSpec, Task, reach
from featdash.lessons.shared.frames import ErrorCurve
from featdash.recipes.events import Event, Frame, Progress, Result, flatten
from featdash.tasks.gaussian import Sample
from featdash.tasks.streams import stream


class Measurements:
    """What has been measured so far; rows are dimensions, columns repeats.

    errors, test_errors : method -> (D, repeats), E(f̂ − f*)² and its standard error from the finite test sample, NaN
        where there is none yet.  seconds : method -> spent.
    """

    def __init__(self, dims: list[int], methods: Sequence[str], repeats: int) -> None:
        self.dims = dims
        self.errors = {name: np.full((len(dims), repeats), np.nan) for name in methods}
        self.test_errors = {name: np.full((len(dims), repeats), np.nan) for name in methods}
        self.seconds = dict.fromkeys(methods, 0.0)

    def curves(self) -> dict[str, ErrorCurve]:
        """The methods with points."""
        table = {}
        for name, errors in self.errors.items():
            rows = np.flatnonzero(np.isfinite(errors[:, 0]))
            if len(rows):
                spread = (of(errors[rows], axis=1) for of in (np.nanmean, np.nanmin, np.nanmax))
                table[name] = ErrorCurve(np.array(self.dims)[rows], *spread)
        return table

    def summary(self, n: int) -> dict[str, Any]:
        """Plain numbers; see the module's docstring."""
        methods = {}
        for name, errors in self.errors.items():
            mean, repeats = errors.mean(axis=1), errors.shape[1]
            methods[name] = {
                "error": mean.tolist(),
                "low": errors.min(axis=1).tolist(),
                "high": errors.max(axis=1).tolist(),
                "standard_error": (np.sqrt(np.sum(self.test_errors[name] ** 2, axis=1)) / repeats).tolist(),
                "ratio": float(mean[-1] / mean[0]),
                "reach": reach(self.dims, mean),
                "reaches": [reach(self.dims, repeat) for repeat in errors.T],
                "seconds": round(self.seconds[name], 3),
            }
        return {"n": n, "dims": self.dims, "level": LEVEL, "methods": methods}


def run(spec: DimensionSweepSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of a sweep: all dimensions first, then repeats of them."""
    measurements = Measurements(sorted(spec.dims), spec.methods, spec.repeats)
    yield Progress(0.0, "drawing the data")
    points, total = 0, spec.repeats * len(measurements.dims) * len(spec.methods)
    for repeat in range(spec.repeats):
        seed = int(stream(spec.seed, "repeat", repeat).integers(2**31))
        for row, d in enumerate(measurements.dims):
            samples = _draw(spec.task(d, seed), spec.n)
            for name in spec.methods:
                started = time.perf_counter()
                squares = squared_errors(name, samples, spec, seed)
                measurements.seconds[name] += time.perf_counter() - started
                measurements.errors[name][row, repeat] = squares.mean()
                measurements.test_errors[name][row, repeat] = squares.std() / np.sqrt(TEST)
                points += 1
                yield Frame("errors", points, flatten(measurements.curves()))
                yield Progress(
                    points / total, f"{METHODS[name].label} at d = {d}, repeat {repeat + 1} of {spec.repeats}"
                )
    arrays = {
        "d": np.array(measurements.dims),
        **{f"{name}/errors": errors for name, errors in measurements.errors.items()},
    }
    yield Result({**measurements.summary(spec.n), **spec.about()}, arrays)


def _draw(task: Task, n: int) -> dict[str, Sample]:
    return {
        purpose: task.sample(size, purpose) for purpose, size in (("train", n), ("holdout", HOLDOUT), ("test", TEST))
    }


def squared_errors(name: str, samples: Mapping[str, Sample], spec: DimensionSweepSpec, seed: int) -> np.ndarray:
    """(f̂ − f*)² of the named method on the test sample, (TEST,).

    On one core: two share matrices of this size at a gain of a third, and at a loss of five times on a busy machine.
    """

    with threadpool_limits(1):
        predict = fit_predictor(name, samples["train"], samples["holdout"], spec.width, spec.steps, seed)
        return (predict(samples["test"].X) - samples["test"].clean) ** 2
