"""Latent variables on the page: f*(x) = g(Ux), where fixed kernels pay for d and feature learners do not."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number, to_power
from featdash.lessons.dimension import panels
from featdash.lessons.dimension.panels import FAIR, PHASE
from featdash.lessons.dimension.pictures import dimension_reach, errors_at_end, reach_film
from featdash.lessons.dimension.recipe import LATENT, LEVEL, LatentSpec
from featdash.lessons.race.recipe import EXPERIMENT as RACE
from featdash.lessons.shared.pictures.errors import Prediction, Theory, error_curves
from featdash.recipes.events import Result
from featdash.theory.predictions import kernel_plateau
from featdash.theory.target import PolynomialTarget
from featdash.ui.kit import link, navigation
from featdash.ui.page import target_picker
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.shown import shown

STAIRCASE = "fixed kernels, d → ∞"
STAIR = 240  # points of the staircase: its steps look upright

TEXT = LessonText(
    question="What if f\\* looks at a few directions of x only?",
    formula=r"$f^*(x) = g(Ux)$, $\deg g = p$: fixed kernels need $n \asymp d^p$; for Algorithm 1 "
    r"$n \gtrsim d^2 r + d r^p$ is enough",
    reading="""
- **Use this part** to give the methods your own polynomial of a few directions. The story «What can a kernel
  adapt to, and what not?» shows a bowl and a cubic along one.
- **Left**: the error on n samples as d grows, with the same latent polynomial. The inputs fill $\\mathbb{R}^d$, so
  distances and angles tell a kernel nothing about $U$. At fixed n a fixed kernel loses one degree after another:
  degree k goes where $d^k$ passes n (dotted lines), and what is left is the energy of the degrees lost, the staircase.
  It is a statement for large d; at these dimensions its steps are smooth ramps.
- **Algorithm 1** and the trained network turn their first layer towards $U$ and then fit a function of r variables.
  Their errors grow with d as well. For Algorithm 1 about $d^2$ samples are enough, instead of $d^p$; we know of no
  lower bound of that order, and the theorem says nothing about the fully trained network.
- **Right**: the dimension at which each error rises through ¼. Dashed: the dimension at which $d^p$ passes n, beyond
  which a kernel must have lost the degree p; and the one at which $d^2$ does, up to which Algorithm 1 sees U by the
  theorem, with constants that it does not name.
- The same against the number of head steps, with the neurons as they turn, is in the Lab: the link under the controls.
""",
    source="""
Damian, Lee and Soltanolkotabi, COLT 2022, section 1 and Theorem 1; the slides of the reading group. The run is
`featdash.lessons.dimension.run.run`, the staircase `featdash.theory.predictions.kernel_plateau`. Our choices:
the NTK is the infinite-width one here (in the Lab it has finite width), and the network is stopped where the holdout is
best.
""",
    trials=(
        Trial(
            "A quadratic: He₂/√2",
            {"target": "He2(z1)/sqrt(2)"},
            "There is nothing but degree 2, and n ≍ d² is enough for a kernel too: at d = 32 the NTK's error is about "
            "¼, where it is ¾ with the default target, of degree 3.",
        ),
        Trial(
            "No curvature: He₃/√6",
            {"target": "transfer"},
            "Assumption 2 fails: Algorithm 1 climbs with the kernel, and at d = 32 both have learned nothing.",
        ),
        Trial(
            "Half the samples: n = 600",
            {"n": 600},
            "Every curve moves left: the NTK reaches d ≈ 6 instead of 9, Algorithm 1 about 12 instead of 24.",
        ),
    ),
    papers=("damian2022",),
    controls=("target", "n", "dims", "noise", "seed"),
)


def target_of(spec: LatentSpec) -> PolynomialTarget:
    return target_picker.target_of(spec.target, max(spec.dims))


@shown
def errors(curves: panels.Errors, spec: LatentSpec, theme: Theme) -> Picture:
    """Errors against d, with the staircase of the kernels."""
    curves_so_far, target = curves or {}, target_of(spec)
    d = np.geomspace(min(spec.dims), max(spec.dims), STAIR).tolist()
    stair = [kernel_plateau(target.energy_by_degree, value, spec.n) for value in d]
    lines = [Prediction(STAIRCASE, d, [step or np.nan for step in stair], "dash")]
    marks = [(spec.n ** (1 / k), f"{to_power('d', k)} = n") for k in range(1, target.degree + 1)]
    title = f"Error at n = {number(spec.n)} samples"
    picture = error_curves(curves_so_far, spec.dims, theme=theme, title=title, theory=Theory(lines, marks), height=360)
    return replace(picture, headline=errors_at_end(curves_so_far))


@shown
def reach(result: Result, spec: LatentSpec, theme: Theme) -> Picture:
    """The dimension at which each error passes the level; at the end."""
    dims_by_method, p = panels.dimension_by_method(result), target_of(spec).degree
    lines = [(spec.n ** (1 / k), f"{to_power('d', k)} = n") for k in sorted({2, p})]
    return dimension_reach(dims_by_method, spec.dims, LEVEL, theme=theme, lines=lines, height=300)


@shown
def reaches_film(picture: Picture, result: Result, spec: LatentSpec) -> Film | None:
    return reach_film(picture.figure, panels.dimension_by_method(result), spec.dims)


def facts(spec: LatentSpec) -> None:
    """The target's card, its story, and the way to the Lab."""
    target = target_of(spec)
    target_picker.card(target)
    target_picker.about(target, target_picker.story_of(spec.target))
    middle = sorted(spec.dims)[len(spec.dims) // 2]
    settings = {"target": spec.target, "n": spec.n, "d": middle, "noise": spec.noise}
    query = link.query(RACE, settings, always=("d", "n"))
    about = "Run a race at one of these dimensions."
    st.button(f"Lab at d = {middle} →", on_click=navigation.go, args=(link.address("lab", query),), help=about)


LESSON = Lesson(
    "Latent variables",
    LATENT,
    TEXT,
    (
        Panel("latent-error", errors, film=growing(PHASE, still=(STAIRCASE,))),
        Panel("latent-reach", reach, film=reaches_film),
    ),
    facts=facts,
    film=(PHASE,),
    remark=lambda _: FAIR,
)
