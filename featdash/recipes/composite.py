"""What a composite experiment is, such as a sweep: a set of ordinary runs, and what is made of their results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from featdash.recipes.events import Result
from featdash.recipes.experiment import Entry, SpecT
from featdash.recipes.spec import Spec


@dataclass(frozen=True, kw_only=True)
class Composite(Entry[SpecT]):
    """What is computed in cells, by as many workers as there are.

    cells : `cells(spec) -> [(experiment name, Spec), ...]`, independent of one another; each is a run
        of its own, cached and shared like any other, so an interrupted composite resumes for free.
    gather : `gather(spec, results) -> Result` from the cells' results, in the order of `cells`; a failed
        cell is an Exception in its place.
    cell_experiments : the names that `cells` gives.
    cell_streams : of the cells' frames, those that the composite shows and stores; None for all.
    """

    cells: Callable[[SpecT], Sequence[tuple[str, Spec]]]
    gather: Callable[[SpecT, Sequence[Result | Exception]], Result]
    cell_experiments: tuple[str, ...]
    cell_streams: tuple[str, ...] | None = None


def cells_of(entry: Entry, spec: Spec) -> list[tuple[str, Spec]] | None:
    """(experiment name, Spec) of each cell; None if it is no composite."""
    return list(entry.cells(spec)) if isinstance(entry, Composite) else None
