"""Pretrain on n samples of one polynomial, refit the head on N of another, over a grid of N; a cell of `transfer`.

The first layer takes its step on the pretraining task; then it is frozen, and a plain ridge head is fitted to the new
labels (Damian et al. 2022, section 6.2: «train the output layer»), with no linear part apart from it. The features are
the same for all N, so holdout and test are seen once; the pretraining sample is streamed and never held as a whole.

Streams: `points`, at = N: N () and excess_risk (), as in a column; `layer`, one, at = n: alignment () of the first
layer after its step.
Summary: "points", a list of {"method": "transfer", "width", "n", "N", "seed", "excess_risk", "standard_error", "lam"},
and "alignment". No arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import numpy as np

from featdash.geometry.neurons import alignment
from featdash.learners.feature_map import ReluFeatures
from featdash.learners.network import Network
from featdash.lessons.shared.fixed_points import evaluation_splits, point_frame, points_of_fixed
from featdash.lessons.shared.gaussian_race import first_step_of
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.lessons.transfer.recipe import ROWS, TransferColumnSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask
from featdash.tasks.streams import of_seed


def run(spec: TransferColumnSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a column; see the module's docstring."""

    yield Progress(0.01, f"pretraining on n = {spec.n}")
    before = task_of(spec.pretraining, spec, spec.seed)
    network = pretrain(spec, before, device)
    layer_alignment = alignment(network.W, before.target.subspace)
    yield Frame("layer", spec.n, {"alignment": np.asarray(layer_alignment)})
    yield Progress(0.3, "drawing the new task")
    task = task_of(spec.target, spec, spec.seed, like=spec.pretraining)
    refit, judges = task.sample(spec.N[-1], "fresh" if spec.fresh_data else "train"), evaluation_splits(task, spec)
    featurise = partial(ReluFeatures, network=network, device=device)
    points = []
    for event in points_of_fixed(featurise, spec.width, spec.N, refit, judges):
        if isinstance(event, Progress):
            yield Progress(0.3 + 0.7 * event.fraction, event.doing.replace("n =", "N ="))
            continue
        points.append({**event, "N": event["n"], **spec.identity()})
        yield point_frame("N", event)
    yield Result({"points": points, "alignment": layer_alignment})


def pretrain(spec: TransferColumnSpec, task: GaussianTask, device: str) -> Network:
    """Lines 1 to 3 of Algorithm 1 on n samples in chunks, on the streams of a race: the first layer of that race."""

    def chunks() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return ((part.X, part.y) for _, part in task.chunks(spec.n, "train", ROWS))

    return first_step_of(spec, spec.width).take(chunks, spec.d, of_seed(spec.seed), device).network
