"""Smoothness: kernel ridge and a trained network on a jump and on a smooth function of one variable.

Streams, see `frames`: `kernel`, one, at 0; `fits`, at = network step: network (801,) after that many steps, and last
the one that the holdout chose; `rates`.
Result: rates/n (S,), rates/T/M (S, repeats), the error of each target T and method M.
Summary: fits.M has `error` over the interval, `near` within 0.1 of the middle, `elsewhere`, `overshoot` (by how much
|f̂| exceeds the largest |f*|) and, for the jump, `rise`, the width over which f̂ goes from −0.8 to 0.8; rates.T.M has
the errors, `exponent`, the fitted slope of log error against log n, and its `standard_error` over the repeats (null of
one alone). A method adapts to smoothness where its exponent is steeper for the smoother target. The network's exponents
are those of a fixed number of steps: after 1000 of them what is left of a jump is the slope it has reached, whatever n,
so they change with `steps`, and are no property of n alone.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from typing import Any

import numpy as np

from featdash.learners.kernel_ridge import Kernel, KernelFit, fit_kernel
from featdash.learners.trained_network import NetworkFit, Training, train_network
from featdash.lessons.smoothness.frames import FixedCurves, Rates
from featdash.lessons.smoothness.recipe import HOLDOUT, METHODS, NEAR, RATED, SmoothnessSpec
from featdash.recipes.events import Event, Frame, Progress, Result, flatten
from featdash.tasks.gaussian import Sample
from featdash.tasks.step import StepTask
from featdash.tasks.streams import stream

GRID = np.linspace(-1, 1, 801)
RISE = 0.8


def run(spec: SmoothnessSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The fits of the picture, then the rates."""
    yield Progress(0.0, "fitting the kernel")
    task = StepTask(spec.target, spec.noise, spec.seed)
    kernel, truth = fit_kernel_at(spec, task, spec.n), task.function(GRID)
    curve = kernel(GRID[:, None])
    yield Frame("kernel", 0, fixed_curves(task.sample(spec.n, "train"), truth, curve).to_arrays())
    network = yield from watch_network(spec, task)
    errors = yield from measure_rates(spec)
    arrays = {f"rates/{target}/{name}": values for (target, name), values in errors.items()}
    fits = {"kernel": describe_fit(spec.target, curve, truth), "network": describe_fit(spec.target, network, truth)}
    fits["kernel"]["lam"] = kernel.lam
    rates = describe_rates(sorted(spec.sizes), errors)
    yield Result({"fits": fits, "rates": rates}, {"rates/n": np.array(sorted(spec.sizes)), **arrays})


SPOKEN = {"heaviside": "Heaviside step", "kink": "kink |x|", "smooth": "smooth sine"}  # as a progress line calls them


def fit_kernel_at(spec: SmoothnessSpec, task: StepTask, n: int) -> KernelFit:
    """The chosen kernel on the task's first n samples."""

    return fit_kernel(
        Kernel(spec.kernel, spec.length, spec.degree), task.sample(n, "train")[:2], task.sample(HOLDOUT, "holdout")[:2]
    )


def train_network_at(spec: SmoothnessSpec, task: StepTask, n: int) -> Iterator[NetworkFit]:
    """The network on the same samples, as it trains."""

    train, holdout = task.sample(n, "train")[:2], task.sample(HOLDOUT, "holdout")[:2]
    return train_network(Training(spec.width, spec.steps), train, holdout, stream(task.seed, "network", n))


def fixed_curves(sample: Sample, truth: np.ndarray, kernel: np.ndarray) -> FixedCurves:
    """In single precision: a picture shows no more."""
    parts = (GRID, truth, sample.X[:, 0], sample.y, kernel)
    return FixedCurves(*(part.astype(np.float32) for part in parts))


