"""Figure 2 on the page: a frozen layer and a new head, and Theorem 3 with the run's numbers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from featdash.experiments import EXPERIMENTS
from featdash.experiments.transfer import PRESETS
from featdash.experiments.transfer_column import TransferTask
from featdash.figures.lettering import number
from featdash.figures.picture import Picture
from featdash.figures.transfer import transfer_panels
from featdash.runs.view import RunView
from featdash.theory.theorems import theorem_3
from featdash.ui import lesson, preset_picker, target_picker, theorem_card, toolbar
from featdash.ui.board import Moment, Panel
from featdash.ui.composite_numbers import CELLS, STREAMS, missing, so_far
from featdash.ui.form import Form
from featdash.ui.lesson import Trial
from featdash.ui.lesson_page import Lesson, Part
from featdash.ui.sweep_part import marks_of
from featdash.ui.target_picker import target_of

TITLES = {"figure2-quick": "Figure 2, quick", "figure2-paper": "Figure 2, paper scale"}
FINE = ("d", "noise", "step_rule", "eta", "remove_linear", "biases", "rotated", "holdout", "test")
FORMULA = r"keep $W^1$, refit $a$ on $N$ samples: $\tilde O\big(\sqrt{r^p \kappa^{2p} / \min(m, N)} + N^{-1/4}\big)$"
OURS = """
Our choices: the new head is a plain ridge head on the frozen features, with no α and β apart from it; λ is tuned on a
holdout of the new task.
"""
LESSON = Lesson(
    question="Is a learned layer of use for another target?",
    formula=FORMULA,
    reading=r"""
- The first layer takes its step on $n$ samples of one polynomial; then it is **frozen** and only the head is fitted, to
  $N$ samples of another polynomial of the same directions. The new target alone, a pure cubic, is one that a first step
  cannot see.
- **Left**: with enough $N$, the risk falls as soon as the layer has seen $n \approx d^2$ samples: then it has found the
  direction. More than that helps little. **Right**: a layer that has seen too little leaves the head at 1, for any $N$.
- **No $d$ in Theorem 3**: the head's samples $N$ pay for the degree and the rank, the dimension was paid in $n$. Move
  its two sliders and open it for the numbers; a theorem's constant is not known, so compare settings, not risks.
"""
    + CELLS,
    source="""
Damian, Lee and Soltanolkotabi, COLT 2022, Figure 2, section 6.2 and Theorem 3. Computed by
`featdash.experiments.transfer` and `transfer_column`, the theorem by `featdash.theory.theorems.theorem_3`.
"""
    + OURS
    + "The paper states neither width nor seeds for this figure: here m = 1000, three seeds (ten at paper scale).",
    trials=(
        Trial(
            "Figure 2, paper scale",
            PRESETS["figure2-paper"],
            "Up to a million pretraining samples, ten seeds: at N = 10⁴, 0.027 for n = d⁴, then 0.022 and 0.015.",
        ),
        Trial(
            "No fresh data",
            {"fresh_data": False, "n": (100, 1000, 10_000), "seeds": (0, 1)},
            "The head sees the inputs that the layer was trained on, with new labels: from N = 316 on little changes.",
        ),
        Trial(
            "Pretraining without curvature",
            {"pretraining": "He3(z1)/sqrt(6)", "n": (100, 1000, 10_000), "seeds": (0, 1)},
            "More pretraining does not help: 0.15 to 0.20 at N = 10⁴ for every n, where the default reaches 0.027.",
        ),
    ),
    controls=("preset", "pretraining", "target", "n", "N"),
    more=("seeds", "width", *FINE),
)


@dataclass(frozen=True)
class Wish:
    """log : risk on a logarithmic axis."""

    log: bool = False


def tools(view: RunView) -> Wish:
    """The switch over the pictures, and Theorem 3 at one n and one N of the grid."""
    spec, places = view.spec, toolbar.line([1.3, 1.2, 1.7, 1.7, 2.4, 1.7])
    log = toolbar.switch(view, "log", "Log risk", places[0])
    sizes = spec.n if isinstance(spec.n, tuple) else (spec.n,)
    places[1].caption("Theorem 3 at")
    N = _size(view, "N", spec.N, places[2])
    n = _size(view, "n", sizes, places[3])
    explain(places[4], spec, n, N)
    for sentence in missing(view):
        st.caption(sentence)
    return Wish(log)


def _size(view: RunView, name: str, sizes: tuple[int, ...], place: object) -> int:
    """One size of the grid, for the theorem; nothing to choose where there is one."""
    if len(sizes) < 2:
        return sizes[0]
    about = {"n": "Pretraining samples for Theorem 3", "N": "Head samples for Theorem 3"}[name]
    word = f"{name} = {{}}".format
    return toolbar.slider(
        view, f"{name}.{sizes}", about, sizes, place, sizes[-1], word=lambda size: word(number(size))
    )  # fmt: skip


def explain(place: DeltaGenerator, spec: TransferTask, n: int, N: int) -> None:
    """Theorem 3 with numbers, behind a button that names its bound."""
    seen, new = target_of(spec.pretraining, spec.d), target_of(spec.target, spec.d)
    theorem = theorem_3(seen, new, n, spec.width, N, spec.noise, theorem_card.step_of(spec))
    bound = "no bound" if theorem.bound is None else f"order {number(theorem.bound)}"
    with place.popover(f"Theorem 3: {bound}", width="stretch"):
        st.caption(theorem_card.CAUTION)
        st.markdown(f"n = {number(n)}, N = {number(N)}, m = {number(spec.width)}. {theorem_card.markdown(theorem)}")
        st.caption("There is no d in the bound: once the layer knows the subspace, the dimension has been paid for.")


def pair(place: DeltaGenerator, spec: TransferTask) -> None:
    """The two polynomials in a line, and whether one step sees the first."""
    seen, new = target_of(spec.pretraining, spec.d), target_of(spec.target, spec.d)
    gauge = target_picker.GAUGE.get(seen.verdict_on_step(spec.biases).kind, target_picker.BLIND)
    lesson.fine(place, f"Layer from $g(z) = {seen.latex}$ {gauge}, then a head for $h(z) = {new.latex}$", "pair")


def controls(form: Form) -> None:
    """The presets have a control of their own; both polynomials are written; fresh data is a switch."""
    form.row(LESSON.controls, LESSON.more, sliders=(), drawn={"preset": partial(preset_picker.choose, form, TITLES)})
    words, switch = st.columns([8, 2.2], vertical_alignment="center")
    if spec := form.checked()[0]:
        pair(words, spec)
    with switch:
        form.control("fresh_data")


def panels(moment: Moment) -> Picture:
    """Figure 2: risk against n, and against N."""
    spec = moment.view.spec
    rows = [row for row in so_far(moment).summary["statistics"] if row["method"] == "transfer"]
    seen, new = target_of(spec.pretraining, spec.d), target_of(spec.target, spec.d)
    settings = {"zero": new.second_moment, "marks": marks_of(seen), "log": moment.wish.log, "height": 345}
    return transfer_panels(rows, spec.n, spec.N, spec.d, look=moment.look, **settings)


PART = Part(
    "Figure",
    EXPERIMENTS["transfer"],
    LESSON,
    (Panel("transfer-risk", panels, streams=STREAMS),),
    toolbar=tools,
    controls=controls,
)
