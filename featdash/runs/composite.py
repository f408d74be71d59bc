"""A composite run: what has come of its cells so far."""

from __future__ import annotations

from collections.abc import Sequence

from featdash.experiments.events import Event, Frame, Progress, Result
from featdash.experiments.spec import Spec, run_id
from featdash.runs.execution import CellFailed, Outcome, cell_doing, cell_frame, cell_shares


class Cells:
    """The cells of one composite, in the order of the experiment; equal cells are one run.

    recipes : (experiment name, Spec) of each cell; ids : the run of each.
    """

    def __init__(self, recipes: Sequence[tuple[str, Spec]]) -> None:
        self.recipes = list(recipes)
        self.ids = [run_id(name, spec) for name, spec in self.recipes]
        self._shares = cell_shares(self.recipes)
        self._fractions = [0.0] * len(self.ids)
        self._ends: list[Result | Exception | None] = [None] * len(self.ids)

    def forward(self, run_id: str, event: Event) -> list[Event]:
        """What an event of a cell is to the composite: frames tagged by cell, progress weighted by cost."""
        events: list[Event] = []
        for index in self._indices(run_id):
            if isinstance(event, Frame):
                events.append(cell_frame(index, event))
            elif isinstance(event, Progress):
                self._fractions[index] = event.fraction
                events.append(Progress(self._fraction(), cell_doing(index, len(self.ids), event.doing)))
        return events

    def settle(self, run_id: str, outcome: Outcome) -> list[Event]:
        """Note how a cell ended; returns the composite's progress."""
        for index in self._indices(run_id):
            self._ends[index] = outcome.result or CellFailed(outcome.error or "the cell was stopped")
            self._fractions[index] = 1.0
        ended = sum(end is not None for end in self._ends)
        return [Progress(self._fraction(), f"{ended} of {len(self.ids)} cells")]

    def results(self) -> list[Result | Exception] | None:
        """What `gather` needs, once every cell has ended; None before."""
        return None if any(end is None for end in self._ends) else list(self._ends)

    def _fraction(self) -> float:
        return sum(share * fraction for share, fraction in zip(self._shares, self._fractions, strict=True))

    def _indices(self, run_id: str) -> list[int]:
        return [index for index, one in enumerate(self.ids) if one == run_id]
