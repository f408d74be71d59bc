"""A run carried out here and now, with all its events: for notebooks, by the code path of the command line."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.recipes.experiment import Entry
from featdash.recipes.spec import Spec
from featdash.recipes.version import run_id
from featdash.runs.codec import roundtrip
from featdash.runs.execution import Flags, perform
from featdash.runs.run import Run


class RunEvents(Protocol):
    """A source of runs' frames and results: a RunService, or one run that was carried out in the foreground."""

    def frames(self, run_id: str, stream: str | None = None) -> tuple[Frame, ...]:
        """The frames so far, in order of arrival, of one stream or of all; empty for an unknown run."""

    def result(self, run_id: str) -> Result | None:
        """The result of a finished run; None if there is none."""


@dataclass(frozen=True)
class ForegroundRun:
    """A finished run and its events."""

    run: Run
    all_frames: tuple[Frame, ...]
    end: Result

    @property
    def summary(self) -> Mapping[str, Any]:
        """What the command line prints."""
        return self.end.summary

    def frames(self, run_id: str, stream: str | None = None) -> tuple[Frame, ...]:
        """As RunEvents has it."""
        frames = self.all_frames if run_id == self.run.id else ()
        return tuple(frame for frame in frames if stream in (None, frame.stream))

    def result(self, run_id: str) -> Result | None:
        """As RunEvents has it."""
        return self.end if run_id == self.run.id else None


def compute(experiment: Entry, spec: Spec, device: str = "cpu") -> ForegroundRun:
    """Carry out the run, progress on stderr; ValueError with one sentence if it does not finish."""
    frames: list[Frame] = []

    def keep(event: Event) -> None:
        if isinstance(event, Frame):
            frames.append(roundtrip(event))
        elif isinstance(event, Progress):
            print(f"\r{event.fraction:5.0%}  {event.doing:<50}", end="", file=sys.stderr, flush=True)

    wall_clock, started = time.time(), time.perf_counter()
    outcome = perform(experiment, spec, keep, Flags(), device)
    print(file=sys.stderr)
    if outcome.result is None:
        raise ValueError(outcome.error)
    name = run_id(experiment.name, spec)
    times: dict[str, Any] = {"started": wall_clock, "finished": time.time(), "seconds": time.perf_counter() - started}
    run = Run(name, experiment.name, spec, "done", 1.0, error=outcome.error, **times)
    return ForegroundRun(run, tuple(frames), roundtrip(outcome.result))
