"""From emergence to scaling laws, on its page: tasks that are learned in jumps, and the line that they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.scaling_laws.frames import SingleTasks, TaskFrame
from featdash.lessons.scaling_laws.pictures.loss import Curve, scaling_law
from featdash.lessons.scaling_laws.pictures.tasks import ALONE, learned_tasks, task_courses
from featdash.lessons.scaling_laws.recipe import EXPERIMENT, ScalingLawsSpec
from featdash.recipes.events import Result
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="How can sudden jumps add up to a smooth line?",
    formula=r"$f^*(x) = \sum_{p \le P} p^{-\beta}\, \mathrm{He}_k(x_p)/\sqrt{k!}$; $f(x) = \sum_j \lVert v_j \rVert^2 "
    r"\mathrm{He}_k(\hat v_j \cdot x)/\sqrt{k!}$, $\hat v_j = v_j / \lVert v_j \rVert$",
    reading="""
- **Left**: the loss, over what predicting 0 costs, against the time of gradient flow, both axes logarithmic: a power
  law is a straight line. The solid curve is the network. The dashed one takes each task by itself, with the neuron that
  is nearest to it at the start, solves its two equations and adds up.
- **Right, above**: single tasks. Each waits, then is learned quickly. Task p has the weight $p^{-β}$, and so waits
  about $p^β$ times as long as task 1. Dotted: the task alone.
- **Right, below**: all tasks, a row each; grey is not learned yet. A circle is the time predicted for the task alone.
- **Why a line**: by time t tasks up to $p ∝ t^{1/β}$ are learned, and the weights of all others leave $\\sum_{q>p}
  q^{-2β} ∝ p^{1-2β}$. So the slope is $-(2β - 1)/β$.
- **Where it ends**: after the last task there is nothing left, and the curve drops below the line; where neurons are
  too few it stops on a floor. With 10 000 tasks, in 10 000 dimensions, the line is straight for decades (everything is
  later there; times of that curve are scaled to those of the smaller network).
""",
    source="""
Ren, Nichani, Wu and Lee, *Emergence and scaling laws in SGD learning of shallow neural networks*, 2025: the target, its
power-law weights, neurons whose length is their coefficient. Their theorem is about online stochastic gradient descent,
large P and d, and an even activation with information exponent above 2. Ours: one Hermite polynomial a task, gradient
flow of the exact mean squared error in small steps (or, with samples a step, plain stochastic gradient descent), and
the single equations beside it. The run is `featdash.lessons.scaling_laws.run.run`, the network
`featdash.learners.additive_network`, the equations `featdash.theory.single_index_flow`.
""",
    trials=(
        Trial(
            "Faster decay: β = 1.5",
            {"beta": 1.5},
            "The line falls more steeply: −4/3 by theory, −1.34 for 10 000 tasks; 64 tasks give −1.4 to −1.5 (seeds "
            "0, 7, 11). By t = 600 about half of them are learned: the weak ones wait for a long time.",
        ),
        Trial(
            "Degree 6: longer waits, sharper jumps",
            {"degree": 6},
            "A jump takes 0.16 of its wait instead of 0.34, because the search now takes most of the wait. The slope "
            "of 10 000 tasks stays at −1: it comes from the weights.",
        ),
        Trial(
            "Too few neurons: m = 32",
            {"width": 32},
            "24 of the 64 tasks are learned, 18 to 27 at other seeds; some take two neurons. The loss stops at 0.02, "
            "which is what the weights of the other tasks add up to.",
        ),
        Trial(
            "Fresh samples instead of averages",
            {"tasks": 16, "d": 32, "width": 256, "batch": 256},
            "Stochastic gradient descent, each sample used once, about a million in all: all 16 tasks are learned, or "
            "15 at some seeds, in the median within 7 % of the times that the single equations say.",
        ),
        Trial(
            "A single task",
            {"tasks": 1},
            "Nothing, nothing, and then all of it: no power law in sight.",
        ),
    ),
    papers=("ren2025",),
    controls=("beta", "tasks", "degree", "width", "batch", "seed"),
    sliders=("beta", "tasks", "degree"),
)


Courses = Annotated[Frames[TaskFrame], "courses"]
Alone = Annotated[SingleTasks | None, "alone"]
MOST_CURVES = 7


def visible_tasks(alone: SingleTasks | None, courses: Frames[TaskFrame]) -> SingleTasks | None:
    """What the single equations say; None at the start, also while a question hides what would answer it."""
    return alone if len(courses) > 1 else None


def times(alone: SingleTasks | None) -> np.ndarray:
    """Those of the single equations, up to the end of the run, so that axes of time stand still; empty before."""
    return alone.t if alone else np.zeros(0)


@shown
def loss(courses: Courses, alone: Alone, result: Result | None, spec: ScalingLawsSpec, theme: Theme) -> Picture:
    """The loss and its slopes."""
    single = visible_tasks(alone, courses)
    curves = {"network": Curve(courses.at, [row.loss for row in courses])}
    beside = {"alone": Curve(alone.t, alone.loss), "many": Curve(alone.late, alone.many)} if alone else {}
    slopes = {"predicted": spec.slope} if single is not None else {}
    if result is not None and not courses.moves:
        slopes = result.summary["slope"]
    return scaling_law(curves | beside, slopes, hidden=() if single else tuple(beside), theme=theme, height=430)


@shown
def tasks(courses: Courses, alone: Alone, spec: ScalingLawsSpec, theme: Theme) -> Picture:
    """Tasks 1, 2, 4, 8, ... by themselves."""
    task_numbers = [2**power for power in range(MOST_CURVES) if 2**power <= spec.tasks]
    share = np.stack([row.share for row in courses]).astype(float)
    places = [task - 1 for task in task_numbers]
    ends, single = times(alone), visible_tasks(alone, courses)
    beside = (ends, single.share[:, places] if single else np.full((len(ends), len(task_numbers)), np.nan))
    return task_courses(courses.at, share[:, places], beside, task_numbers, theme=theme, height=215)


@shown
def learned(courses: Courses, alone: Alone, theme: Theme) -> Picture:
    """All tasks."""
    single = visible_tasks(alone, courses)
    share = np.stack([row.share for row in courses]).astype(float)
    until = max(times(alone), default=0.0)
    return learned_tasks(courses.at, share, single.jumps if single else [], theme=theme, until=until, height=215)


def log_times(_: View, times: Sequence[float]) -> list[float]:
    """Where moments stand in the map, whose axis is log10 t from 1."""
    return np.log10(np.maximum(times, 1.0)).tolist()


def ends_with_equations(view: View, times: Sequence[float]) -> list[float]:
    """Where moments stand on the axis of the loss: the equations go on after the run, in the last moment."""
    alone = view.last("alone")
    return [*times[:-1], max(times[-1], float(alone.arrays["late"][-1]))] if alone else list(times)


PHASE = Phase("training", ("courses",), lambda at: f"t = {number(at)}")
PANELS = (
    Panel("scaling-loss", loss, start=1, film=growing(PHASE, places=ends_with_equations)),
    Panel("scaling-tasks", tasks, start=1, film=growing(PHASE, still=("predicted",))),
    Panel("scaling-map", learned, start=1, film=growing(PHASE, still=(ALONE,), places=log_times)),
)


LESSON = Lesson("A scaling law", EXPERIMENT, TEXT, PANELS, film=(PHASE,))
