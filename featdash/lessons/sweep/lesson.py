"""The curves on the page: risk against n, with what theory and the published figure say beside them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from functools import partial

import streamlit as st

from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number
from featdash.lessons.shared.panels import GAUSSIAN_WORDS, marks_of
from featdash.lessons.shared.pictures.published import published_figure1
from featdash.lessons.sweep.pictures import risk_against_samples
from featdash.lessons.sweep.recipe import EXPERIMENT, PRESETS, QUICK, SweepSpec
from featdash.runs.run import Run
from featdash.theory.predictions import kernel_plateau
from featdash.theory.target import PolynomialTarget
from featdash.theory.theorem import Theorem
from featdash.ui.kit import toolbar
from featdash.ui.kit.form import Form
from featdash.ui.page import preset_picker, target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.partial_result import CELLS, STREAMS, PartialResult, missing_cells
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TITLES = {
    "figure1-quick": "Figure 1, quick",
    "figure1-paper": "Figure 1, paper scale",
    "figure1-unprocessed": "Figure 1, no preprocessing",
}


TEXT = LessonText(
    question="How many samples does each method need?",
    formula=r"up to constants, fixed kernels need $n \asymp d^p$; for Algorithm 1 $n \gtrsim d^2 r + d\,r^p$ is "
    "enough; for its error no lower bound of the order $d^2$ is known to us",
    reading=r"""
- **Each curve** is the mean excess risk over seeds, its band one standard deviation. Algorithm 1 is blue with circles,
  random features vermillion with squares, the NTK green with triangles; on the axis, $\log_d n$ counts powers of $d$.
- **Dashed**: what is predicted for any fixed kernel. With $d^k < n \le d^{k+1}$ samples it learns the degrees up to $k$
  and keeps the energy of the others. Below $d^2$ that is the zero predictor (dotted), then half of Figure 1's energy.
  The theorems are for the sphere (Ghorbani and co-authors, 2021) and for the hypercube (Mei, Misiakiewicz and
  Montanari, 2022) as $d \to \infty$, and $n$ between $d^{k+\delta}$ and $d^{k+1-\delta}$.
- **Width matters to kernels**: random features of width 100 stall high above the plateau, because they have too few
  features.
- **Above 1** for few samples: Algorithm 1 first estimates $\alpha = E\,y$ and $\beta = E\,yx$ from $n$ noisy labels.
  From a handful of labels the estimates are worse than nothing, and no λ makes up for it. Where the deviation over
  seeds is as large as the mean, no band is drawn; the numbers are in the hover text and in the table.
"""
    + CELLS,
    source="""
Damian, Lee and Soltanolkotabi, *Neural networks can learn representations with gradient descent*, COLT 2022, Figure 1:
d = 10, widths 100 and 1000, holdout and test of 10⁵, 10 seeds; the quick preset has 2·10⁴ and 3 seeds. Computed by
`featdash.lessons.sweep.recipe` and `run`, the dashed line by `featdash.theory.predictions.kernel_plateau`; published
points were read off the vector figure. Ours: a baseline of width m belongs to the same network with its symmetric
start, so it has m/2 distinct neurons; λ is tuned on one holdout for all.
""",
    trials=(
        Trial(
            "Figure 1, paper scale",
            vars(PRESETS["figure1-paper"]),
            "The same curves with ten seeds and larger test samples: narrower bands, the same crossings. Some minutes.",
        ),
        Trial(
            "Figure 1 without preprocessing",
            vars(PRESETS["figure1-unprocessed"]),
            "No α and β, a step of fixed size, biases kept: flat at 1 for small n, on the published points at every n.",
        ),
        Trial(
            "Twice the dimension: d = 20",
            {"d": 20, "widths": (300,), "n": (100, 316, 1000, 3162, 10_000, 31_622), "seeds": (0, 7, 11)},
            "The kernels' descent shifts with d² to n = 400. At n = 10⁴: 0.12 for Algorithm 1, 0.62 for the NTK.",
        ),
        Trial(
            "No curvature to follow: He₃/√6",
            {"target": "transfer", "widths": (300,), "n": (100, 316, 1000, 3162, 10_000), "seeds": (0, 7, 11)},
            "Algorithm 1 stalls from n = 3162 on, at 0.3 on average (0.24 to 0.44 by seed), while the NTK still falls, "
            "to 0.48. The exact gradient of this odd target is zero; at d = 10 a third of the step's noise lies along "
            "the direction.",
        ),
    ),
    papers=("damian2022",),
    controls=("preset", "target", "d", "n", "widths", "seeds"),
    words=GAUSSIAN_WORDS,
)


TOGETHER = 3  # widths side by side; of more, one is chosen
DIFFERENCES = """
**Ours against the published points**, and why they differ. Here Algorithm 1 is run as the paper prints it. The preset
«no preprocessing» leaves out α and β, takes a step η₁ = √d without rescaling the rows, and keeps the biases from before
the step; so run, with ten seeds and 10⁵ test points, Algorithm 1 lies within 0.05 of the published curve at all twenty
points, and within 0.02 at all but one (m = 1000: 0.875 and 0.879 at n = 316, 0.445 and 0.465 at n = 1000, 0.066 and
0.064 at n = 10⁴). The published figure was probably made like that. One by one, over four seeds at m = 1000:

