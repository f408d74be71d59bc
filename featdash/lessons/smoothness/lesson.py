"""Smoothness on the page: a jump and a smooth function of one variable, for a kernel and a trained network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.shared.panels import INPUT_WORDS
from featdash.lessons.smoothness.frames import FixedCurves, Rates
from featdash.lessons.smoothness.pictures import (
    Fits,
    RateCurves,
    Target,
    error_rates,
    jump_fit,
    near_and_elsewhere,
    training_film,
)
from featdash.lessons.smoothness.recipe import EXPERIMENT, NEAR, RATED, SmoothnessSpec
from featdash.recipes.events import Frame, Result, nest
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

WINDOW = 0.25  # of the picture near the middle
MOST_CURVES = 16  # of the network in its film, each of 400 points
TARGETS = {"heaviside": Target(INPUT_WORDS["heaviside"], -0.5), "smooth": Target(INPUT_WORDS["smooth"], -1.0)}
SPOKEN = {"heaviside": "Heaviside step", "kink": "kink |x|", "smooth": "smooth sine"}  # as progress lines call them
TEXT = LessonText(
    question="Does a method notice how smooth f\\* is?",
    formula=r"$y = f^*(x) + \varsigma\varepsilon$, error $\sim n^{-\alpha}$: larger $\alpha$ for smoother $f^*$?",
    reading="""
- **Use this part** to try other kernels, lengths and targets on one input. The story «What can a kernel adapt
  to, and what not?» shows the jump and the sine wave.
- **Left**: truth, kernel ridge and a trained network on the same sample; the slider goes back through the network's
  training. Switch on «Near the middle» and look at the jump. A Gaussian kernel of one width must be steep everywhere or
  nowhere: it overshoots at the jump and ripples beside it. The network places its bends where the data ask for them.
- **Right, above**: error against n for the jump (hollow) and the smooth target (filled), with fitted exponents. *Both*
  methods are steeper on the smooth target: both adapt. At the jump the network's error is the smaller one at every n;
  the exponents themselves move by a tenth or two from seed to seed, too much to rank the two methods by them. Thin
  dotted lines have the slopes −½, the best of any method linear in y at a jump, and −1, that of finitely many
  parameters.
- **Right, below**: where the error sits. Both lose most of it near the jump.
- The network's exponents are those of a fixed number of training steps. With 1000 steps instead of 4000, its error at
  the jump hardly falls beyond n = 100: what is left then is the slope that training has reached.
""",
    source="""
The slides of the reading group, which give kernels and networks both a tick here, with pictures that differ near the
jump. The run is `featdash.lessons.smoothness.run.run`, the tasks `featdash.tasks.step.StepTask`. Linear rates at a
jump: Donoho and Johnstone (1998). Our choices: the targets, the length scale, λ and the stopping time from one holdout.
""",
    trials=(
        Trial(
            "A rougher kernel: Laplace, ℓ = 1",
            {"kernel": "laplace", "length": 1.0},
            "The error is smaller, near the jump and in total: a rougher kernel suits the jump (seeds 0, 7, 11).",
        ),
        Trial(
            "The network's own kernel: NTK",
            {"kernel": "ntk"},
            "The kernel of infinite width, without feature learning: away from the jump, where it ripples, its error "
            "is two to five times the trained network's (seeds 0, 7, 11).",
        ),
        Trial(
            "A smooth target",
            {"target": "smooth"},
            "Kernel and network are hard to tell apart from each other, and from the truth: their errors are below a "
            "hundredth of its variance, and within a factor of 2 of one another (seeds 0, 7, 11).",
        ),
    ),
    papers=("donoho1998",),
    controls=("target", "kernel", "length", "n", "noise", "seed"),
    words=SPOKEN,
)


@dataclass(frozen=True)
class Options:
    """near : whether to show only the middle; step : training step of the network on show, None for the newest."""

    near: bool = False
    step: float | None = None


def view_options(run: Run) -> Options:
    """Draw the switch to the middle and the slider over training steps; returns what they are set to."""
    near = toolbar.switch(run, "near", "Near the middle", help="Show |x| ≤ ¼ alone.")
    last = toolbar.spec_of(run, SmoothnessSpec).steps

    def word(at: float) -> str:
        """A step in words; the last frame is no step, but the network chosen on the holdout."""
        return "chosen on the holdout" if at > last else f"step {at:g}"

    at = toolbar.scrubber(
        run, "fits", "Training step of the network", word=word, help="Go back through the network's training."
    )
    if at:
        st.caption("The last stop is the network that the holdout chose.")
    return Options(near, at)


Fixed = Annotated[FixedCurves, "kernel"]
Networks = Annotated[Frames[Frame], "fits"]


@shown
def fits(kernel: Fixed, networks: Networks, options: Options, spec: SmoothnessSpec, theme: Theme) -> Picture:
    """The target, the sample and the fitted functions."""
    network = networks.last(options.step)
    step = _step(network.at, spec)
    training = [frame.arrays["network"] for frame in networks]
    curves = Fits(kernel, network.arrays.arrays["network"], spec.kernel, step, training)
    return jump_fit(curves, theme=theme, window=_window(options), height=368)


@shown
def fits_film(
    picture: Picture, kernel: Fixed, networks: Networks, options: Options, spec: SmoothnessSpec
) -> Film | None:
    some = networks.few(MOST_CURVES)
    if len(some) == 1:
        return None
    training, steps = [frame.arrays["network"] for frame in some], [_step(at, spec) for at in some.at]
    return training_film(picture.figure, kernel.x, training, steps, _window(options))


def _step(at: float, spec: SmoothnessSpec) -> float | None:
    """The training step of a frame; None for the last frame, which is the network chosen on the holdout."""
    return at if at <= spec.steps else None


def _window(options: Options) -> float:
    return WINDOW if options.near else 1.0


@shown
def rates(frame: Annotated[Frame, "rates"], result: Result | None, spec: SmoothnessSpec, theme: Theme) -> Picture:
    """Errors against n."""
    curves = {
        target: RateCurves(rate.n, {spec.kernel: rate.kernel, "network": rate.network})
        for target, rate in nest(Rates, frame.arrays).items()
    }
    names = {spec.kernel: "kernel", "network": "network"}
    exponents = (
        None
        if result is None
        else {
            target: {label: result.summary["rates"][target][name]["exponent"] for label, name in names.items()}
            for target in RATED
        }
    )
    return error_rates(curves, spec.sizes, exponents, theme=theme, targets=TARGETS, height=228)


@shown
def places(result: Result, spec: SmoothnessSpec, theme: Theme) -> Picture:
    """The errors near the jump and elsewhere, after the end."""
    errors = result.summary["fits"]
    methods = {spec.kernel: errors["kernel"], "network": errors["network"]}
    return near_and_elsewhere(methods, NEAR, theme=theme, height=165)


LESSON = Lesson(
    "Smoothness",
    EXPERIMENT,
    TEXT,
    (
        Panel("smoothness-fits", fits, film=fits_film),
        Panel("smoothness-rates", rates),
        Panel("smoothness-places", places),
    ),
    toolbar=view_options,
    remark=lambda _: "Same sample ✓ λ and stopping time from the same holdout ✓",
    film=(Phase("the network's training", ("fits",), lambda at: f"step {number(at)}", last="best on the holdout"),),
)
