"""One column of a figure: one method at one width and one seed, over a grid of sample sizes; a cell of a sweep.

The holdout and test samples are drawn once, the training samples are the first n rows of one stream, and whatever does
not depend on n is computed once: of random features and of the tangent kernel the features of holdout and test, for all
heads together. Each point equals a race run alone with the same seed, n and width: same streams, same grid of λ.

Frames, one a sample size:

`points`, at = n; those of random features and of the tangent kernel come together, at the end
    excess_risk (), standard_error ()   E(f̂ − f*)² on the test sample, and its standard error
    lam ()                              the λ that is best on the holdout
    alignment ()                        of the first layer after its step; Algorithm 1 only
    method, width, seed (), n ()        which point it is

Summary: "points", a list of {"method", "width", "n", "seed", "excess_risk", "standard_error", "lam"}, with "alignment"
for Algorithm 1. No arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from featdash.geometry.alignment import alignment
from featdash.learners.feature_map import ReluFeatures
from featdash.learners.layer import Layer
from featdash.learners.shared_heads import SharedHeads
from featdash.lessons.learning_curve.recipe import ColumnSpec
from featdash.lessons.shared.competitors import baseline_features
from featdash.lessons.shared.first_layer import first_step_of
from featdash.lessons.shared.fixed_points import Judges, first_rows, judges_of, point, points_of_fixed
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import of_seed


def run(spec: ColumnSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a column; see the module's docstring."""
    yield Progress(0.01, "drawing the data")
    task = task_of(spec.target, spec, spec.seed)
    train, judges = task.sample(spec.n[-1], "train"), judges_of(task, spec)
    which = {"method": spec.method, "width": spec.width, "seed": spec.seed}
    learn = {"algorithm1": stepped_points}.get(spec.method, fixed_points)
    points = []
    for event in learn(spec, task, train, judges, device):
        if isinstance(event, Progress):
            yield event
            continue
        points.append({**which, **event})
        yield Frame("points", event["n"], {name: np.asarray(value) for name, value in points[-1].items()})
    yield Result({"points": points})


def stepped_points(
    spec: ColumnSpec, task: GaussianTask, train: Sample, judges: Judges, device: str
) -> Iterator[Progress | dict[str, Any]]:
    """Algorithm 1: every n has its own first layer, hence its own features."""

    second = task.sample(spec.n[-1], "fresh") if spec.fresh_data else train
    for index, n in enumerate(spec.n):
        layer = take_first_step(spec, first_rows(train, n), device)
        linear, featurise = layer.linear, partial(ReluFeatures, network=layer.network, device=device)
        held, test, rows = judges.holdout, judges.test, first_rows(second, n)
        heads = SharedHeads(featurise, spec.width)
        list(heads.train(rows.X, rows.y - linear(rows.X), [n]))
        lams = heads.tune(held.X, held.y - linear(held.X))
        (risk,) = heads.test(test.X, test.clean - linear(test.X), lams)
        aligned = alignment(layer.network.W, task.target.subspace)
        yield {**point(n, risk, lams[0]), "alignment": aligned}
        yield Progress(0.02 + 0.98 * (index + 1) / len(spec.n), f"Algorithm 1 at width {spec.width}, n = {n}")


def take_first_step(spec: ColumnSpec, sample: Sample, device: str) -> Layer:
    """Lines 1 to 3 of Algorithm 1, on the streams of a race."""
    return first_step_of(spec).take(lambda: [(sample.X, sample.y)], spec.d, of_seed(spec.seed), device)


def fixed_points(
    spec: ColumnSpec, task: GaussianTask, train: Sample, judges: Judges, device: str
) -> Iterator[Progress | dict[str, Any]]:
    """Random features or the tangent kernel: one network, so holdout and test are seen once, by all heads together."""
    featurise = baseline_features(spec.method, spec.baseline_width, task.target.d, spec.seed, device)
    yield from points_of_fixed(featurise, spec.baseline_width // 2, spec.n, train, judges)
