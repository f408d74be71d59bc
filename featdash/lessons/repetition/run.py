"""Look twice: a neuron that takes its gradient once, or twice, on each sample of a target that one look does not show.

All runs start with w orthogonal to u. Both variants see the same samples; see `learners.online_neuron` for the step.
Run r at dimension d has samples of its own.

Streams: `labels`, one, at 0 (EffectiveLabels); `overlaps`, at = t/d, all dimensions side by side (OverlapFrame). No
arrays in the result. In the summary, `overlap` has the medians of |w·u| over the runs at the end, by dimension,
`quartiles` the quarters below and above, and `drift` E[T(y) z], the first slope of w·u over γ t.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.polynomial.hermite_e import hermegauss

from featdash.learners.online_neuron import draw_online, effective_label, follow
from featdash.lessons.repetition.frames import EffectiveLabels, OverlapFrame
from featdash.lessons.repetition.recipe import PAUSES, ROWS, RepetitionSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.streams import stream

LABELS = np.linspace(-4, 4, 161)
QUARTILES = (25, 75)
NODES, COARSE = 80, 501  # of the quadratures over z, and over w·x


def run(spec: RepetitionSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001 (all experiments take it)
    """The events of a comparison; see the module's docstring. It has no use for a device."""
    labels = effective_labels(spec)
    yield Frame("labels", 0, labels.to_arrays())
    dims, target = sorted(spec.dims), spec.small_target()
    m = {d: np.zeros((len(spec.looks), spec.runs)) for d in dims}
    rngs = {d: stream(spec.seed, "repetition", d) for d in dims}
    rho = np.array(list(spec.rho_of.values()))[:, None]
    pauses = np.unique(np.linspace(0, spec.time, PAUSES + 1).round(2))
    yield Frame("overlaps", 0, overlap_frame(spec, m).to_arrays())
    done = dict.fromkeys(dims, 0)
    for pause in pauses[1:]:
        for d in dims:
            yield Progress(0.99 * sum(done.values()) / (spec.time * sum(dims)), f"d = {d}")
            goal = round(float(pause) * d)
            while done[d] < goal:
                rows = min(ROWS, goal - done[d])
                draws = draw_online(target, d, spec.noise, (rows, spec.runs), rngs[d])
                m[d] = follow(m[d], draws, spec.gamma / d, rho / d)
                done[d] += rows
        yield Frame("overlaps", float(pause), overlap_frame(spec, m).to_arrays())
    yield report(spec, m, labels)


def effective_labels(spec: RepetitionSpec) -> EffectiveLabels:
    """T(y) of each variant, and how it goes with z on average, by Gauss-Hermite quadrature over z and the noise."""
    effective = {name: effective_label(LABELS, rho) for name, rho in spec.rho_of.items()}
    z, weights = hermegauss(NODES)
    noise, shares = hermegauss(NODES // 4) if spec.noise else (np.zeros(1), np.ones(1))
    target = spec.small_target()
    y = target(z[:, None] * target.subspace[0])[:, None] + spec.noise * noise
    mean = {name: effective_label(y, rho, COARSE) @ shares / shares.sum() for name, rho in spec.rho_of.items()}
    drift = {name: float(np.sum(weights * z * T) / weights.sum()) for name, T in mean.items()}
    return EffectiveLabels(LABELS, effective, drift)


def overlap_frame(spec: RepetitionSpec, m: dict[int, np.ndarray]) -> OverlapFrame:
    """The neurons as they are."""
    overlap = {name: np.stack([m[d][i] for d in m]).astype(np.float32) for i, name in enumerate(spec.looks)}
    return OverlapFrame(np.array(list(m)), overlap)


def report(spec: RepetitionSpec, m: dict[int, np.ndarray], labels: EffectiveLabels) -> Result:
    """Medians and quartiles of |w·u| at the end."""
    sizes = {name: {str(d): np.abs(values[i]) for d, values in m.items()} for i, name in enumerate(spec.looks)}
    overlap = {name: {d: float(np.median(one)) for d, one in by.items()} for name, by in sizes.items()}
    quartiles = {
        name: {d: np.percentile(one, QUARTILES).tolist() for d, one in by.items()} for name, by in sizes.items()
    }
    return Result({"overlap": overlap, "quartiles": quartiles, "drift": dict(labels.drift)})
