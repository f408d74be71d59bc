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
from featdash.ui.panels import Panel, View

PLAYS = ("timeline", "neurons")


@dataclass(frozen=True)
class Options:
    """window : which stages the timeline shows; log : stage 3 on a log scale; flat : space drawn on two axes;
    step : of the neurons on show, None for the newest."""

    window: str = "all"
    log: bool = True
    flat: bool = False
    step: float | None = None


def view_options(run: RunView) -> Options:
    """One line of switches, and after the end the scrubber over the steps."""
    window, log, flat, scrub = toolbar.line([2.6, 1.2, 1.2, 3.4])
    shown = toolbar.choice(run, "window", "Stages shown", list(WINDOWS), window)
    logged = toolbar.switch(run, "log", "Log steps", log, True, help="Stage 3 on a logarithmic scale of its steps.")
    plane = toolbar.switch(run, "flat", "Flat view", flat, help="Draw space on its first two axes, as a picture.")
    return Options(shown, logged, plane, toolbar.scrubber(run, "neurons", scrub, "Step on show", step_label))


def step_label(step: float) -> str:
    """A step of the timeline in words."""
    named = {0: "at the start", 1: "after stage 1: one step", HEAD: "after stage 2: the head"}
    return named.get(int(step), f"at step {number(step - HEAD)} of stage 3")


def timeline(view: View) -> Picture | None:
    """Loss, cosines and counts; the newest frame holds all rows so far."""
    frame = view.last("timeline")
    if frame is None:
        return None
    at = None if view.moves("neurons") else view.options.step
    lines = not view.spec.keep_linear
    settings = {"log": view.options.log, "window": view.options.window, "at": at, "lines": lines}
    return recovery_timeline(frame.arrays, view.spec.steps, theme=view.theme, height=425, **settings)


def neurons(view: View) -> Picture | None:
    """The neurons of both branches beside the teacher's directions."""
    teacher, now = view.last("teacher"), view.last("neurons", view.options.step)
    if teacher is None or now is None:
        return None
    lines, when = not view.spec.keep_linear, f" {step_label(now.at)},"
    return teacher_space(
        teacher.arrays, now.arrays, lines, theme=view.theme, flat=view.options.flat, step=when, height=425
    )


PANELS = (
    Panel("recovery-timeline", timeline, streams=("timeline",)),
    Panel("recovery-neurons", neurons, width=1.05, streams=("teacher", "neurons")),
)
