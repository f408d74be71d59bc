"""The live part of a page: a run drawn again and again while it goes on or is replayed, and the line of its state."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace

import streamlit as st

from featdash.figures.prediction import Prediction
from featdash.recipes.spec import Spec
from featdash.runs.run import Run
from featdash.ui import playback
from featdash.ui.lesson import Lesson
from featdash.ui.panels import Panel
from featdash.ui.plain_text import plain_text
from featdash.ui.playback import Playback, ReplayedStreams, Steps
from featdash.ui.shared import service, session, viewer_count

Limits = tuple[tuple[str, int], ...]
UNHURRIED = 0.5  # seconds between two sessions that change their timers
PACES = 2.5  # a page keeps its timer until the one for so many viewers would be this much slower or faster
SLOWEST = 0.3  # seconds between two looks of few viewers, without a playback
STEADY = 0.1  # of the work done, before which the time left is a guess
PROGRESS = 160  # pixels
NO_REPLAY = ("", 0.0, False)  # run, when it was asked for, and whether to have it computed
NO_STEPS = ("", 0, 0.0, 0.0)  # run, the step reached, when it began, and seconds a frame


def live(
    run: Run, draw: Callable[[Run, Limits], None], part: Lesson, line: str = "", waiting: Run | None = None
) -> None:
    """Draw the run, again and again while it is active or replayed, once when it has ended; its state above it.

    draw : is given the newest view, and how many frames of the streams in `part.plays` are let out; it runs inside one
    fragment, so it should only show what is already computed.
    line : what is said of a run at rest, and beside the state of one in progress; waiting : another run, still in the
    queue, that takes its place on the page when it begins.
    """
    plays, replay = part.plays, playback_of(run, part)
    moving = run.active or waiting is not None or bool(replay and replay.is_playing(run, time.time()))
    if moving:
        viewer_count().watch(session(), run.id)
    usual = viewer_count().interval(ahead=True)

    @st.fragment(run_every=_pace(plays) if moving else None)
    def panel() -> None:
        now, clock = service().get(run.id) or run, time.time()
        play = replay or playback.live(now, plays if part.held else ())
        # Drawn first: Streamlit lets a visitor's own request through wherever something is drawn, and `st.rerun` would
        # take the place of one, such as a click on another page.
        state = st.container(key="status", horizontal=True, vertical_alignment="center", gap="small")
        if moving:
            viewer_count().watch(session(), run.id)
            over = not (now.active or waiting or (play and play.is_playing(now, clock)))
            begun = any(one and one.status == "queued" and not _waits(one) for one in (run, waiting))
            if (over or begun) and viewer_count().may_draw():
                st.rerun()  # the whole page: its buttons and sliders change with the beginning and the end of a run
            if not usual / PACES <= viewer_count().interval() <= usual * PACES and viewer_count().may_draw(UNHURRIED):
                st.rerun()  # the timer cannot be set otherwise
        with state:
            if waiting:
                status(service().get(waiting.id) or waiting, beside="; the pictures are of the run before")
            elif run.active or now.status == "failed":
                status(now, beside=f" · {line}" if line else "")
            else:
                st.markdown(line)
        limits = play.limits(now.id, clock) if play and (moving or play.holds) else ()
        draw(playback.run_until(now, limits), limits)

    panel()


def follow(run: Run, part: Lesson, draw: Callable[[Limits], None]) -> None:
    """Draw what follows the frames that a replay lets out, again and again until it is over; see `live`."""
    play = playback_of(run, part)
    moving = bool(play and play.is_playing(run, time.time()))

    @st.fragment(run_every=_pace(part.plays) if moving else None)
    def following() -> None:
        draw(play.limits(run.id, time.time()) if play else ())

    following()


def playback_of(run: Run, part: Lesson) -> Playback | Steps | None:
    """What lets out the frames of an ended run once more: the visitor's steps, else a replay that was asked for."""
    if run.active:
        return None
    name, at, began, pace = st.session_state.get(steps_key(run.experiment), NO_STEPS)
    if part.steps and name == run.id:
        return Steps(part.plays, tuple(step.phase for step in part.steps), at, began, pace)
    asked = _began(run)
    return playback.again(part.plays, asked) if asked else None


