"""Lemma 1 on the page: the gradient of n samples, of infinitely many, and the term that finds the subspace."""

from __future__ import annotations

from typing import Annotated

import numpy as np
import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.lemma.frames import GradientFrame, LemmaArrays
from featdash.lessons.lemma.recipe import EXPERIMENT, LemmaSpec
from featdash.lessons.shared.pictures.gradient_terms import (
    error_against_dimension,
    error_against_samples,
    gradient_film,
    gradient_scatter,
    series_parity,
    term_bars,
)
from featdash.recipes.events import Frame, Result
from featdash.runs.run import Run
from featdash.theory.gradient_series import gate_coefficients
from featdash.theory.theorem import Theorem
from featdash.ui.kit import toolbar
from featdash.ui.page import target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import MOST, Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="What does one gradient step see of the target?",
    formula=r"$\nabla_{w_j} L = -\frac{2}{\sqrt{2\pi}} a_j H w_j + \tilde O(\sqrt r/d)$, $H = \mathbb{E}\nabla^2 f^*$",
    reading="""
- **The formula** is Lemma 1, for a neuron with $\\lVert w_j\\rVert = 1$ and $b_j = 0$.
- **Single neurons**: each neuron's gradient along the principal directions, against the leading term of Lemma 1.
  Crosses are the gradient over infinitely many samples, summed exactly from the Hermite series; circles are what n
  samples show. On the dashed line a gradient equals its leading term.
- **Against n and d**: circles approach crosses as $n^{-1/2}$ (the band spans the repeats); their distance from the
  leading term alone does not go to zero, because the higher terms stay. Each distance is divided by the norm of the
  gradient from which it is taken. The higher terms shrink with the dimension as $d^{-1/2}$, with no samples in that
  picture at all.
- **ReLU coefficients**: a part of the target of degree k is multiplied by the coefficients $c_k$ and $c_{k+2}$ of the
  ReLU, and all odd coefficients from $c_3$ on are zero.
- **Series terms**, which «Last picture» shows in their place: the size of each term beside the noise of the whole
  gradient. Above each bar stands the number of samples at which it equals that noise. Term k is of order $d^{-k/2}$ and
  the noise of order $\\sqrt{d/n}$: the term rises above it from $n \\gtrsim d^{k+1}$, inside the subspace alone from
  $n \\gtrsim d^k$.
""",
    source="""
Damian, Lee and Soltanolkotabi, *Neural networks can learn representations with gradient descent*, COLT 2022, Lemma 1.
The exact gradient is `featdash.theory.gradient_series.gradient_series`, the run `featdash.lessons.lemma.run.run`.
Our choices: 4000 neurons for the picture against d, six repeats against n, slopes fitted to the last decade.
""",
    trials=(
        Trial(
            "An odd target: He₃/√6",
            {"target": "transfer"},
            "Every term is exactly zero at b = 0: the circles are noise around zero, at any n.",
        ),
        Trial(
            "An even one: He₄/√24",
            {"target": "He4(z1)/sqrt(24)"},
            "No leading term either, yet a gradient is left, and it shrinks as d to the power −3/2.",
        ),
        Trial(
            "Few samples: n = 1000",
            {"n": 1000},
            "Only the leading term stands out from the noise, and that is all one step needs.",
        ),
    ),
    papers=("damian2022",),
    controls=("target", "n", "d", "width", "noise", "seed"),
)


Gradients = Annotated[Frames[GradientFrame], "gradients"]


def view_options(run: Run) -> float | None:
    """The number of samples that the scatter shows, None for all."""
    about = "How many samples the gradient on show is made of."
    at = toolbar.scrubber(run, "gradients", "Samples in the gradient", lambda n: f"n = {number(n)}", about)
    if at is None and run.active:
        st.caption("The gradient grows with the samples.")
    return at


