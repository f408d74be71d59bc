"""The race: Algorithm 1 against random features and the tangent kernel, on the same data, width and holdout.

Frames, in the order in which they come:

`preprocess`, one, at 0
    alpha (), beta (d,)     the constant and linear part estimated from the n samples
`neurons`, at = number of samples in the first-layer gradient; at 0 is the untrained layer W0
    points (p, 2), stars (2r, 2), stress ()     MDS of neuron cosine similarity, p <= 120 neurons,
                            stars at +u_1, -u_1, +u_2, ...; orientation kept from frame to frame
    points_folded (p, 2), stars_folded (r, 2), stress_folded ()     the same with w and -w taken as one neuron
    share (p,)              squared share of each neuron's norm inside the principal subspace, 0..1
    sign (p,)               sign of the output weight a_j, +1 or -1
    overlap (r, k)          |<u_i, v_j>| with the leading right singular directions v_j of W, k = min(r + 2, d)
    angles (r,)             principal angles between span(u) and span(v_1..v_r), degrees, ascending
    alignment ()            squared share of the whole layer's norm inside the principal subspace
`heads`, at = rounds of the solver so far; for each method M that has something to show
    M/t (T,), M/train (T,), M/holdout (T,), M/excess (T,)   mean squared error after t head steps, at the λ that is
                            best so far on the holdout; excess is against the noise-free test labels
    M/lam ()                that λ

Arrays of the result: path/M/... , a SpectralPath of each method with risks train, holdout, test (excess) and output
(E f̂²), and readouts profile (41,) and energy (p + 1,); profile/z (41,) and profile/truth (41,); subspace (r, d);
scatter/truth and scatter/M (300,), the first test points at the tuned λ.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from featdash.experiments.comparison import BaselineSpec, task_of
from featdash.experiments.competitors import (
    PICTURES,
    PROFILE_COMPANIONS,
    PROFILE_GRID,
    Competitor,
    Field,
    Profile,
    draw_field,
    draw_profile,
    enter_algorithm1,
    enter_baseline,
)
from featdash.experiments.events import Event, Frame, Progress, Result
from featdash.experiments.experiment import Experiment
from featdash.experiments.first_layer import TrainedFirstLayer, train_first_layer
from featdash.experiments.spec import LIBRARIES, Choice, Cost, Flag, Number, Several, Width, setting
from featdash.learners.solver_plan import COMPLETE, KEPT_BYTES, LANCZOS_STEPS, dense_cost
from featdash.theory.target import PolynomialTarget

if TYPE_CHECKING:
    from featdash.learners.head import Head
    from featdash.learners.spectral_path import SpectralPath

METHODS = ("algorithm1", "random_features", "ntk")
CURVES = {"train": "train", "holdout": "holdout", "excess": "test"}
CURVE_POINTS = 60
SCATTER = 300
STEPS = 90  # Lanczos steps that memory is reckoned with: halfway between the usual and the most
PROFILE_POINTS = len(PROFILE_GRID) * PROFILE_COMPANIONS
NEW_COLUMNS = 12  # of the basis between two pictures
FLOPS_A_SECOND = 2e10  # a conservative double-precision rate of a dense factorisation
TANGENT_COPIES = 9  # arrays of a product with new columns, in single precision


@dataclass(frozen=True)
class RaceSpec(BaselineSpec):
    """The recipe of a race; defaults are Figure 1's target at n = d⁴."""

    n: int = setting(10_000, Number(1, 200_000, whole=True), "Samples n", "Training samples, the same for all methods.")
    width: int = setting(1000, Width(2, 4000), "Width m", "Neurons, even; half of them are distinct.")
    seed: int = setting(0, Number(0, 2**31 - 1, whole=True), "Seed", "Same seed, same numbers.")
    methods: tuple[str, ...] = setting(METHODS, Several(Choice(METHODS)), "Methods", "Who races.")
    steps: int = setting(1_000_000, Number(1, 1e8, whole=True), "Head steps T", "Gradient steps on the head.")
    fresh_data: bool = setting(False, Flag(), "Fresh data for the head", "Line 4 sees n new samples.")


