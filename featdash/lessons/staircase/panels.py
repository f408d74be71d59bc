"""The pictures of a stair: from the frames of its streams to the figures' numbers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.figures.picture import Picture
from featdash.lessons.staircase.frames import CourseFrame, StepCounts
from featdash.lessons.staircase.pictures.coefficients import Learned, coefficients
from featdash.lessons.staircase.pictures.counts import step_counts
from featdash.lessons.staircase.pictures.loss import loss_courses
from featdash.lessons.staircase.recipe import StaircaseSpec
from featdash.runs.run import Run
from featdash.theory.boolean import all_monomials, monomial_name
from featdash.ui import toolbar
from featdash.ui.panels import Panel, View

PLAYS = ("courses",)


@dataclass(frozen=True)
class Options:
    """log : steps on a logarithmic axis."""

    log: bool = False


StaircaseView = View[StaircaseSpec, Options]


def view_options(run: Run) -> Options:
    """The switch."""
    about = "Steps on a logarithmic axis: what comes early is seen."
    return Options(toolbar.switch(run, "log", "Log steps", help=about))


def courses(view: StaircaseView) -> tuple[list[int], list[CourseFrame]]:
    """The looks so far, and their steps."""
    frames = view.frames("courses")
    return [int(frame.at) for frame in frames], [CourseFrame.from_arrays(frame.arrays) for frame in frames]


def monomials(view: StaircaseView) -> Picture | None:
    """The coefficients of every target's monomials."""
    steps, rows = courses(view)
    if not rows:
        return None
    spec, names = view.spec, [monomial_name(one) for one in all_monomials(view.spec.variables)]
    values = np.stack([row.coefficients for row in rows])
    learned = {}
    for index, (name, target) in enumerate(spec.polynomials().items()):
        own = {monomial_name(one): names.index(monomial_name(one)) for one in target.monomials}
        rest = [place for place in range(len(names)) if place not in own.values()]
        mine = {monomial: values[:, index, place] for monomial, place in own.items()}
        learned[name] = Learned(mine, values[:, index, rest].T)
    return coefficients(steps, learned, max(spec.dims), theme=view.theme, log=view.options.log, height=430)


def loss(view: StaircaseView) -> Picture | None:
    """The loss on every target."""
    steps, rows = courses(view)
    if not rows:
        return None
    spec = view.spec
    losses = {name: np.array([row.loss[index] for row in rows]) for index, name in enumerate(spec.targets)}
    level, d, log = spec.level, max(spec.dims), view.options.log
    return loss_courses(steps, losses, level, d, theme=view.theme, log=log, height=215)


def counts(view: StaircaseView) -> Picture | None:
    """Steps against the dimension, as far as they are counted."""
    frame, spec = view.last("steps"), view.spec
    if frame is None:
        return None
    found = StepCounts.from_arrays(frame.arrays)
    order = np.argsort(spec.dims).tolist()
    dims = [spec.dims[column] for column in order]
    known = {name: [found.known(row, column) for column in order] for row, name in enumerate(spec.targets)}
    return step_counts(dims, known, spec.steps, theme=view.theme, height=215)


PANELS = (
    Panel("staircase-coefficients", monomials, width=1.1, streams=("courses",)),
    Panel("staircase-loss", loss, streams=("courses",)),
    Panel("staircase-steps", counts, stacked=True, streams=("steps",)),
)
