"""The live part of a page: a run drawn again and again while it goes on, and what its state says."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import streamlit as st

from featdash.recipes.spec import Spec
from featdash.runs.run import Run
from featdash.ui.kit.shared import service, session, viewer_count
from featdash.ui.stage import film
from featdash.ui.stage.lesson import Lesson
from featdash.ui.streamlit_internals import set_timer

MOVING, STILL = 0.15, 0.3  # seconds between two looks of few viewers, at what moves and at anything else
AGE = 0.05  # of a run's computing time so far, after which few viewers look at it again
BUSY = 4  # times the last look's own time, after which the next one may come: a slow computer computes in between
SPENT = "look@"  # session-state key: seconds that the last look took
LONGEST = 0.5  # seconds that they wait at most
STEP = 1.1  # times, that a timer differs from the right one before it is set anew
SPREAD = 0.1  # of a timer, by which those of two sessions may differ from what they should be
STEADY = 0.1  # share of the work done before which the time left would be a guess
ASKED_ANEW = 0.02  # seconds between two questions of one look whether the run has ended


def live(
    run: Run, draw: Callable[[Run, dict[str, Any]], None], part: Lesson, spec: Spec | None, waiting: Run | None = None
) -> None:
    """Draw the run, again and again while it is active, once when it has ended, with what its state says.

    draw : is given the run as it is now, and its state; it runs inside one fragment, so it should only show what is
        already computed: a hundred viewers look 85 times a second.
    spec : the present settings; waiting : another run, still in the queue, that takes the place of this one on the page
        when it begins.
    """
    moving = run.active or waiting is not None
    timer = _pace(run, part) if moving else None
    has_ended, is_drawn = False, False

    @st.fragment(run_every=_spread(timer) if timer else None)
    def panel() -> None:
        nonlocal has_ended, is_drawn, timer
        are_few = timer is not None and timer <= LONGEST
        now = at_its_end(run) if is_drawn and are_few else latest(run)
        is_drawn = True
        if timer:
            has_begun = any(one and one.status == "queued" and not _waits(one) for one in (run, waiting))
            if (has_ended or has_begun) and viewer_count().may_draw():
                st.rerun()  # the whole page: its buttons and sliders change with the beginning and the end of a run
            has_ended = not (now.active or waiting)  # the pictures of the end come first: the page takes longer to draw
            pace = max(_pace(now, part), LONGEST if has_ended else 0)
            if has_ended or not timer / STEP <= pace <= timer * STEP:  # from the end on, whatever time it has run
                set_timer(_spread(pace))
                timer = pace
        ahead = (service().get(waiting.id) or waiting) if waiting else None
        began = time.perf_counter()
        draw(now, state_line(now, spec, ahead))
        if timer:
            st.session_state[SPENT] = time.perf_counter() - began

    panel()


def latest(run: Run) -> Run:
    """The run as it is now."""
    return service().get(run.id) or run


def at_its_end(run: Run, most: float = LONGEST) -> Run:
    """The run as it is now, or at its end if that should come within the pause that follows a look.

    Pictures drawn just before the end would hold no longer when they are seen, and would take from the run the time
    that it needs. most : seconds to wait.
    """
    until = time.monotonic() + most
    while _ends_within(most, now := latest(run)) and time.monotonic() < until:
        time.sleep(ASKED_ANEW)
        st.session_state.get(SPENT)  # here Streamlit ends the look, if the visitor has asked for something else
    return now


def _ends_within(seconds: float, run: Run) -> bool:
    is_running = run.status == "running" and run.fraction > STEADY
    return is_running and run.seconds_left is not None and run.seconds_left <= seconds


def _pace(run: Run, part: Lesson) -> float:
    """Seconds until this session looks at the run again, for as many as look at present, this one among them."""
    viewer_count().watch(session(), run.id)
    return viewer_count().interval(quickest=pause_of_few(run, part, st.session_state.get(SPENT, 0.0)))


def pause_of_few(run: Run, part: Lesson, spent: float) -> float:
    """Seconds until few viewers look at a run again: longer as it goes on, and where looks take long.

    A look takes some 60 ms of a browser, most of them in Streamlit's part of the page, whatever has changed.

    spent : seconds that the last look took the server.
    """
    return max(MOVING if part.film else STILL, min(max(AGE * run.seconds, BUSY * spent), LONGEST))


def _spread(pace: float) -> float:
    """About that many seconds: browsers whose timers began together would ask together each time."""
    return round(pace * random.uniform(1 - SPREAD, 1 + SPREAD), 3)


def _waits(run: Run) -> bool:
    now = service().get(run.id)
    return bool(now and now.status == "queued")


def state_line(run: Run, spec: Spec | None = None, waiting: Run | None = None) -> dict[str, Any]:
    """The step being done, the fraction, the time left, the place in the queue, or how it ended; see state_line.js.

    spec : the present settings; if the visitor has pressed Run for just these, the line says they were computed before.
    """
    if waiting:
        return _progress(waiting, "; the pictures are of the run before")
    if run.active:
        return _progress(run)
    if run.status == "failed":
        return {"failed": f"The run failed: {run.error or ''}."}
    return {"words": status_line(run, film.is_played_again(run) and spec == run.spec), "note": divergence_note(run)}


def _progress(run: Run, beside: str = "") -> dict[str, Any]:
    return {"fraction": round(min(max(run.fraction, 0.0), 1.0), 3), "words": status_line(run) + beside}


def status_line(run: Run, again: bool = False) -> str:
    """The state of a run in a line; `again` : whether the visitor pressed Run though it was finished before."""
    if run.status == "queued":
        pause = "; it begins paused" if run.holds else ""
        return f"Waiting, place {run.place or 1} of {run.queue_length or 1} in the queue{pause}"
    if run.status in ("running", "paused"):
        steady = run.seconds_left is not None and run.status == "running" and run.fraction > STEADY
        time_left = f", {run.seconds_left:.0f} s left" if steady else ""
        pause = "Paused: " if run.status == "paused" else ""
        return f"{pause}{run.doing or 'starting'}, {run.fraction:.0%}{time_left}"
    if run.status == "stopped":
        return (
            f"Stopped at {run.fraction:.0%}: {run.error}" if run.error else f"Stopped at {run.fraction:.0%} on request"
        )
    outcome = "Recorded run" if run.recorded else "Finished"
    if run.seconds and not run.recorded:  # how long another machine took says nothing about this one
        outcome += f", computed in {run.seconds:.1f} s"
    repeated = "Same settings: not computed again" if again else ""
    return ". ".join(one for one in (outcome, repeated, run.error, run.note) if one)


def divergence_note(run: Run) -> str:
    """The sentence that the run's summary has under `note`; "" of a run that has none."""
    result = service().result(run.id) if run.status == "done" else None
    return (result.summary.get("note") or "") if result else ""
