"""A changed setting runs by itself if that takes only a moment: no press of Run, and the last value wins."""

from __future__ import annotations

import streamlit as st

from featdash.recipes.experiment import takes_inputs
from featdash.recipes.spec import Spec
from featdash.runs.run import Run
from featdash.ui.kit import layout, link
from featdash.ui.kit.form import Form
from featdash.ui.kit.shared import service, visitor
from featdash.ui.page import run_panel
from featdash.ui.stage import film
from featdash.ui.streamlit_internals import arrived_by_history

SWITCH = "by-itself@"  # session-state key: whether this visitor's changes run by themselves
SHORT = 2.0  # seconds of computing up to which they do
RESERVE = 1.25  # an estimate is a quarter above what a run takes
ABOUT = "A changed setting is computed at once if that takes two seconds or less; above that, press Run."


def switch() -> None:
    """Whether a changed setting runs by itself."""
    on = st.session_state.get(SWITCH, True)
    st.toggle("Run by itself", value=on, key=SWITCH, persist_state="session", help=ABOUT)


def follow(form: Form, spec: Spec | None) -> None:
    """Run the settings that the visitor has just changed, if they are short; call it once in each drawing of a page.

    It ends the visitor's own run of the earlier settings, so that dragging a slider leaves one run, that of its last
    value. Who goes back to one that was ended so has it computed. Nothing starts when a page is opened, and nothing on
    a wall.
    """
    if spec is None:
        return
    has_changed = form.has_changed(spec)
    if layout.on_wall() or not st.session_state.get(SWITCH, True):
        return
    run = run_panel.view_of(form)
    is_wanted = (run is None or run.spec != spec) if has_changed else _was_left(run, spec)
    if is_wanted and is_short(form, spec):
        begin(form, run)


def _was_left(run: Run | None, spec: Spec) -> bool:
    """Whether Back or Forward has led to a run of this visitor's, of these settings, that was ended before its time."""
    if run is None or run.status != "stopped" or run.error or run.spec != spec or not arrived_by_history():
        return False
    return any(one.id == run.id for one in service().recent(visitor()))


def begin(form: Form, before: Run | None) -> None:
    """Show the run of the present settings in place of `before`, and its newest moment while it goes on."""
    run_panel.arrive(form, before)
    film.follow(form.experiment.name, link.watched_run(form) or "")


def is_short(form: Form, spec: Spec) -> bool:
    """Whether the run of these settings is stored, or takes a moment."""
    name = form.experiment.name
    if takes_inputs(form.experiment, spec):
        return False
    return service().find_stored(name, spec) is not None or _seconds(form, spec) <= SHORT


def differing_line(form: Form, run: Run | None, spec: Spec | None) -> str:
    """A sentence if the settings have moved on since the run on show, and how long theirs would take; "" if not."""
    if run is None or spec is None or run.spec == spec:
        return ""
    seconds = 0.0 if is_short(form, spec) else _seconds(form, spec)
    long = f" (about {seconds:.0f} s)" if seconds > SHORT else ""
    return f"New settings: press Run {form.experiment.noun}{long}."


def _seconds(form: Form, spec: Spec) -> float:
    """Seconds that a run of these settings probably takes."""
    return form.experiment.cost(spec).seconds / RESERVE
