"""The timeline of a run: its phases and their moments, and the film of each picture over them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import streamlit as st

from featdash.figures.film import film_of
from featdash.figures.text import number
from featdash.runs.run import Run
from featdash.ui.shared import service

if TYPE_CHECKING:
    from featdash.ui.lesson import Lesson
    from featdash.ui.panels import Panel, View

MOST = 32  # moments of a phase: between two the browser draws on straight lines
NONE_ASKED = ("", 0, False)  # run, how often it was to play, and whether in place of computing it


@dataclass(frozen=True)
class Phase:
    """A part of a timeline.

    name : what happens in it, as "the step".
    streams : whose frames are its moments; frames of different streams with the same `at` are of one moment.
    word : what is said of a moment, given its `at`.
    stops : the moments, where they are no frames' `at`, given the settings of the run.
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
        found = sorted({frame.at for some in frames for frame in some})
        chosen: Any = (
            np.unique(np.linspace(0, len(found) - 1, min(len(found), MOST)).round().astype(int)) if found else []
        )
        return [found[index] for index in chosen]


def times_of(index: int, count: int) -> list[float]:
    """Where the moments of that phase stand on the timeline."""
    return [index + place for place in np.linspace(0, 1, count)]


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


def drawn_film(panel: Panel, view: View, phases: Sequence[Phase]) -> tuple[Any, Any, Any] | None:
    """The picture at the end, the figure to which its film leads, and the film, drawn moment by moment.

    None of a picture that does not move in any of the phases.
    """
    pictures, times = [], []
    for index, phase in enumerate(phases):
        if not set(phase.streams) & set(panel.streams):
            continue
        moments = phase.moments(view.run)
        for at, time in zip(moments, times_of(index, len(moments)), strict=True):
            picture = panel.draw(replace(view, limits=limits_at(phases, index, at, view.run)))
            if picture is not None:
                pictures.append(picture)
                times.append(time)
    if len(pictures) < 2:
        return None
    figure, film = film_of([picture.figure for picture in pictures], times)
    return (pictures[-1], figure, film) if film.changes else None


def moving(panels: Sequence[Panel], phases: Sequence[Phase]) -> list[Phase]:
    """The phases in which one of these pictures moves."""
    read = {stream for panel in panels for stream in panel.streams}
    return [phase for phase in phases if read & set(phase.streams)]


def timeline(run: Run, part: Lesson) -> dict[str, Any]:
    """What the browser has to know of a run's films, as stage.js reads it."""
    shown = moving(part.panels, part.film)
    phases = []
    for phase in part.film:
        words = [phase.word(at) for at in phase.moments(run)] if phase in shown else []
        phases.append({"name": phase.name, "seconds": phase.seconds, "words": words})
    lines = [{"text": line.text, "about": line.about, "begins": line.begins} for line in part.lines]
    return {"phases": phases, "lines": lines, "play": token(run), "playing": is_playing(run, part), "live": run.active}


# -- whether a film plays, for one visitor


def play(experiment: str, run: str, again: bool = False) -> None:
    """Have the run played from its beginning; for a callback. again : in place of computing it once more."""
    _, count, _ = st.session_state.get(_asked(experiment), NONE_ASKED)
    st.session_state[_asked(experiment)] = (run, count + 1, again)


def rest(experiment: str) -> None:
    """Nothing plays any more: the visitor has come to another place."""
    _, count, _ = st.session_state.get(_asked(experiment), NONE_ASKED)
    st.session_state[_asked(experiment)] = ("", count, False)


def token(run: Run) -> str:
    """Changes when the run is to be played once more; "" where it never was."""
    name, count, _ = st.session_state.get(_asked(run.experiment), NONE_ASKED)
    return f"{name}.{count}" if name == run.id else ""


def is_played_again(run: Run) -> bool:
    """Whether the visitor has asked for a run that was found finished."""
    name, _, again = st.session_state.get(_asked(run.experiment), NONE_ASKED)
    return again and name == run.id


def note_end(run: Run, of: str) -> None:
    """The film of that token has been seen to its end."""
    st.session_state[_ended(run.experiment)] = of


def is_playing(run: Run | None, part: Lesson) -> bool:
    """Whether the browser has been told to play the run and has not come to its end yet: the verdict comes last."""
    if run is None or run.status != "done" or not moving(part.panels, part.film):
        return False
    asked = token(run)
    return bool(asked) and st.session_state.get(_ended(run.experiment)) != asked


def want(run: Run) -> None:
    """The browser asks for the films of this run."""
    st.session_state[f"{run.experiment}.films@"] = run.id


def is_wanted(run: Run) -> bool:
    """Whether the films are to be drawn that cost something: they have been asked for, or are to play."""
    return bool(token(run)) or st.session_state.get(f"{run.experiment}.films@") == run.id


def _asked(experiment: str) -> str:
    return f"{experiment}.play@"


def _ended(experiment: str) -> str:
    return f"{experiment}.played@"
