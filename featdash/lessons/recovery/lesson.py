"""Recovery, on its page: from the teacher's subspace to its directions."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames, Placed
from featdash.figures.text import number
from featdash.lessons.recovery.frames import HEAD, Rows, Students, TeacherDirections, join_rows
from featdash.lessons.recovery.pictures.teacher_space import Scene, space_film, teacher_space
from featdash.lessons.recovery.pictures.timeline import ALL, FIRST_STAGES, SHARES, WINDOWS, StepAxis, recovery_timeline
from featdash.lessons.recovery.recipe import EXPERIMENT, RecoverySpec
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.stage import chart
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing, shown_moments
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="The space is found: who finds the neurons?",
    formula=r"$f^* = \sum_k s_k \sigma(u_k \cdot x)$, $f = \sum_i a_i \sigma(w_i \cdot x)$, $\sigma(z) = |z|/2$, "
    r"decay $\lambda \to 0$",
    papers=("zhou2024",),
    controls=("d", "r", "width", "angle", "signs", "lam0"),
    reading="""
- **Stages**: (1) one gradient step on $W$; (2) regress the head, then balance norms; (3) train both layers, with weight
  decay λ lowered to 0 at the dotted lines. «Stop after Algorithm 1» trains the head alone for the same number of steps.
- **Loss**: exact, over all inputs, after the constant and linear part are taken out. If you stop, you have random
  features *inside the subspace*: good, and stuck. If you go on, each drop of λ takes the loss down another flight of
  stairs.
- **Cosines**: in grey, the neuron nearest to each of the teacher's directions; among many neurons one is near by luck.
  The mass-weighted cosine asks *all* neurons, each weighted by its mass $|a_i|\\|w_i\\|$.
- **Counts**: neurons still alive, and pairs of opposite sign that point the same way and cancel. Decay on both layers
  acts as an ℓ₁ penalty on the masses: cancelling costs something, so those pairs go.
- **Neurons**: they are drawn beside the teacher's directions, which are lines, because $w$ and $-w$ are the same neuron
  of $|\\cdot|$. Area is mass, relative to the heaviest neuron. With $r > 3$ the picture has the three leading axes.
  Drag to turn; «Flat view» needs no 3-D.
- Drag across the timeline to select steps, double-click to see all again.
""",
    source="""
