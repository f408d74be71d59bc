"""Width on the page: how many neurons, and how many weights, each method needs at one sample size."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import pairwise

import streamlit as st

from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number
from featdash.learners.methods import METHODS
from featdash.lessons.shared.panels import GAUSSIAN_WORDS
from featdash.lessons.width.pictures import risk_against_weights, risk_against_width
from featdash.lessons.width.recipe import EXPERIMENT, WidthSpec, cell, weights_of
from featdash.runs.run import Run
from featdash.theory.predictions import width_plateau
from featdash.theory.theorem import Theorem
from featdash.ui.kit import toolbar
from featdash.ui.kit.form import Form
from featdash.ui.page import target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.partial_result import CELLS, STREAMS, PartialResult, missing_cells
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="How many neurons does a good feature replace?",
    formula=r"Theorem 1: $E|f - y| - \varsigma \lesssim \sqrt{d r^p \kappa^{2p}/n} + \sqrt{r^p \kappa^{2p}/m} + "
    r"n^{-1/4}$; fixed features: $m > d^k$ for degree $k$",
    reading=r"""
- **Left**: mean excess risk over seeds against the number of neurons, with a band of one standard deviation. The sample
  size is the same everywhere. Algorithm 1 turns its neurons by one step, then fits a weight for each. Random features
  and the NTK keep their random neurons.
- **Dashed**, in the colour of the method: what theory predicts for fixed features. Random features learn the degrees up
  to $k$ where more than $d^k$ of their neurons differ, the NTK one degree more, because it fits $d$ numbers per neuron;
  and no more than the samples allow. It is a theorem on the sphere, for $d \to \infty$ and between powers of $d$; at
  $d = 10$ the stairs are worn down to slopes. Half of the neurons of both are mirror copies.
- **Right**: the same risks against how many weights are fitted at the end. An NTK of 1000 neurons fits 6000, because
  500 neurons differ and each has 12. So the number of weights is not what decides.
- **Log risk** adds a line with the slope of $1/m$: the square of the second term of Theorem 1. Its height means
  nothing, and the theorem bounds a mean absolute error, not the mean squared error that is drawn.
"""
    + CELLS,
    source="""
The comparison is ours. Damian, Lee and Soltanolkotabi (COLT 2022), Theorem 1, has the width in its bound; the degrees
that fixed features learn are those of Ghorbani, Mei, Misiakiewicz and Montanari, *Linearized two-layers neural networks
in high dimension*, Annals of Statistics 2021. Computed by `featdash.lessons.width.recipe`, the dashed lines by
`featdash.theory.predictions.width_plateau`, which takes the smaller of the degrees that neurons and samples allow.
""",
    trials=(
        Trial(
            "A tenth of the samples: n = 1000",
            {"n": 1000},
            "Now there are too few samples, not too few neurons: from 100 neurons to 1000 Algorithm 1 only falls from "
            "0.44 to 0.32. With a hundred neurons it is still clearly below the widest NTK, which ends at 0.69.",
        ),
        Trial(
            "Twice the dimension: d = 20",
            {"d": 20, "seeds": (0, 7, 11)},
            "The risk is 0.40 with thirty turned neurons, 0.63 with a thousand random ones and 0.58 for the NTK "
            "with 1000 neurons: random neurons get further from the hidden direction with every dimension, and "
            "neurons that were turned do not.",
        ),
        Trial(
            "Nothing for the step to see: He₃/√6",
            {"target": "transfer", "d": 20, "seeds": (0, 7, 11)},
            "Where the neurons are hardly turned, many of them are needed: the risk is 0.98 with thirty and "
            "0.42 with a thousand. For the NTK with 1000 neurons it is 0.70.",
        ),
    ),
    papers=("damian2022",),
    controls=("target", "d", "n", "widths", "seeds", "noise"),
    words=GAUSSIAN_WORDS,
)


@dataclass(frozen=True)
class Options:
    """log : whether the risk's axis is logarithmic."""

    log: bool = False


def view_options(run: Run) -> Options:
    """Draw the switch over the pictures, and say which cells are missing; returns what it is set to."""
    log = toolbar.switch(run, "log", "Log risk", help="Risk on a logarithmic axis, with a line of slope 1/m.")
    for sentence in missing_cells(run):
        st.caption(sentence)
    return Options(log)


@shown
def against_width(so_far: PartialResult, options: Options, spec: WidthSpec, theme: Theme) -> Picture:
    """Risk against m."""
    return risk_against_width(
        so_far.summary["statistics"],
        spec.widths,
        theme=theme,
        stairs=stairs(spec),
        zero=target_of(spec.target, spec.d).second_moment,
        methods=spec.methods,
        log=options.log,
        height=375,
    )


@shown
def against_weights(so_far: PartialResult, options: Options, spec: WidthSpec, theme: Theme) -> Picture:
    """Risk against fitted weights."""
    return risk_against_weights(
        so_far.summary["statistics"],
        [weights_of(cell(spec, place)[1]) for place in EXPERIMENT.places(spec)],
        theme=theme,
        zero=target_of(spec.target, spec.d).second_moment,
        methods=spec.methods,
        log=options.log,
        height=375,
    )


def stairs(spec: WidthSpec) -> dict[str, list[tuple[float, float]]]:
    """Method whose first layer stays -> (m, risk) at the corners of its predicted curve over the widths."""
    energy, corners_by_method = target_of(spec.target, spec.d).energy_by_degree, {}
    for method in spec.methods:
        if METHODS[method].steps:
            continue
        share = spec.widths[-1] / (spec.widths[-1] // 2 if spec.distinct == "half" else spec.widths[-1])
        turns = [share * spec.d**k for k in range(len(energy)) if spec.widths[0] < share * spec.d**k < spec.widths[-1]]
        edges = [spec.widths[0], *turns, spec.widths[-1]]
        corners: list[tuple[float, float]] = []
        for low, high in pairwise(edges):
            neurons = round(high / share)
            risk = width_plateau(energy, spec.d, spec.n, neurons, METHODS[method].tangent)
            corners += [(low, risk), (high, risk)]
        corners_by_method[method] = corners
    return corners_by_method


def controls(form: Form) -> None:
    """Draw the settings; the target has a special control."""
    form.column(TEXT.controls, sliders=TEXT.sliders, draws={"target": partial(target_picker.choose, form)})


def facts(spec: WidthSpec) -> None:
    """The target's card."""
    target_picker.card(target_of(spec.target, spec.d), spec.biases)


def theory(spec: WidthSpec) -> tuple[Theorem, ...]:
    """The theorems at the largest width."""
    target = target_of(spec.target, spec.d)
    return theorem_card.theorems(target, spec.n, max(spec.widths), spec.noise, theorem_card.step_of(spec))


PHASE = Phase("from few neurons to many", STREAMS, lambda m: f"m up to {number(m)}", lambda spec: sorted(spec.widths))
PREDICTED = ("random features, predicted", "NTK, predicted")
LESSON = Lesson(
    "Width",
    EXPERIMENT,
    TEXT,
    (
        Panel("width-risk", against_width, film=growing(PHASE, still=PREDICTED)),
        Panel("width-weights", against_weights, film=growing(PHASE, still=PREDICTED, each=True)),
    ),
    toolbar=view_options,
    controls=controls,
    facts=facts,
    theory=theory,
    film=(PHASE,),
)
