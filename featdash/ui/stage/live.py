"""The live part of a page: a run drawn again and again while it goes on, and the line of its state."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from featdash.recipes.spec import Spec
from featdash.runs.run import Run
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service, session, viewer_count
from featdash.ui.stage import film
from featdash.ui.stage.lesson import Lesson

UNHURRIED = 0.5  # seconds between two sessions that change their timers
PACES = 2.5  # a page keeps its timer until the one for so many viewers would be this much slower or faster
TICK, SLOWEST = 0.15, 0.3  # seconds between two looks of few viewers, at what moves and at anything else
STEADY = 0.1  # share of the work done before which the time left would be a guess
PROGRESS = 160  # pixels


def live(
    run: Run,
    draw: Callable[[Run], None],
    part: Lesson,
    line: str = "",
    waiting: Run | None = None,
    beside: Callable[[Run], None] | None = None,
) -> None:
    """Draw the run with its state above it: again and again while it is active, and once when it has ended.

    draw : called with the run as it is now; it runs inside one fragment, so it should only show what is already
    computed. line : a sentence about a run at rest, and after the state of one in progress; waiting : another run,
    still in the queue, that replaces this one on the page when it begins; beside : draws the end of the line of state.
    """
    moving = run.active or waiting is not None
    if moving:
        viewer_count().watch(session(), run.id)
    usual = viewer_count().interval(ahead=True)
    pace = usual * TICK / SLOWEST if part.film else usual

    @st.fragment(run_every=pace if moving else None)
    def panel() -> None:
        now = service().get(run.id) or run
        # Drawn first: Streamlit lets a visitor's own request through wherever something is drawn, and `st.rerun` would
        # take the place of one, such as a click on another page.
        state = st.container(key="status", horizontal=True, vertical_alignment="center", gap="small")
        if moving:
            viewer_count().watch(session(), run.id)
            over = not (now.active or waiting)
            has_begun = any(one and one.status == "queued" and not _waits(one) for one in (run, waiting))
            if (over or has_begun) and viewer_count().may_draw():
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
            if beside:
                beside(now)
        draw(now)

    panel()


def _waits(run: Run) -> bool:
    now = service().get(run.id)
    return bool(now and now.status == "queued")


def ending_line(run: Run | None, spec: Spec | None) -> str:
    """How a run has ended, in a line; "" for one in progress, and for a failed one, which says so itself.

    spec : the present settings; if the visitor has pressed Run for just these, the line says they were computed before.
    """
    if run is None or run.active or run.status == "failed":
        return ""
    ended = status_line(run, again=film.is_played_again(run) and spec == run.spec)
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
    """The state of a run in a line; `again` : whether the visitor pressed Run though it was finished before."""
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
    ended += ". Same settings: not computed again" if again else ""
    here = run.seconds and not run.recorded  # how long another machine took says nothing about this one
    seconds = f", computed in {run.seconds:.1f} s" if here else ""
    return ". ".join([f"{ended}{seconds}", *(one for one in (run.error, run.note) if one)])


def divergence_note(run: Run) -> list[str]:
    """The sentence under `note` in the run's summary, in bold; empty if there is none."""
    result = service().result(run.id) if run.status == "done" else None
    note = result.summary.get("note") if result else None
    return [f"**{plain_text(note)}**"] if note else []
