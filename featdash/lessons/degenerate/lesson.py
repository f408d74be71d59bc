"""When it must fail, on the page: targets that the expected Hessian does not show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import numpy as np

from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number
from featdash.lessons.degenerate.frames import FailureTable
from featdash.lessons.degenerate.pictures import failure_alignment, failure_risks, gradient_against_noise
from featdash.lessons.degenerate.recipe import EXPERIMENT, DegenerateSpec
from featdash.lessons.shared.pictures.gradient_terms import series_parity
from featdash.recipes.events import Result
from featdash.theory.gradient_series import gate_coefficients
from featdash.theory.predictions import csq_scale
from featdash.theory.target import PolynomialTarget
from featdash.theory.theorem import Theorem
from featdash.theory.theorems import theorem_2
from featdash.ui.page import target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Which targets must one step miss?",
    formula=r"$f^* = \mathrm{He}_p(u \cdot x)/\sqrt{p!}$, $p \ge 3$: $\mathbb{E}\nabla^2 f^* = 0$, and correlational "
    r"queries need a tolerance $\tau \lesssim d^{-p/4}$ (Theorem 2)",
    reading="""
- **Above, left**: excess risk against n, with a panel for each dimension. On He₃ the methods stay near 1, like
  predicting zero: at n = 30 000 Algorithm 1 is at about 0.7 in 40 dimensions and at 0.8 to 0.9 in 60, and random
  features are where they began. Hollow, dashed: **its rescue**, the same cubic with a quadratic beside it. The same
  algorithm on the same inputs comes down to less than 0.1.
- **Below, left**: the alignment of the first layer. The grey curve is a step on labels of random sign, which carry no
  signal: what it reaches is learned from the noise of the gradient, which is larger where f* is large. On He₃ the two
  go together; the rescue leaves them behind. The dashed line is r/d, chance.
- **The grey mark** is the paper's *heuristic*. Theorem 2 bounds the tolerance τ of *correlational* queries, which see
  averages of y φ(x) only; with τ ≈ $n^{-1/2}$ it reads $n \\gtrsim d^{p/2}$. The noise of a sample is random, not
  adversarial, so this is not a theorem about samples, and it promises no success on its right. And a learner that first
  thresholds the labels is not of this class: for He₃/√6 without label noise, d = 60 and 300 samples, left of the mark
  at 465, the average of $\\mathrm{sign}(y)\\,1\\{|y| > 0.82\\}\\,x$ has a cosine of about ¾ with u. What counts for
  such a learner is the *generative exponent* of f*, not its information exponent.
- **Right, why**: at b = 0 a target of degree k meets the ReLU's coefficients $c_k$ and $c_{k+2}$. All odd ones from
  $c_3$ on are zero, so an odd target has a population gradient of exactly zero and n samples show noise alone. He₄
  meets $c_4$ and $c_6$, which are not zero: a small gradient is left. With biases from before the step (a setting of
  the Lab) $c_3(b) = -b\\,\\varphi(b)$ is not zero either, and He₃ has a gradient too.
- **Be careful at small d**: a share 8/(2d + 6) of the noise of a cubic's step lies along u. That is 0.09 at d = 40, but
  0.31 at d = 10, where Algorithm 1 then does better than the kernels although its step saw nothing: load it below.
""",
    source="""
