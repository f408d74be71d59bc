"""Smoothness on the page: a jump and a smooth function of one variable, for a kernel and a trained network."""

from __future__ import annotations

from featdash.figures.picture import Picture
from featdash.lessons.shared.smoothness_panels import WORDS
from featdash.lessons.smoothness.pictures import error_rates, jump_fit, near_and_elsewhere
from featdash.lessons.smoothness.recipe import EXPERIMENT, METHODS, NEAR, RATED
from featdash.recipes.spec import Spec
from featdash.runs.view import RunView
from featdash.ui import toolbar
from featdash.ui.blocks import Trial
from featdash.ui.page import Lesson, LessonText
from featdash.ui.panels import Panel, View

WINDOW = 0.25  # of the picture near the middle
GUIDES = {"heaviside": -0.5, "smooth": -1.0}  # rates at the jump of methods linear in y, and of a few parameters
SPOKEN = {"heaviside": "Heaviside step", "kink": "kink |x|", "smooth": "smooth sine"}  # as progress lines call them
TEXT = LessonText(
    question="Does a method notice how smooth f\\* is?",
    formula=r"$y = f^*(x) + \varsigma\varepsilon$, error $\sim n^{-\alpha}$: larger $\alpha$ for smoother $f^*$?",
    reading="""
- **Left**: truth, kernel ridge and a trained network on the same sample; the slider goes back through the network's
  training. Switch on «Near the middle» and look at the jump. A Gaussian kernel of one width must be steep everywhere or
  nowhere: it overshoots at the jump and ripples beside it. The network places its kinks where the data ask for them.
- **Right, above**: error against n for the jump (hollow) and the smooth target (filled), with fitted exponents. *Both*
  methods are steeper on the smooth target: both adapt. At the jump the network's error is the smaller one at every n;
  the exponents themselves move by a tenth or two from seed to seed, too much to rank the two methods by them. Thin
  dotted lines have the slopes −½, the best of any method linear in y at a jump, and −1, that of finitely many
  parameters.
- **Right, below**: where the error sits. Both lose most of it near the jump.
- The network's exponents are those of a fixed number of training steps. With 1000 steps in place of 4000 its error at
  the jump hardly falls any more beyond n = 100: what is left is then the slope that training has reached.
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
            "A smaller error, near the jump and in all: a rougher kernel suits it.",
        ),
        Trial(
            "The network's own kernel: NTK",
            {"kernel": "ntk"},
            "The kernel of infinite width, without feature learning: away from the jump, where it ripples, its error "
            "is more than twice the trained network's.",
        ),
        Trial(
            "A smooth target",
            {"target": "smooth"},
            "Kernel and network are hard to tell apart, and from the truth: errors below a hundredth of its variance, "
            "within a factor of 1.5 of one another.",
        ),
    ),
    controls=("target", "kernel", "length", "n", "noise", "seed"),
    words=SPOKEN,
    widths={"kernel": 2.2},
    more=("degree", "sizes", "repeats", "width", "steps"),
)


def view_options(run: RunView) -> tuple[bool, float | None]:
    """Near the middle or all of it, and the training step."""
    places = toolbar.line([2.0, 2.6, 5.4])
    near = toolbar.switch(run, "near", "Near the middle", places[0], help="Show |x| ≤ ¼ alone.")
    at = toolbar.scrubber(run, "fits", places[1], "Training step of the network", word=_step(run.spec))
    places[2].caption("← the network's training; the last stop is the one that the holdout chose" if at else "")
    return near, at


def _step(spec: Spec):
    """The last frame is the network chosen on the holdout, not a step of its own."""
    return lambda at: "chosen on the holdout" if at > spec.steps else f"step {at:g}"


def fits(view: View) -> Picture | None:
    """The functions."""
    near, at = view.options
    frame = view.last("fits", at)
    if frame is None:
        return None
    spec = view.spec
    step = frame.at if frame.at <= spec.steps else None
    window = WINDOW if near else 1.0
    return jump_fit(frame.arrays, spec.kernel, theme=view.theme, window=window, step=step, height=368)


def rates(view: View) -> Picture | None:
    """Errors against n."""
    frame, result, spec = view.last("rates"), view.result(), view.spec
    if frame is None:
        return None
    named = dict(zip(METHODS, (spec.kernel, "network"), strict=True))
    measured = {
        target: {
            shown: {part: frame.arrays[f"{target}/{name}/{part}"].tolist() for part in ("n", "error")}
            for name, shown in named.items()
        }
        for target in RATED
        if f"{target}/kernel/n" in frame.arrays
    }
    exponents = result and {
        target: {shown: result.summary["rates"][target][name]["exponent"] for name, shown in named.items()}
        for target in RATED
    }
    return error_rates(measured, spec.sizes, exponents, theme=view.theme, guides=GUIDES, names=WORDS, height=228)


def places(view: View) -> Picture | None:
    """Where the error sits, at the end."""
    result = view.result()
    if result is None:
        return None
    found, spec = result.summary["fits"], view.spec
    return near_and_elsewhere(
        {spec.kernel: found["kernel"], "network": found["network"]}, NEAR, theme=view.theme, height=138
    )


LESSON = Lesson(
    "Smoothness",
    EXPERIMENT,
    TEXT,
    (
        Panel("smoothness-fits", fits, width=1.35, streams=("fits",)),
        Panel("smoothness-rates", rates, streams=("rates",)),
        Panel("smoothness-places", places, stacked=True),
    ),
    toolbar=view_options,
    remark=lambda _: "Same sample ✓ λ and stopping time from the same holdout ✓",
    plays=("fits",),
)
