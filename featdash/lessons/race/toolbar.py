"""How the visitor wants the race's pictures: switches, and after the end sliders over λ, t and the frames."""

from __future__ import annotations

import math
from dataclasses import dataclass

import streamlit as st

from featdash.figures.axes import RISKS
from featdash.figures.text import number
from featdash.lessons.race.numbers import Setting, head_steps, step_stops
from featdash.lessons.race.recipe import RaceSpec
from featdash.runs.run import Run
from featdash.ui.shared import service
from featdash.ui.toolbar import choice, follow, scrubber, slider, spec_of, switch

ALL = "all"
FACTORS = [10.0 ** (power / 2) for power in range(-8, 9)]
AS_TUNED = Setting()
RISK_HELP = "Excess: against the noise-free f*. Holdout and train: against noisy labels y."
PREFIX = (
    "The first step as it would be from the first samples only; 0 is the untrained layer. It moves the neurons and the "
    "alignment only: the heads stand on the step from all samples."
)
STRENGTHS = [10.0 ** (power / 2) for power in range(-14, 7)]


@dataclass(frozen=True)
class Options:
    """risk : one of RISKS, or all; frame : samples behind the neurons shown as «now», None for the newest."""

    risk: str = "excess"
    log: bool = True
    folded: bool = False
    frame: float | None = None
    setting: Setting = AS_TUNED


def toolbar(run: Run) -> Options:
    """The kind of risk and two switches; after the end the sliders."""
    risk = choice(run, "risk", "Risk shown", [*RISKS, ALL], "excess", help=RISK_HELP)
    with st.container(horizontal=True):
        log = switch(run, "log", "Log risk", True, help="Risk on a logarithmic axis.")
        folded = switch(run, "fold", "Fold ±w", help="Take a neuron and its opposite as one.")
    if run.active:
        st.caption("Sliders over λ, t and the frames come with the end of the run.")
        return Options(risk, log, folded)
    setting = _setting(run) if run.status == "done" else AS_TUNED
    frame = scrubber(run, "neurons", "Neurons after the step on", _samples, PREFIX)
    return Options(risk, log, folded, frame, setting)


def lam_is_manual(experiment: str) -> bool:
    """Whether a slider over λ has left the tuned strengths; reads this visitor's sliders, as they are when drawn."""
    state = st.session_state.get
    return bool(state(f"{experiment}.view.same")) or state(f"{experiment}.view.lam.False", 1.0) != 1.0


def _samples(n: float) -> str:
    return f"n = {number(n)}"


def _setting(run: Run) -> Setting:
    """The sliders over λ and t: every value is there at once, from the spectral paths, without a refit."""
    same = switch(run, "same", "Same λ for all", help="One λ for all, instead of a multiple of each tuned one.")
    lam = slider(
        run,
        f"lam.{same}",
        "Ridge strength λ" if same else "λ / tuned λ",
        STRENGTHS if same else FACTORS,
        1.0,
        lambda lam: f"λ = {number(lam)}" if same else f"{number(lam)} × tuned λ",
        help="How strongly the heads are pulled to zero; each method's own λ was tuned on the same holdout set.",
    )
    steps = spec_of(run, RaceSpec).steps
    stops = step_stops(steps)
    if run.held:
        out = dict(run.held).get("heads")
        t = head_steps(service().frames(run.id, "heads")[:out], out, steps)
        follow(
            run,
            "t",
            "Head steps t",
            sorted({0, *stops, t}),
            t,
            lambda t: f"t = {number(t if math.isinf(t) else round(t))}",
        )
        return AS_TUNED
    about = "Gradient steps on the head; ∞ is their limit, ridge regression."
    t = slider(run, f"t.{stops[-2]}", "Head steps t", stops, math.inf, lambda t: f"t = {number(t)}", help=about)
    return Setting(1.0 if same else lam, lam if same else None, t)
