"""A run on the page: the buttons that command it, the line that tells how it stands, and the live part."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

import streamlit as st

from featdash.recipes.registry import find_experiment
from featdash.recipes.spec import Spec
from featdash.recipes.version import run_id
from featdash.runs.run import Run
from featdash.ui import link, playback, toolbar
from featdash.ui.form import Form
from featdash.ui.lesson import Lesson, Trial
from featdash.ui.plain_text import plain_text
from featdash.ui.playback import ReplayedStreams
from featdash.ui.shared import service, viewer_count
from featdash.ui.visitor import large, session, visitor

Limits = tuple[tuple[str, int], ...]
SLOWEST = 0.3  # seconds between two looks of few viewers, without a playback
PACES = 2.5  # a page keeps its timer until the one for so many viewers would be this much slower or faster
UNHURRIED = 0.5  # seconds between two sessions that change their timers
PROGRESS = 160  # pixels
LETTER, SIDES = 8, 26  # pixels of a button: a letter, and what is left and right of its label
LARGER = 1.3  # times
STEADY = 0.1  # of the work done, before which the time left is a guess
LEFT = "You no longer wait for this run; it goes on for the others who asked for it."
NO_REPLAY = ("", 0.0, False)  # run, when it was asked for, and whether to have it computed
NOT_YOURS = "This run is not yours to command: others asked for it, or it has ended."


def view_of(form: Form) -> Run | None:
    """The run on show: the one this visitor watches, else one of the default settings, fresh if there is one."""
    name, default = form.experiment.name, form.experiment.spec()
    fresh = service().get(run_id(name, default))
    recorded = service().recorded(name, default)
    shown = [link.watched_query(form), fresh.id if fresh and fresh.status == "done" else None, recorded]
    return next((run for one in shown if one and (run := service().get(one))), None)


def begin(form: Form) -> None:
    """Replay the stored run of the present settings from its start, else ask for it, and watch it; for a callback.

    What is refused is noted in one sentence.
    """
    before = view_of(form)
    try:
        stored = service().stored(form.experiment.name, form.spec())
    except ValueError as error:
        add_notice(form, f"{error}.")
        return
    if stored:
        on_show = before and before.spec == form.spec() and before.status == "done" and not before.error
        found = before.id if before and on_show else stored
        link.watch(form, found)
        replay(form, found, asked=True)
    else:
        _ask(form, before)


def _ask(form: Form, before: Run | None) -> None:
    """Have the present settings computed, in their turn; `before` stays on show until then."""
    try:
        link.watch(form, service().submit(form.experiment.name, form.spec(), visitor()))
    except ValueError as error:
        add_notice(form, f"{error}.")
        return
    if before and before.status != "queued":
        st.session_state[form.key("before@")] = before.id


def arrive(form: Form, before: Run | None = None) -> None:
    """Show the run of the present settings: at once if it is recorded or stored, else computed in its turn."""
    recorded = service().recorded(form.experiment.name, form.spec())
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
        st.button(f"Replay {noun}", on_click=replay, args=(form, run.id), shortcut=shortcut, width=width)
    else:
        paused = bool(run and run.status == "paused")
        st.button(
            f"Resume {noun}" if paused else f"Pause {noun}",
            on_click=_resume if paused else _pause,
            args=(form, run.id if run else ""),
            disabled=not mine or bool(run and run.status == "queued"),
            shortcut=shortcut,
            width=width,
            help=f"Hold the run before its next step; after five minutes it ends.{others}",
        )
    st.button(
        f"Stop {noun}",
        on_click=_stop,
        args=(form, run.id if run else ""),
        disabled=not mine,
        help=f"End the run; the pictures so far stay.{others}",
    )


def _width(label: str) -> int:
    """Pixels of a button with that label."""
    return round((LETTER * len(label) + SIDES) * (LARGER if large() else 1))


def _pause(form: Form, name: str) -> None:
    if not service().pause(name, visitor()):
        add_notice(form, NOT_YOURS)


def _resume(form: Form, name: str) -> None:
    if not service().resume(name, visitor()):
        add_notice(form, NOT_YOURS)


def _stop(form: Form, name: str) -> None:
    waited = service().get(name)
    outcome = service().stop(name, visitor())
    if outcome != "stops":
        add_notice(form, LEFT if outcome == "left" else NOT_YOURS)
    elif name == link.watched_query(form) and (shown := previous_run(form, waited)) and shown is not waited:
        link.watch(form, shown.id)  # of the one that never began there is nothing to see


def replay(form: Form, name: str, asked: bool = False) -> None:
    """Begin the replay of a run; `asked` : by who wanted it computed."""
    st.session_state[_replayed(form.experiment.name)] = (name, time.time(), asked)


def _replayed(experiment: str) -> str:
    return f"{experiment}.replay@"


def add_notice(form: Form, sentence: str) -> None:
    """A sentence for the next drawing of this form's page."""
    st.session_state[form.key("note@")] = sentence