def cost(spec: RaceSpec) -> Cost:
    """Memory and time; all heads are kept, as they take turns."""
    memory = LIBRARIES + sample_memory(spec) + sum(head_memory(spec, name) for name in spec.methods)
    dense = [dense_cost(spec.n, features_of(spec, name)) for name in spec.methods]
    memory += max(extra for extra, _ in dense)
    seconds = 1.0 + sum(head_seconds(spec, name) for name in spec.methods)
    seconds += sum(flops for _, flops in dense) / FLOPS_A_SECOND
    return Cost(int(memory), seconds, f"lower n to {max(1, int(spec.n * 0.4))}, or the width")


def distinct_neurons(spec: RaceSpec, name: str) -> int:
    """Algorithm 1 draws the biases of all neurons anew; the others keep the symmetric start."""
    return spec.width if name == "algorithm1" else spec.baseline_width // 2


def features_of(spec: RaceSpec, name: str) -> int:
    """Columns of the head's feature matrix."""
    return distinct_neurons(spec, name) * (spec.d + 2 if name == "ntk" else 1)


def sample_memory(spec: RaceSpec) -> float:
    """Bytes of the samples in double, of their copies in the first step, and of the largest factorisation of one."""
    rows = spec.n * (2 if spec.fresh_data else 1) + spec.holdout + spec.test
    return 24 * rows * (spec.d + 3) + 16 * STEPS * max(spec.holdout, spec.test)


