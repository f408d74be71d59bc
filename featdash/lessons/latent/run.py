"""Latent variables: f*(x) = g(Ux) at fixed n as d grows, kernels against methods that learn the features.

A kernel needs n of order d^p; for Algorithm 1 n ≳ d²r + d r^p is enough, and no lower bound is known to us. At fixed n
the kernels lose the degrees k with d^k > n one after the other, which leaves the energies above as plateaus. The race
shows the same against n.
The default target has degree 3: squared errors on He₄ have tails so heavy that 4000 test points leave an error of
0.1 to 0.3 in a risk (see `standard_error`), five times as much.
Frames, result and summary: see `featdash.lessons.shared.dimension_run`; the summary has the target's degree, rank and
energies too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from featdash.lessons.latent.recipe import LatentSpec
from featdash.lessons.shared.dimension_run import sweep
from featdash.recipes.events import Event, Result
from featdash.tasks.gaussian import GaussianTask
from featdash.theory.target import resolve_target


def run(spec: LatentSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of the sweep."""
    target = resolve_target(spec.target, max(spec.dims)).describe()
    for event in sweep(spec, lambda d, seed: GaussianTask(resolve_target(spec.target, d), spec.noise, seed)):
        yield replace(event, summary={**event.summary, "target": target}) if isinstance(event, Result) else event