- The preprocessing lifts the risk far above 1 for n ≤ 31, because α and β come from a handful of samples (6.5 at n = 1,
  1.29 at n = 31), and lowers it later: 0.35 with it and 0.43 without at n = 1000.
- Biases drawn anew after the step lower it: 0.35, against 0.42 with those from before the step, at n = 1000.
- The size of the step matters most for many samples: 0.069 with rows of RMS norm 1 and 0.045 with η₁ = √d at n = 10⁴.
- The kernels start at 0.97 rather than 1 with the quick presets: He₄² has a heavy tail, so the energy of a finite test
  sample is mostly below its mean.
"""


SHORT = (
    "Published points are hollow. The preset «no preprocessing» meets their Algorithm 1 at every n; as printed in the "
    "paper, ours lies above 1 up to n = 100, then lower at n = 316 and 1000, and agrees from n = 10⁴ on."
)


@dataclass(frozen=True)
class Options:
    """log : both axes logarithmic; published : overlaid; width : the only one shown, None for all."""

    log: bool = False
    published: bool = False
    width: int | None = None


def view_options(run: Run) -> Options:
    """The switches over the picture, and what the picture lacks."""
    spec = toolbar.spec_of(run, SweepSpec)
    log = toolbar.switch(run, "log", "Log risk", help="Risk on a logarithmic axis, with nothing cut off.")
    is_overlaid = is_figure1(spec) and toolbar.switch(
        run, "published", "Published points", help="Draw Figure 1 of the paper over our points."
    )
    width = None
    if len(spec.widths) > TOGETHER:
        about = "Which of the widths of this run is drawn."
        width = toolbar.choice(run, "width", "Width shown", spec.widths, word=lambda m: f"m = {number(m)}", help=about)
    for sentence in missing_cells(run):
        st.caption(sentence)
    if is_overlaid:
        about = "What separates our points from the published ones."
        st.popover("Why they differ", width="stretch", help=about).markdown(DIFFERENCES)
        st.caption(SHORT)
    return Options(log, is_overlaid, width)


def is_figure1(spec: SweepSpec) -> bool:
    """Whether the published points measure the same: target, dimension and noise."""
    return all(getattr(spec, name) == getattr(QUICK, name) for name in ("target", "d", "noise"))


@shown
def curves(so_far: PartialResult, options: Options, spec: SweepSpec, theme: Theme) -> Picture:
    """Risk against n, one panel a width."""
    target = target_of(spec.target, spec.d)
    widths = [options.width] if options.width else spec.widths
    paper = [dataclasses.asdict(point) for point in published_figure1()] if options.published else []
    return risk_against_samples(
        so_far.summary["statistics"],
        widths,
        spec.n,
        spec.d,
        theme=theme,
        plateaus=staircase(target, max(spec.n)),
        zero=target.second_moment,
        marks=marks_of(target),
        paper=[row for row in paper if row["method"] in spec.methods],
        methods=spec.methods,
        log=options.log,
        height=375,
    )


def staircase(target: PolynomialTarget, most: int) -> list[tuple[float, float]]:
    """(n, risk) at the corners of the kernels' predicted plateaus, up to n = most."""
    d, low = target.d, 1
    corners: list[tuple[float, float]] = []
    while low < most:
        high = min(low * d, most)
        risk = kernel_plateau(target.energy_by_degree, d, high)
        corners += [(low, risk), (high, risk)]
        low = high
    return corners or [(1, target.second_moment)]


def controls(form: Form) -> None:
    """The presets and the target have controls of their own."""
    draws = {"preset": partial(preset_picker.choose, form, TITLES), "target": partial(target_picker.choose, form)}
    form.column(TEXT.controls, sliders=(), draws=draws)


def facts(spec: SweepSpec) -> None:
    """The target's card."""
    target_picker.card(target_picker.target_of(spec.target, spec.d), spec.biases)


def theory(spec: SweepSpec) -> tuple[Theorem, ...]:
    """At the end of the widest curve."""
    target = target_of(spec.target, spec.d)
    return theorem_card.theorems(target, max(spec.n), max(spec.widths), spec.noise, theorem_card.step_of(spec))


PHASE = Phase("from few samples to many", STREAMS, lambda n: f"n up to {number(n)}", lambda spec: sorted(spec.n))
LESSON = Lesson(
    "Curves",
    EXPERIMENT,
    TEXT,
    (Panel("sweep-risk", curves, film=growing(PHASE, still=("zero predictor", "predicted"))),),
    toolbar=view_options,
    controls=controls,
    facts=facts,
    theory=theory,
    film=(PHASE,),
)
