"""One column of a figure: its recipe, and what a run of it costs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from featdash.learners.methods import METHODS, RACING, Predictor
from featdash.lessons.race.recipe import PAIR, TANGENT_COPIES
from featdash.lessons.shared.gaussian_recipe import NetworkSpec
from featdash.recipes.experiment import Experiment, in_worker
from featdash.recipes.spec import ARITHMETIC, LIBRARIES, Choice, Cost, Number, setting
from featdash.recipes.whole_numbers import WholeNumbers
from featdash.theory.ridge_path import KEPT_BYTES, LANCZOS_STEPS, krylov_columns, least_samples_for_moments

HALF_POWERS = tuple(int(10 ** (k / 2) * (1 + 1e-12)) for k in range(11))
CURVES = 3  # times that the judging samples are seen by a head that is tuned twice and tested
CURVE = 18  # dimensions of a ridge curve
CHUNKS = 20_000_000  # bytes of a chunk of the judging samples, and of a block of neurons
STREAMED = 1 << 25  # bytes of neurons from which on their products wait for memory


@dataclass(frozen=True)
class ColumnSpec(NetworkSpec):
    """The recipe of a column."""

    method: str = setting("algorithm1", Choice(RACING), "Method", "Which predictor is measured at each size.")
    n: tuple[int, ...] = setting(
        HALF_POWERS[:9],
        WholeNumbers(Number(1, 200_000, whole=True), most=40),
        "Samples n",
        "The grid of sample sizes.",
        group="Data",
    )

    def identity(self) -> dict[str, Any]:
        """What all points of the column have in common."""
        return {"method": self.method, "width": self.width, "seed": self.seed}


def cost(spec: ColumnSpec) -> Cost:
    """Memory and time; a stepped layer needs the features of holdout and test anew for each n."""
    method, distinct = METHODS[spec.method], spec.responses(spec.method, spec.n[-1])
    if method.predictor and not method.neurons:
        return cost_without_neurons(spec, method.predictor)
    slopes = spec.d + 1 if method.tangent else 1
    networks = len(spec.n) if method.steps else 1
    work = head_work(spec.n, distinct, slopes, spec.holdout + spec.test, networks, spec.d)
    memory = head_memory(spec.n, distinct, slopes, spec.holdout + spec.test, together=networks == 1)
    if method.steps:
        work += (4e-9 + 7e-11 * spec.d) * sum(spec.n) * spec.width
    rows = (2 if spec.fresh_data else 1) * spec.n[-1] + spec.holdout + spec.test
    lower = max(1, int(spec.n[-1] * 0.4))
    memory += ARITHMETIC + LIBRARIES + sample_memory(rows, spec.n[-1], spec.d)
    return Cost(int(memory), 0.1 + work, f"lower the largest n to {lower}, or the width")


def cost_without_neurons(spec: ColumnSpec, machine: Predictor) -> Cost:
    """Memory and time of a kernel that is made anew for each n, and of a head on its n features."""
    others, most = spec.holdout + spec.test, spec.n[-1]
    seconds = sum(machine.seconds(n, spec.d, 0, 0) + CURVES * PAIR * n * others for n in spec.n)
    seconds += sum(head_work((n,), n, 1, others, 1, spec.d) for n in spec.n)
    memory = ARITHMETIC + LIBRARIES + sample_memory(2 * most + others, most, spec.d)
    memory += machine.memory(most, others, 0) + head_memory((most,), most, 1, others, together=False)
    remedy = f"lower the largest n to {max(1, int(most * 0.4))}, or leave out {METHODS[spec.method].label}"
    return Cost(int(memory), 0.1 + seconds, remedy)


def sample_memory(rows: int, copy: int, d: int) -> float:
    """Bytes of all inputs and labels in double, and of the copy of one sample that a first step or features need."""
    return 8 * (rows + copy) * (d + 2)


def head_work(sizes: tuple[int, ...], distinct: int, slopes: int, others: int, networks: int, d: int) -> float:
    """Seconds on one core for the heads at these sizes, with a quarter in reserve.

    Terms: the neurons of the judging samples, once a network; moments, or products with Φ and Φᵀ and
    reorthogonalisation; the ridge curves of all heads on the judging samples. Neurons that leave the caches are waited
    for at each product, and those that are not kept are computed anew.
    """
    features = distinct * slopes
    least = least_samples_for_moments(features, slopes == 1)
    by_moments = [n for n in sizes if n >= least]
    neurons = (1e-9 + 2.5e-11 * d) * others * distinct * networks
    moment_rows = sum(by_moments) if networks > 1 else max(by_moments, default=0)
    moments = 2e-11 * moment_rows * features**2 + 2e-7 * len(by_moments) * features
    steps = {n: min(n, features, LANCZOS_STEPS) for n in sizes if n < least}
    lanczos = sum(n * k * (1.2e-10 * features + 4e-9 * slopes + 1.6e-9 * k) for n, k in steps.items())
    buffer = 4 * distinct * (max(steps, default=0) if networks > 1 else sum(steps))
    wait = 0.0 if buffer <= STREAMED else 3e-10 if buffer <= KEPT_BYTES else 4e-10 + 2.5e-11 * d
    lanczos += 2 * wait * distinct * sum(n * k for n, k in steps.items())
    curves = 1.3e-11 * others * features * sum(min(n, features, CURVE) for n in sizes)
    return 1.25 * (neurons + moments + lanczos + curves) + 0.01 * len(sizes)


def head_memory(sizes: tuple[int, ...], distinct: int, slopes: int, others: int, together: bool) -> float:
    """Peak bytes: training neurons, Krylov bases, ridge curves and their products, moments, judging samples' labels.

    together : the heads of all sizes are solved before the first is tuned; else one after another.
    """
    live_sizes, features = sizes if together else sizes[-1:], distinct * slopes
    least = least_samples_for_moments(features, slopes == 1)
    neurons = 4 * distinct * sum(n for n in live_sizes if n < least)
    krylov = 8 * sum(krylov_columns(n, features) * (n * (n < least) + features) for n in live_sizes)
    curves = 24 * CURVE * features * len(live_sizes)
    columns = min(max(1, distinct // slopes), CURVE * len(live_sizes))
    products = 4 * TANGENT_COPIES * features * columns if slopes > 1 else 0
    moments = 8 * features**2 * (sum(n >= least for n in live_sizes) + 3) * (sizes[-1] >= least)
    cache = neurons if neurons <= KEPT_BYTES else 0
    return CHUNKS + cache + krylov + curves + products + moments + 16 * others


EXPERIMENT = Experiment(
    name="column",
    title="Column",
    spec=ColumnSpec,
    cost=cost,
    run=in_worker("featdash.lessons.sweep.run"),
)
