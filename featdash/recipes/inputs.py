"""Experiments that compute on arrays which a visitor brings, beside the recipe: these are no part of a Spec."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from featdash.recipes.events import Event
from featdash.recipes.experiment import Entry, Experiment, SpecT
from featdash.recipes.spec import Spec

Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, kw_only=True)
class InputExperiment(Experiment[SpecT]):
    """An experiment, some of whose recipes take arrays: such a run is kept in memory alone, and no link names it.

    run : `run(spec, device, arrays) -> events`, without the third where the recipe takes none.
    wants : whether that recipe takes arrays.
    """

    run: Callable[..., Iterator[Event]]
    wants: Callable[[SpecT], bool]


def takes_inputs(experiment: Entry, spec: Spec) -> bool:
    """Whether a run of that recipe needs arrays of a visitor."""
    return isinstance(experiment, InputExperiment) and experiment.wants(spec)


def on_inputs_in_worker(module: str) -> Callable[..., Iterator[Event]]:
    """As `in_worker`, with the arrays."""

    def run(spec: Any, device: str = "cpu", arrays: Arrays | None = None) -> Iterator[Event]:
        return import_module(module).run(spec, device, arrays)

    run.__module__ = module  # what computes, as `featdash.recipes.version` asks
    return run
