"""How the visitor wants the race's pictures: switches, and after the end sliders over λ, t and the frames."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from featdash.figures.risk_axis import RISKS
from featdash.figures.text import number
from featdash.lessons.race.numbers import Setting, head_steps, step_stops
from featdash.lessons.race.recipe import RaceSpec
from featdash.runs.run import Run
from featdash.ui.shared import service
from featdash.ui.streamlit_internals import Place
from featdash.ui.toolbar import choice, follow, line, scrubber, slider, spec_of, switch
from featdash.ui.visitor import theme

ALL = "all"
FACTORS = [10.0 ** (power / 2) for power in range(-8, 9)]
AS_TUNED = Setting()
HELP = (
    "Excess: against the noise-free f*. Holdout and train: against noisy labels y. Fold ±w takes a neuron and "
    "its opposite as one. Same λ sets one λ for all, instead of a multiple of each tuned one. The "
    "sliders move the ridge strength λ, the head steps t, and the number of samples behind the first-layer step."
)
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
    """One line of controls above the pictures."""
    kinds, *places = _places(run.active, theme().presenter)
    risk = choice(run, "risk", "Risk shown", [*RISKS, ALL], kinds, "excess", help=HELP)
    log = switch(run, "log", "Log risk", places[0], True)
    folded = switch(run, "fold", "Fold ±w", places[1])
    if run.active:
        places[2].caption("Sliders over λ, t and the frames come with the end of the run.")
        return Options(risk, log, folded)
    frame = scrubber(run, "neurons", places[5], "Samples in the step", _first_step, PREFIX)
    setting = _setting(run, places[2:5]) if run.status == "done" else AS_TUNED
    return Options(risk, log, folded, frame, setting)


def _places(active: bool, large: bool) -> list[Place]:
    """Three switches after the kind of risk, then the sliders: on a line of their own where the text is large."""
    if active:
        return line([3.4, 1.8, 1.8, 3] if large else [2.6, 1.1, 1.1, 5])
    if large:
        return [*line([3.4, 1.6, 1.6, 1.6]), *line([1.6, 1.4, 2.1])]
    return line([2.6, 1.1, 1.1, 1.1, 1.6, 1.4, 2.1])


def lam_is_manual(experiment: str) -> bool:
    """Whether a slider over λ has left the tuned strengths; reads this visitor's sliders, as they are when drawn."""
    state = st.session_state.get
    return bool(state(f"{experiment}.view.same")) or state(f"{experiment}.view.lam.False", 1.0) != 1.0


def _first_step(n: float) -> str:
    """The slider's word: it moves the neurons and the alignment, and neither heads nor risks."""
    return f"neurons at n = {number(n)}"


def _setting(run: Run, places: Sequence[Place]) -> Setting:
    """The sliders over λ and t: every value is there at once, from the spectral paths, without a refit."""
    same = switch(run, "same", "Same λ", places[0])
    lam = slider(
        run,
        f"lam.{same}",
        "Ridge strength λ" if same else "λ / tuned λ",
        STRENGTHS if same else FACTORS,
        places[1],
        1.0,
        lambda lam: f"λ = {number(lam)}" if same else f"{number(lam)} × tuned λ",
        "How strongly the heads are pulled to zero; each method's own λ was tuned on the same holdout set.",
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
            places[2],
            t,
            lambda t: f"t = {number(t if math.isinf(t) else round(t))}",
        )
        return AS_TUNED
    about = "Gradient steps on the head; ∞ is their limit, ridge regression."
    t = slider(run, f"t.{stops[-2]}", "Head steps t", stops, places[2], math.inf, lambda t: f"t = {number(t)}", about)
    return Setting(1.0 if same else lam, lam if same else None, t)
