"""A run on the page: the buttons that command it, the line that tells how it stands, and the live part."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from featdash.experiments.spec import run_id
from featdash.runs.view import RunView
from featdash.ui import link, playback
from featdash.ui.form import Form
from featdash.ui.visitor import visitor
from featdash.ui.workshop import audience, service

Limits = tuple[tuple[str, int], ...]
SLOWEST = 0.3  # seconds between two looks of few viewers, without a playback
PACES = 2.5  # a page keeps its timer until the one for so many viewers would be this much slower or faster
UNHURRIED = 0.5  # seconds between two sessions that change their timers
STEADY = 0.1  # of the work done, before which the time left is a guess
LEFT = "You no longer wait for this run; it goes on for the others who asked for it."
NOT_YOURS = "This run is not yours to command: others asked for it, or it has ended."


def view_of(form: Form) -> RunView | None:
    """The run on show: the one this visitor watches, else one of the default settings, fresh if there is one."""
    name, default = form.experiment.name, form.experiment.spec()
    fresh = service().look(run_id(name, default))
    recorded = service().recorded(name, default)
    shown = [link.watched(form), fresh.id if fresh and fresh.status == "done" else None, recorded]
    return next((view for one in shown if one and (view := service().look(one))), None)


def begin(form: Form) -> None:
    """Ask for the run of the present settings and watch it; what is refused is noted in one sentence."""
    try:
        link.watch(form, service().submit(form.experiment.name, form.spec(), visitor()))
    except ValueError as error:
        note(form, f"{error}.")


def try_out(form: Form, values: Mapping[str, Any]) -> None:
    """Load the defaults with these values in their place, and show their recorded run, or run them; for a callback."""
    form.reset()
    form.load(values)
    recorded = service().recorded(form.experiment.name, form.spec())
    if recorded:
        link.watch(form, recorded)
    else:
        begin(form)


def buttons(form: Form, view: RunView | None, ready: bool, plays: tuple[str, ...] = ()) -> None:
    """Run, then Pause or Resume (after the end Replay), and Stop, each with the name of its object.

    Who only follows a link to a run cannot hold or stop it.
    """
    noun, active = form.experiment.noun, bool(view and view.active)
    mine = active and service().owns(view.id, visitor())
    others = "" if mine or not active else " This one was asked for by others."
    run, middle, stop = st.columns([1, 1.1, 1], gap="xsmall")
    run.button(
        f"Run {noun}",
        on_click=begin,
        args=(form,),
        disabled=not ready,
        type="primary",
        width="stretch",
    )  # no help: its tooltip would lie over the settings while the mouse rests here
    if plays and view and view.spec and not active:
        about = "See how the pictures came to be, frame by frame."
        middle.button(f"Replay {noun}", on_click=_replay, args=(form, view.id), width="stretch", help=about)
    else:
        paused = active and view.status == "paused"
        middle.button(
            f"Resume {noun}" if paused else f"Pause {noun}",
            on_click=_resume if paused else _pause,
            args=(form, view.id if view else ""),
            disabled=not mine or view.status == "queued",
            width="stretch",
            help=f"Hold the run before its next step; after five minutes it ends.{others}",
        )
    stop.button(
        f"Stop {noun}",
        on_click=_stop,
        args=(form, view.id if view else ""),
        disabled=not mine,
        width="stretch",
        help=f"End the run; the pictures so far stay.{others}",
    )


def _pause(form: Form, name: str) -> None:
    if not service().pause(name, visitor()):
        note(form, NOT_YOURS)


def _resume(form: Form, name: str) -> None:
    if not service().resume(name, visitor()):
        note(form, NOT_YOURS)


def _stop(form: Form, name: str) -> None:
    outcome = service().stop(name, visitor())
    if outcome != "stops":
        note(form, LEFT if outcome == "left" else NOT_YOURS)


def _replay(form: Form, name: str) -> None:
    st.session_state[_replayed(form.experiment.name)] = (name, time.time())


def _replayed(experiment: str) -> str:
    return f"{experiment}.replay@"


def note(form: Form, sentence: str) -> None:
    """A sentence for the next drawing of this form's page."""
    st.session_state[form.key("note@")] = sentence


def notes(form: Form, sentences: Sequence[str | None]) -> None:
    """What went wrong, a sentence each; those of callbacks are shown once."""
    for sentence in [*sentences, st.session_state.pop(form.key("note@"), None)]:
        if sentence:
            st.error(sentence)


def live(
    view: RunView, draw: Callable[[RunView, Limits], None], plays: tuple[str, ...] = (), held: bool = True
) -> None:
    """Draw the run, again and again while it is active or replayed, once when it has ended.

    draw : is given the newest view, and how many frames of the streams in `plays` are let out; it runs inside one
    fragment, so it should only show what is already computed. held : whether a live run is let out so too.
    """
    began = _began(view)
    replay = playback.again(plays, began) if plays and began and not view.active else None
    moving = view.active or bool(replay and replay.goes_on(view, time.time()))
    if moving:
        audience().watch(get_script_run_ctx().session_id)
    usual = audience().interval()
    pace = usual * playback.TICK / SLOWEST if plays else usual

    @st.fragment(run_every=pace if moving else None)
    def panel() -> None:
        now, clock = service().look(view.id) or view, time.time()
        play = replay or playback.live(now, plays if held else ())
        if moving:
            audience().watch(get_script_run_ctx().session_id)
            over = not (now.active or (play and play.goes_on(now, clock)))
            if over and audience().turn():
                st.rerun()  # the whole page: its buttons and sliders change with the end of the run
            if not usual / PACES <= audience().interval() <= usual * PACES and audience().turn(UNHURRIED):
                st.rerun()  # the timer cannot be set otherwise
        if view.active or now.status == "failed":
            status(now)
        draw(now, play.limits(now.id, clock) if moving and play else ())

    panel()


def _began(view: RunView) -> float | None:
    """When this visitor asked for a replay of the run."""
    name, began = st.session_state.get(_replayed(view.experiment), ("", 0.0))
    return began if name == view.id else None


def ended(view: RunView | None) -> str:
    """How a run has ended, for a line of the page; nothing of one in progress, nor of a failed one, which says so."""
    return told(view) if view and not view.active and view.status != "failed" else ""


def status(view: RunView) -> None:
    """The step being done, the fraction, the time left, the place in the queue, or how it ended."""
    if view.status == "failed":
        st.error(f"The run failed: {view.error}.")
    elif not view.active:
        st.caption(told(view))
    else:
        st.progress(min(max(view.fraction, 0.0), 1.0), text=told(view))


def told(view: RunView) -> str:
    """The state of a run in a line."""
    if view.status == "queued":
        return f"Waiting, place {view.place or 1} of {view.queue_length or 1} in the queue"
    if view.status in ("running", "paused"):
        steady = view.seconds_left is not None and view.status == "running" and view.fraction > STEADY
        left = f", {view.seconds_left:.0f} s left" if steady else ""
        paused = "Paused: " if view.status == "paused" else ""
        return f"{paused}{view.doing or 'starting'}, {view.fraction:.0%}{left}"
    if view.status == "stopped":
        return (
            f"Stopped at {view.fraction:.0%}: {view.error}"
            if view.error
            else f"Stopped at {view.fraction:.0%} on request"
        )
    ended = "Recorded run" if view.recorded else "Finished"
    seconds = f", computed in {view.seconds:.1f} s" if view.seconds else ""
    return ". ".join([f"{ended}{seconds}", *(one for one in (view.error, view.note) if one)])