Zhou and Ge, *How does gradient descent learn features: a local analysis for regularized two-layer neural networks*,
NeurIPS 2024. Computed by `featdash.lessons.recovery.run.run` on the closed-form loss of
`featdash.learners.student_loss` (or on $n$ samples, behind «Data»). The stages are the paper's; the schedule of λ,
η = 0.1, the ridge of stage 2 and the picture are ours. Here σ is a ReLU less its linear part, $|z|/2$, and the loss has
no factor ½: with three directions at 60° the target's variance is 0.23. One seed is one draw, not a law.
""",
    trials=(
        Trial(
            "No weight decay",
            {"weight_decay": False},
            "The clearest lesson: the loss still falls to 3·10⁻⁶, but the mass-weighted cosine stays near 0.9 and 150 "
            "to 220 pairs go on cancelling (seeds 0, 7, 11). A small loss alone does not mean recovery.",
        ),
        Trial(
            "As few neurons as the teacher: m = 3",
            {"width": 3},
            "Stuck at loss 0.037: two neurons share one direction, the third stands between the two others. It is "
            "luck: of the seeds 0 to 3 two get stuck, two recover exactly.",
        ),
        Trial(
            "Keep the linear part",
            {"keep_linear": True},
            "One step collapses on one line (median |cos| 0.995, some 1200 cancelling pairs after stage 2). In the end "
            "each direction has a neuron and the loss is below 10⁻⁶, but this is no recovery: by mass the cosine is "
            "0.2 to 0.7, and 60 to 390 pairs cancel (seeds 0, 7, 11).",
        ),
    ),
)


@dataclass(frozen=True)
class Options:
    """window : which stages the timeline shows; log : stage 3 on a log scale; flat : space drawn on two axes;
    step : of the neurons on show, None for the newest; curves : those of the timeline, ALL or one of its panels."""

    window: str = "all"
    log: bool = True
    flat: bool = False
    step: float | None = None
    curves: str = ALL


def view_options(run: Run) -> Options:
    """The switches, and after the end the scrubber over the steps."""
    about = "Which part of the timeline is drawn; with the first stages alone, the neurons are those at their end."
    window = toolbar.choice(run, "window", "Stages shown", list(WINDOWS), help=about)
    curves = toolbar.choice(run, "curves", "Curves shown", [ALL, *SHARES], help="Of the timeline: one panel is larger.")
    log = toolbar.switch(run, "log", "Log steps", True, help="Stage 3 on a logarithmic scale of its steps.")
    flat = toolbar.switch(run, "flat", "Flat view", help="Draw space on its first two axes, as a picture.")
    step = toolbar.scrubber(run, "neurons", "Step on show", step_label)
    return Options(window, log, flat or not chart.draws_space(), step, curves)


def step_label(step: float) -> str:
    """A step of the timeline in words."""
    first_steps = {0: "at the start", 1: "after stage 1: one step", HEAD: "after stage 2: the head"}
    return first_steps.get(int(step), f"at step {number(step - HEAD)} of stage 3")


@shown
def timeline(
    parts: Annotated[Frames[Rows], "timeline"],
    students: Annotated[Frames[Students] | None, "neurons"],
    options: Options,
    spec: RecoverySpec,
    theme: Theme,
) -> Picture:
    """Loss, cosines and counts; a frame holds the rows since the one before."""
    step = students.choice(options.step) if students else options.step
    axis = StepAxis(spec.steps, options.log, options.window, step, spec.weight_decay)
    rows, lines = join_rows(parts.arrays), not spec.keep_linear
    return recovery_timeline(rows, axis, theme=theme, lines=lines, curves=options.curves, height=425)


def on_show(students: Frames[Students], options: Options) -> Placed[Students] | None:
    """The neurons at the chosen step, else the newest; where only the first stages are shown, of these."""
    visible = in_window(students, options)
    return visible.last(options.step) if visible else None


def in_window(students: Frames[Students], options: Options) -> Frames[Students] | None:
    """The frames of the stages that are shown."""
    last = HEAD if options.window == FIRST_STAGES else math.inf
    visible = [frame for frame in students.frames if frame.at <= last]
    return replace(students, frames=visible) if visible else None


@shown
def neurons(
    teacher: Annotated[TeacherDirections, "teacher"],
    students: Annotated[Frames[Students], "neurons"],
    options: Options,
    spec: RecoverySpec,
    theme: Theme,
) -> Picture | None:
    """The neurons of both branches beside the teacher's directions."""
    now = on_show(students, options)
    if now is None:
        return None
    scene = Scene(teacher, now.arrays, lines=not spec.keep_linear)
    return teacher_space(scene, theme=theme, flat=options.flat, step=in_title(now.at), height=425)


@shown
def neurons_film(picture: Picture, students: Annotated[Frames[Students], "neurons"], view: View) -> Film | None:
    visible, moments = in_window(students, view.options), shown_moments(PHASE, view.run, view.ending)
    if visible is None or len(moments) < 2:
        return None
    steps = [in_title(min(at, visible.at[-1])) for at in moments]
    return space_film(picture.figure, visible.at_moments(moments), steps)


def in_title(step: float) -> str:
    return f" {step_label(step)}"


def step_places(view: View[RecoverySpec, Options], steps: Sequence[float]) -> Sequence[float]:
    """Where steps stand in the timeline."""
    return StepAxis(view.spec.steps, view.options.log).places(steps).tolist()


PHASE = Phase("the three stages", ("timeline", "neurons"), step_label, keeps=(1, HEAD))
PANELS = (
    Panel("recovery-timeline", timeline, start=3, film=growing(PHASE, places=step_places)),
    Panel("recovery-neurons", neurons, wide=True, start=1, film=neurons_film),
)


LESSON = Lesson(
    "Recovery",
    EXPERIMENT,
    TEXT,
    PANELS,
    toolbar=view_options,
    film=(PHASE,),
)
