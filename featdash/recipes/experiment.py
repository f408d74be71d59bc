"""What an experiment is: a Spec, a generator of events, and what a run of it costs.

All of them are known here by name, to those below the lessons that run them; a composite of several is a Grid.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Generic, TypeVar

import numpy as np

from featdash.recipes.events import Event
from featdash.recipes.spec import Choice, Cost, Spec

CUSTOM = "custom"  # the name of a recipe that is no preset
PRIVATE = "private."  # of the ids of runs on a visitor's arrays, which no name of a file begins with
LESSONS = f"{__name__.partition('.')[0]}.lessons"  # put together: a module named in full counts as code of every run

SpecT = TypeVar("SpecT", bound=Spec)


@dataclass(frozen=True, kw_only=True)
class Entry(Generic[SpecT]):
    """One of all that can be run: an Experiment, or a Grid of several.

    name : as on the command line, in URLs and in the store.
    title : as a visitor reads it.
    noun : what its buttons name, as in «Run race»; by default the name.
    spec : the class of its recipes; `spec()` is the default one.
    cost : what a run will need, estimated without running it.
    presets : named recipes; a link or the command line names one as `preset` and lays other settings over it.
    """

    name: str
    title: str
    spec: type[SpecT]
    cost: Callable[[SpecT], Cost]
    noun: str = ""
    presets: Mapping[str, SpecT] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "noun", self.noun or self.name.replace("-", " "))

    def recipe(self, values: Mapping[str, Any]) -> SpecT:
        """The Spec of named JSON values, over the preset that `preset` names, if it is there; ValueError if invalid."""
        if "preset" not in values or not self.presets:
            return self.spec.from_mapping(values)
        settings = {name: value for name, value in values.items() if name != "preset"}
        return self.spec.from_mapping({**self.base(values["preset"], self.spec()).to_mapping(), **settings})

    def base(self, preset: str, custom: SpecT) -> SpecT:
        """The preset of that name, and `custom` for "custom"; ValueError if there is none of that name."""
        return self.presets.get(Choice((CUSTOM, *self.presets)).check("preset", preset), custom)

    def preset_of(self, spec: Spec) -> str:
        """The name of the preset that this recipe is, else "custom"."""
        return next((name for name, one in self.presets.items() if one == spec), CUSTOM)


@dataclass(frozen=True, kw_only=True)
class Experiment(Entry[SpecT]):
    """What one worker computes.

    run : `run(spec, device) -> events`, the last of which is a Result. Knows nothing of Dask,
        Streamlit or Plotly, and imports torch only when called (through `featdash.learners`).
    """

    run: Callable[[SpecT, str], Iterator[Event]]


def in_worker(module: str) -> Callable[[Any, str], Iterator[Event]]:
    """The function `run` of that module, which loads torch: it is imported by the first call, never in the server."""

    def run(spec: Any, device: str = "cpu") -> Iterator[Event]:
        return import_module(module).run(spec, device)

    run.__module__ = module  # what computes, as `featdash.recipes.version` asks
    return run


Arrays = Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False, repr=False)
class Inputs:
    """The arrays of one run, and the id that nobody can guess by which it is known.

    Its text form says nothing about them, because Dask writes the arguments of a failed job into its log.
    """

    arrays: Arrays
    run_id: str = field(default_factory=lambda: f"{PRIVATE}{secrets.token_hex(16)}")


def is_private(run_id: str) -> bool:
    """Whether the id is that of a run on inputs."""
    return run_id.startswith(PRIVATE)


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


def experiments() -> dict[str, Entry]:
    """All of them. The one arrow that points up, by name: the queue knows a run's experiment by its name only."""
    return import_module(LESSONS).EXPERIMENTS


def find_experiment(name: str) -> Entry:
    """The experiment of that name; ValueError with the known names if there is none."""
    entries = experiments()
    if name not in entries:
        raise ValueError(f"experiment must be one of {', '.join(entries)}, got {name!r}; choose one of them")
    return entries[name]
