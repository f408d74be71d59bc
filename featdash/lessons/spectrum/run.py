"""Spike and bulk: the singular values of the first-layer gradient as samples come in.

Each number of samples is an Algorithm 1 of its own: α and β from those samples, then the gradient of the m/2 distinct
neurons. The bulk has two parts. One is noise, and shrinks as n^{-1/2}: seen alone by giving the residual labels random
signs. The other does not shrink: each neuron keeps a little of its own direction (the terms along w of the series), so
that the population gradient has a part outside the principal subspace. The edge is the largest singular value of both
together, over the copies of the noise. Plain shuffling of labels gives a lower edge, which has neither the second part
nor the noise that is larger where f* is: more than r values pass it once n is large, and they do not point into the
principal subspace.

Stream: `spectrum`, at = samples n' used, from few to many (SpectrumFrame). Result: population (d,), the singular values
that infinitely many samples would give.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from featdash.geometry.neurons import leading_directions, subspace_share
from featdash.geometry.spectrum import (
    NullDistribution,
    gradients_of_labels,
    permuted_labels,
    sign_flipped_labels,
    singular_values,
)
from featdash.learners.algorithm1 import FirstStep, empirical_gradient, remove_linear_part
from featdash.learners.network import Network
from featdash.lessons.spectrum.frames import SpectrumFrame
from featdash.lessons.spectrum.recipe import SpectrumSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.gaussian import GaussianTask, Sample
from featdash.tasks.streams import of_seed, stream
from featdash.theory.gradient_series import gradient_series
from featdash.theory.target import PolynomialTarget, resolve_target

PREFIXES = 14
FEWEST = 100


def run(spec: SpectrumSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a spectrum; see the module's docstring."""

    target = resolve_target(spec.target, spec.d)
    yield Progress(0.01, "drawing the data")
    sample = GaussianTask(target, spec.noise, spec.seed).sample(spec.n, "train")
    start = FirstStep(spec.width).start(spec.d, of_seed(spec.seed))
    first, U = (start.first_half().W, start.first_half().a), target.subspace
    series = gradient_series(target, *first)
    population = series.total()
    outside = population - population @ U.T @ U
    sizes = np.unique(np.geomspace(FEWEST, spec.n, PREFIXES).round().astype(int))
    frames, rows_done = [], 0
    for size in sizes:
        rng = stream(spec.seed, "spectrum", int(size))
        part = Sample(*(column[:size] for column in sample))
        frames.append(spectrum_frame(part, start, outside, U, spec.copies, rng, device))
        yield Frame("spectrum", float(size), frames[-1].to_arrays())
        rows_done += size
        yield Progress(0.02 + 0.97 * rows_done / sizes.sum(), f"gradients of {size} samples")
    yield report(target, singular_values(population), sizes.tolist(), frames)


def spectrum_frame(
    sample: Sample,
    start: Network,
    outside: np.ndarray,
    U: np.ndarray,
    copies: int,
    rng: np.random.Generator,
    device: str,
) -> SpectrumFrame:
    """One frame: the spectrum of the sample's gradient, and its two nulls; outside (m/2, d) joins the first of them."""
    gradient = empirical_gradient(sample, len(sample.X), start, device)
    half = start.first_half()
    sign_gradients, permuted_gradients = (
        gradients_of_labels(sample.X, null_labels(sample.X, sample.y, residual, copies, rng), half.W, half.a)
        for null_labels in (sign_flipped_labels, permuted_labels)
    )
    bulk, permuted_null = (
        NullDistribution(singular_values(sign_gradients + outside)),
        NullDistribution(singular_values(permuted_gradients)),
    )
    values = singular_values(gradient)
    share = subspace_share(leading_directions(gradient)[: len(values)], U).astype(np.float32)
    return SpectrumFrame(values, share, bulk.values.astype(np.float32), bulk.edge, permuted_null.edge)


def residual(X: np.ndarray, y: np.ndarray) -> np.ndarray:
    """What line 1 of Algorithm 1 leaves of the labels, (n,)."""

    return y - remove_linear_part(X, y)(X)


def report(target: PolynomialTarget, population: np.ndarray, sizes: list[int], frames: list[SpectrumFrame]) -> Result:
    """How the course ends, and where it would end with infinitely many samples."""
    last, r = frames[-1], target.hessian_rank
    spikes = [frame.beyond(frame.edge) for frame in frames]
    complete = [size for size, count in zip(sizes, spikes, strict=True) if count >= r]
    summary = {
        "spikes": spikes[-1],
        "hessian_rank": r,
        "rank": target.rank,
        "edge": last.edge,
        "singular_values": [float(value) for value in last.values[: r + 3]],
        "population": [float(value) for value in population[: r + 3]],
        "share_in_subspace": [float(share) for share in last.share[: r + 3]],
        "all_seen_from": complete[0] if r and complete else None,
        "permuted": {"edge": last.permuted_edge, "spikes": last.beyond(last.permuted_edge)},
    }
    return Result(summary, {"population": population})
