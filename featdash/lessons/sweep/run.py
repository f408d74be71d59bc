"""One column of a figure: one method at one width and one seed, over a grid of sample sizes; a cell of a sweep.

The holdout and test samples are drawn once, the training samples are the first n rows of one stream, and whatever does
not depend on n is computed once: of random features and of the tangent kernel the features of holdout and test, for all
heads together. Each point equals a race run alone with the same seed, n and width: same streams, same grid of λ.

Stream: `points`, at = n; those of random features and of the tangent kernel come together, at the end.
    n (), excess_risk ()    E(f̂ − f*)² on the test sample
    alignment ()            of the first layer after its step; Algorithm 1 only

Summary: "points", a list of {"method", "width", "n", "seed", "excess_risk", "standard_error", "lam"}, with "alignment"
for Algorithm 1. No arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from featdash.geometry.neurons import alignment
from featdash.learners.methods import METHODS
from featdash.learners.shared_heads import SharedHeads
from featdash.lessons.shared.fixed_points import (
    EvaluationSplits,
    evaluation_splits,
    first_rows,
    point,
    point_frame,
    points_of_fixed,
)
from featdash.lessons.shared.gaussian_race import layer_of
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.lessons.sweep.column_recipe import ColumnSpec
from featdash.recipes.events import Event, Progress, Result
from featdash.tasks.gaussian import GaussianTask, Sample


def run(spec: ColumnSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a column; see the module's docstring."""
    yield Progress(0.01, "drawing the data")
    task = task_of(spec.target, spec, spec.seed)
    train, judges = task.sample(spec.n[-1], "train"), evaluation_splits(task, spec)
    if METHODS[spec.method].steps:
        events = points_after_step(spec, task, train, judges, device)
    else:
        events = fixed_points(spec, train, judges, device)
    points = []
    for event in events:
        if isinstance(event, Progress):
            yield event
            continue
        points.append({**spec.identity(), **event})
        yield point_frame("n", event)
    yield Result({"points": points})


def points_after_step(
    spec: ColumnSpec, task: GaussianTask, train: Sample, judges: EvaluationSplits, device: str
) -> Iterator[Progress | dict[str, Any]]:
    """After a first step every n has its own layer, hence its own features."""
    label = METHODS[spec.method].label
    second = task.sample(spec.n[-1], "fresh") if spec.fresh_data else train
    for index, n in enumerate(spec.n):
        layer = layer_of(spec.method, spec, first_rows(train, n), device)
        linear = layer.linear
        holdout, test, rows = judges.holdout, judges.test, first_rows(second, n)
        heads = SharedHeads(layer.featurise(device), spec.responses(spec.method, n))
        list(heads.train(rows.X, rows.y - linear(rows.X), [n]))
        lams = heads.tune(holdout.X, holdout.y - linear(holdout.X))
        (risk,) = heads.test(test.X, test.clean - linear(test.X), lams)
        level = alignment(layer.directions, task.target.subspace)
        yield {**point(n, risk, lams[0]), "alignment": level}
        yield Progress(0.02 + 0.98 * (index + 1) / len(spec.n), f"{label} at width {spec.width}, n = {n}")


def fixed_points(
    spec: ColumnSpec, train: Sample, judges: EvaluationSplits, device: str
) -> Iterator[Progress | dict[str, Any]]:
    """One network that is never trained, so holdout and test are seen once, by all heads together."""
    featurise = layer_of(spec.method, spec, train, device).featurise(device)
    yield from points_of_fixed(featurise, spec.responses(spec.method, 0), spec.n, train, judges)
