"""A stair, on its page: monomials that are learned one after the other, and what it costs if one is missing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.staircase.frames import CourseFrame, StepCounts
from featdash.lessons.staircase.pictures.coefficients import Learned, coefficients
from featdash.lessons.staircase.pictures.counts import step_counts
from featdash.lessons.staircase.pictures.loss import loss_courses
from featdash.lessons.staircase.pictures.style import TARGETS
from featdash.lessons.staircase.recipe import EXPERIMENT, HIGH, LONG, LOOSE, NONE, StaircaseSpec
from featdash.runs.run import Run
from featdash.theory.boolean import all_monomials, monomial_name
from featdash.ui.kit import toolbar
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="How does a network climb to a product of three?",
    formula=r"$f^*(x) = x_1 + x_1x_2 + x_1x_2x_3$, $x \in \{\pm 1\}^d$; $f(x) = \frac1m \sum_j a_j\,\mathrm{ReLU}(w_j "
    r"\cdot x + b_j)$, all of it trained",
    reading="""
- **Left**: every product of the first inputs, a *monomial*, has a coefficient in the network, which the target wants
  at 1 or at 0. On the full stair they rise one after the other: $x_1$ first, then $x_1x_2$, then $x_1x_2x_3$. Where a
  stair is missing, the next one waits. Grey is the largest of those that the target does not have.
- **Right, above**: the loss on new samples. It falls in steps, one for each monomial, with level stretches between
  them. The dashed level is where a target counts as learned.
- **Right, below**: the steps to that level against the dimension, each network with its own start and samples: the
  median, and a bar from the fewest to the most. A hollow marker at the top means that most of them gave up.
- The *leap* of a target is the most new inputs that a monomial brings, in the best order: 1 for the full stair, 2
  without its middle, 3 for the product alone.
""",
    source="""
Abbe, Boix-Adserà and Misiakiewicz, *The merged-staircase property*, COLT 2022, and *SGD learning on neural networks:
leap complexity and saddle-to-saddle dynamics*, COLT 2023. The run is `featdash.lessons.staircase.run.run`, the network
`featdash.learners.online_sgd.OnlineNetwork`. Our choices: coefficients 1, ReLU, biases that start at 0, batches of 64,
a rate that does not depend on the dimension, and the level.
""",
    trials=(
        Trial(
            "Three loose stones",
            {"targets": (LOOSE, NONE)},
            "x₁ + x₂ + x₃ + x₁x₂x₃ has leap 1 as well: with the three inputs known, the product brings no new one. It "
            "is learned after 240 to 250 steps at every d, seeds 0, 7 and 11.",
        ),
        Trial(
            "Biases drawn at the start",
            {"biases": "drawn"},
            "The product alone no longer waits for the biases to move: at d = 80 it takes 800 to 830 steps instead of "
            "1820 to 1870, and still comes last (seeds 0, 7, 11).",
        ),
        Trial(
            "A stair of four, and a leap of three",
            {"targets": (LONG, HIGH), "dims": (20, 80)},
            "At d = 20 the two products in the middle do not help: 390 steps with them, 360 to 370 without. At d = 80 "
            "they do: 550 to 570 against 710 to 730 (seeds 0, 7, 11).",
        ),
        Trial(
            "Give up after 1000 steps",
            {"steps": 1000},
            "At d = 80 no network learns the product alone: a hollow marker at the top, no number. At d = 20 all do.",
        ),
    ),
    papers=("abbe2022", "abbe2023"),
    controls=("targets", "dims", "width", "rate", "repeats", "seed"),
    words={name: style.label for name, style in TARGETS.items()} | {"zero": "all 0", "drawn": "drawn from N(0, 1)"},
    sliders=(),
)


@dataclass(frozen=True)
class Options:
    """log : whether the axis of the steps is logarithmic."""

    log: bool = False


Courses = Annotated[Frames[CourseFrame], "courses"]


def view_options(run: Run) -> Options:
    """Draw the switch over the pictures; returns what it is set to."""
    about = "Steps on a logarithmic axis, which shows what happens early."
    return Options(toolbar.switch(run, "log", "Log steps", help=about))


@shown
def monomials(courses: Courses, options: Options, spec: StaircaseSpec, theme: Theme) -> Picture:
    """The coefficients of every target's monomials."""
    names = [monomial_name(one) for one in all_monomials(spec.variables)]
    values = np.stack([row.coefficients for row in courses])
    by_target = {}
    for index, (name, target) in enumerate(spec.polynomials().items()):
        own = {monomial_name(one): names.index(monomial_name(one)) for one in target.monomials}
        rest = [place for place in range(len(names)) if place not in own.values()]
        mine = {monomial: values[:, index, place] for monomial, place in own.items()}
        by_target[name] = Learned(mine, values[:, index, rest].T)
    steps = [int(at) for at in courses.at]
    return coefficients(steps, by_target, max(spec.dims), theme=theme, log=options.log, height=430)


@shown
def loss(courses: Courses, options: Options, spec: StaircaseSpec, theme: Theme) -> Picture:
    """The loss on every target."""
    losses = {name: np.array([row.loss[index] for row in courses]) for index, name in enumerate(spec.targets)}
    steps = [int(at) for at in courses.at]
    return loss_courses(steps, losses, spec.level, max(spec.dims), theme=theme, log=options.log, height=215)


@shown
def counts(table: Annotated[StepCounts, "steps"], spec: StaircaseSpec, theme: Theme) -> Picture:
    """Steps against the dimension, from the networks so far."""
    order = np.argsort(spec.dims).tolist()
    dims = [spec.dims[column] for column in order]
    steps = {name: [table.steps_of(row, column) for column in order] for row, name in enumerate(spec.targets)}
    return step_counts(dims, steps, spec.steps, theme=theme, height=215)


PHASE = Phase("steps", ("courses",), lambda at: f"step {number(at)}")
PANELS = (
    Panel("staircase-coefficients", monomials, film=growing(PHASE)),
    Panel("staircase-loss", loss, film=growing(PHASE)),
    Panel("staircase-steps", counts),
)


LESSON = Lesson(
    "A stair",
    EXPERIMENT,
    TEXT,
    PANELS,
    toolbar=view_options,
    film=(PHASE,),
)
