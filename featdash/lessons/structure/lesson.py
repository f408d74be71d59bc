"""Rank and condition, on its page: how the samples of one step grow with the number and the weights of directions."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.structure import pictures as figures
from featdash.lessons.structure.frames import CaseFrame, growth_of
from featdash.lessons.structure.pictures import samples_of_structure, share_courses
from featdash.lessons.structure.recipe import EXPERIMENT, Case, StructureSpec, leading_order
from featdash.theory.exponents import Growth
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="What do more directions, and weaker ones, cost?",
    formula=r"$f^*(x) = \sum_{i \le r} \lambda_i\, \mathrm{He}_2(z_i)$, $E f^{*2} = 1$; Theorem 1: "
    r"$n \ge \tilde\Omega(d^2 \kappa^2 r)$, $\kappa = \lVert H^\dagger \rVert / \sqrt r$, $H = E \nabla^2 f^*$",
    reading=r"""
- **Right**: the share of a direction is $S/(S + B)$: $S$ is what one step puts along that hidden direction, $B$ what it
  puts outside all hidden ones, both as squared norms of the layer. At ½, dotted, one direction weighs as much as all
  $d - r$ useless ones together. The picture shows the direction of the smallest weight; where several have it, their
  mean. Bars are one standard deviation over the repeats.
- **Above**: $r$ directions of one weight. **Below**: two directions, of weights $λ_1$ and $λ_r$.
- **Left**: the samples $n^*$ at which the share passes ½, over $d^2$, against $κ^2 r$. Both axes are logarithmic, so a
  power is a slope; it is fitted with its standard error. For equal weights $κ = 1/\sqrt 2$ whatever $r$ is, and
  $κ^2 r = r/2$. For two weights $κ^2 r = (1 + λ_1^2/λ_2^2)/2$.
- **Dotted line, left**: what the leading term of the gradient says for large $d$, derived by us. The points lie above
  it where $κ^2 r$ is large: the next term, along the neuron itself, does not shrink with $n$.
- **Teal**: the singular vectors of all neurons together, which average over neurons. The squared cosine of their
  largest angle with the hidden subspace passes ½ much earlier.
""",
    source=r"""
Damian, Lee and Soltanolkotabi (COLT 2022), Theorem 1: with $n$ of the order of $d^2 κ^2 r$ and $d$ of that of
$κ r^{3/2}$ the error is at most of the order of $\sqrt{d r^p κ^{2p}/n}$ and two terms without $d$. That is an upper
bound, up to constants and logarithms. The slopes are our own measurement of the first step alone. The run is
`featdash.lessons.structure.run.run`, the step `featdash.learners.algorithm1`.
""",
    trials=(
        Trial(
            "Half the dimension: d = 25",
            {"d": 25},
            "In units of d² one direction needs what it did before, and eight need 18 to 20 instead of 10: 20 to 24 "
            "times as many as one (seeds 0, 7, 11). Here d is no longer large beside r.",
        ),
        Trial(
            "Labels with noise: ς = 1",
            {"noise": 1.0},
            "Noise of the target's own size doubles the mean square of the labels, and with it the samples: rank 8 "
            "takes 20 d² instead of 10 d². For the ratio of 4 no n here is large enough.",
        ),
        Trial(
            "A tenth of the neurons: m = 10",
            {"width": 10},
            "For rank 8 single neurons need 10 to 11 d², as before. Only five of them differ, so all together "
            "average less: for the ratio of 4 they need 7000 to 20 000 samples instead of 2200 to 3400 (seeds "
            "0, 7, 11).",
        ),
    ),
    papers=("damian2022",),
    controls=("ranks", "ratios", "rank", "d", "noise", "seed"),
)


Cases = Annotated[Frames[CaseFrame], "cases"]


def by_case(frames: Frames[CaseFrame]) -> dict[Case, CaseFrame]:
    """The targets so far, each by its newest frame."""
    return {Case(int(frame.rank), float(frame.ratio)): frame for frame in frames}


@shown
def samples_by_difficulty(cases: Cases, spec: StructureSpec, theme: Theme) -> Picture:
    """n* against κ²r of both sweeps."""
    frames = by_case(cases)
    weakest = {case: frame.weakest.mean(axis=0) for case, frame in frames.items()}
    together = {case: frame.together.mean(axis=0) for case, frame in frames.items()}
    laws: dict[str, Growth] = {}
    for name, sweep, rows in (
        ("rank", spec.by_rank, weakest),
        ("condition", spec.by_ratio, weakest),
        ("together", spec.cases, together),
    ):
        present = [case for case in sweep if case in frames]
        if present:
            laws[name] = growth_of(present, rows, spec.sizes)
    places = [case.difficulty for case in spec.cases]
    ends, sizes = (min(places), max(places)), (spec.sizes[0], spec.sizes[-1])
    line = leading_order(spec.noise) if len(frames) > 1 else None
    return samples_of_structure(laws, line, sizes, ends, spec.d, theme=theme)


@shown
def by_rank(cases: Cases, spec: StructureSpec, theme: Theme) -> Picture:
    """The first sweep."""
    frames = by_case(cases)
    curves = {float(case.rank): frames[case].weakest for case in spec.by_rank if case in frames}
    return share_courses(curves, ratios(spec), "r", theme=theme, height=220)


@shown
def by_ratio(cases: Cases, spec: StructureSpec, theme: Theme) -> Picture:
    """The second sweep."""
    frames = by_case(cases)
    curves = {case.ratio: frames[case].weakest for case in spec.by_ratio if case in frames}
    return share_courses(curves, ratios(spec), "λ₁/λᵣ", theme=theme, height=220)


def ratios(spec: StructureSpec) -> np.ndarray:
    """n/d² of the sizes."""
    return np.array(spec.sizes) / spec.d**2


@shown
def needed_film(picture: Picture, spec: StructureSpec) -> Film:
    return figures.needed_film(picture.figure, spec.sizes, spec.d)


PHASE = Phase("from few samples to many", ("cases",), lambda n: f"n up to {number(n)}", lambda spec: sorted(spec.sizes))
DRAWS = StructureSpec().repeats  # of each target: its frames, so that a question hides all targets but the first
PANELS = (
    Panel("structure-needed", samples_by_difficulty, start=DRAWS, film=needed_film),
    Panel("structure-rank", by_rank, start=DRAWS, film=growing(PHASE)),
    Panel("structure-ratio", by_ratio, start=2 * DRAWS, film=growing(PHASE)),
)


LESSON = Lesson("Rank and condition", EXPERIMENT, TEXT, PANELS, film=(PHASE,))
