"""Look twice: a neuron that takes its gradient once, or twice, on each sample of a target without a linear part.

All runs start with w orthogonal to u. All variants see the same samples; see `learners.online_neuron` for the step.
Run r at dimension d has samples of its own.

Streams: `labels`, one, at 0 (EffectiveLabels); `overlaps`, at = t/d, all dimensions side by side, and `squares`, at =
t/d², of one look alone (OverlapFrame). No arrays in the result. In the summary, by variant and dimension, `overlap` has
the medians of |w·u| over the runs after `time`·d samples, `long_overlap` those of one look after `squares`·d²,
`quartiles` the quarters below and above at the first of these moments, and `half` the samples at which the median first
is ½, `over_d` and `over_d2`, null where it never is; `drift` by variant alone is E[T(y) z], the first slope of w·u over
γ t.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.polynomial.hermite_e import hermegauss

from featdash.learners.online_neuron import draw_online, effective_label, follow
from featdash.lessons.repetition.frames import Course, EffectiveLabels, OverlapFrame, median_size
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
    walks = [Walk(spec, d) for d in sorted(spec.dims)]
    linear, square = pauses(spec.time), pauses(spec.squares)
    total = sum(walk.last for walk in walks)
    for at in linear:
        for walk in walks:
            yield from walk.advance(round(at * walk.d), total, walks)
        yield Frame("overlaps", at, overlap_frame(walks, [round(at * walk.d) for walk in walks]).to_arrays())
    for at in square:
        for walk in walks:
            yield from walk.advance(round(at * walk.d**2), total, walks)
        yield Frame("squares", at, overlap_frame(walks, [round(at * walk.d**2) for walk in walks]).to_arrays())
    yield Result(describe(spec, walks) | {"drift": dict(labels.drift)})


def pauses(last: int) -> list[float]:
    """From 0 to `last`."""
    return np.unique(np.linspace(0, last, PAUSES + 1).round(2)).tolist()


class Walk:
    """The neurons of all variants in d dimensions, and where they were at every pause, of either stream.

    states : samples -> variant -> w·u (R,), for those variants that went so far.
    """

    def __init__(self, spec: RepetitionSpec, d: int) -> None:
        self.spec, self.d = spec, d
        self.target, self.rng = spec.small_target(), stream(spec.seed, "repetition", d)
        self.ends = {name: spec.last(one, d) for name, one in spec.variants.items()}
        self.last = max(self.ends.values())
        stops = [at * d for at in pauses(spec.time)] + [at * d * d for at in pauses(spec.squares)]
        self.stops = sorted({round(n) for n in stops if round(n) <= self.last})
        self.n = 0
        self.states = {0: {name: np.zeros(spec.runs) for name in spec.variants}}

    def advance(self, goal: int, total: int, walks: list[Walk]) -> Iterator[Progress]:
        """To the pause at `goal` samples, unless they have been there or nobody goes that far."""
        while self.n < min(goal, self.last):
            stop = next(one for one in self.stops if one > self.n)
            state = {name: m for name, m in self.states[self.n].items() if self.ends[name] >= stop}
            while self.n < stop:
                rows = min(ROWS, stop - self.n)
                draws = draw_online(self.target, self.d, self.spec.noise, (rows, self.spec.runs), self.rng)
                for name, m in state.items():
                    one = self.spec.variants[name]
                    state[name] = follow(m, draws, *self.spec.rates(one, self.d), one.activation)
                self.n += rows
                yield Progress(0.99 * sum(walk.n for walk in walks) / total, f"d = {self.d}")
            self.states[stop] = state

    def course(self, name: str) -> Course:
        """Of a variant, over all its pauses."""
        return Course.of({n: state[name] for n, state in self.states.items() if name in state})


def effective_labels(spec: RepetitionSpec) -> EffectiveLabels:
    """T(y) of each variant, and how it goes with z on average, by Gauss-Hermite quadrature over z and the noise."""
    rho = {name: spec.rho if one.looks == "twice" else 0.0 for name, one in spec.variants.items()}
    kinds = {name: one.activation for name, one in spec.variants.items()}
    z, weights = hermegauss(NODES)
    noise, shares = hermegauss(NODES // 4) if spec.noise else (np.zeros(1), np.ones(1))
    target = spec.small_target()
    y = target(z[:, None] * target.subspace[0])[:, None] + spec.noise * noise
    effective, drift = {}, {}
    for name, size in rho.items():
        effective[name] = effective_label(LABELS, size, kinds[name])
        mean = effective_label(y, size, kinds[name], COARSE) @ shares / shares.sum()
        drift[name] = float(np.sum(weights * z * mean) / weights.sum())
    return EffectiveLabels(LABELS, effective, drift)


def overlap_frame(walks: list[Walk], at: list[int]) -> OverlapFrame:
    """The neurons after so many samples each, of the variants that have come there in every dimension."""
    states = [walk.states.get(n, {}) for walk, n in zip(walks, at, strict=True)]
    names = [name for name in walks[0].ends if all(name in state for state in states)]
    overlap = {name: np.stack([state[name] for state in states]).astype(np.float16) for name in names}
    return OverlapFrame(np.array([walk.d for walk in walks]), overlap)


def describe(spec: RepetitionSpec, walks: list[Walk]) -> dict[str, Any]:
    """The summary, but for the drift."""
    once = [name for name, one in spec.variants.items() if one.looks == "once"]
    at_time = {walk.d: walk.states[spec.time * walk.d] for walk in walks}
    at_squares = {walk.d: walk.states[spec.squares * walk.d**2] for walk in walks if once}
    return {
        "overlap": medians(at_time, list(spec.variants)),
        "long_overlap": medians(at_squares, once),
        "quartiles": {
            name: {str(d): np.percentile(np.abs(state[name]), QUARTILES).tolist() for d, state in at_time.items()}
            for name in spec.variants
        },
        "half": {name: {str(walk.d): half(walk, name) for walk in walks} for name in spec.variants},
    }


def medians(states: Mapping[int, Mapping[str, np.ndarray]], names: list[str]) -> dict[str, dict[str, float]]:
    """Variant -> dimension -> median of |w·u|."""
    return {name: {str(d): median_size(state[name]) for d, state in states.items()} for name in names}


def half(walk: Walk, name: str) -> dict[str, float | None]:
    """The samples at which the median first is ½, in units of d and of d²."""
    n = walk.course(name).half
    return {"over_d": None if n is None else n / walk.d, "over_d2": None if n is None else n / walk.d**2}
