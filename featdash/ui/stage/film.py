"""The timeline of a run as the browser plays it, and whether it plays, for one visitor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import streamlit as st

from featdash.runs.run import Run
from featdash.ui.stage.lesson import Lesson, Line
from featdash.ui.stage.panels import Panel, shown_moments
from featdash.ui.stage.phases import Phase

NONE_ASKED = ("", 0, False)  # run, how often it was to play, and whether in place of computing it


def moving(panels: Sequence[Panel], phases: Sequence[Phase]) -> list[Phase]:
    """The phases in which one of these pictures moves."""
    read = {stream for panel in panels for stream in panel.streams}
    return [phase for phase in phases if read & set(phase.streams)]


Span = tuple[float, float]  # where a film begins and ends, in phases


def playing(run: Run, part: Lesson) -> dict[str, Any]:
    """How the run is played for this visitor, as timeline.js reads it; what is the same for all is its `track`."""
    follows = st.session_state.get(_follow_key(run.experiment)) == run.id
    live = f"{run.fraction:.0%}" if run.active else ""
    return {"play": token(run), "playing": is_playing(run, part), "live": live, "follows": follows}


def track(
    run: Run,
    panels: Sequence[Panel],
    film: Sequence[Phase],
    lines: Sequence[Line],
    films: Sequence[Span] | None,
) -> dict[str, Any]:
    """The phases of a timeline with the words of their moments, and the lines of the algorithm beside it.

    films : those of the pictures on show, None while the run is live; a phase in which no picture moves takes no time.
    """
    visible = moving(panels, film)
    if films is not None:
        visible = [phase for index, phase in enumerate(film) if any(first <= index < last for first, last in films)]
    phases = []
    for phase in film:
        ending = next((panel.ending for panel in panels if panel.ending), None)
        words = [phase.word(at) for at in shown_moments(phase, run, ending)] if phase in visible else []
        if words and phase.last and run.status == "done":
            words[-1] = phase.last
        phases.append({"name": phase.name, "seconds": phase.seconds, "words": words})
    algorithm = [{"text": line.text, "about": line.about, "begins": line.begins} for line in lines]
    return {"phases": phases, "lines": algorithm}


# -- whether a film plays, for one visitor


def play(experiment: str, run: str, again: bool = False) -> None:
    """Play the run from its beginning; for a callback. again : whether it is played in place of a new computation."""
    _, count, _ = st.session_state.get(_play_key(experiment), NONE_ASKED)
    st.session_state[_play_key(experiment)] = (run, count + 1, again)


def rest(experiment: str) -> None:
    """Stop the film, because the visitor has come to another place."""
    _, count, _ = st.session_state.get(_play_key(experiment), NONE_ASKED)
    st.session_state[_play_key(experiment)] = ("", count, False)


def token(run: Run) -> str:
    """A text that changes when the run is to be played once more; "" if it never was."""
    name, count, _ = st.session_state.get(_play_key(run.experiment), NONE_ASKED)
    return f"{name}.{count}" if name == run.id else ""


def is_played_again(run: Run) -> bool:
    """Whether the visitor has pressed Run for settings whose run was already there."""
    name, _, again = st.session_state.get(_play_key(run.experiment), NONE_ASKED)
    return again and name == run.id


def follow(experiment: str, run: str) -> None:
    """Show the newest moment of that run, which has started by itself, and play none of its phases first."""
    st.session_state[_follow_key(experiment)] = run


def note_end(run: Run, of: str) -> None:
    """Note that the film of that token has reached its end."""
    st.session_state[_played_key(run.experiment)] = of


def is_playing(run: Run | None, part: Lesson) -> bool:
    """Whether the browser is to play the run and has not reached its end yet; the verdict waits for that."""
    if run is None or run.status != "done" or not moving(part.panels, part.film):
        return False
    latest = token(run)
    return bool(latest) and st.session_state.get(_played_key(run.experiment)) != latest


def _play_key(experiment: str) -> str:
    return f"{experiment}.play@"


def _follow_key(experiment: str) -> str:
    return f"{experiment}.follow@"


def _played_key(experiment: str) -> str:
    return f"{experiment}.played@"