def head_memory(spec: RaceSpec, name: str) -> float:
    """Bytes of a head: neurons if they are kept, Krylov bases and projections, and products of the tangent kernel."""
    m = distinct_neurons(spec, name)
    neurons = 4 * spec.n * m
    features = features_of(spec, name)
    complete = min(spec.n, features)
    steps = complete if complete <= COMPLETE else STEPS
    krylov = 8 * steps * (spec.n + features + spec.holdout + spec.test + PROFILE_POINTS)
    columns = min(max(1, m // (spec.d + 1)), steps, NEW_COLUMNS)
    products = 4 * TANGENT_COPIES * features * columns if name == "ntk" else 0
    return (neurons if neurons <= KEPT_BYTES else 0) + krylov + products


def head_seconds(spec: RaceSpec, name: str) -> float:
    """Seconds on one core, with a quarter in reserve.

    Terms: products with Φ and Φᵀ on the training sample, whose neurons are recomputed each time where they are not
    kept; neurons of holdout and test once a picture, and a product for each column there; reorthogonalisation and the
    factorisations of the pictures; the gradient of Algorithm 1.
    """
    m, inputs = distinct_neurons(spec, name), spec.d + 1
    steps = min(LANCZOS_STEPS, spec.n, m)
    judged = spec.holdout + spec.test + PROFILE_POINTS
    neuron = 2e-10 + 2.5e-11 * inputs
    one, more = (5e-10 + 4e-11 * inputs, 4e-11 * inputs) if name == "ntk" else (4e-10, 1e-10)
    again = neuron if 4 * spec.n * m > KEPT_BYTES else 0.0
    products = 2 * steps * spec.n * m * (one + again)
    seen = judged * m * ((len(PICTURES) + 2) * neuron + steps * more)
    bases = steps**2 * (2e-9 * (spec.n + m * (inputs + 1 if name == "ntk" else 1)) + 1e-9 * judged)
    gradient = spec.n * spec.width * (1.5e-9 + 7e-11 * spec.d) if name == "algorithm1" else 0.0
    return 0.2 + 1.25 * (products + seen + bases + gradient)


def run(spec: RaceSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a race; see the module's docstring."""
    task = task_of(spec.target, spec, spec.seed)
    target = task.target
    yield Progress(0.01, "drawing the data")
    field = draw_field(task, spec.n, spec.holdout, spec.test)
    profile = draw_profile(target, spec.seed)
    competitors, trained, seconds = {}, None, dict.fromkeys(spec.methods, 0.0)
    if "algorithm1" in spec.methods:
        started = time.perf_counter()
        trained = yield from train_first_layer(spec, field.train, target.subspace, device)
        second_stage = replace(field, train=task.sample(spec.n, "fresh")) if spec.fresh_data else field
        competitors["algorithm1"] = enter_algorithm1(trained, second_stage, profile, device)
        seconds["algorithm1"] += time.perf_counter() - started
    for name in [name for name in spec.methods if name != "algorithm1"]:
        competitors[name] = enter_baseline(name, field, profile, spec.baseline_width, spec.seed, device)
    heads = yield from train_heads(competitors, spec.steps, seconds)
    yield Progress(0.98, "measuring on the test sample")
    result = report(target, field, profile, competitors, heads, trained, seconds)
    yield Progress(1.0, "done")
    yield result


def train_heads(
    competitors: Mapping[str, Competitor], steps: int, seconds: dict[str, float]
) -> Generator[Event, None, dict[str, Head]]:
    """All heads, a round of the solver at a time in turn, each round with a frame of the loss curves.

    After k Lanczos steps the curves go to t = k², as far as they are good. Adds each method's seconds to `seconds`.
    """
    heads: dict[str, Head] = {}
    curves: dict[str, np.ndarray] = {}
    at, racing = 0, list(competitors)
    while racing:
        for name in list(racing):
            started = time.perf_counter()
            head = next(competitors[name].heads, None)
            seconds[name] += time.perf_counter() - started
            if head is None:
                racing.remove(name)
                continue
            heads[name], at = head, at + 1
            solved = len(head.path.ritz)
            curves |= {f"{name}/{key}": curve for key, curve in loss_curves(head.path, min(steps, solved**2)).items()}
            yield Frame("heads", at, dict(curves))
            share = at / (len(competitors) * (len(PICTURES) + 1))
            yield Progress(0.3 + 0.66 * min(share, 1.0), f"training the heads, solver step {solved}")
        if not racing:
            break
    curves |= {f"{name}/{key}": one for name, h in heads.items() for key, one in loss_curves(h.path, steps).items()}
    yield Frame("heads", at + 1, dict(curves))
    return heads


def loss_curves(path: SpectralPath, steps: int) -> dict[str, np.ndarray]:
    """Train, holdout and excess risk after t = 1 .. steps head steps, at the λ that is best on the holdout at t = ∞."""
    lam = path.tune("holdout")
    t = np.unique(np.geomspace(1, max(steps, 1), CURVE_POINTS).round())
    curves = {shown: path.risk(name, lam, t) for shown, name in CURVES.items()}
    return {"t": t, "lam": np.float64(lam), **curves}


def report(
    target: PolynomialTarget,
    field: Field,
    profile: Profile,
    competitors: Mapping[str, Competitor],
    heads: Mapping[str, Head],
    trained: TrainedFirstLayer | None,
    seconds: Mapping[str, float],
) -> Result:
    """The numbers of the finish line, and what the sliders need after it."""
    arrays = {"profile/z": PROFILE_GRID, "subspace": target.subspace, "scatter/truth": field.test.clean[:SCATTER]}
    arrays["profile/truth"] = profile.mixing @ target(profile.X)
    methods = {}
    for name, head in heads.items():
        lam = head.path.tune("holdout")
        values = competitors[name].predict_test(head, lam)
        errors = (values - field.test.clean) ** 2
        methods[name] = {
            "excess_risk": float(np.mean(errors)),
            "standard_error": float(np.std(errors) / np.sqrt(len(errors))),
            "lam": lam,
            "seconds": round(seconds[name], 3),
        }
        arrays |= {f"scatter/{name}": values[:SCATTER], **head.path.to_arrays(f"path/{name}/")}
    summary = {"methods": methods, "target": describe(target)}
    if trained is not None:
        summary["alignment"] = {"before": trained.before, "after": trained.after}
    return Result(summary, arrays)


def describe(target: PolynomialTarget) -> dict[str, Any]:
    """What a summary says of its target."""
    return {
        "degree": target.degree,
        "rank": target.rank,
        "hessian_rank": target.hessian_rank,
        "condition_number": target.condition_number,
        "information_exponent": target.information_exponent,
        "energy_by_degree": target.energy_by_degree.tolist(),
    }


EXPERIMENT = Experiment(name="race", title="Race", spec=RaceSpec, cost=cost, run=run)
