"""The pictures of a recovery: its timeline, and its neurons in the teacher's space."""

from __future__ import annotations

from dataclasses import dataclass

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.recovery.frames import HEAD, Rows, Students, TeacherDirections, join_rows
from featdash.lessons.recovery.pictures.teacher_space import Scene, teacher_space
from featdash.lessons.recovery.pictures.timeline import FIRST_STAGES, WINDOWS, StepAxis, recovery_timeline
from featdash.lessons.recovery.recipe import RecoverySpec
from featdash.recipes.events import Frame
from featdash.runs.run import Run
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


RecoveryView = View[RecoverySpec, Options]


def view_options(run: Run) -> Options:
    """The switches, and after the end the scrubber over the steps."""
    about = "Which part of the timeline is drawn; with the first stages alone, the neurons are those at their end."
    shown = toolbar.choice(run, "window", "Stages shown", list(WINDOWS), help=about)
    logged = toolbar.switch(run, "log", "Log steps", True, help="Stage 3 on a logarithmic scale of its steps.")
    plane = toolbar.switch(run, "flat", "Flat view", help="Draw space on its first two axes, as a picture.")
    return Options(shown, logged, plane, toolbar.scrubber(run, "neurons", "Step on show", step_label))


def step_label(step: float) -> str:
    """A step of the timeline in words."""
    named = {0: "at the start", 1: "after stage 1: one step", HEAD: "after stage 2: the head"}
    return named.get(int(step), f"at step {number(step - HEAD)} of stage 3")


def timeline(view: RecoveryView) -> Picture | None:
    """Loss, cosines and counts; a frame holds the rows since the one before."""
    frames = view.frames("timeline")
    if not frames:
        return None
    rows = join_rows([Rows.from_arrays(frame.arrays) for frame in frames])
    spec, options = view.spec, view.options
    axis = StepAxis(spec.steps, options.log, options.window, None if view.moves("neurons") else options.step)
    return recovery_timeline(rows, axis, theme=view.theme, lines=not spec.keep_linear, height=425)


def moment(view: RecoveryView) -> Frame | None:
    """The neurons at the chosen step, else the newest; where only the first stages are shown, of these."""
    if view.options.window != FIRST_STAGES:
        return view.last("neurons", view.options.step)
    early = [frame for frame in view.frames("neurons") if frame.at <= HEAD]
    chosen = [frame for frame in early if frame.at == view.options.step and not view.moves("neurons")]
    return next(iter([*chosen, *reversed(early)]), None)


def neurons(view: RecoveryView) -> Picture | None:
    """The neurons of both branches beside the teacher's directions."""
    frame, now = view.last("teacher"), moment(view)
    if frame is None or now is None:
        return None
    teacher, students = TeacherDirections.from_arrays(frame.arrays), Students.from_arrays(now.arrays)
    scene, when = Scene(teacher, students, lines=not view.spec.keep_linear), f" {step_label(now.at)},"
    return teacher_space(scene, theme=view.theme, flat=view.options.flat, step=when, height=425)


PANELS = (
    Panel("recovery-timeline", timeline, streams=("timeline",), start=3),
    Panel("recovery-neurons", neurons, width=1.05, wide=True, start=1, streams=("teacher", "neurons")),
)
