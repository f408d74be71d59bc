"""Pretrain on n samples of one polynomial, refit the head on N of another, over a grid of N; a cell of `transfer`.

The first layer takes its step on the pretraining task; then it is frozen, and a plain ridge head is fitted to the new
labels (Damian et al. 2022, section 6.2: «train the output layer»), with no linear part apart from it. The features are
the same for all N, so holdout and test are seen once; the pretraining sample is streamed and never held as a whole.

Frames: `points`, at = N, as in `column`, with N () and n () the pretraining samples; `layer`, one, at = n:
    alignment ()    of the first layer after its step
Summary: "points", a list of {"method": "transfer", "width", "n", "N", "seed", "excess_risk", "standard_error", "lam"},
and "alignment". No arrays.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from featdash.experiments.column import head_memory, head_work, judges_of, points_of_fixed
from featdash.experiments.comparison import DimensionSpec, task_of
from featdash.experiments.events import Event, Frame, Progress, Result
from featdash.experiments.experiment import Experiment
from featdash.experiments.grid import Grid
from featdash.experiments.spec import LIBRARIES, Cost, Flag, Number, Text, Width, setting
from featdash.geometry.alignment import alignment
from featdash.tasks.gaussian import GaussianTask
from featdash.tasks.streams import stream
from featdash.theory.target import number_of_variables, resolve_target

if TYPE_CHECKING:
    from featdash.learners.network import Network

METHOD = "transfer"
PRETRAINING = "He2(z1)/2 + He3(z1)/(2*sqrt(3))"
ROWS = 1 << 16  # of the pretraining sample held at a time


@dataclass(frozen=True)
class TransferTask(DimensionSpec):
    """What both the cell and the composite know: two polynomials of the same directions, and how they are learned.

    target : of the refit. fresh_data False refits on the pretraining inputs with new labels.
    """

    target: str = setting("He3(z1)/sqrt(6)", Text(200), "New target", "What the refitted head learns.")
    pretraining: str = setting(PRETRAINING, Text(200), "Pretraining target", "What the first layer sees.")
    width: int = setting(1000, Width(2, 4000), "Width m", "Neurons, even; the source does not state it.")
    fresh_data: bool = setting(True, Flag(), "Fresh data for the head", "Off: the refit sees the pretraining inputs.")

    def check_together(self) -> None:
        super().check_together()
        try:
            resolve_target(self.pretraining, self.d)
        except ValueError as error:
            raise ValueError(f"pretraining {error}") from None
        mine, theirs = number_of_variables(self.target), number_of_variables(self.pretraining)
        if mine > theirs:
            rule = f"target must use the {theirs} directions of pretraining, got {mine} variables"
            raise ValueError(f"{rule}; use z1 to z{theirs}, or a richer pretraining target")


@dataclass(frozen=True)
class TransferColumnSpec(TransferTask):
    """The recipe of a column over N."""

    n: int = setting(10_000, Number(1, 2_000_000, whole=True), "Pretraining n", "Samples of the first-layer step.")
    N: tuple[int, ...] = setting(
        (100, 1000, 10_000), Grid(Number(1, 200_000, whole=True), most=40), "Refit N", "Samples of the head."
    )
    seed: int = setting(0, Number(0, 2**31 - 1, whole=True), "Seed", "Same seed, same numbers.")


def run(spec: TransferColumnSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a column; see the module's docstring."""
    from featdash.learners.feature_map import ReluFeatures

    yield Progress(0.01, f"pretraining on n = {spec.n}")
    before = task_of(spec.pretraining, spec, spec.seed)
    network = pretrain(spec, before, device)
    aligned = alignment(network.W, before.target.subspace)
    yield Frame("layer", spec.n, {"alignment": np.float64(aligned)})
    yield Progress(0.3, "drawing the new task")
    task = task_of(spec.target, spec, spec.seed, like=spec.pretraining)
    refit, judges = task.sample(spec.N[-1], "fresh" if spec.fresh_data else "train"), judges_of(task, spec)
    featurise = partial(ReluFeatures, network=network, device=device)
    which = {"method": METHOD, "width": spec.width, "n": spec.n, "seed": spec.seed}
    points = []
    for event in points_of_fixed(featurise, spec.width, spec.N, refit, judges):
        if isinstance(event, Progress):
            yield Progress(0.3 + 0.7 * event.fraction, event.doing.replace("n =", "N ="))
            continue
        points.append({**event, "N": event["n"], **which})
        yield Frame("points", event["n"], {name: np.asarray(value) for name, value in points[-1].items()})
    yield Result({"points": points, "alignment": aligned})


def pretrain(spec: TransferColumnSpec, task: GaussianTask, device: str) -> Network:
    """Lines 1 to 3 of Algorithm 1 on n samples in chunks, on the streams of a race: the first layer of that race."""
    from featdash.learners import algorithm1
    from featdash.learners.streamed_gradient import streamed_gradient, streamed_linear_part

    def chunks() -> Iterator[tuple[np.ndarray, np.ndarray]]:
        return ((part.X, part.y) for _, part in task.chunks(spec.n, "train", ROWS))

    linear = streamed_linear_part(chunks()) if spec.remove_linear else algorithm1.LinearPart(0.0, np.zeros(spec.d))
    start = algorithm1.start_network(spec.width, spec.d, stream(spec.seed, "algorithm1", "start"), spec.biases)
    gradient = streamed_gradient(chunks(), linear, start, device)
    eta = algorithm1.step_size(spec.step_rule, gradient, spec.eta)
    return algorithm1.step_first_layer(start, gradient, eta, stream(spec.seed, "algorithm1", "biases"), spec.biases)


def cost(spec: TransferColumnSpec) -> Cost:
    """Memory and time; the pretraining sample passes by twice, in chunks."""
    judged = spec.holdout + spec.test
    pretraining = spec.n * (1e-6 + 3e-8 * spec.d + spec.width * (4e-9 + 7e-11 * spec.d))
    work = pretraining + head_work(spec.N, spec.width, 1, judged, 1, spec.d)
    memory = LIBRARIES + head_memory(spec.N, spec.width, 1, judged, together=True)
    memory += 16 * (spec.d + 3) * max(judged + spec.N[-1], min(spec.n, ROWS))
    return Cost(int(memory), 0.2 + work, "lower n, the largest N or the width")


EXPERIMENT = Experiment(
    name="transfer-column", title="Transfer column", spec=TransferColumnSpec, cost=cost, run=run, hidden=True
)
