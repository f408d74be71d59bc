"""More than one step, on its page: the first-layer step of Algorithm 1, taken again and again on the same samples."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.more_steps.frames import CountFrame, LayerFrame, RiskFrame
from featdash.lessons.more_steps.pictures import (
    alignment_course,
    dial_film,
    needed_samples,
    neuron_dial,
    risk_course,
    steps_word,
)
from featdash.lessons.more_steps.recipe import (
    EXPERIMENT,
    LONGEST,
    LOSSES,
    RISK_SIZES,
    RISK_STEPS,
    STEPS,
)
from featdash.recipes.events import Result
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing
from featdash.ui.stage.phases import MOST, Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="What does a second step see that the first did not?",
    formula=r"$w_j \leftarrow \eta\, a_j\, \frac1n \sum_i y_i\, \sigma'(w_j \cdot x_i)\, x_i$, again and again; then "
    r"the $n$ at which the *alignment* is ½",
    reading="""
- **The neurons**: a point is the direction of a neuron. At the top it looks along the hidden direction u; the
  horizontal direction is everything else, with output weight +1 on the right and −1 on the left. A large point is a
  long neuron, which counts more. One step lifts the neurons a little; the second lifts them from where the first has
  left them.
- **Alignment**: the share of the layer's squared norm that lies along u, as in the Lab.
- **Samples**: in each dimension d, how many samples the layer needs until its alignment is ½, after 1, 2, 4 and 8 steps
  on the same samples. Both axes are logarithmic, so a slope is the power of d. Each point is a draw of the data.
- **Why powers between 2 and 1**: a step multiplies the neurons approximately by the matrix
  $\\frac1n \\sum_i y_i x_i x_i^\\top$. One direction of it is the signal; the noise spreads over d directions, and its
  size is √(d/n) times that of the signal. At the start a neuron has a squared share of 1/d along u; each step
  multiplies its odds by n/d. After $T_1$ steps they are even when $n = d^{1 + 1/T_1}$. This is *power iteration*, and
  the argument is a heuristic of ours.
- **Loss**: the correlation loss leaves the network's own output out. With the squared loss, the second step fits what
  the first has left. If the output is $\\frac{1}{\\sqrt m} \\sum_j$, it is larger than the labels after one step, the
  residual is mostly the network's own output, and the neurons turn away from u.
- **Risk**: a head on the layer after $T_1$ steps, on the Lab's target and noise. Where one step has found the direction
  already, more steps bring little.
- **In the Lab** «First-layer steps T₁», under «Training», takes up to 20 of these steps, on any target and beside the
  kernels: [three steps in 50 dimensions](lab?d=50&n=3000&first_layer_steps=3), and
  [the same with the squared loss](lab?d=50&n=3000&first_layer_steps=3&step_loss=square_root), in which the neurons turn
  away.
""",
    source="""
Zhang, Wang, Fu and Lee, *Neural networks learn generic multi-index models near information-theoretic limit*, ICLR 2026,
arXiv 2511.15120, for the theorem; its σ is smooth with σ′(0) = 0 and σ″(0) = 1, which holds for log cosh and not for
the ReLU. The steps are `featdash.learners.several_steps`, the run is `featdash.lessons.more_steps.run.run`. Ours: the
step size (one η for all neurons, rows of root-mean-square norm 1), m distinct neurons, the level ½, the exponents with
their errors (standard errors of a least-squares line), and all numbers.
""",
    trials=(
        Trial(
            "The theorem's kind of activation: log cosh",
            {"activation": "log_cosh"},
            "The powers of d are the same, but fewer samples are enough: in 200 dimensions eight steps need 820 to "
            "940, not 1190 to 1350. The alignment ends at 0.94, not 0.8.",
        ),
        Trial(
            "A product of two: z₁z₂",
            {"target": "z1*z2"},
            "There are two hidden directions at once; the target curves up along one and down along the other. The "
            "powers are much the same.",
        ),
        Trial(
            "A cubic: He₃/√6",
            {"target": "He3(z1)/sqrt(6)", "dims": (10, 20, 40), "repeats": 1},
            "Its gradient has no part of degree two to multiply: in 400 dimensions the alignment stays below 0.1 in "
            "eight steps.",
        ),
    ),
    papers=("zhang2026",),
    controls=("target", "activation", "n", "d", "noise", "seed"),
    words={"relu": "ReLU", "log_cosh": "log cosh"},
)

Layer = Annotated[Frames[LayerFrame], "layer"]


def view_options(run: Run) -> float | None:
    """The step on show, None for the last so far."""
    at = toolbar.scrubber(run, "layer", "First-layer steps taken", word=steps_word)
    st.caption("A large point is a long neuron: it counts more in the alignment.")
    return at


@shown
def neurons(layer: Layer, options: float | None, theme: Theme) -> Picture:
    """The neurons' directions at one step."""
    now = layer.last(options)
    return neuron_dial(now.arrays, int(now.at), theme=theme)


@shown
def neurons_film(picture: Picture, layer: Layer) -> Film | None:
    some = layer.few(MOST)
    return dial_film(picture.figure, some.arrays, [int(at) for at in some.at]) if len(some) > 1 else None


def alignments(layer: Layer, losses: tuple[str, ...], theme: Theme) -> Picture:
    """The alignment against the steps, for each loss."""
    return alignment_course([int(at) for at in layer.at], layer.arrays, losses, LONGEST, theme=theme)


@shown
def samples(table: Annotated[CountFrame, "counts"], result: Result | None, view: View[Any, float | None]) -> Picture:
    """Samples needed against d, for each number of steps that the scene shows."""
    fits = result.summary["exponents"] if result else {}
    exponents = {steps: _pair(fits[str(steps)]) for steps in STEPS if str(steps) in fits}
    counts = table.samples
    if view.ending:
        counts = np.where(np.array([*STEPS])[:, None, None] <= view.ending.at, counts, np.nan)
        exponents = {steps: fit for steps, fit in exponents.items() if steps <= view.ending.at}
    return needed_samples(sorted(view.spec.dims), counts, exponents, theme=view.theme)


def _pair(fit: dict) -> tuple[float, float]:
    """Slope and error; NaN if the summary has none."""
    slope, error = (np.nan if fit[name] is None else fit[name] for name in ("slope", "error"))
    return slope, error


@shown
def risks(table: Annotated[RiskFrame, "risks"], theme: Theme) -> Picture:
    """The risk of the heads."""
    return risk_course(RISK_STEPS, table.risk, RISK_SIZES, theme=theme)


PHASE = Phase("first-layer steps", ("layer",), lambda at: f"step {number(at)}")
LESSON = Lesson(
    "More than one step",
    EXPERIMENT,
    TEXT,
    (
        Panel("steps-neurons", neurons, start=1, film=neurons_film),
        Panel("steps-alignment", shown(alignments, losses=LOSSES[:1]), start=1, film=growing(PHASE)),
        Panel("steps-samples", samples),
        Panel("steps-losses", shown(alignments, losses=LOSSES), start=1, film=growing(PHASE)),
        Panel("steps-risk", risks),
    ),
    toolbar=view_options,
    film=(PHASE,),
)
