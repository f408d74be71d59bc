"""A run on the page: how a visitor starts it, and the buttons that command it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from featdash.recipes.experiment import find_experiment, takes_inputs
from featdash.recipes.version import run_id
from featdash.runs.run import Run
from featdash.ui.kit import link, toolbar
from featdash.ui.kit.form import Form
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service, session, viewer_count, visitor
from featdash.ui.page import commands
from featdash.ui.stage import film
from featdash.ui.stage.lesson import Trial
from featdash.ui.stage.stage import Comparison

PLACE = "commands@"  # of the buttons, in the session's state
HOLDS = "Hold the run before its next step; after five minutes it ends."
GOES_ON = "Let the run go on."
ENDS = "End the run; the pictures so far stay."
NOTICE = 10.0  # seconds
LEFT = "You no longer wait for this run; it goes on for the others who asked for it."
NOT_YOURS = "You cannot pause or stop this run: others asked for it."


def view_of(form: Form) -> Run | None:
    """The run on show: the one this visitor watches, else one of the default settings, computed here or recorded."""
    name, default = form.experiment.name, form.experiment.spec()
    fresh = service().get(run_id(name, default))
    recorded = service().find_recorded(name, default)
    candidates = [link.watched_run(form), fresh.id if fresh and fresh.status == "done" else None, recorded]
    return next((run for one in candidates if one and (run := service().get(one))), None)


def begin(form: Form) -> None:
    """Replay the stored run of the present settings from its start, or else compute it, and watch it; for a callback.

    A refusal becomes a notice of one sentence.
    """
    _clear_notice(form)
    before = view_of(form)
    try:
        stored = service().find_stored(form.experiment.name, form.spec())
    except ValueError as error:
        add_notice(form, f"{error}.")
        return
    if stored:
        _compare(form, before, stored)
        on_show = before and before.spec == form.spec() and before.status == "done" and not before.error
        name = before.id if before and on_show else stored
        link.watch(form, name)
        film.play(form.experiment.name, name, again=True)
    else:
        _ask(form, before)


def _ask(form: Form, before: Run | None) -> None:
    """Queue a run of the present settings; it replaces `before`, which stays on show until the new run begins."""
    try:
        name = _submit(form)
    except ValueError as error:
        add_notice(form, f"{error}.")
        return
    link.watch(form, name)
    _compare(form, before, name)
    if before and before.status != "queued":
        st.session_state[form.key("before@")] = before.id
    if before and before.id != name:
        _replace(before)


def _compare(form: Form, before: Run | None, name: str) -> None:
    """Compare the run of that name with `before` if that has finished; if it has not, the comparison stays as it is."""
    if before is None:
        stop_comparing(form)
    elif before.status == "done" and before.id != name:
        st.session_state[form.key("compared@")] = before.id


def compared_run(form: Form, run: Run) -> Run | None:
    """The run of other settings that `run` is compared with; None for none."""
    before = service().get(st.session_state.get(form.key("compared@"), ""))
    return before if before and before.spec and before.spec != run.spec else None


def comparison(form: Form) -> Comparison:
    """The run before the one on show, for the stage."""
    return Comparison(partial(compared_run, form), partial(stop_comparing, form))


def stop_comparing(form: Form) -> None:
    """End the comparison; for a callback as well."""
    st.session_state.pop(form.key("compared@"), None)


def _replace(before: Run) -> None:
    """Stop the visitor's own run when another one replaces it, so that it does not go on out of sight.

    It goes on if others have asked for it, or look at it.
    """
    if service().owns(before.id, visitor(), alone=True) and not viewer_count().is_watched(before.id, session()):
        service().stop(before.id, visitor())


def _submit(form: Form) -> str:
    """Submit the present settings, with the visitor's own arrays if they take some; returns the id of the run."""
    experiment, spec = form.experiment.name, form.spec()
    if form.own is None or not takes_inputs(form.experiment, spec):
        return service().submit(experiment, spec, visitor())
    name = service().submit_private(experiment, spec, visitor(), form.own.inputs())
    form.own.began(name)
    return name


def arrive(form: Form, before: Run | None = None) -> None:
    """Show the run of the present settings: at once if it is recorded or stored, else as it is computed."""
    recorded = service().find_recorded(form.experiment.name, form.spec())
    if recorded:
        link.watch(form, recorded)
        _compare(form, before, recorded)
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
    """The run before this one while this one waits in the queue and there is such a run; else this run itself."""
    if run and run.status == "queued":
        before = service().get(st.session_state.get(form.key("before@"), ""))
        if before and before.spec and before.id != run.id and before.experiment == run.experiment:
            return before
    return run


