"""Runs recorded for the package: what a page shows before anybody presses Run."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path

from featdash.recipes.events import Event, Frame
from featdash.recipes.registry import find_experiment
from featdash.recipes.spec import Spec, spec_digest
from featdash.runs.archive import Archive, write_archive
from featdash.runs.execution import Flags, Outcome, perform
from featdash.runs.worker import PRELOAD


def recorded_path(experiment: str, spec: Spec) -> Path:
    """Where the lesson of that recipe keeps its recorded run."""
    folder = Path(str(sys.modules[type(spec).__module__].__file__)).resolve().parent
    return folder / "recorded" / f"{experiment}-{spec_digest(experiment, spec)}.npz"


def record(
    experiment: str,
    spec: Spec,
    path: Path | None = None,
    emit: Callable[[Event], None] | None = None,
    device: str = "cpu",
    with_frames: bool = True,
) -> Outcome:
    """Carry out the run here and, if it is done, write it to `path`; by default where `recorded` finds it.

    Frames and progress go to `emit` as they come. The frames of a sweep are in its result once more: a large one is
    written without them. Errors: OSError if the file cannot be written.
    """
    frames: list[Frame] = []

    def keep(event: Event) -> None:
        if with_frames and isinstance(event, Frame):
            frames.append(event)
        if emit is not None:
            emit(event)

    for module in PRELOAD:  # as in a worker, whose first run does not wait for them either
        importlib.import_module(module)
    begun = time.monotonic()
    outcome = perform(find_experiment(experiment), spec, keep, Flags(), device)
    if outcome.result is not None:
        target = path or recorded_path(experiment, spec)
        seconds = time.monotonic() - begun
        write_archive(
            target, Archive(experiment, spec.to_mapping(), tuple(frames), outcome.result, seconds, time.time())
        )
    return outcome