def watch_network(spec: SmoothnessSpec, task: StepTask) -> Generator[Event, None, np.ndarray]:
    """The frames `fits`; returns the network (801,) that the holdout chose."""
    best: NetworkFit | None = None
    for fit in train_network_at(spec, task, spec.n):
        yield Frame("fits", fit.step, {"network": fit(GRID[:, None]).astype(np.float32)})
        yield Progress(0.15 * fit.step / spec.steps, f"training the network, step {fit.step}")
        if best is None or fit.holdout_risk < best.holdout_risk:
            best = fit
    assert best is not None
    best_fit = best(GRID[:, None])
    yield Frame("fits", spec.steps + 1, {"network": best_fit.astype(np.float32)})
    return best_fit


def measure_rates(spec: SmoothnessSpec) -> Generator[Event, None, dict[tuple[str, str], np.ndarray]]:
    """The frames `rates`; returns the errors (S, repeats) of each target and method."""
    sizes = sorted(spec.sizes)
    errors = {(target, name): np.full((len(sizes), spec.repeats), np.nan) for target in RATED for name in METHODS}
    points, total = 0, len(sizes) * spec.repeats * len(RATED)
    for repeat in range(spec.repeats):
        seed = int(stream(spec.seed, "repeat", repeat).integers(2**31))
        for row, n in enumerate(sizes):
            for target in RATED:
                task = StepTask(target, spec.noise, seed)
                fits: dict[str, KernelFit | NetworkFit] = {
                    "kernel": fit_kernel_at(spec, task, n),
                    "network": min(train_network_at(spec, task, n), key=lambda fit: fit.holdout_risk),
                }
                for name, fit in fits.items():
                    errors[target, name][row, repeat] = np.mean((fit(GRID[:, None]) - task.function(GRID)) ** 2)
                points += 1
                yield Frame("rates", points, flatten(rates_so_far(sizes, errors)))
                yield Progress(0.15 + 0.85 * points / total, f"rates of the {SPOKEN[target]} at n = {n}")
    return errors


def rates_so_far(sizes: list[int], errors: Mapping[tuple[str, str], np.ndarray]) -> dict[str, Rates]:
    """Geometric means of what has been measured, by target."""
    rates = {}
    for target in RATED:
        rows = np.flatnonzero(np.isfinite(errors[target, "kernel"][:, 0]))
        if len(rows):
            kernel, network = (np.exp(np.nanmean(np.log(errors[target, name][rows]), axis=1)) for name in METHODS)
            rates[target] = Rates(np.array(sizes)[rows], kernel, network)
    return rates


def describe_rates(sizes: list[int], errors: Mapping[tuple[str, str], np.ndarray]) -> dict[str, Any]:
    """rates.T.M: errors, exponent and its standard error."""
    rates: dict[str, Any] = {"n": sizes}
    for (target, name), values in errors.items():
        mean = np.log(values).mean(axis=1)
        exponents = np.polyfit(np.log(sizes), np.log(values), 1)[0]
        spread = float(exponents.std(ddof=1) / np.sqrt(len(exponents))) if len(exponents) > 1 else None
        row = {"error": np.exp(mean).tolist(), "exponent": float(exponents.mean()), "standard_error": spread}
        rates.setdefault(target, {})[name] = row
    return rates


def describe_fit(target: str, fit: np.ndarray, truth: np.ndarray) -> dict[str, float | None]:
    """fits.M of the summary."""
    squares, near = (fit - truth) ** 2, np.abs(GRID) <= NEAR
    return {
        "error": float(squares.mean()),
        "near": float(squares[near].mean()),
        "elsewhere": float(squares[~near].mean()),
        "overshoot": float(np.abs(fit).max() - np.abs(truth).max()),
        "rise": rise(fit) if target == "heaviside" else None,
    }


def rise(fit: np.ndarray) -> float | None:
    """Width from the last −0.8 left of the jump's top to the first 0.8 after it; None where a fit never gets there."""
    high = np.flatnonzero((fit >= RISE) & (GRID > 0))
    if not len(high):
        return None
    low = np.flatnonzero((fit <= -RISE) & (GRID[high[0]] > GRID))
    return float(GRID[high[0]] - GRID[low[-1]]) if len(low) else None