@shown
def scatter(gradients: Gradients, options: float | None, theme: Theme) -> Picture:
    """Gradients of single neurons against the leading term."""
    now = gradients.last(options)
    parts = (now.arrays.leading, now.arrays.population, now.arrays.empirical)
    least = max(float(np.abs(frame.empirical).max()) for frame in gradients)
    return gradient_scatter(*parts, theme=theme, samples=now.at, least=least, height=340)


@shown
def scatter_film(picture: Picture, gradients: Gradients) -> Film | None:
    some = gradients.few(MOST)
    return gradient_film(picture.figure, [frame.empirical for frame in some], some.at) if len(some) > 1 else None


@shown
def against_samples(
    so_far: Annotated[GradientFrame | None, "gradients"],
    result: Result | None,
    arrays: Annotated[LemmaArrays | None, Result],
    theme: Theme,
) -> Picture | None:
    """Errors against n, of the first repeat while it runs."""
    if result is None or arrays is None:
        return error_against_samples(so_far.n, so_far.error, theme=theme, height=170) if so_far else None
    samples, slopes = arrays.samples, result.summary["slopes"]["samples"]
    return error_against_samples(
        samples.n,
        samples.error,
        from_leading=samples.from_leading,
        guide=samples.guide,
        slope=(slopes["measured"], slopes["predicted"]),
        absolute=result.summary["population_is_zero"],
        theme=theme,
        height=170,
    )


@shown
def against_dimension(
    frame: Annotated[Frame, "dimensions"],
    result: Result | None,
    arrays: Annotated[LemmaArrays | None, Result],
    spec: LemmaSpec,
    theme: Theme,
) -> Picture | None:
    """What the leading term leaves, against d; nothing where the whole gradient is zero."""
    d, error = frame.arrays["d"], frame.arrays["error"]
    if not np.any(error):
        return None
    slope, guide = None, None
    if result and arrays and "dimensions" in result.summary["slopes"]:
        fit, guide = result.summary["slopes"]["dimensions"], arrays.dimension_guide
        slope = (fit["measured"], fit["predicted"])
    blind = not target_of(spec.target, spec.d).hessian_rank
    return error_against_dimension(d, error, theme=theme, guide=guide, slope=slope, absolute=blind, height=170)


@shown
def terms(arrays: Annotated[LemmaArrays, Result], spec: LemmaSpec, theme: Theme) -> Picture:
    """The series term by term, at the end."""
    terms = arrays.terms
    return term_bars(terms.norm, terms.needed, terms.noise, terms.noise_inside, theme=theme, n=spec.n, height=180)


@shown
def parity(spec: LemmaSpec, theme: Theme) -> Picture:
    """The ReLU's coefficients that the target meets."""
    target = target_of(spec.target, spec.d)
    coefficients = gate_coefficients(np.zeros(()), target.degree + 2)
    return series_parity(coefficients, target.energy_by_degree, theme=theme, height=160)


def facts(spec: LemmaSpec) -> None:
    target_picker.facts(target_of(spec.target, spec.d), spec.target)


def theory(spec: LemmaSpec) -> tuple[Theorem, ...]:
    return theorem_card.theorems(target_of(spec.target, spec.d), spec.n, spec.width, spec.noise)


PHASE = Phase("samples in the gradient", ("gradients",), lambda at: f"n = {number(at)}")
LESSON = Lesson(
    "Lemma 1",
    EXPERIMENT,
    TEXT,
    (
        Panel("lemma-scatter", scatter, film=scatter_film),
        Panel("lemma-samples", against_samples, film=growing(PHASE, still=("predicted",))),
        Panel("lemma-dimension", against_dimension, film=growing(PHASE, still=("predicted",))),
        Panel("lemma-parity", parity),
        Panel("lemma-terms", terms),
    ),
    alternatives={"parity": "ReLU coefficients", "terms": "series terms"},
    toolbar=view_options,
    facts=facts,
    theory=theory,
    film=(PHASE,),
)
