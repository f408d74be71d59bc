"""The panels of a scaling law: from the frames of its streams to the pictures' numbers."""

from __future__ import annotations

import numpy as np

from featdash.figures.picture import Picture
from featdash.lessons.scaling_laws.frames import SingleTasks, TaskFrame
from featdash.lessons.scaling_laws.pictures.learned import learned_tasks
from featdash.lessons.scaling_laws.pictures.loss import Curve, scaling_law
from featdash.lessons.scaling_laws.pictures.tasks import task_courses
from featdash.lessons.scaling_laws.recipe import ScalingLawsSpec
from featdash.ui.panels import Panel, View

ScalingView = View[ScalingLawsSpec, None]
MOST_CURVES = 7


def courses(view: ScalingView) -> tuple[list[float], list[TaskFrame]]:
    """The looks so far, and their times."""
    frames = view.frames("courses")
    return [float(frame.at) for frame in frames], [TaskFrame.from_arrays(frame.arrays) for frame in frames]


def single_tasks(view: ScalingView) -> SingleTasks | None:
    """What the single equations say; None at the start, also while a question hides what would answer it."""
    frame = view.last("alone")
    return SingleTasks.from_arrays(frame.arrays) if frame and len(view.frames("courses")) > 1 else None


def times(view: ScalingView) -> np.ndarray:
    """Those of the single equations, up to the end of the run, so that axes of time stand still; empty before."""
    frame = view.last("alone")
    return SingleTasks.from_arrays(frame.arrays).t if frame else np.zeros(0)


def loss(view: ScalingView) -> Picture | None:
    """The loss and its slopes."""
    t, rows = courses(view)
    if not rows:
        return None
    alone, result = single_tasks(view), view.result()
    curves = {"network": Curve(t, [row.loss for row in rows])}
    if alone is not None:
        curves |= {"alone": Curve(alone.t, alone.loss), "many": Curve(alone.late, alone.many)}
    slopes = {"predicted": view.spec.slope} if alone is not None else {}
    if result is not None and not view.moves("courses"):
        slopes = result.summary["slope"]
    return scaling_law(curves, slopes, theme=view.theme, height=430)


def tasks(view: ScalingView) -> Picture | None:
    """Tasks 1, 2, 4, 8, ... by themselves."""
    t, rows = courses(view)
    if not rows:
        return None
    named = [2**power for power in range(MOST_CURVES) if 2**power <= view.spec.tasks]
    share = np.stack([row.share for row in rows]).astype(float)
    alone = single_tasks(view)
    places = [task - 1 for task in named]
    ends = times(view)
    beside = (ends, alone.share[:, places] if alone else np.full((len(ends), len(named)), np.nan))
    return task_courses(t, share[:, places], beside, named, theme=view.theme, height=215)


def learned(view: ScalingView) -> Picture | None:
    """All tasks."""
    t, rows = courses(view)
    if not rows:
        return None
    alone = single_tasks(view)
    share = np.stack([row.share for row in rows]).astype(float)
    until = max(times(view), default=0.0)
    return learned_tasks(t, share, alone.jumps if alone else [], theme=view.theme, until=until, height=215)


PANELS = (
    Panel("scaling-loss", loss, width=1.2, streams=("courses", "alone"), start=1),
    Panel("scaling-tasks", tasks, streams=("courses", "alone"), start=1),
    Panel("scaling-map", learned, stacked=True, streams=("courses", "alone"), start=1),
)
