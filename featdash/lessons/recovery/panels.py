"""The pictures of a recovery: its timeline, and its neurons in the teacher's space."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.recovery.frames import HEAD
from featdash.lessons.recovery.pictures.teacher_space import teacher_space
from featdash.lessons.recovery.pictures.timeline import WINDOWS, recovery_timeline
from featdash.runs.view import RunView
from featdash.ui import toolbar
from featdash.ui.panels import Moment, Panel

PLAYS = ("timeline", "neurons")


@dataclass(frozen=True)
class Wish:
    """window : which stages the timeline shows; log : stage 3 on a log scale; flat : space drawn on two axes;
    step : of the neurons on show, None for the newest."""

    window: str = "all"
    log: bool = True
    flat: bool = False
    step: float | None = None


def wishes(view: RunView) -> Wish:
    """One line of switches, and after the end the scrubber over the steps."""
    window, log, flat, scrub = toolbar.line([2.6, 1.2, 1.2, 3.4])
    shown = toolbar.choice(view, "window", "Stages shown", list(WINDOWS), window)
    logged = toolbar.switch(view, "log", "Log steps", log, True, help="Stage 3 on a logarithmic scale of its steps.")
    plane = toolbar.switch(view, "flat", "Flat view", flat, help="Draw space on its first two axes, as a picture.")
    return Wish(shown, logged, plane, toolbar.scrubber(view, "neurons", scrub, "Step on show", moment_of))


def moment_of(step: float) -> str:
    """A step of the timeline in words."""
    named = {0: "at the start", 1: "after stage 1: one step", HEAD: "after stage 2: the head"}
    return named.get(int(step), f"at step {number(step - HEAD)} of stage 3")


def timeline(moment: Moment) -> Picture | None:
    """Loss, cosines and counts; the newest frame holds all rows so far."""
    frame = moment.last("timeline")
    if frame is None:
        return None
    at = None if moment.moves("neurons") else moment.wish.step
    lines = not moment.view.spec.keep_linear
    settings = {"log": moment.wish.log, "window": moment.wish.window, "at": at, "lines": lines}
    return recovery_timeline(frame.arrays, moment.view.spec.steps, look=moment.look, height=425, **settings)


def neurons(moment: Moment) -> Picture | None:
    """The neurons of both branches beside the teacher's directions."""
    teacher, now = moment.last("teacher"), moment.last("neurons", moment.wish.step)
    if teacher is None or now is None:
        return None
    lines, when = not moment.view.spec.keep_linear, f" {moment_of(now.at)},"
    return teacher_space(
        teacher.arrays, now.arrays, lines, look=moment.look, flat=moment.wish.flat, step=when, height=425
    )


PANELS = (
    Panel("recovery-timeline", timeline, streams=("timeline",)),
    Panel("recovery-neurons", neurons, width=1.05, streams=("teacher", "neurons")),
)
