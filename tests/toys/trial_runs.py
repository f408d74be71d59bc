"""Every «Try» of every lesson, computed once a session with the very settings that its button loads.

What takes longer than a second is kept in tests/lessons/summaries/, a file a run, named by the run's cache key: it is
read where the present code computes that run, and computed anew where the code has changed. To keep what the present
code finds, and to remove what nobody asks for any more:

    FEATDASH_KEEP_SUMMARIES=1 python -m pytest -n 0 tests/lessons
"""

from __future__ import annotations

import functools
import json
import os
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from featdash.lessons import PAGES, lessons_of
from featdash.recipes.events import Frame, Result
from featdash.recipes.spec import Spec
from featdash.recipes.version import code_version, run_id
from featdash.runs.codec import Archive, read_archive, to_json
from featdash.runs.execution import Flags, perform
from featdash.runs.recording import recorded_path

PARTS = {part.experiment.name: part for page in PAGES for part in lessons_of(page)}
CHECKS: dict[tuple[str, str], Callable] = {}
SUMMARIES = Path(__file__).resolve().parents[1] / "lessons" / "summaries"
KEEP = "FEATDASH_KEEP_SUMMARIES"
LONG = 1.0  # seconds
ASKED: set[Path] = set()  # summaries that this session has asked for


class Run:
    """A finished run: its recipe, its summary, its arrays, and the frames of its streams in their order.

    Where its summary is kept, the rest is computed when it is asked for.
    """

    def __init__(self, experiment: str, spec: Spec, result: Result | None = None) -> None:
        self.experiment, self.spec, self._result = experiment, spec, result

    @functools.cached_property
    def summary(self) -> dict:
        if self._result is not None:
            return self._result.summary
        path = SUMMARIES / f"{self.experiment}-{run_id(self.experiment, self.spec)}.json"
        ASKED.add(path)
        if path.is_file() and self._is_of(stored := json.loads(path.read_text())):
            return stored["summary"]
        began = time.perf_counter()
        summary = json.loads(to_json(self._finished[0].summary))
        if KEEP in os.environ and time.perf_counter() - began > LONG:
            SUMMARIES.mkdir(exist_ok=True)
            path.write_text(to_json({"spec": self.spec.to_mapping(), "summary": summary}) + "\n")
        return summary

    def _is_of(self, stored: Mapping[str, Any]) -> bool:
        """Whether the settings that were kept are these: the name tells only what differs from the defaults."""
        spec = PARTS[self.experiment].experiment.recipe(stored["spec"])
        return spec.identity_json() == self.spec.identity_json()

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        return dict((self._result or self._finished[0]).arrays)

    @property
    def frames(self) -> dict[str, list[Frame]]:
        return by_stream(self._finished[1])

    @functools.cached_property
    def _finished(self) -> tuple[Result, list[Frame]]:
        """As the present code has recorded it, with its frames, else computed here."""
        archive = kept(self.experiment, self.spec)
        if archive and archive.frames:
            return archive.result, list(archive.frames)
        frames: list[Frame] = []

        def keep(event) -> None:
            if isinstance(event, Frame):
                frames.append(event)

        outcome = perform(PARTS[self.experiment].experiment, self.spec, keep, Flags(), "cpu")
        assert outcome.status == "done", outcome.error
        return outcome.result, frames


@functools.cache
def run_of(experiment: str, label: str = "") -> Run:
    """The run that the «Try» of that label shows; without a label, the run of the defaults."""
    part = PARTS[experiment]
    values = next(trial.values for trial in part.text.trials if trial.label == label) if label else {}
    return computed(experiment, part.experiment.spec(**values))


@functools.cache
def computed(experiment: str, spec: Spec) -> Run:
    """The run of any recipe: as the present code has recorded it, else computed here."""
    archive = kept(experiment, spec)
    return Run(experiment, spec, archive.result if archive else None)


def kept(experiment: str, spec: Spec) -> Archive | None:
    """The recorded run, if the present code computed it; a large one has no frames."""
    path = recorded_path(experiment, spec)
    archive = read_archive(path, shipped=True) if path.is_file() else None
    return archive if archive and archive.code == code_version(experiment, spec) else None


def remove_unasked() -> None:
    """Remove the summaries that this session has not asked for."""
    for path in set(SUMMARIES.glob("*.json")) - ASKED:
        path.unlink()


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
