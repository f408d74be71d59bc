"""The controls over the race's pictures: switches, and after the end the sliders over λ and t."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from featdash.figures.axes import RISKS
from featdash.figures.text import number
from featdash.lessons.race.numbers import Setting
from featdash.runs.run import Run
from featdash.ui.kit.toolbar import choice, slider, switch, value_of

ALL = "all"
FACTORS = [10.0 ** (power / 2) for power in range(-8, 9)]  # λ over the tuned λ of each method
AS_TUNED = Setting()
RISK_HELP = "Excess: against the noise-free f*. Holdout and train: against noisy labels y."
STRENGTHS = [10.0 ** (power / 2) for power in range(-14, 7)]  # λ, the same for all methods


@dataclass(frozen=True)
class Options:
    """What the controls are set to.

    risk : one of RISKS, or ALL; log : whether its axis is logarithmic; folded : whether ±w are one neuron.
    setting : λ and t, see `Setting`.
    """

    risk: str = "excess"
    log: bool = True
    folded: bool = False
    setting: Setting = AS_TUNED


def toolbar(run: Run) -> Options:
    """Draw the choice of a risk and two switches, and after the end the sliders; returns what they are set to."""
    risk = choice(run, "risk", "Risk shown", [*RISKS, ALL], "excess", help=RISK_HELP)
    with st.container(horizontal=True):
        log = switch(run, "log", "Log risk", True, help="Risk on a logarithmic axis.")
        folded = switch(run, "fold", "Fold ±w", help="Treat a neuron and its opposite as the same.")
    if run.active:
        st.caption("A slider over λ comes with the end of the run.")
        return Options(risk, log, folded)
    return Options(risk, log, folded, _setting(run) if run.status == "done" else AS_TUNED)


def lam_is_manual(experiment: str) -> bool:
    """Whether this visitor's slider over λ stands off the tuned strengths, as of when it was last drawn."""
    return value_of(experiment, "same", False) or value_of(experiment, "lam.False", 1.0) != 1.0


def _setting(run: Run) -> Setting:
    """The slider over λ: every value comes at once from the spectral paths, without a refit."""
    same = switch(run, "same", "Same λ for all", help="One λ for all, instead of a multiple of each tuned one.")
    lam = slider(
        run,
        f"lam.{same}",
        "Ridge strength λ" if same else "λ / tuned λ",
        STRENGTHS if same else FACTORS,
        1.0,
        lambda lam: f"λ = {number(lam)}" if same else f"{number(lam)} × tuned λ",
        help="How strongly the heads are pulled towards zero; each method's own λ was tuned on the same holdout set.",
    )
    return Setting(1.0 if same else lam, lam if same else None)
