"""Choosing a target: the list, or a line to write one, and what is known about it before any run."""

from __future__ import annotations

from functools import lru_cache, partial

import streamlit as st

from featdash.figures.energy import target_energy
from featdash.figures.text import Numbers, number
from featdash.theory.predictions import sample_marks
from featdash.theory.target import PolynomialTarget, resolve_target
from featdash.theory.targets import TARGETS
from featdash.ui.kit import control_key
from featdash.ui.kit.form import Form
from featdash.ui.kit.layout import browser_theme
from featdash.ui.kit.shared import picture_cache
from featdash.ui.page import blocks
from featdash.ui.stage import chart

OWN = "own"
GAUGE = {
    "full": ":green-badge[one step sees it]",
    "partial": ":orange-badge[one step sees part of it]",
    "faint": ":orange-badge[one step sees it faintly]",
}
LINEAR_APART = ":green-badge[one step sees all but the linear part]"
BLIND = ":red-badge[one step follows noise alone]"
BARS = "▁▂▃▄▅▆▇"


@lru_cache(maxsize=256)
def target_of(text: str, d: int) -> PolynomialTarget:
    """The target of a name or a formula, cached; its numbers do not depend on a rotation."""
    return resolve_target(text, d)


def choose(form: Form) -> None:
    """The list of named targets, with «Write your own» at its end, and the line to write it in."""
    with st.container(gap="small"):
        _choose_from_list(form)
        write_own(form)


def _choose_from_list(form: Form) -> None:
    now = form.get("target") if form.get("target") in TARGETS else OWN
    choice = form.key("target.choice")
    key = control_key.showing(choice, now)

    def take(name: str) -> None:  # of the list, or a polynomial that was typed into it
        form.put("target", TARGETS[form.get("target")].expression if name == OWN else name)
        st.session_state[key] = name if name in TARGETS else OWN

    names = [*TARGETS, OWN]
    st.selectbox(
        "Target f*: choose or type one",
        names,
        index=names.index(now),
        format_func=lambda name: TARGETS[name].title if name in TARGETS else "Write your own" if name == OWN else name,
        key=key,
        on_change=control_key.listener(choice, take),
        accept_new_options=True,
        help="The polynomial that the methods should learn, a function of a few directions z = U x. Choose one from "
        "the list, or click on it and type your own, such as He2(z1)/2 + z1*z2.",
    )


def write_own(form: Form) -> None:
    """The line for the visitor's own polynomial, if they are writing one."""
    if form.get("target") not in TARGETS:
        entry = form.key("target.typed")
        st.text_input(
            "Your polynomial",
            value=form.get("target"),
            key=control_key.showing(entry, form.get("target")),
            max_chars=200,
            on_change=control_key.listener(entry, partial(form.put, "target")),
            help="In z1, z2, ... with + - * / ^ and He0(...) to He10(...), for example He2(z1)/2 + 0.5 z1 z2^2.",
            placeholder="He2(z1)/2 + z1*z2",
        )
        form.alert("target")


def facts(target: PolynomialTarget, name: str, biases: str = "redrawn") -> None:
    """The line under the controls: the target's card, and its story behind a button.

    name : the target as the recipe has it, a name of TARGETS or an expression.
    """
    card(target, biases)
    about(target, story_of(name), biases)


def card(target: PolynomialTarget, biases: str = "redrawn") -> None:
    """What is known before a run: formula, number of directions, degree, energies, and what one step will see.

    biases : those of the run, "redrawn" after the step or "kept" from before it.
    """
    directions = f"$r = {target.rank}$ {'direction' if target.rank == 1 else 'directions'}"
    marks = ", ".join(f"{mark.label} = {number(mark.n)}" for mark in sample_marks(target.d, target.degree))
    blocks.small_text(
        f"{_badge(target, biases)} $g(z) = {target.latex}$ hides in {directions} of {target.d} · "
        f"degree $p = {target.degree}$ · energy by degree {sparkline(target.energy_by_degree)} · "
        f"{_blank_risk(target)}{marks}",
        "target",
    )


def _badge(target: PolynomialTarget, biases: str) -> str:
    """A coloured badge that says what one step will see."""
    verdict = target.verdict_on_step(biases)
    if verdict.kind == "full" and verdict.hessian_rank < verdict.rank:
        return LINEAR_APART
    return GAUGE.get(verdict.kind, BLIND)


def _blank_risk(target: PolynomialTarget) -> str:
    """The risk at which nothing is learned; "" if it is 1."""
    risk = number(round(target.second_moment, 3))
    return "" if risk == "1" else f"nothing learned = $E f^{{*2}}$ = {risk} · "


def about(target: PolynomialTarget, story: str | None = None, biases: str = "redrawn") -> None:
    """The target's story, its verdict in words, its Hermite form and its energies, behind a button."""
    with st.popover("About f*", width="stretch", help="The story of this target, and what one step can see of it."):
        st.markdown(f"{story or ''}\n\n{target.verdict_on_step(biases).sentence}")
        kappa = number(target.condition_number) if target.condition_number is not None else "∞"
        st.markdown(
            f"Condition number κ = 1/(√r · min |λ|) = {kappa}, λ the curvatures of f* in E∇²f*: absolute, not relative "
            f"to the largest, and ∞ if a direction has none. Information exponent {target.information_exponent}: the "
            "lowest Hermite degree above 0 in f*."
        )
        st.markdown(
            f"In the Hermite basis $g(z) = {target.hermite_latex}$, and $E f^{{*2}}$ = {number(target.second_moment)}."
        )
        st.space("small")  # or the last line would touch the picture's title
        key = ("target", target.expression, browser_theme())
        picture = picture_cache().picture(
            key, lambda: chart.render(target_energy(target.energy_by_degree, theme=browser_theme()), "target-energy")
        )
        if picture:
            chart.mount({"target-energy": picture}, key="target-energy")


def sparkline(energies: Numbers) -> str:
    """The energies from degree 0 on as bars, one character each."""
    most = max(energies)
    return "".join(BARS[round((len(BARS) - 1) * float(energy) / most)] for energy in energies)


def story_of(text: str) -> str | None:
    return TARGETS[text].story if text in TARGETS else None
