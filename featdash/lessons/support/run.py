"""Low-dimensional support: inputs in R^d near an r-dimensional subspace or sphere, at fixed n and r as d grows.

The label is a Lipschitz function of the position on the support; its sample is the same at every d, embedded anew.
Frames, result and summary: see `featdash.lessons.shared.dimension_run`; the summary has the support's dimension r too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from featdash.lessons.shared.dimension_run import sweep
from featdash.lessons.support.recipe import SupportSpec
from featdash.recipes.events import Event, Result


def run(spec: SupportSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of the sweep."""
    for event in sweep(spec, spec.task):
        yield replace(event, summary={"r": spec.r, **event.summary}) if isinstance(event, Result) else event
