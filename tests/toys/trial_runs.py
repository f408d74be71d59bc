"""Every «Try» of every lesson, computed once a session with the very settings that its button loads."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from featdash.lessons import PAGES, lessons_of
from featdash.recipes.events import Frame
from featdash.recipes.spec import Spec
from featdash.runs.execution import Flags, perform

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
    """The run of any recipe, in this process."""
    frames: dict[str, list[Frame]] = {}

    def keep(event) -> None:
        if isinstance(event, Frame):
            frames.setdefault(event.stream, []).append(event)

    outcome = perform(PARTS[experiment].experiment, spec, keep, Flags(), "cpu")
    assert outcome.status == "done", outcome.error
    return Run(spec, outcome.result.summary, dict(outcome.result.arrays), frames)


def expects(experiment: str, label: str) -> Callable:
    """Marks the test of what the «Try» of that label promises; tests/lessons/test_trials.py asks for one of each."""

    def mark(check: Callable) -> Callable:
        CHECKS[experiment, label] = check
        return check

    return mark
