"""The assumption card: theorems 1 to 3 with a visitor's numbers, each condition ticked, crossed or left open."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from featdash.figures.text import number
from featdash.recipes.spec import Spec
from featdash.theory.target import PolynomialTarget
from featdash.theory.theorem import AS_PRINTED, FirstStep, Theorem
from featdash.theory.theorems import theorem_1, theorem_2, theorem_3

MARKS = {"holds": ":green[✓]", "fails": ":red[✗]", "unknown": ":orange[?]"}
VERDICTS = {
    "holds": ":green-badge[applies]",
    "fails": ":red-badge[does not apply]",
    "unknown": ":orange-badge[cannot be decided]",
}
AS_FAR = ":orange-badge[holds as far as it can be checked]"
SECOND_TARGET = 3  # the number of the theorem on a new target
CAUTION = (
    "Exponents are theorems, constants are not: ✓ holds, ✗ fails, ? cannot be checked, because it depends on a "
    "constant that is not named or on a choice of ours. Values take every constant as 1 and drop logarithms; use "
    "them to compare settings."
)


def step_of(spec: Spec) -> FirstStep:
    """How a recipe trains the first layer; what it does not set is as in the paper, and η₁ as in the authors' code."""
    eta: float | None = getattr(spec, "eta", None) if getattr(spec, "step_rule", "rms") == "fixed" else None
    return FirstStep(
        eta,
        getattr(spec, "remove_linear", True),
        getattr(spec, "biases", "redrawn"),
        getattr(spec, "first_layer_steps", 1),
        getattr(spec, "step_activation", "relu"),
    )


def theorems(
    target: PolynomialTarget, n: int, m: int, noise: float, step: FirstStep = AS_PRINTED
) -> tuple[Theorem, ...]:
    """Theorems 1 to 3; the third for a new target of the same degree and subspace, with N = n samples.

    step : how the run takes the first step.
    """
    return (
        theorem_1(target, n, m, noise, step),
        theorem_2(target, n),
        theorem_3(target, target, n, m, n, noise, step),
    )


def card(theorems: Sequence[Theorem]) -> None:
    """The tab of a page that puts its run's numbers into the theorems."""
    st.caption(CAUTION)
    for place, theorem in zip(st.tabs([f"Theorem {one.number}" for one in theorems]), theorems, strict=True):
        place.markdown(markdown(theorem))
        if theorem.number == SECOND_TARGET:
            place.caption("The new target is taken to have the same degree, and as many samples, N = n.")


def markdown(theorem: Theorem) -> str:
    """One theorem in Markdown: statement, numbers, bound, and a line for each condition."""
    conditions = "\n".join(
        f"- {MARKS[each.status]} **{each.name}** ${each.latex}$: {each.because}" for each in theorem.assumptions
    )
    return (
        f"**{theorem.title}** {badge(theorem)}\n\n$${theorem.statement}$$\n\n"
        f"With these numbers ${theorem.with_numbers}$ {value(theorem)}: {theorem.says}.\n\n"
        f"{theorem.assumption_results}\n\n{conditions}\n\n{theorem.source}"
    )


def badge(theorem: Theorem) -> str:
    """A badge that says whether the theorem applies or, if that stays open, whether at least one condition holds."""
    one_holds = any(assumption.status == "holds" for assumption in theorem.assumptions)
    return AS_FAR if theorem.applies == "unknown" and one_holds else VERDICTS[theorem.applies]


def value(theorem: Theorem) -> str:
    """The value of the bound with its constant taken as 1, or a clause that says it has none."""
    return "is not defined, as κ is infinite" if theorem.bound is None else f"= **{number(theorem.bound)}**"
