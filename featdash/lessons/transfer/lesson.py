"""Figure 2 on the page: a frozen layer and a new head, and Theorem 3 with the run's numbers."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from featdash.figures.picture import Picture, Theme
from featdash.figures.seed_band import power_of
from featdash.figures.text import number
from featdash.lessons.shared.panels import GAUSSIAN_WORDS, marks_of
from featdash.lessons.shared.pictures.published import published_figure2
from featdash.lessons.transfer.panels import FORMULA, OURS, Options, pair, theorem_at
from featdash.lessons.transfer.pictures import transfer_panels
from featdash.lessons.transfer.recipe import PAPER, PRESETS, TRANSFER, TransferSpec, TransferTask
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.kit.form import Form
from featdash.ui.page import preset_picker
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing
from featdash.ui.stage.partial_result import CELLS, STREAMS, PartialResult
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TITLES = {
    "figure2-quick": "Figure 2, quick",
    "figure2-paper": "Figure 2, paper scale",
    "figure2-unprocessed": "Figure 2, no preprocessing",
}

TEXT = LessonText(
    question="Do learned features transfer?",
    formula=FORMULA,
    reading=r"""
- The first layer takes its step on $n$ samples of one polynomial; then it is **frozen** and only the head is fitted, to
  $N$ samples of another polynomial of the same directions. The new target is a pure cubic, which a first step by itself
  cannot see.
- **Left**: with enough $N$ the risk begins to fall by $n = d^2$, and most of the gain has come at $d^4$: at $N = 10^4$
  it is 0.86 after $n = d$, 0.22 after $d^2$, 0.07 after $d^3$, then 0.03 and 0.02. **Right**: on a layer that has seen
  a single sample the head stays near 1 for any $N$; after $n = d$ it is still above 0.85 at $N = 10^4$.
- **No $d$ in Theorem 3**: the head's samples $N$ pay for the degree and the rank, the dimension was paid in $n$. Move
  its two sliders and open it for the numbers; a theorem's constant is not known, so compare settings, not risks.
"""
    + CELLS,
    source="""
Damian, Lee and Soltanolkotabi, COLT 2022, Figure 2, section 6.2 and Theorem 3. Computed by
`featdash.lessons.transfer.recipe` and `run`, the theorem by `featdash.theory.theorems.theorem_3`.
"""
    + OURS
    + "The paper states neither width nor seeds for this figure: the quick preset has m = 1000 and three seeds, paper "
    "scale ten. Its points, read off the vector figure, are met at m = 100: see the preset «no preprocessing».",
    trials=(
        Trial(
            "Figure 2, paper scale",
            vars(PRESETS["figure2-paper"]),
            "Up to a million pretraining samples, ten seeds: at N = 10⁴, 0.027 for n = d⁴, then 0.022 and 0.015.",
        ),
        Trial(
            "Figure 2 without preprocessing",
            vars(PRESETS["figure2-unprocessed"]),
            "No α and β, a step of fixed size, biases kept, width 100: on the published points, within 0.11 at each.",
        ),
        Trial(
            "No fresh data",
            {"fresh_data": False, "n": (100, 1000, 10_000), "seeds": (0, 1)},
            "The head sees the inputs that the layer was trained on, with new labels: from N = 1000 on no risk moves "
            "by more than 0.04.",
        ),
        Trial(
            "Pretraining without curvature, d = 30",
            {"pretraining": "He3(z1)/sqrt(6)", "d": 30, "n": (100, 1000, 10_000), "seeds": (0, 1)},
            "A cubic alone teaches the layer little: 0.98, 0.69, 0.54 at N = 10⁴ for n = 10², 10³, 10⁴. With a "
            "quadratic in it, as in the default, it is 0.96, 0.33, 0.09.",
        ),
    ),
    papers=("damian2022",),
    controls=("preset", "pretraining", "target", "n", "N"),
    words=GAUSSIAN_WORDS,
)


DIFFERENCES = """
**Ours against the published points**, and why they differ. Here the layer is that of Algorithm 1 as the paper prints
it. The preset «no preprocessing» leaves out α and β, takes a step η₁ = √d without rescaling the rows, keeps the biases
from before the step, and has width 100. So run, the 22 points with n from 10² to 10⁵ and a published risk below 0.97
are met within the error of ten seeds: in units of it the differences have a root mean square of 0.98 with the seeds
0 to 9, 1.01 with 10 to 19 and 1.07 with 20 to 29 (deviations of all thirty). The published figure was probably made
like that, as Figure 1 was. Each change counts. With the deviations of the ten seeds alone, too small where only some
seeds have begun to descend, it is 0.89 (1.8 and 1.6 with the other tens), and with one change undone

