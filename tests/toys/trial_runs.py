"""Every «Try» of every lesson, computed once a session with the very settings that its button loads."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import numpy as np

from featdash.lessons import PAGES, lessons_of
from featdash.recipes.events import Frame
from featdash.recipes.spec import Spec
from featdash.recipes.version import code_version
from featdash.runs.archive import Archive, read_archive
from featdash.runs.execution import Flags, perform
from featdash.runs.recording import recorded_path

PARTS = {part.experiment.name: part for page in PAGES for part in lessons_of(page)}
CHECKS: dict[tuple[str, str], Callable] = {}


@dataclass(frozen=True)
class Run:
    """A finished run: its recipe, its summary, its arrays, and the frames of its streams in their order."""

    spec: Spec
    summary: dict
    arrays: dict[str, np.ndarray]
    frames: dict[str, list[Frame]] = field(default_factory=dict)


@functools.cache
def run_of(experiment: str, label: str = "") -> Run:
    """The run that the «Try» of that label shows; without a label, the run of the defaults."""
    part = PARTS[experiment]
    values = next(trial.values for trial in part.text.trials if trial.label == label) if label else {}
    return computed(experiment, part.experiment.spec(**values))


@functools.cache
def computed(experiment: str, spec: Spec) -> Run:
    """The run of any recipe: as the present code has recorded it, with its frames, else computed here."""
    frames: list[Frame] = []
    archive = kept(experiment, spec)
    if archive and archive.frames:
        return Run(spec, archive.result.summary, dict(archive.result.arrays), by_stream(archive.frames))

    def keep(event) -> None:
        if isinstance(event, Frame):
            frames.append(event)

    outcome = perform(PARTS[experiment].experiment, spec, keep, Flags(), "cpu")
    assert outcome.status == "done", outcome.error
    return Run(spec, outcome.result.summary, dict(outcome.result.arrays), by_stream(frames))


def kept(experiment: str, spec: Spec) -> Archive | None:
    """The recorded run, if the present code computed it; a large one has no frames."""
    path = recorded_path(experiment, spec)
    archive = read_archive(path, shipped=True) if path.is_file() else None
    return archive if archive and archive.code == code_version(experiment, spec) else None


def by_stream(frames: Iterable[Frame]) -> dict[str, list[Frame]]:
    """The frames of each stream, in their order."""
    streams: dict[str, list[Frame]] = {}
    for frame in frames:
        streams.setdefault(frame.stream, []).append(frame)
    return streams


def expects(experiment: str, label: str) -> Callable:
    """Marks the test of what the «Try» of that label promises; tests/lessons/test_trials.py asks for one of each."""

    def mark(check: Callable) -> Callable:
        CHECKS[experiment, label] = check
        return check

    return mark
