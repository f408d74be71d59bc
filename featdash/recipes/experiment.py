"""What an experiment is: a Spec, a generator of events, and what a run of it costs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from featdash.recipes.events import Event, Result
from featdash.recipes.spec import Cost, Spec


@dataclass(frozen=True)
class Experiment:
    """One line of the registry.

    name : as on the command line, in URLs and in the store.
    title : as a visitor reads it.
    noun : what its buttons name, as in «Run race»; by default the name.
    spec : the class of its recipes; `spec()` is the default one.
    cost : what a run will need, told without running it.
    run : `run(spec, device) -> events`, the last of which is a Result. Knows nothing of Dask,
        Streamlit or Plotly, and imports torch only when called (through `featdash.learners`).

    A *composite* experiment (a sweep) is a set of ordinary runs instead and leaves `run` None:

    cells : `cells(spec) -> [(experiment name, Spec), ...]`, independent of one another; each is a run
        of its own, cached and shared like any other, so an interrupted composite resumes for free.
    gather : `gather(spec, results) -> Result` from the cells' results, in the order of `cells`; a failed
        cell is an Exception in its place.
    cell_experiments : the names that `cells` gives.
    hidden : a cell of a composite, runnable by name but not offered as a lesson.
    """

    name: str
    title: str
    spec: type[Spec]
    cost: Callable[[Any], Cost]
    run: Callable[[Any, str], Iterator[Event]] | None = None
    cells: Callable[[Any], Sequence[tuple[str, Spec]]] | None = None
    gather: Callable[[Any, Sequence[Result | Exception]], Result] | None = None
    cell_experiments: tuple[str, ...] = ()
    hidden: bool = False
    noun: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "noun", self.noun or self.name.replace("-", " "))


def in_worker(module: str) -> Callable[[Any, str], Iterator[Event]]:
    """The function `run` of that module, which loads torch: it is imported by the first call, never in the server."""

    def run(spec: Any, device: str = "cpu") -> Iterator[Event]:
        return import_module(module).run(spec, device)

    run.__module__ = module  # what computes, as `featdash.recipes.version` asks
    return run
