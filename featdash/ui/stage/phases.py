"""The phases of a timeline: which moments of a run each of them has, and what is there to see at a moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featdash.figures.text import number
from featdash.runs.run import Run
from featdash.ui.kit.shared import service

MOST = 32  # moments of a phase: between two the browser draws on straight lines


@dataclass(frozen=True)
class Phase:
    """A part of a timeline.

    name : what happens in it, as "the step".
    streams : whose frames are its moments; frames of different streams with the same `at` are of one moment.
    word : what is said of a moment, given its `at`.
    stops : the moments, where they are no frames' `at`, given the settings of the run; what moves then is declared.
    seconds : that it takes to play.
    """

    name: str
    streams: tuple[str, ...]
    word: Callable[[float], str] = number
    stops: Callable[[Any], Sequence[float]] | None = None
    seconds: float = 4.0

    def moments(self, run: Run) -> list[float]:
        """The `at` of its moments, at most MOST and evenly chosen of more; empty before its first frame."""
        if self.stops:
            return list(self.stops(run.spec)) if run.status == "done" else []
        frames = (service().frames(run.id, stream) for stream in self.streams)
        return few(sorted({frame.at for some in frames for frame in some}), MOST)


def few(moments: Sequence[float], most: int) -> list[float]:
    """At most so many of them, evenly chosen by index, both ends kept."""
    kept = np.linspace(0, len(moments) - 1, min(len(moments), most)).round().astype(int)
    return [moments[index] for index in np.unique(kept)]


def limits_at(phases: Sequence[Phase], index: int, at: float, run: Run) -> tuple[tuple[str, int], ...]:
    """(stream, frames) up to the moment `at` of that phase; all frames of phases before it, none of those after it."""
    limits = []
    for place, phase in enumerate(phases[index:], start=index):
        for stream in phase.streams:
            frames = service().frames(run.id, stream)
            shown = sum(frame.at <= at for frame in frames) if place == index else 0
            if shown < len(frames):
                limits.append((stream, shown))
    return tuple(limits)