- 1.7 with the rows rescaled to RMS norm 1, 2.3 at width 200, 3.5 with biases drawn anew after the step,
- 4.1 at width 100 with the preprocessing, as the paper prints it; 12.9 for our preset of paper scale, width 1000.

The published curves start at 0.980, ours at 1.00: He₃² has a heavy tail, and one test sample of 10⁵ gives its energy
with a standard deviation of 0.03. Ours is stratified along the principal direction, which takes most of that away.
"""


SHORT = (
    "Published points are hollow. The preset «no preprocessing» meets them; at width 1000 and with the preprocessing, "
    "as printed in the paper, ours need fewer samples."
)


def figure_tools(run: Run) -> Options:
    """The same, and where it is the paper's experiment the published points over ours, and why they differ."""
    spec = toolbar.spec_of(run, TransferSpec)
    log = theorem_at(run, spec.n, spec.N)
    is_overlaid = is_figure2(spec) and published_switch(run)
    if is_overlaid:
        about = "What separates our points from the published ones."
        st.popover("Why they differ", width="stretch", help=about).markdown(DIFFERENCES)
        st.caption(SHORT)
    return Options(log, is_overlaid)


def published_switch(run: Run) -> bool:
    """Laid over the figure from the start where the preset is the one that meets the points."""
    name, meets = "published", run.spec == PRESETS["figure2-unprocessed"]
    about = "Draw Figure 2 of the paper over our points."
    return toolbar.switch(run, f"{name}.met" if meets else name, "Published points", meets, help=about)


def is_figure2(spec: TransferSpec) -> bool:
    """Whether the published points measure the same: both polynomials, dimension and noise."""
    return all(getattr(spec, name) == getattr(PAPER, name) for name in ("pretraining", "target", "d", "noise"))


def controls(form: Form) -> None:
    """The presets have a control of their own; both polynomials are written; fresh data is a switch."""
    draws = {"preset": partial(preset_picker.choose, form, TITLES)}
    form.column(TEXT.controls, without=("fresh_data", "from_scratch"), sliders=(), draws=draws)
    spec, _ = form.validate()
    if isinstance(spec, TransferTask):
        pair(spec)
    form.control("fresh_data")


@shown
def panels(so_far: PartialResult, options: Options, spec: TransferSpec, theme: Theme) -> Picture:
    """Figure 2: risk against n, and against N."""
    rows = [row for row in so_far.summary["statistics"] if row["method"] == "transfer"]
    source, new = target_of(spec.pretraining, spec.d), target_of(spec.target, spec.d)
    paper = [dataclasses.asdict(point) for point in published_figure2()] if options.published else []
    return transfer_panels(
        rows,
        spec.n,
        spec.N,
        spec.d,
        theme=theme,
        zero=new.second_moment,
        marks=marks_of(source),
        paper=paper,
        log=options.log,
        height=345,
    )


def size_places(view: View[TransferSpec, Any], sizes: Sequence[float]) -> Sequence[float]:
    """Where numbers of samples stand in both panels."""
    return [power_of(n, view.spec.d) for n in sizes]


PHASE = Phase(
    "from few samples to many", STREAMS, lambda n: f"up to {number(n)}", lambda spec: sorted({*spec.n, *spec.N})
)
LESSON = Lesson(
    "Figure",
    TRANSFER,
    TEXT,
    (Panel("transfer-risk", panels, film=growing(PHASE, still=("zero predictor",), places=size_places)),),
    toolbar=figure_tools,
    controls=controls,
    film=(PHASE,),
)
