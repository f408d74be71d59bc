"""Rank and condition: how many samples the first step of Algorithm 1 needs to see the weakest of r directions.

Targets f*(x) = Σ λ_i He₂(z_i), E f*² = 1. The first sweep has r directions of one weight, the second so many directions
with weights from λ₁ down to λ_r. Each sample size has samples and a start of its own, and so has each repeat.

Stream: `cases`, at = how many repeats are done in all (CaseFrame, one target so far). No arrays in the result.
Summary
    sizes     list of n
    rank      of the first sweep, what a mean over the repeats of `weakest` takes to pass ½, by rank r:
              needed {r: n or null}, beyond [r where no n is enough], slope and error of the line through
              (log κ²r, log n), null with fewer than three points; times, n at the last rank over n at the first
    condition the same of the second sweep, by ratio λ₁/λ_r
    together  slope and error for `together` over all targets, and last, n at the last ratio
    share     {"weakest", "strongest", "together"} of the last ratio, at n = d²
    line      π/2 (1 + ς²): leading order of n/(d²κ²r) at which `weakest` passes ½, see `recipe.leading_order`
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from featdash.geometry.neurons import leading_directions
from featdash.learners.algorithm1 import FirstStep
from featdash.lessons.structure.frames import CaseFrame, growth_of
from featdash.lessons.structure.recipe import POWERS, ROWS, Case, StructureSpec, leading_order
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks import Labelled
from featdash.tasks.streams import stream
from featdash.theory.exponents import Growth


def run(spec: StructureSpec, device: str = "cpu") -> Iterator[Event]:
    """The events of a run; see the module's docstring."""
    yield Progress(0.01, "drawing the data")
    frames: dict[Case, CaseFrame] = {}
    for place, case in enumerate(spec.cases):
        looks = np.empty((3, 0, len(spec.sizes)))
        for repeat in range(spec.repeats):
            row = [shares(case, layer(spec, case, repeat, index, device)) for index in range(len(spec.sizes))]
            looks = np.concatenate([looks, np.array(row).T[:, None]], axis=1)
            frames[case] = CaseFrame(case.rank, case.ratio, case.difficulty, *looks)
            count = place * spec.repeats + repeat + 1
            yield Frame("cases", count, frames[case].to_arrays())
            part = count / spec.repeats / len(spec.cases)
            yield Progress(0.01 + 0.98 * part, f"rank {case.rank}, ratio {case.ratio:g}, repeat {repeat + 1}")
    yield Result(summary_of(spec, frames))


def layer(spec: StructureSpec, case: Case, repeat: int, index: int, device: str = "cpu") -> np.ndarray:
    """The distinct neurons (m/2, d) after one step on as many samples as the size of that index has."""
    target, n = case.target(spec.d), spec.sizes[index]
    owner = ("structure", case.rank, f"{case.ratio:g}", repeat, index)

    def chunks() -> Iterator[Labelled]:
        inputs, noises = (stream(spec.seed, *owner, part) for part in ("inputs", "noise"))
        for start in range(0, n, ROWS):
            X = inputs.standard_normal((min(ROWS, n - start), spec.d))
            yield X, target(X) + spec.noise * noises.standard_normal(len(X))

    def draw(name: str, purpose: str) -> np.random.Generator:
        return stream(spec.seed, *owner, name, purpose)

    return FirstStep(spec.width).take(chunks, spec.d, draw, device).network.first_half().W


def shares(case: Case, W: np.ndarray) -> tuple[float, float, float]:
    """`weakest`, `strongest` and `together` of a layer W (k, d), see CaseFrame; the subspace is the first r axes."""
    along, outside = np.sum(W[:, : case.rank] ** 2, axis=0), float(np.sum(W[:, case.rank :] ** 2))
    weak, strong = float(along[case.weakest].mean()), float(along[0])
    if case.ratio == 1:
        strong = weak
    leading = leading_directions(W)[: case.rank, : case.rank]
    angle = float(np.linalg.svd(leading, compute_uv=False)[-1])
    return weak / (weak + outside), strong / (strong + outside), min(angle**2, 1.0)


def summary_of(spec: StructureSpec, frames: Mapping[Case, CaseFrame]) -> dict[str, Any]:
    """See the module's docstring."""
    weakest = {case: frame.weakest.mean(axis=0) for case, frame in frames.items()}
    together = {case: frame.together.mean(axis=0) for case, frame in frames.items()}
    both = growth_of(spec.cases, together, spec.sizes)
    last, square = spec.by_ratio[-1], POWERS.index(0)
    return {
        "sizes": spec.sizes,
        "rank": describe(growth_of(spec.by_rank, weakest, spec.sizes), [case.rank for case in spec.by_rank]),
        "condition": describe(growth_of(spec.by_ratio, weakest, spec.sizes), [case.ratio for case in spec.by_ratio]),
        "together": {"slope": both.slope, "error": both.error, "last": both.needed[last.difficulty]},
        "share": {
            name: float(getattr(frames[last], name)[:, square].mean()) for name in ("weakest", "strongest", "together")
        },
        "line": leading_order(spec.noise),
    }


def describe(one: Growth, names: Sequence[float]) -> dict[str, Any]:
    """The same with its places called by these names."""
    name_of = dict(zip(one.needed, names, strict=True))
    needed = {f"{name_of[place]:g}": n for place, n in one.needed.items()}
    first, *_, last = needed.values()
    return {
        "needed": needed,
        "beyond": [name_of[place] for place in one.beyond],
        "slope": one.slope,
        "error": one.error,
        "times": last / first if first and last else None,
    }