Damian, Lee and Soltanolkotabi, COLT 2022, Theorem 2 and the heuristic below it. On thresholded labels: Damian,
Pillaud-Vivien, Lee and Bruna, *Computational-statistical gaps in Gaussian single-index models*, COLT 2024. The run is
`featdash.lessons.degenerate.run.run`, the series `featdash.theory.gradient_series`. Every method gets the same data and
width, λ tuned on the same holdout. The control with random signs and the rescue on the same axes are ours.
""",
    trials=(
        Trial(
            "Small d: 10 and 20",
            {
                "dims": (10, 20),
                "sizes": (300, 1000, 3000, 10_000),
                "methods": ("algorithm1", "random_features", "ntk"),
            },
            "At d = 10 Algorithm 1 falls below 0.4 and under both kernels, yet its alignment, at most 0.5, is that of "
            "noise: a share 8/(2d + 6) = 0.31 of the step's noise lies along u. At d = 20 it is 0.17, and the risk "
            "stays above 0.4.",
        ),
        Trial(
            "An even target: He₄/√24",
            {
                "target": "He4(z1)/sqrt(24)",
                "rescue": "figure-1",
                "dims": (10, 20),
                "sizes": (300, 1000, 3000, 10_000),
            },
            "The population gradient is not zero: at d = 10 it meets its noise at n = 10⁴, where the risk has begun to "
            "fall; at d = 20 it is a third of it. Figure 1's target, the rescue, has less than a third of its risk "
            "there, at seeds 0, 7 and 11.",
        ),
        Trial(
            "A product of three: z₁z₂z₃",
            {"target": "parity", "rescue": "rank-3", "dims": (40,)},
            "Odd too, so the gradient is exactly zero and the risk stays near 1. The rescue has the same product and "
            "a curvature along each variable: it comes down to 0.1 at n = 30 000 (seeds 0, 7, 11).",
        ),
    ),
    papers=("damian2022", "damian2024"),
    controls=("target", "dims", "sizes", "width", "noise", "seed"),
)


Cells = Annotated[FailureTable, "cells"]


@shown
def risks(table: Cells, spec: DegenerateSpec, theme: Theme) -> Picture:
    """Excess risks with the mark d^{p/2}."""
    axes = (table.d.tolist(), table.n.tolist())
    risk = {name: table.risk[name] for name in spec.methods}
    rescue = table.rescue.risk if table.rescue else None
    return failure_risks(*axes, risk, csq_marks(spec, axes[0]), rescue, theme=theme, height=205)


def csq_marks(spec: DegenerateSpec, dims: Sequence[int]) -> list[float]:
    """n = d^{p/2} for each d; none where Theorem 2 is not stated for the target, or says nothing of it."""
    target = highest(spec)
    applies = theorem_2(target, max(spec.sizes)).applies == "holds"
    return [csq_scale(d, target.degree) for d in dims] if applies else []


@shown
def alignments(table: Cells, spec: DegenerateSpec, theme: Theme) -> Picture:
    """Alignment, and what noise alone gives."""
    dims, rank = table.d.tolist(), highest(spec).rank
    parts = (dims, table.n.tolist(), table.alignment, table.noise_alignment, [rank / d for d in dims])
    rescue = table.rescue.alignment if table.rescue else None
    return failure_alignment(*parts, csq_marks(spec, dims), rescue, theme=theme, height=175)


@shown
def gradients(table: Cells, result: Result, theme: Theme) -> Picture:
    """The population gradient beside the noise; at the end."""
    parts = (table.d.tolist(), table.n.tolist(), table.gradient_noise, result.arrays["population"].tolist())
    return gradient_against_noise(*parts, theme=theme, height=200)


@shown
def parity(spec: DegenerateSpec, theme: Theme) -> Picture:
    """Why the gradient vanishes, or does not."""
    target = highest(spec)
    coefficients = gate_coefficients(np.zeros(()), target.degree + 2)
    return series_parity(coefficients, target.energy_by_degree, theme=theme, height=180)


def highest(spec: DegenerateSpec) -> PolynomialTarget:
    """The target in the largest dimension."""
    return target_of(spec.target, max(spec.dims))


def facts(spec: DegenerateSpec) -> None:
    target_picker.facts(highest(spec), spec.target)


def theory(spec: DegenerateSpec) -> tuple[Theorem, ...]:
    return theorem_card.theorems(highest(spec), max(spec.sizes), spec.width, spec.noise)


PHASE = Phase("from few samples to many", ("cells",), lambda n: f"n up to {number(n)}", lambda spec: sorted(spec.sizes))
LESSON = Lesson(
    "When it must fail",
    EXPERIMENT,
    TEXT,
    (
        Panel("degenerate-risk", risks, wide=True, film=growing(PHASE)),
        Panel("degenerate-alignment", alignments, film=growing(PHASE)),
        Panel("degenerate-parity", parity),
        Panel("degenerate-gradient", gradients, film=growing(PHASE)),
    ),
    facts=facts,
    theory=theory,
    film=(PHASE,),
    remark=lambda _: "Same data ✓ same width ✓ λ tuned alike ✓",
)