def panels_at(run: Run, part: Lesson, limits: Limits) -> Sequence[Panel]:
    """The pictures; while steps hold frames back, those that know the end alone hide it."""
    play = playback_of(run, part)
    if not (limits and isinstance(play, Steps)):
        return part.panels
    return [panel if panel.streams else replace(panel, prediction=Prediction(hidden=True)) for panel in part.panels]


def steps_key(experiment: str) -> str:
    """The session-state key of the steps of Algorithm 1: run, step reached, when it began, and seconds a frame."""
    return f"{experiment}.steps@"


def _pace(plays: ReplayedStreams) -> float:
    """Seconds between two looks."""
    usual = viewer_count().interval(ahead=True)
    return usual * playback.TICK / SLOWEST if plays else usual


def _waits(run: Run) -> bool:
    now = service().get(run.id)
    return bool(now and now.status == "queued")


def holds_back(run: Run, part: Lesson) -> bool:
    """Whether frames of the run are held back from this visitor: by a replay that is not over, or by steps."""
    play = playback_of(run, part)
    return bool(play and play.limits(run.id, time.time()))


def _began(run: Run) -> float | None:
    """When this visitor asked for a replay of the run."""
    name, began, _ = st.session_state.get(_replayed(run.experiment), NO_REPLAY)
    return began if name == run.id else None


def ending_line(run: Run | None, spec: Spec | None) -> str:
    """How a run has ended, for a line of the page; nothing of one in progress, nor of a failed one, which says so.

    spec : the present settings: where the visitor has asked for just these, that they were computed before.
    """
    if run is None or run.active or run.status == "failed":
        return ""
    name, _, asked = st.session_state.get(_replayed(run.experiment), NO_REPLAY)
    ended = status_line(run, again=asked and name == run.id and spec == run.spec)
    return ". ".join([ended, *divergence_note(run)])


def status(run: Run, beside: str = "") -> None:
    """The step being done, the fraction, the time left, the place in the queue, or how it ended; then `beside`."""
    if run.status == "failed":
        st.markdown(f":red[**The run failed:** {plain_text(run.error or '')}.]")
    elif not run.active:
        st.markdown(status_line(run))
    else:
        st.progress(min(max(run.fraction, 0.0), 1.0), width=PROGRESS)
        st.markdown(status_line(run) + beside)


def status_line(run: Run, again: bool = False) -> str:
    """The state of a run in a line; `again` : of one that was asked for and found finished."""
    if run.status == "queued":
        paused = "; it begins paused" if run.holds else ""
        return f"Waiting, place {run.place or 1} of {run.queue_length or 1} in the queue{paused}"
    if run.status in ("running", "paused"):
        steady = run.seconds_left is not None and run.status == "running" and run.fraction > STEADY
        left = f", {run.seconds_left:.0f} s left" if steady else ""
        paused = "Paused: " if run.status == "paused" else ""
        return f"{paused}{run.doing or 'starting'}, {run.fraction:.0%}{left}"
    if run.status == "stopped":
        return (
            f"Stopped at {run.fraction:.0%}: {run.error}" if run.error else f"Stopped at {run.fraction:.0%} on request"
        )
    ended = "Recorded run" if run.recorded else "Finished"
    ended += ". Same settings: replayed" if again else ""
    seconds = f", computed in {run.seconds:.1f} s" if run.seconds else ""
    return ". ".join([f"{ended}{seconds}", *(one for one in (run.error, run.note) if one)])


def replay(experiment: str, name: str, asked: bool = False) -> None:
    """Begin the replay of a run, in place of its steps; `asked` : by who wanted it computed; for a callback."""
    st.session_state.pop(steps_key(experiment), None)
    st.session_state[_replayed(experiment)] = (name, time.time(), asked)


def _replayed(experiment: str) -> str:
    return f"{experiment}.replay@"


def divergence_note(run: Run) -> list[str]:
    """The sentence that the run's summary has under `note`, in bold; none of a run that has none."""
    result = service().result(run.id) if run.status == "done" else None
    note = result.summary.get("note") if result else None
    return [f"**{plain_text(note)}**"] if note else []
