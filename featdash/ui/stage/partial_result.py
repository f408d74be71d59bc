"""What a run of cells has to show: its result or, before the end, the same made from the cells' frames so far."""

from __future__ import annotations

from typing import NewType

from featdash.recipes.events import Result
from featdash.recipes.experiment import find_experiment
from featdash.recipes.grid import Grid
from featdash.runs.run import Run
from featdash.ui.kit.shared import service
from featdash.ui.stage.panels import View

PartialResult = NewType("PartialResult", Result)
STREAMS = ("cell/*/points", "cell/*/layer")
KEPT = (
    "The cells that had finished are kept: press Run {noun} again and it goes on from them, "
    "without computing any of them twice."
)
CELLS = """
- **The run is a set of cells** that are kept one by one. Stop it, or let the server restart: what had finished stays,
  and pressing Run again computes only the rest. A cell that fails leaves a gap, with its reason above the picture.
"""


def partial_result(view: View) -> PartialResult:
    """The result of a finished run; else what the experiment gathers from the points so far."""
    result = view.result()
    if result is not None:
        return PartialResult(result)
    grid = find_experiment(view.run.experiment)
    assert isinstance(grid, Grid)
    return PartialResult(grid.so_far(view.spec, [frame for stream in STREAMS for frame in view.frames(stream)]))


def missing_cells(run: Run) -> list[str]:
    """Sentences on what is missing in the pictures: failed cells with their reasons, or the rest of a run cut short."""
    noun = find_experiment(run.experiment).noun
    if run.status in ("stopped", "failed"):
        return [KEPT.format(noun=noun)]
    result = service().result(run.id) if run.status == "done" else None
    gaps = result.summary["gaps"] if result else []
    return [f"A gap where {_where(gap)} failed: {gap['reason']}." for gap in gaps]


def _where(gap: dict) -> str:
    """Which cell it was, such as "method ntk, width 1000, seed 2"."""
    settings = {name: value for name, value in gap.items() if name != "reason" and value is not None}
    return ", ".join(
        f"{name} {value[0]} to {value[-1]}" if isinstance(value, list) else f"{name} {value}"
        for name, value in settings.items()
    )
