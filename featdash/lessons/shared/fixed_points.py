"""Points of a figure whose features do not depend on n: one network, all sample sizes together."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from featdash.learners.shared_heads import SharedHeads
from featdash.lessons.shared.gaussian_recipe import DimensionSpec
from featdash.recipes.events import Frame, Progress
from featdash.tasks.gaussian import GaussianTask, Sample


@dataclass(frozen=True)
class EvaluationSplits:
    """The samples that choose λ and that measure, the same for every n."""

    holdout: Sample
    test: Sample


def evaluation_splits(task: GaussianTask, spec: DimensionSpec) -> EvaluationSplits:
    """Drawn from the task's own streams, as in a race."""
    return EvaluationSplits(task.sample(spec.holdout, "holdout"), task.sample(spec.test, "test"))


def first_rows(sample: Sample, n: int) -> Sample:
    """The nested sample of n rows."""
    return Sample(*(part[:n] for part in sample))


def points_of_fixed(
    featurise: Callable, neurons: int, sizes: tuple[int, ...], train: Sample, judges: EvaluationSplits
) -> Iterator[Progress | dict[str, Any]]:
    """Heads on the first n rows of `train`, for each n of `sizes`, over features that do not depend on n."""

    heads = SharedHeads(featurise, neurons)
    for n in heads.train(train.X, train.y, sizes):
        yield Progress(0.05 + 0.4 * n / sizes[-1], f"training the heads, n = {n}")
    yield Progress(0.5, "choosing λ on the holdout for all n")
    lams = heads.tune(judges.holdout.X, judges.holdout.y)
    yield Progress(0.9, "measuring on the test sample")
    for n, risk, lam in zip(sizes, heads.test(judges.test.X, judges.test.clean, lams), lams, strict=True):
        yield point(n, risk, lam)


def point_frame(size: str, point: dict[str, Any]) -> Frame:
    """The frame of a point, with what a picture shows of it before the end; size : n, or N, the name of its size."""
    arrays = {size: np.asarray(point["n"])}
    arrays |= {name: np.asarray(point[name]) for name in ("excess_risk", "alignment") if name in point}
    return Frame("points", point["n"], arrays)


def point(n: int, risk: Any, lam: float) -> dict[str, Any]:
    """A point of a figure as plain numbers."""
    error = float(risk.standard_error[0])
    return {"n": n, "excess_risk": float(risk.mean[0]), "standard_error": error, "lam": lam}
