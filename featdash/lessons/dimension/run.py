"""The curse of dimensionality: kernels and a network on a bare Lipschitz function of all d inputs, at fixed n.

The function is a sum of triangle waves in 200 random directions, of one slope in every dimension and of variance 1, so
that an error of 1 is the zero predictor's (see `featdash.tasks.support`). Inputs are N(0, I_d).
Frames, result and summary: see `featdash.lessons.shared.dimension_run`.
"""

from __future__ import annotations

from collections.abc import Iterator

from featdash.lessons.dimension.recipe import DimensionSpec
from featdash.lessons.shared.dimension_run import sweep
from featdash.recipes.events import Event
from featdash.tasks.support import SupportTask


def run(spec: DimensionSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  matrices too small for a GPU
    """The events of the sweep."""
    return sweep(spec, lambda d, seed: SupportTask("subspace", d, d, spec.steepness, 0.0, spec.noise, seed))
