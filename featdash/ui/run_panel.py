"""A run on the page: what is asked for, and the buttons that command it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import streamlit as st

from featdash.recipes.experiment import find_experiment, takes_inputs
from featdash.recipes.version import run_id
from featdash.runs.run import Run
from featdash.ui import link, toolbar
from featdash.ui.form import Form
from featdash.ui.layout import large
from featdash.ui.lesson import Trial
from featdash.ui.live import replay
from featdash.ui.plain_text import plain_text
from featdash.ui.shared import service, visitor

LETTER, SIDES = 9, 32  # pixels of a button: a letter, and what is left and right of its label
LARGER = 1.3  # times
NOTICE = 10.0  # seconds
LEFT = "You no longer wait for this run; it goes on for the others who asked for it."
NOT_YOURS = "This run is not yours to command: others asked for it."


def view_of(form: Form) -> Run | None:
    """The run on show: the one this visitor watches, else one of the default settings, fresh if there is one."""
    name, default = form.experiment.name, form.experiment.spec()
    fresh = service().get(run_id(name, default))
    recorded = service().find_recorded(name, default)
    shown = [link.watched_query(form), fresh.id if fresh and fresh.status == "done" else None, recorded]
    return next((run for one in shown if one and (run := service().get(one))), None)


def begin(form: Form) -> None:
    """Replay the stored run of the present settings from its start, else ask for it, and watch it; for a callback.

    What is refused is noted in one sentence.
    """
    _clear_notice(form)
    before = view_of(form)
    try:
        stored = service().find_stored(form.experiment.name, form.spec())
    except ValueError as error:
        add_notice(form, f"{error}.")
        return
    if stored:
        on_show = before and before.spec == form.spec() and before.status == "done" and not before.error
        found = before.id if before and on_show else stored
        link.watch(form, found)
        replay(form.experiment.name, found, asked=True)
    else:
        _ask(form, before)


def _ask(form: Form, before: Run | None) -> None:
    """Have the present settings computed, in their turn; `before` stays on show until then."""
    try:
        link.watch(form, _submit(form))
    except ValueError as error:
        add_notice(form, f"{error}.")
        return
    if before and before.status != "queued":
        st.session_state[form.key("before@")] = before.id


def _submit(form: Form) -> str:
    """The id of the run of the present settings; on the visitor's own arrays where they take some."""
    experiment, spec = form.experiment.name, form.spec()
    if form.own is None or not takes_inputs(form.experiment, spec):
        return service().submit(experiment, spec, visitor())
    name = service().submit_private(experiment, spec, visitor(), form.own.inputs())
    form.own.began(name)
    return name


def arrive(form: Form, before: Run | None = None) -> None:
    """Show the run of the present settings: at once if it is recorded or stored, else computed in its turn."""
    recorded = service().find_recorded(form.experiment.name, form.spec())
    if recorded:
        link.watch(form, recorded)
    else:
        _ask(form, before)


def try_out(form: Form, trial: Trial) -> None:
    """Load the defaults with the trial's values in their place, and show their run; for a callback.

    The switches over the pictures are set as the trial has them.
    """
    form.reset()
    form.load(trial.values)
    toolbar.preset(form.experiment.name, trial.switches)
    arrive(form, view_of(form))


def previous_run(form: Form, run: Run | None) -> Run | None:
    """What is on show while the run of `view` waits in the queue: the one before it; else that run itself."""
    if run and run.status == "queued":
        before = service().get(st.session_state.get(form.key("before@"), ""))
        if before and before.spec and before.id != run.id and before.experiment == run.experiment:
            return before
    return run


def offer(form: Form, run: Run | None) -> None:
    """Where the visitor's own run keeps a new one waiting: one click ends it. Nothing else is drawn."""
    name = visitor()
    if not (run and run.status == "queued" and service().owns(run.id, name)):
        return
    mine = [one for one in service().recent(name) if one.status in ("running", "paused")]
    mine = [one for one in mine if service().owns(one.id, name, alone=True)]
    if not mine:
        return
    held = f"{find_experiment(mine[0].experiment).noun} ({link.summary(mine[0])})"
    st.caption(f"Your run of {held} is still being computed, {mine[0].fraction:.0%}. Wait for it, or:")
    about = "End the run that is being computed; the one that waits begins in its place."
    st.button(
        "Stop it and run this",
        on_click=_stop,
        args=(form, mine[0].id),
        key=form.key("offer@"),
        help=about,
        width="stretch",
    )


