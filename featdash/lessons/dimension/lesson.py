"""The curse of dimensionality on the page: kernels and a network on a bare Lipschitz function."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number
from featdash.lessons.dimension import panels
from featdash.lessons.dimension.panels import FAIR, PHASE
from featdash.lessons.dimension.pictures import Demand, errors_at_end, samples_asked
from featdash.lessons.dimension.recipe import DIMENSION, LEVEL, DimensionSpec
from featdash.lessons.shared.pictures.errors import Prediction, Theory, error_curves
from featdash.recipes.events import Result
from featdash.theory.predictions import lipschitz_error, lipschitz_samples
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="If f\\* is Lipschitz and nothing more, who can learn it?",
    formula=r"$\min_{\hat f} \max_{f^*} \mathbb{E}(\hat f - f^*)^2 \asymp n^{-2/(2+d)}$, so an error "
    r"$\varepsilon$ asks for $n \asymp \varepsilon^{-(2+d)/2}$ samples",
    reading="""
- **Left**: the error of each method on the same n samples, as the number of inputs d grows. At 1 nothing is learned.
  The function is a sum of triangle waves in 200 random directions, of the same slope and variance at every d: only the
  number of inputs changes. Bands span the repeats, each a new function.
- **Theory** (thin): the best order that any method can promise for all Lipschitz functions, $n^{-2/(2+d)}$, drawn with
  its constant set to 1. It bounds the worst function; the curve of a single function has neither to have its height nor
  its slope. Here the curves are steeper and cross it, and below it they contradict no theorem. What they share is the
  direction: with n fixed, more inputs drive every method towards 1.
- **Right**: the number of samples that this order asks for, which grows exponentially in d. The markers are measured:
  the dimension at which a method's error rises through ¼ with the n of this run. The network does not get as far as the
  kernels, probably because there is no feature to find; it was not tuned either.
""",
    source="""
The slides of the reading group on feature learning: $n = \\Omega((1/\\varepsilon)^d)$ for a bare Lipschitz function, in
the sup norm; the squared error used here has the rate of Stone (1982),
`featdash.theory.predictions.lipschitz_error`. The run is `featdash.lessons.dimension.run.run`. Our choices: the
function, the level ¼, and a network of one hidden layer whose stopping time the holdout chooses.
""",
    trials=(
        Trial(
            "A quarter of the samples: n = 125",
            {"n": 125},
            "Up to d = 10 every error is larger, and the reach falls by one to three dimensions: four times the "
            "samples buy no more than that (seeds 0, 7, 11).",
        ),
        Trial(
            "A gentle function: steepness 0.5",
            {"steepness": 0.5},
            "The function is nearly linear on this scale, so all methods get further: at d = 20 their errors are "
            "still 0.13 at most (seeds 0, 7, 11). A bound for all functions is not a verdict on one.",
        ),
        Trial(
            "Does the kernel matter? Gaussian, Laplace, NTK",
            {"methods": ("rbf", "laplace", "ntk")},
            "The three curves rise together: none of these kernels lifts the curse. At seeds 0, 7 and 11 they pass ¼ "
            "between d = 5 and d = 6.5.",
        ),
    ),
    papers=("stone1982",),
    controls=("n", "dims", "steepness", "noise", "methods", "seed"),
)


RATE = "n<sup>−2/(2+d)</sup>"


@shown
def errors(curves: panels.Errors, spec: DimensionSpec, theme: Theme) -> Picture:
    """Errors against d, with the rate of theory."""
    curves_so_far, d = curves or {}, panels.dimensions_between(spec.dims)
    line = Prediction(RATE, d, lipschitz_error(spec.n, d))
    title = f"Error at n = {number(spec.n)} samples"
    picture = error_curves(curves_so_far, spec.dims, theme=theme, title=title, theory=Theory([line]), height=425)
    return replace(picture, headline=errors_at_end(curves_so_far))


@shown
def samples_picture(result: Result | None, spec: DimensionSpec, theme: Theme) -> Picture:
    """The samples that theory asks for, and the reach of the methods."""
    d = np.arange(1, max(spec.dims) + 1)
    demand = Demand(d, lipschitz_samples(LEVEL, d))
    return samples_asked(demand, spec.n, LEVEL, panels.dimension_by_method(result), theme=theme, height=425)


LESSON = Lesson(
    "Dimension",
    DIMENSION,
    TEXT,
    (
        Panel("dimension-error", errors, film=growing(PHASE, still=(RATE,))),
        Panel("dimension-samples", samples_picture),
    ),
    film=(PHASE,),
    remark=lambda _: FAIR,
)
