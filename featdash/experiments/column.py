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

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from featdash.experiments.comparison import BaselineSpec, DimensionSpec, task_of
from featdash.experiments.competitors import baseline_features
from featdash.experiments.events import Event, Frame, Progress, Result
from featdash.experiments.experiment import Experiment
from featdash.experiments.grid import Grid
from featdash.experiments.race import METHODS, STEPS, TANGENT_COPIES
from featdash.experiments.spec import LIBRARIES, Choice, Cost, Flag, Number, Width, setting
from featdash.geometry.alignment import alignment
from featdash.learners.solver_plan import KEPT_BYTES, LANCZOS_STEPS, least_samples_for_moments
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import stream

if TYPE_CHECKING:
    from featdash.learners.algorithm1 import LinearPart
    from featdash.learners.network import Network

HALF_POWERS = tuple(int(10 ** (k / 2) * (1 + 1e-12)) for k in range(11))
CURVE = 18  # dimensions of a ridge curve
FOOTPRINT = 50_000_000  # bytes whatever the size: blocks, and chunks of the judging samples
STREAMED = 1 << 25  # bytes of neurons from which on their products wait for memory


@dataclass(frozen=True)
class ColumnSpec(BaselineSpec):
    """The recipe of a column."""

    method: str = setting("algorithm1", Choice(METHODS), "Method", "Who learns.")
    n: tuple[int, ...] = setting(
        HALF_POWERS[:9], Grid(Number(1, 200_000, whole=True), most=40), "Samples n", "The grid of sample sizes."
    )
    width: int = setting(1000, Width(2, 4000), "Width m", "Neurons, even; half of them are distinct.")
    seed: int = setting(0, Number(0, 2**31 - 1, whole=True), "Seed", "Same seed, same numbers.")
    fresh_data: bool = setting(False, Flag(), "Fresh data for the head", "Line 4 sees n new samples.")


@dataclass(frozen=True)
class Judges:
    """The samples that choose λ and that measure, the same for every n."""

    holdout: Sample
    test: Sample


def judges_of(task: GaussianTask, spec: DimensionSpec) -> Judges:
    """Drawn from the task's own streams, as in a race."""
    return Judges(task.sample(spec.holdout, "holdout"), task.sample(spec.test, "test"))


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


def first_rows(sample: Sample, n: int) -> Sample:
    """The nested sample of n rows."""
    return Sample(*(part[:n] for part in sample))


def stepped_points(
    spec: ColumnSpec, task: GaussianTask, train: Sample, judges: Judges, device: str
) -> Iterator[Progress | dict[str, Any]]:
    """Algorithm 1: every n has its own first layer, hence its own features."""
    from featdash.learners.feature_map import ReluFeatures
    from featdash.learners.shared_heads import SharedHeads

    second = task.sample(spec.n[-1], "fresh") if spec.fresh_data else train
    for index, n in enumerate(spec.n):
        linear, network = take_first_step(spec, first_rows(train, n), device)
        featurise = partial(ReluFeatures, network=network, device=device)
        held, test, rows = judges.holdout, judges.test, first_rows(second, n)
        heads = SharedHeads(featurise, spec.width)
        list(heads.train(rows.X, rows.y - linear(rows.X), [n]))
        lams = heads.tune(held.X, held.y - linear(held.X))
        (risk,) = heads.test(test.X, test.clean - linear(test.X), lams)
        aligned = alignment(network.W, task.target.subspace)
        yield {**point(n, risk, lams[0]), "alignment": aligned}
        yield Progress(0.02 + 0.98 * (index + 1) / len(spec.n), f"Algorithm 1 at width {spec.width}, n = {n}")


def take_first_step(spec: ColumnSpec, sample: Sample, device: str) -> tuple[LinearPart, Network]:
    """Lines 1 to 3 of Algorithm 1, on the streams of a race."""
    from featdash.learners import algorithm1

    linear = algorithm1.LinearPart(0.0, np.zeros(spec.d))
    if spec.remove_linear:
        linear = algorithm1.remove_linear_part(sample.X, sample.y)
    start = algorithm1.start_network(spec.width, spec.d, stream(spec.seed, "algorithm1", "start"), spec.biases)
    gradient = algorithm1.first_layer_gradient(sample.X, sample.y - linear(sample.X), start, device)
    eta = algorithm1.step_size(spec.step_rule, gradient, spec.eta)
    rng = stream(spec.seed, "algorithm1", "biases")
    return linear, algorithm1.step_first_layer(start, gradient, eta, rng, spec.biases)