def offer(form: Form, run: Run | None) -> None:
    """If the visitor's own run keeps a new one waiting, a button that ends it; else nothing."""
    name = visitor()
    if not (run and run.status == "queued" and service().owns(run.id, name)):
        return
    mine = [one for one in service().recent(name) if one.status in ("running", "paused")]
    mine = [one for one in mine if service().owns(one.id, name, alone=True)]
    if not mine:
        return
    description = f"{find_experiment(mine[0].experiment).noun} ({link.summary(mine[0])})"
    st.caption(f"Your run of {description} is still being computed, {mine[0].fraction:.0%}. Wait for it, or:")
    about = "End the run that is being computed; the one that waits starts at once."
    st.button(
        "Stop it and run this",
        on_click=_stop,
        args=(form, mine[0].id),
        key=form.key("offer@"),
        help=about,
        width="stretch",
    )


def buttons(form: Form, run: Run | None, ready: bool) -> None:
    """Run, then Pause or Resume, and Stop, each with the name of its object.

    A visitor who has only followed a link to a run cannot pause or stop it.
    """
    active = bool(run and run.active)
    mine = bool(run and active and service().owns(run.id, visitor()))
    others = "" if mine or not active else " This one was asked for by others."
    data = {
        "noun": form.experiment.noun,
        "state": _state(run),
        "ready": ready,
        "stored": ready and service().find_stored(form.experiment.name, form.spec()) is not None,
        "mine": mine,
        "help": {"pause": f"{HOLDS}{others}", "resume": f"{GOES_ON}{others}", "stop": f"{ENDS}{others}"},
    }
    commands.mount(form.key(PLACE), data, _actions(form))


def _state(run: Run | None) -> str:
    """The run's state as commands.js reads it; a run that will pause when it begins counts as paused."""
    if run is None or run.spec is None:
        return "none"
    return ("paused" if run.holds else run.status) if run.active else "ended"


def _actions(form: Form) -> commands.Actions:
    """What each command does: Pause, Resume and Stop command the latest run, even if it is not on show yet."""

    def of_run(command: Callable[[Form, str], None]) -> None:
        if run := view_of(form):
            command(form, run.id)

    return {
        "run": partial(begin, form),
        "pause": partial(of_run, _pause),
        "resume": partial(of_run, _resume),
        "stop": partial(of_run, _stop),
    }


def _pause(form: Form, name: str) -> None:
    if not service().pause(name, visitor()):
        _refuse(form, name)


def _resume(form: Form, name: str) -> None:
    if not service().resume(name, visitor()):
        _refuse(form, name)


def _stop(form: Form, name: str) -> None:
    _clear_notice(form)
    run = service().get(name)
    outcome = service().stop(name, visitor())
    if outcome == "left":
        add_notice(form, LEFT)
    elif outcome == "not yours":
        _refuse(form, name)
    elif name == link.watched_run(form) and (previous := previous_run(form, run)) and previous is not run:
        link.watch(form, previous.id)  # the stopped run never began, so it has nothing to show


def _refuse(form: Form, name: str) -> None:
    """Say why a command was refused, unless the run has ended or is already in that state, which the page shows."""
    if (run := service().get(name)) and run.active and not service().owns(name, visitor(), alone=True):
        add_notice(form, NOT_YOURS)


def add_notice(form: Form, sentence: str) -> None:
    """Note a sentence for the next drawings of this form's page: a live page is soon drawn again by itself."""
    st.session_state[form.key("note@")] = (f"{sentence[0].upper()}{sentence[1:]}", time.monotonic())


def _clear_notice(form: Form) -> None:
    """Drop the notice before a command, which may bring another one."""
    st.session_state.pop(form.key("note@"), None)


def show_notices(form: Form, sentences: Sequence[str | None]) -> None:
    """Show what went wrong, a sentence each; a callback's sentence stays for NOTICE seconds, or until a command."""
    note, since = st.session_state.get(form.key("note@"), ("", 0.0))
    for sentence in [*sentences, note if time.monotonic() - since < NOTICE else ""]:
        if sentence:
            st.error(plain_text(sentence))
