"""How many spikes, on its page: the size of the step decides which functions leave the bulk of the features."""

from __future__ import annotations

from typing import Annotated

import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.spikes.frames import DirectionFrame, FeatureFrame
from featdash.lessons.spikes.pictures import (
    correlations,
    correlations_film,
    feature_spectrum,
    second_direction,
    spectrum_film,
    spike_course,
)
from featdash.lessons.spikes.recipe import EXPERIMENT, SpikesSpec
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import MOST, Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="What does one large step put into a network?",
    formula=r"$W^1 = W^0 - n^{\alpha}\, \nabla_W L$, features $\mathrm{ReLU}(W^1 x)$, $z = \beta \cdot x / "
    r"\lVert\beta\rVert$, $\beta = \frac1n \sum_i y_i x_i$",
    reading="""
- **Left, above**: the features of new samples after one step, taken apart by singular values. The hump is the bulk,
  which is there before the step as well. A spike beyond its edge is one function that many neurons share; beside it
  stands the polynomial of z that its singular vector is nearest to, with their correlation.
- **Left, below**: all three leading vectors against four polynomials.
- **Right, above**: the same against α. With a step of size $n^0 = 1$ nothing stands out; larger steps bring out a line,
  $He_1(z)$, then a bowl, $He_2(z)$. It ends there: neurons move one way or
  the opposite way, equally far, so that they share two curves: their difference is a line, their sum nearly a bowl.
- **Right, below**, another target, of two directions: the labels show one as a line, the other, $v_-$, only with
  degree 2. All neurons together show $v_-$ from a few tens of $d_2$ samples on, as the second singular vector of their
  gradients. The gradient of a single neuron begins to turn to it near $n = d_2^2$.
- $z$ is the direction that the step has *found*. How much of it lies along the directions that the labels depend on is
  another question.
""",
    source="""
Ba, Erdogdu, Suzuki, Wang, Wu and Yang, NeurIPS 2022; Moniri, Lee, Hassani and Dobriban, ICML 2024; Dandi, Krzakala,
Loureiro, Pesce and Stephan, JMLR 2024. The run is `featdash.lessons.spikes.run.run`, its gradient
`featdash.learners.algorithm1.first_layer_gradient`. Our choices: ReLU, the mirrored start, features less their means,
the edge and its margin.
""",
    trials=(
        Trial(
            "Line 1 as in Algorithm 1",
            {"remove_linear": True},
            "There are as many spikes, but along a direction that is mostly chance: its cosine with the subspace is "
            "0.34 to 0.40, instead of 0.72 to 0.75 (seeds 0, 7, 11). A spike says that the step was large, not that "
            "it was right.",
        ),
        Trial(
            "Fewer inputs: d = 100",
            {"d": 100},
            "There are ten samples per input instead of two, and the direction of the step has a cosine of 0.90 to "
            "0.91 with the subspace. The step is shorter, and the second spike comes only at α = 0.4 (seeds 0, 7, "
            "11).",
        ),
        Trial(
            "A line alone: y = z₁",
            {"target": "z1"},
            "The labels have no bowl, and yet He₂(z) leaves the bulk from α = 0.35 on: the ReLU bends along whatever "
            "direction the step has found (seeds 0, 7, 11).",
        ),
    ),
    papers=("ba2022", "moniri2024", "dandi2024"),
    controls=("target", "n", "d", "neurons", "remove_linear", "seed"),
)

Steps = Annotated[Frames[FeatureFrame], "steps"]


def view_options(run: Run) -> float | None:
    """The α on show, None for the largest so far."""
    at = toolbar.scrubber(run, "steps", "Size of the step, α", word=lambda alpha: f"α = {number(alpha)}")
    st.caption("Dashed: 5 % above the edge of the bulk, which is that of the features without their polynomials in z.")
    return at


@shown
def features(steps: Steps, options: float | None, theme: Theme) -> Picture:
    """The singular values of the features at one α."""
    now = steps.last(options)
    return feature_spectrum(now.arrays, now.at, steps.arrays, theme=theme, height=250)


@shown
def features_film(picture: Picture, steps: Steps) -> Film | None:
    some = steps.few(MOST)
    return spectrum_film(picture.figure, some.arrays, some.at) if len(some) > 1 else None


@shown
def vectors(steps: Steps, options: float | None, theme: Theme) -> Picture:
    """The correlations of singular vectors with polynomials at one α."""
    now = steps.last(options)
    return correlations(now.arrays, now.at, theme=theme, height=180)


@shown
def vectors_film(picture: Picture, steps: Steps) -> Film | None:
    some = steps.few(MOST)
    return correlations_film(picture.figure, some.arrays, some.at) if len(some) > 1 else None


@shown
def course(steps: Steps, options: float | None, theme: Theme) -> Picture:
    """The largest singular values against α so far."""
    return spike_course(steps.at, steps.arrays, theme=theme, at=steps.choice(options), height=215)


@shown
def direction(samples: Annotated[Frames[DirectionFrame], "samples"], spec: SpikesSpec, theme: Theme) -> Picture:
    """The cosines with the second direction, of the lesson's second part."""
    return second_direction([int(n) for n in samples.at], samples.arrays, spec.d2, theme=theme, height=215)


PHASE = Phase("the size of the step", ("steps",), lambda at: f"α = {number(at)}")
LESSON = Lesson(
    "How many spikes",
    EXPERIMENT,
    TEXT,
    (
        Panel("spikes-features", features, start=1, film=features_film),
        Panel("spikes-vectors", vectors, film=vectors_film),
        Panel("spikes-course", course, film=growing(PHASE)),
        Panel("spikes-directions", direction),
    ),
    toolbar=view_options,
    film=(PHASE,),
)
