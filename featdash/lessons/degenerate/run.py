"""When it must fail: targets without Assumption 2, where the expected Hessian does not show the principal subspace.

Algorithm 1 and the kernels of the same network at several d and n, repeated. Each cell has the numbers of the race with
that d, n and seed, repeat k having seed + k. With b = 0 an odd target has a population gradient of exactly zero: what
the first layer then learns, it learns from the noise of the gradient, which is larger where f* is. `noise_alignment`
shows how much that is: the alignment after a step on residual labels of random sign. The rescue is a second target,
run beside by Algorithm 1 alone on the same inputs: one that the Hessian does show.

Stream: `cells`, at = cells done, the cells ordered by repeat, then n, then d (FailureTable).
Result: population (D,), the RMS norm of the population gradient.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from featdash.geometry.neurons import alignment
from featdash.learners import algorithm1
from featdash.learners.algorithm1 import FirstStep, first_layer_gradient, remove_linear_part, rms
from featdash.learners.feature_map import Layer, LinearPart, ReluFeatures
from featdash.learners.network import Network
from featdash.lessons.degenerate.frames import FailureTable, Rescue
from featdash.lessons.degenerate.recipe import DegenerateSpec
from featdash.lessons.shared.gaussian_race import Splits, draw_field, layer_of, tuned_risk
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask
from featdash.tasks.streams import of_seed, stream
from featdash.theory.gradient_series import gradient_series
from featdash.theory.predictions import csq_scale, kernel_scale
from featdash.theory.target import PolynomialTarget, resolve_target


def run(spec: DegenerateSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a failure; see the module's docstring."""
    dims, sizes = sorted(spec.dims), sorted(spec.sizes)
    table = empty_table(spec, dims, sizes)
    work = np.array([[(d + 20) * (n + 5000) for n in sizes] for d in dims], dtype=float)
    work_done, whole = 0.0, float(work.sum()) * spec.repeats
    for cells, (repeat, s, i) in enumerate(np.ndindex(spec.repeats, len(sizes), len(dims)), start=1):
        yield Progress(
            0.99 * work_done / whole, f"d = {dims[i]}, n = {sizes[s]}, repeat {repeat + 1} of {spec.repeats}"
        )
        arrays = table.to_arrays()
        for name, value in measure(spec, dims[i], sizes[s], spec.seed + repeat, device).items():
            arrays[name][repeat, i, s] = value
        work_done += float(work[i, s])
        yield Frame("cells", float(cells), {name: values.copy() for name, values in arrays.items()})
    yield report(spec, dims, sizes, table)


def empty_table(spec: DegenerateSpec, dims: list[int], sizes: list[int]) -> FailureTable:
    """The table before the first cell."""

    def nothing_yet() -> np.ndarray:
        return np.full((spec.repeats, len(dims), len(sizes)), np.nan)

    risk = {name: nothing_yet() for name in spec.methods}
    rescue = Rescue(nothing_yet(), nothing_yet()) if spec.has_rescue else None
    return FailureTable(np.array(dims), np.array(sizes), risk, nothing_yet(), nothing_yet(), nothing_yet(), rescue)


def measure(spec: DegenerateSpec, d: int, n: int, seed: int, device: str) -> dict[str, float]:
    """One cell, by the table's arrays: every method's excess risk, and what the first layer has learned."""
    step = take_step(spec, spec.target, d, n, seed, device)
    measures = {"alignment": step.alignment, **noise_of_step(step, d, n, seed, device)}
    race = replace(spec.race(d, n), seed=seed)
    for name in spec.methods:
        is_algorithm1 = name == algorithm1.NAME
        layer = step.layer(seed) if is_algorithm1 else layer_of(name, race, step.field.train, device)
        measures[f"risk/{name}"] = tuned_risk(layer, step.field, device)
    if spec.has_rescue:
        beside = take_step(spec, spec.rescue, d, n, seed, device)
        measures["rescue/risk"] = tuned_risk(beside.layer(seed), beside.field, device)
        measures["rescue/alignment"] = beside.alignment
    return measures


@dataclass(frozen=True, eq=False)
class Step:
    """Line 1 of Algorithm 1 and the gradient of its first step, on one sample of one target.

    start : the untrained network; gradient (m, d); field : the samples, all of one target.
    """

    field: Splits
    recipe: FirstStep
    linear: LinearPart
    start: Network
    gradient: np.ndarray

    @property
    def alignment(self) -> float:
        """The share of the squared norm of W¹ = -η₁ ∇_W L inside the principal subspace, whatever η₁."""
        return alignment(self.gradient, self.field.target.subspace)

    def layer(self, seed: int) -> Layer:
        """After lines 2 and 3."""
        return Layer(self.linear, self.recipe.finish(self.start, self.gradient, of_seed(seed)), ReluFeatures)


def take_step(spec: DegenerateSpec, name: str, d: int, n: int, seed: int, device: str) -> Step:
    """The first step on a target; with the same seed the inputs, the noise and the start are the same for each."""
    field = draw_field(GaussianTask(resolve_target(name, d), spec.noise, seed), n, spec.holdout, spec.test)
    X, y = field.train.X, field.train.y
    step = FirstStep(spec.width)
    linear, start = step.linear_part([(X, y)], d), step.start(d, of_seed(seed))
    return Step(field, step, linear, start, first_layer_gradient(X, y - linear(X), start, device))


def noise_of_step(step: Step, d: int, n: int, seed: int, device: str) -> dict[str, float]:
    """What a step on residual labels of random sign finds, and how far the gradient is from the population's."""

    (X, y, _), start, target = step.field.train, step.start, step.field.target
    labels = (y - step.linear(X)) * stream(seed, "degenerate", d, n).choice([-1.0, 1.0], size=n)
    labels -= remove_linear_part(X, labels)(X)
    without = first_layer_gradient(X, labels, start, device)
    population = gradient_series(target, start.W, start.a).total()
    return {
        "noise_alignment": alignment(without, target.subspace),
        "gradient_noise": rms(step.gradient - population),
    }


def population_norm(spec: DegenerateSpec, target: PolynomialTarget) -> float:
    """The RMS norm of the population gradient over the neurons of the first seed."""
    start = FirstStep(spec.width).start(target.d, of_seed(spec.seed))
    return rms(gradient_series(target, start.W, start.a).total())


def report(spec: DegenerateSpec, dims: list[int], sizes: list[int], table: FailureTable) -> Result:
    """Means over the repeats, and the marks of theory: untrained is the alignment of random directions."""
    targets = [resolve_target(spec.target, d) for d in dims]
    p, rank = targets[0].degree, targets[0].rank
    population = [population_norm(spec, target) for target in targets]
    means = {name: values.mean(axis=0) for name, values in table.to_arrays().items() if name not in ("d", "n")}
    by_dimension = [
        {"d": d, "population": norm, "csq_mark": csq_scale(d, p), "kernel_mark": kernel_scale(d, p)}
        | {"untrained": rank / d}
        | {name: [float(value) for value in values[i]] for name, values in means.items()}
        for i, (d, norm) in enumerate(zip(dims, population, strict=True))
    ]
    summary: dict[str, Any] = {"n": sizes, "dims": by_dimension, "hessian_rank": targets[0].hessian_rank, "rank": rank}
    return Result(summary, {"population": np.array(population)})