def show_notices(form: Form, sentences: Sequence[str | None]) -> None:
    """What went wrong, a sentence each; those of callbacks are shown once."""
    for sentence in [*sentences, st.session_state.pop(form.key("note@"), None)]:
        if sentence:
            st.error(plain_text(sentence))


def live(
    run: Run, draw: Callable[[Run, Limits], None], part: Lesson, line: str = "", waiting: Run | None = None
) -> None:
    """Draw the run, again and again while it is active or replayed, once when it has ended; its state above it.

    draw : is given the newest view, and how many frames of the streams in `part.plays` are let out; it runs inside one
    fragment, so it should only show what is already computed.
    line : what is said of a run at rest; waiting : another run, still in the queue, that takes its place on the page
    when it begins.
    """
    began, plays = _began(run), part.plays
    replay = playback.again(plays, began) if began and not run.active else None
    moving = run.active or waiting is not None or bool(replay and replay.is_playing(run, time.time()))
    if moving:
        viewer_count().watch(session())
    usual = viewer_count().interval()

    @st.fragment(run_every=_pace(plays) if moving else None)
    def panel() -> None:
        now, clock = service().get(run.id) or run, time.time()
        play = replay or playback.live(now, plays if part.held else ())
        if moving:
            viewer_count().watch(session())
            over = not (now.active or waiting or (play and play.is_playing(now, clock)))
            begun = any(one and one.status == "queued" and not _waits(one) for one in (run, waiting))
            if (over or begun) and viewer_count().may_draw():
                st.rerun()  # the whole page: its buttons and sliders change with the beginning and the end of a run
            if not usual / PACES <= viewer_count().interval() <= usual * PACES and viewer_count().may_draw(UNHURRIED):
                st.rerun()  # the timer cannot be set otherwise
        with st.container(key="status", horizontal=True, vertical_alignment="center", gap="small"):
            if waiting:
                status(service().get(waiting.id) or waiting, beside="; the pictures are of the run before")
            elif run.active or now.status == "failed":
                status(now)
            else:
                st.markdown(line)
        limits = play.limits(now.id, clock) if moving and play else ()
        draw(playback.run_until(now, limits), limits)

    panel()


def follow(run: Run, plays: ReplayedStreams, draw: Callable[[Limits], None]) -> None:
    """Draw what follows the frames that a replay lets out, again and again until it is over; see `live`."""
    began = _began(run)

    @st.fragment(run_every=_pace(plays) if began else None)
    def following() -> None:
        draw(playback.again(plays, began).limits(run.id, time.time()) if began else ())

    following()


def _pace(plays: ReplayedStreams) -> float:
    """Seconds between two looks."""
    usual = viewer_count().interval()
    return usual * playback.TICK / SLOWEST if plays else usual


def _waits(run: Run) -> bool:
    now = service().get(run.id)
    return bool(now and now.status == "queued")


def replays(run: Run, plays: ReplayedStreams) -> bool:
    """Whether this visitor watches a replay of the run that is not over."""
    began = None if run.active else _began(run)
    return bool(began and playback.again(plays, began).is_playing(run, time.time()))


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
    return status_line(run, again=asked and name == run.id and spec == run.spec)


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
        return f"Waiting, place {run.place or 1} of {run.queue_length or 1} in the queue"
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