def buttons(form: Form, run: Run | None, ready: bool, shortcut: str | None = None) -> None:
    """Run, then Pause or Resume (after the end Replay), and Stop, each with the name of its object.

    shortcut : the key that replays a run, or holds it. Who only follows a link to a run cannot hold or stop it.
    """
    noun, active = form.experiment.noun, bool(run and run.active)
    mine = bool(run and active and service().owns(run.id, visitor()))
    others = "" if mine or not active else " This one was asked for by others."
    st.button(
        f"Run {noun}", on_click=begin, args=(form,), disabled=not ready, type="primary"
    )  # no help: its tooltip would lie over the title while the mouse rests here
    width = _width(f"Resume {noun}")  # of all three that stand in one place, so that Run stays in its own
    if run and run.spec and not active:
        again = (form.experiment.name, run.id)
        st.button(f"Replay {noun}", on_click=replay, args=again, shortcut=shortcut, width=width)
    else:
        paused = bool(run and run.status == "paused")
        st.button(
            f"Resume {noun}" if paused else f"Pause {noun}",
            on_click=_command,
            args=(form, _resume if paused else _pause),
            disabled=not mine or bool(run and run.status == "queued"),
            shortcut=shortcut,
            width=width,
            help=f"Hold the run before its next step; after five minutes it ends.{others}",
        )
    st.button(
        f"Stop {noun}",
        on_click=_command,
        args=(form, _stop),
        disabled=not mine,
        help=f"End the run; the pictures so far stay.{others}",
    )


def replay_button(form: Form, run: Run) -> None:
    """Replay alone: where a run is a scene's own, what has been computed needs no Run."""
    st.button("Replay", on_click=replay, args=(form.experiment.name, run.id), shortcut="A")


def _width(label: str) -> int:
    """Pixels of a button with that label."""
    return round((LETTER * len(label) + SIDES) * (LARGER if large() else 1))


def _command(form: Form, command: Callable[[Form, str], None]) -> None:
    """Command the run on show now: who has just pressed Run means the new one, though the page is not drawn with it."""
    if run := view_of(form):
        command(form, run.id)


def _pause(form: Form, name: str) -> None:
    if not service().pause(name, visitor()):
        _refuse(form, name)


def _resume(form: Form, name: str) -> None:
    if not service().resume(name, visitor()):
        _refuse(form, name)


def _stop(form: Form, name: str) -> None:
    _clear_notice(form)
    waited = service().get(name)
    outcome = service().stop(name, visitor())
    if outcome == "left":
        add_notice(form, LEFT)
    elif outcome == "not yours":
        _refuse(form, name)
    elif name == link.watched_query(form) and (shown := previous_run(form, waited)) and shown is not waited:
        link.watch(form, shown.id)  # of the one that never began there is nothing to see


def _refuse(form: Form, name: str) -> None:
    """Say why a command was refused; not where the run has ended meanwhile, as the page then shows."""
    if (run := service().get(name)) and run.active:
        add_notice(form, NOT_YOURS)


def add_notice(form: Form, sentence: str) -> None:
    """A sentence for the next drawings of this form's page: a live page is soon drawn again by itself."""
    st.session_state[form.key("note@")] = (f"{sentence[0].upper()}{sentence[1:]}", time.monotonic())


def _clear_notice(form: Form) -> None:
    """Before a command that may have another one."""
    st.session_state.pop(form.key("note@"), None)


def show_notices(form: Form, sentences: Sequence[str | None]) -> None:
    """What went wrong, a sentence each; those of callbacks for NOTICE seconds, or until the next command."""
    noted, since = st.session_state.get(form.key("note@"), ("", 0.0))
    for sentence in [*sentences, noted if time.monotonic() - since < NOTICE else ""]:
        if sentence:
            st.error(plain_text(sentence))
