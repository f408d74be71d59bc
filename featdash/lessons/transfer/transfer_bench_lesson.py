"""The bench on the page: the Lab's layer frozen, a new head for another polynomial, against training from scratch."""

from __future__ import annotations

import streamlit as st

from featdash.figures.picture import Picture, Theme
from featdash.figures.text import number
from featdash.lessons.race.recipe import EXPERIMENT as RACE
from featdash.lessons.shared.panels import GAUSSIAN_WORDS
from featdash.lessons.transfer.panels import FORMULA, OURS, Options, pair, theorem_at
from featdash.lessons.transfer.pictures import bench_curves
from featdash.lessons.transfer.recipe import TRANSFER_BENCH, TransferBenchSpec, TransferTask
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.kit.form import Form
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, growing
from featdash.ui.stage.partial_result import CELLS, STREAMS, PartialResult
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

ALIKE = (
    "d",
    "n",
    "width",
    "noise",
    "seed",
    "step_rule",
    "eta",
    "remove_linear",
    "biases",
    "rotated",
    "holdout",
    "test",
)
TEXT = LessonText(
    question="Frozen features against training from scratch",
    formula=FORMULA,
    reading=r"""
- **Use this part** to freeze the very layer that you trained in the Lab, and to give it a new target. The
  story «Do learned features transfer?» begins with one such bench.
- One layer, pretrained on $n$ samples, is **frozen**; the light blue curve is its new head on $N$ samples of the new
  target. The dark blue curve is the whole of Algorithm 1 trained on **those $N$ samples alone**; for small $N$ its α
  and β, estimated from so few labels, lift it above the frame (switch to «Log risk» to see it).
- «Take the Lab's layer» loads the settings of your Lab: with the same seed and the same data it is the very layer of
  that run.
- Any polynomial of the **same directions** will do: with pretraining in z1 and z2, the new target may use both.
"""
    + CELLS,
    source="""
The bench is ours, after Damian, Lee and Soltanolkotabi (COLT 2022), Theorem 3. Computed by
`featdash.lessons.transfer.recipe`; the layer is that of `featdash.lessons.race.run` with the same settings.
"""
    + OURS
    + "One seed, one draw.",
    trials=(
        Trial(
            "Too few pretraining samples",
            {"n": 30},
            "A matter of luck. At seed 0 the frozen layer has not found the direction: the risk stays near 1 up to N = "
            "1000 and is still 0.90 at N = 10⁴. At seeds 1 and 2 it has found it, and the risk ends at 0.25 and 0.30.",
        ),
        Trial(
            "From Figure 1's target to a sextic",
            {"pretraining": "figure-1", "target": "He6(z1)/sqrt(720)"},
            "At N = 10⁴ the risk is 0.24 for the frozen layer and 0.64 from scratch; seed 7 gives 0.33 and 0.54, seed "
            "11 gives 0.14 and 0.51. He₆² is heavy-tailed: predicting 0 scores 0.75, and 0.70 and 0.58 at these seeds.",
        ),
    ),
    papers=("damian2022",),
    controls=("pretraining", "target", "n", "N", "seed"),
    words=GAUSSIAN_WORDS,
)


def view_options(run: Run) -> Options:
    """The switch over the picture, and Theorem 3 at one N of the grid."""
    spec = toolbar.spec_of(run, TransferBenchSpec)
    return Options(theorem_at(run, (spec.n,), spec.N))


@shown
def bench(so_far: PartialResult, options: Options, spec: TransferBenchSpec, theme: Theme) -> Picture:
    """The frozen layer against training from scratch."""
    rows, zero = so_far.summary["statistics"], target_of(spec.target, spec.d).second_moment
    return bench_curves(rows, spec.N, spec.n, spec.d, theme=theme, zero=zero, log=options.log, height=330)


def take_from_lab(form: Form) -> None:
    """Load the Lab's settings into the bench: the layer that is frozen is the Lab's own; for a callback."""
    lab = Form(RACE)
    form.load({name: lab.get(name) for name in ALIKE} | {"pretraining": lab.get("target")})


def controls(form: Form) -> None:
    """The settings, the switch for fresh data, and the Lab's layer at a click."""
    form.column(TEXT.controls, without=("fresh_data",))
    spec, _ = form.validate()
    if isinstance(spec, TransferTask):
        pair(spec)
    form.control("fresh_data")
    about = "Load the settings of your Lab, so that its very layer is frozen here."
    st.button("Take the Lab's layer", on_click=take_from_lab, args=(form,), width="stretch", help=about)


PHASE = Phase("from few samples to many", STREAMS, lambda n: f"N up to {number(n)}", lambda spec: sorted(spec.N))
LESSON = Lesson(
    "Bench",
    TRANSFER_BENCH,
    TEXT,
    (Panel("bench-risk", bench, film=growing(PHASE, still=("zero predictor",))),),
    toolbar=view_options,
    controls=controls,
    film=(PHASE,),
)
