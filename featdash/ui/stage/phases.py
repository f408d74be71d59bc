"""The phases of a timeline: which moments of a run each of them has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from featdash.figures.streams import few
from featdash.figures.text import number
from featdash.runs.run import Run
from featdash.ui.kit.shared import service

MOST = 32  # moments of a phase: between two the browser interpolates linearly


@dataclass(frozen=True)
class Phase:
    """A part of a timeline.

    name : what happens in it, such as "the step".
    streams : whose frames are its moments; frames of different streams with the same `at` belong to one moment.
    word : the name of a moment, from its `at`.
    stops : the moments, from the settings of the run, if they are not the `at` of frames.
    seconds : how long it takes to play.
    last : the name of the last moment of a run that is done, where it is of another kind than those before.
    keeps : the `at` of moments that have a name of their own, and are there however many others there are.
    """

    name: str
    streams: tuple[str, ...]
    word: Callable[[float], str] = number
    stops: Callable[[Any], Sequence[float]] | None = None
    seconds: float = 4.0
    last: str = ""
    keeps: Sequence[float] = ()

    def moments(self, run: Run) -> list[float]:
        """The `at` of its moments: at most MOST, evenly chosen of more, and `keeps`; none before its first frame."""
        if self.stops:
            return list(self.stops(run.spec)) if run.status == "done" else []
        frames = (service().frames(run.id, stream) for stream in self.streams)
        known = {frame.at for some in frames for frame in some}
        return sorted({*few(sorted(known), MOST), *known.intersection(self.keeps)})
