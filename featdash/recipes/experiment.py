"""What an experiment is: a Spec, a generator of events, and what a run of it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from featdash.recipes.events import Event
from featdash.recipes.spec import Cost, Spec


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One line of the registry: an Experiment, or a Composite of several.

    name : as on the command line, in URLs and in the store.
    title : as a visitor reads it.
    noun : what its buttons name, as in «Run race»; by default the name.
    spec : the class of its recipes; `spec()` is the default one.
    cost : what a run will need, told without running it.
    """

    name: str
    title: str
    spec: type[Spec]
    cost: Callable[[Any], Cost]
    noun: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "noun", self.noun or self.name.replace("-", " "))


@dataclass(frozen=True, kw_only=True)
class Experiment(Entry):
    """What one worker computes.

    run : `run(spec, device) -> events`, the last of which is a Result. Knows nothing of Dask,
        Streamlit or Plotly, and imports torch only when called (through `featdash.learners`).
    """

    run: Callable[[Any, str], Iterator[Event]]


def in_worker(module: str) -> Callable[[Any, str], Iterator[Event]]:
    """The function `run` of that module, which loads torch: it is imported by the first call, never in the server."""

    def run(spec: Any, device: str = "cpu") -> Iterator[Event]:
        return import_module(module).run(spec, device)

    run.__module__ = module  # what computes, as `featdash.recipes.version` asks
    return run