def fixed_points(
    spec: ColumnSpec, task: GaussianTask, train: Sample, judges: Judges, device: str
) -> Iterator[Progress | dict[str, Any]]:
    """Random features or the tangent kernel: one network, so holdout and test are seen once, by all heads together."""
    featurise = baseline_features(spec.method, spec.baseline_width, task.target.d, spec.seed, device)
    yield from points_of_fixed(featurise, spec.baseline_width // 2, spec.n, train, judges)


def points_of_fixed(
    featurise: Callable, neurons: int, sizes: tuple[int, ...], train: Sample, judges: Judges
) -> Iterator[Progress | dict[str, Any]]:
    """Heads on the first n rows of `train`, for each n of `sizes`, over features that do not depend on n."""
    from featdash.learners.shared_heads import SharedHeads

    heads = SharedHeads(featurise, neurons)
    for n in heads.train(train.X, train.y, sizes):
        yield Progress(0.05 + 0.4 * n / sizes[-1], f"training the heads, n = {n}")
    yield Progress(0.5, "choosing λ on the holdout for all n")
    lams = heads.tune(judges.holdout.X, judges.holdout.y)
    yield Progress(0.9, "measuring on the test sample")
    for n, risk, lam in zip(sizes, heads.test(judges.test.X, judges.test.clean, lams), lams, strict=True):
        yield point(n, risk, lam)


def point(n: int, risk: Any, lam: float) -> dict[str, Any]:
    """A point of a figure as plain numbers."""
    error = float(risk.standard_error[0])
    return {"n": n, "excess_risk": float(risk.mean[0]), "standard_error": error, "lam": lam}


def cost(spec: ColumnSpec) -> Cost:
    """Memory and time; a stepped layer needs the features of holdout and test anew for each n."""
    distinct = spec.width if spec.method == "algorithm1" else spec.baseline_width // 2
    slopes = spec.d + 1 if spec.method == "ntk" else 1
    networks = len(spec.n) if spec.method == "algorithm1" else 1
    work = head_work(spec.n, distinct, slopes, spec.holdout + spec.test, networks, spec.d)
    memory = head_memory(spec.n, distinct, slopes, spec.holdout + spec.test, together=networks == 1)
    if spec.method == "algorithm1":
        work += (4e-9 + 7e-11 * spec.d) * sum(spec.n) * spec.width
        memory += LIBRARIES
    rows = (2 if spec.fresh_data else 1) * spec.n[-1] + spec.holdout + spec.test
    lower = max(1, int(spec.n[-1] * 0.4))
    return Cost(int(memory + 24 * rows * (spec.d + 3)), 0.1 + work, f"lower the largest n to {lower}, or the width")


def head_work(sizes: tuple[int, ...], distinct: int, slopes: int, judged: int, networks: int, d: int) -> float:
    """Seconds on one core for the heads at these sizes, with a quarter in reserve.

    Terms: the neurons of the judging samples, once a network; moments, or products with Φ and Φᵀ and
    reorthogonalisation; the ridge curves of all heads on the judging samples. Neurons that leave the caches are waited
    for at each product, and those that are not kept are computed anew.
    """
    features = distinct * slopes
    least = least_samples_for_moments(features, slopes == 1)
    by_moments = [n for n in sizes if n >= least]
    neurons = (1e-9 + 2.5e-11 * d) * judged * distinct * networks
    added = sum(by_moments) if networks > 1 else max(by_moments, default=0)
    moments = 2e-11 * added * features**2 + 2e-7 * len(by_moments) * features
    steps = {n: min(n, features, LANCZOS_STEPS) for n in sizes if n < least}
    lanczos = sum(n * k * (1.2e-10 * features + 4e-9 * slopes + 1.6e-9 * k) for n, k in steps.items())
    held = 4 * distinct * (max(steps, default=0) if networks > 1 else sum(steps))
    wait = 0.0 if held <= STREAMED else 3e-10 if held <= KEPT_BYTES else 4e-10 + 2.5e-11 * d
    lanczos += 2 * wait * distinct * sum(n * k for n, k in steps.items())
    curves = 1.3e-11 * judged * features * sum(min(n, features, CURVE) for n in sizes)
    return 1.25 * (neurons + moments + lanczos + curves) + 0.01 * len(sizes)


def head_memory(sizes: tuple[int, ...], distinct: int, slopes: int, judged: int, together: bool) -> float:
    """Peak bytes: training neurons, Krylov bases, ridge curves and their products, moments, judging samples' labels."""
    held, features = sizes if together else sizes[-1:], distinct * slopes
    least = least_samples_for_moments(features, slopes == 1)
    neurons = 4 * distinct * sum(n for n in held if n < least)
    krylov = 8 * sum(min(n, features, STEPS) * (n * (n < least) + features) for n in held)
    curves = 24 * CURVE * features * len(held)
    columns = min(max(1, distinct // slopes), CURVE * len(held))
    products = 4 * TANGENT_COPIES * features * columns if slopes > 1 else 0
    moments = 8 * features**2 * (sum(n >= least for n in held) + 3) * (sizes[-1] >= least)
    kept = neurons if neurons <= KEPT_BYTES else 0
    return FOOTPRINT + kept + krylov + curves + products + moments + 16 * judged


EXPERIMENT = Experiment(name="column", title="Column", spec=ColumnSpec, cost=cost, run=run, hidden=True)
