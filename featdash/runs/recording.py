"""Runs recorded for the package: what a page shows before anybody presses Run."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from featdash.recipes.events import Event, Frame
from featdash.recipes.experiment import experiments, find_experiment
from featdash.recipes.spec import Spec, spec_digest
from featdash.recipes.version import code_version, run_id
from featdash.runs.codec import Archive, read_about, write_archive
from featdash.runs.dask.worker import PRELOAD
from featdash.runs.execution import Flags, Outcome, perform
from featdash.runs.run import Run
from featdash.runs.store import RECORDED


@dataclass(frozen=True)
class Recording:
    """A recorded run, as read from its file.

    spec : None if the experiment is no longer known, or no longer accepts these settings.
    code : the version of the code that computed it; None if it is not known.
    with_frames : whether the file holds frames beside the result.
    """

    path: Path
    experiment: str
    spec: Spec | None
    code: str | None
    with_frames: bool

    @property
    def name(self) -> str | None:
        """The file name that belongs to the recipe; a file of another name is never found."""
        return f"{self.experiment}-{spec_digest(self.experiment, self.spec)}.npz" if self.spec else None

    @property
    def stale(self) -> bool:
        """Whether the code that computes it has changed since, or no page finds it under its name."""
        return self.spec is None or self.name != self.path.name or self.code != code_version(self.experiment, self.spec)


def recordings(folder: Path = RECORDED) -> list[Recording]:
    """Every recorded run below that folder, sorted by path; ValueError for a damaged file."""
    return [_recording(path) for path in sorted(folder.rglob("*.npz"))]


def _recording(path: Path) -> Recording:
    about = read_about(path, shipped=True)
    if about is None:
        raise ValueError(f"{path} must be a recorded run, it cannot be read; delete it and record the run again")
    name = about["experiment"]
    try:
        spec = experiments()[name].recipe(about["spec"])
    except (KeyError, ValueError):
        spec = None
    return Recording(path, name, spec, about["code"], bool(about["frames"]))


def record_again(old: Recording, emit: Callable[[Event], None] | None = None, device: str = "cpu") -> Outcome | None:
    """Replace a recorded run by the same run of the present code.

    One whose recipe is no longer valid is deleted, and there is no outcome.
    The old file stays where the run failed. Errors: OSError if the file cannot be written.
    """
    outcome = None
    if old.spec is not None:
        path = old.path.with_name(str(old.name))
        outcome = record(old.experiment, old.spec, path, emit, device, old.with_frames)
        if outcome.result is None or path == old.path:
            return outcome
    old.path.unlink()
    return outcome


def recorded_path(experiment: str, spec: Spec) -> Path:
    """Where the lesson of that recipe keeps its recorded run."""
    folder = Path(str(sys.modules[type(spec).__module__].__file__)).resolve().parent
    return folder / "recorded" / f"{experiment}-{spec_digest(experiment, spec)}.npz"


def code_of(run: Run) -> str | None:
    """The version of the code that computed the run; None if unknown, as for a run stored by other code."""
    if run.spec is None:
        return None
    if run.recorded:
        about = read_about(recorded_path(run.experiment, run.spec), shipped=True)
        return about["code"] if about else None
    return code_version(run.experiment, run.spec) if run.id == run_id(run.experiment, run.spec) else None


def record(
    experiment: str,
    spec: Spec,
    path: Path | None = None,
    emit: Callable[[Event], None] | None = None,
    device: str = "cpu",
    with_frames: bool = True,
) -> Outcome:
    """Carry out the run here and, if it is done, write it to `path`; by default where `Store.find_recorded` finds it.

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
    started = time.monotonic()
    outcome = perform(find_experiment(experiment), spec, keep, Flags(), device)
    if outcome.result is not None:
        target = path or recorded_path(experiment, spec)
        seconds = time.monotonic() - started
        run = (experiment, spec.to_mapping(), tuple(frames), outcome.result, seconds, time.time())
        write_archive(target, Archive(*run, code=code_version(experiment, spec)), packed=True)
    return outcome
