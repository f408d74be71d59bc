"""What the two lessons on transfer show alike."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from featdash.figures.text import number
from featdash.lessons.transfer.recipe import TransferTask
from featdash.runs.run import Run
from featdash.theory.theorems import theorem_3
from featdash.ui.kit import toolbar
from featdash.ui.page import blocks, target_picker, theorem_card
from featdash.ui.page.target_picker import target_of
from featdash.ui.stage.partial_result import missing_cells

FORMULA = r"keep $W^1$, refit $a$ on $N$ samples: $\tilde O\big(\sqrt{r^p \kappa^{2p} / \min(m, N)} + N^{-1/4}\big)$"
OURS = """
Our choices: the new head is a plain ridge head on the frozen features, with no α and β apart from it; λ is tuned on a
holdout of the new task.
"""


@dataclass(frozen=True)
class Options:
    """log : risk on a logarithmic axis; published : overlaid."""

    log: bool = False
    published: bool = False


def theorem_at(run: Run, pretraining: tuple[int, ...], refit: tuple[int, ...]) -> bool:
    """Theorem 3 at sizes of the visitor's choice, and what the pictures lack; returns whether risks are logarithmic.

    pretraining, refit : the sizes n and N of the run.
    """
    log = toolbar.switch(run, "log", "Log risk", help="Risk on a logarithmic axis, with nothing cut off.")
    N = _size(run, "N", refit)
    n = _size(run, "n", pretraining)
    explain(toolbar.spec_of(run, TransferTask), n, N)
    for sentence in missing_cells(run):
        st.caption(sentence)
    return log


def _size(run: Run, name: str, sizes: tuple[int, ...]) -> int:
    """One size of the grid, for the theorem; nothing to choose where there is one."""
    if len(sizes) < 2:
        return sizes[0]
    about = {"n": "Pretraining samples for Theorem 3", "N": "Head samples for Theorem 3"}[name]
    word = f"{name} = {{}}".format
    help = "A size at which Theorem 3 is worked out; the pictures stay as they are."
    words = lambda size: word(number(size))  # noqa: E731
    return toolbar.slider(run, f"{name}.{sizes}", about, sizes, sizes[-1], words, help=help)


def explain(spec: TransferTask, n: int, N: int) -> None:
    """Theorem 3 with numbers, behind a button that names its bound."""
    source, new = target_of(spec.pretraining, spec.d), target_of(spec.target, spec.d)
    theorem = theorem_3(source, new, n, spec.width, N, spec.noise, theorem_card.step_of(spec))
    bound = "no bound" if theorem.bound is None else f"order {number(theorem.bound)}"
    with st.popover(f"Theorem 3: {bound}", width="stretch", help="The theorem with these numbers."):
        st.caption(theorem_card.CAUTION)
        st.markdown(f"n = {number(n)}, N = {number(N)}, m = {number(spec.width)}. {theorem_card.markdown(theorem)}")
        st.caption("There is no d in the bound: once the layer knows the subspace, the dimension has been paid for.")


def pair(spec: TransferTask) -> None:
    """The two polynomials in a line, and whether one step sees the first."""
    source, new = target_of(spec.pretraining, spec.d), target_of(spec.target, spec.d)
    gauge = target_picker.GAUGE.get(source.verdict_on_step(spec.biases).kind, target_picker.BLIND)
    blocks.small_text(f"Layer from $g(z) = {source.latex}$ {gauge}, then a head for $h(z) = {new.latex}$", "pair")
