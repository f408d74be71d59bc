"""A composite run: what has come of its cells so far."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from operator import itemgetter

from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.recipes.experiment import find_experiment
from featdash.recipes.grid import Cell, Grid
from featdash.recipes.spec import Spec
from featdash.recipes.version import run_id


class CellFailed(Exception):
    """A failed cell of a composite, with the sentence of its run; what `gather` finds in its place."""


class Cells:
    """The cells of one composite, in the order of the experiment; equal cells are one run.

    recipes : (experiment name, Spec) of each cell; ids : the run of each; names : these runs, each once.
    """

    def __init__(self, grid: Grid, spec: Spec) -> None:
        self.recipes = grid.cells(spec)
        self.ids = [run_id(name, recipe) for name, recipe in self.recipes]
        self.names = frozenset(self.ids)
        self._grid, self._spec = grid, spec
        self._indices: dict[str, list[int]] = defaultdict(list)
        for index, name in enumerate(self.ids):
            self._indices[name].append(index)
        self._shares = cell_shares(self.recipes)
        self._fractions = [0.0] * len(self.ids)
        self._ends: dict[int, Result | Exception] = {}

    def forward(self, run_id: str, event: Event) -> list[Event]:
        """What an event of a cell is to the composite: frames tagged by cell, progress weighted by cost."""
        events: list[Event] = []
        for index in self._indices[run_id]:
            if isinstance(event, Frame):
                events += [cell_frame(index, event)] if self._shows(event.stream) else []
            elif isinstance(event, Progress):
                self._fractions[index] = event.fraction
                events.append(Progress(self.fraction(), cell_doing(index, len(self.ids), event.doing)))
        return events

    def _shows(self, stream: str) -> bool:
        streams = self._grid.cell_streams
        return streams is None or stream in streams

    def replay(self, run_id: str, frames: Iterable[Frame]) -> list[Event]:
        """What the frames are to the composite that a cell had shown before it became one of its cells."""
        return [event for frame in frames for event in self.forward(run_id, frame)]

    def finish(self, run_id: str, result: Result | None, error: str | None = None) -> list[Event]:
        """Note how a cell ended, with a result or with a sentence on why not; returns the composite's progress."""
        for index in self._indices[run_id]:
            self._ends[index] = result or CellFailed(error or "the cell was stopped")
            self._fractions[index] = 1.0
        return [Progress(self.fraction(), f"{len(self._ends)} of {len(self.ids)} cells")]

    def reset(self, run_id: str) -> tuple[str, ...]:
        """A cell begins anew: nothing of it is done; returns how the streams begin that it has shown."""
        for index in self._indices[run_id]:
            self._fractions[index] = 0.0
        return tuple(cell_stream(index, "") for index in self._indices[run_id])

    @property
    def ended(self) -> bool:
        """Whether every cell has ended."""
        return len(self._ends) == len(self.ids)

    def gather(self) -> Result:
        """The composite's result, once every cell has ended."""
        return self._grid.gather(self._spec, [self._ends[index] for index in range(len(self.ids))])

    def gaps(self) -> str | None:
        """One sentence on the cells that failed; None if none has."""
        reasons = [str(end) for _, end in sorted(self._ends.items(), key=itemgetter(0)) if isinstance(end, Exception)]
        if not reasons:
            return None
        cause = reasons[0].rpartition("; ")[0] or reasons[0]  # what to do about it is said below
        rule = f"{len(reasons)} of {len(self.ids)} cells failed"
        if len(reasons) == 1:
            return f"{rule} because {cause}; press Run to compute it again"
        return f"{rule}, the first because {cause}; press Run to compute them again"

    def fraction(self) -> float:
        """The share of the work that is done, by expected time."""
        share_of_work = sum(share * fraction for share, fraction in zip(self._shares, self._fractions, strict=True))
        return min(1.0, share_of_work)


def cell_shares(cells: list[Cell]) -> list[float]:
    """Each cell's share of a composite's expected time; they sum to 1."""
    seconds = [max(find_experiment(name).cost(spec).seconds, 1e-3) for name, spec in cells]
    total = sum(seconds)
    return [one / total for one in seconds]


def cell_frame(index: int, frame: Frame) -> Frame:
    """The frame of a cell as its composite shows it; the arrays are shared, not copied."""
    return replace(frame, stream=cell_stream(index, frame.stream))


def cell_stream(index: int, stream: str) -> str:
    return f"cell/{index}/{stream}"


def cell_doing(index: int, count: int, doing: str) -> str:
    return f"{doing} (cell {index + 1} of {count})"
