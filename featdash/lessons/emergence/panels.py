"""The pictures of emergence: from the frames of one course, or of two side by side, to the figures' numbers."""

from __future__ import annotations

import streamlit as st

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.emergence.frames import FixedFeatures
from featdash.lessons.emergence.pictures.gradient import gradient_components
from featdash.lessons.emergence.pictures.hinge_bound import hinge_bound
from featdash.lessons.emergence.recipe import EmergenceSpec
from featdash.lessons.shared import two_stage_panels
from featdash.lessons.shared.pictures.accuracy import Curve
from featdash.lessons.shared.two_stage_frames import GradientComponents
from featdash.lessons.shared.two_stage_panels import Options, head_accuracy, linear_accuracy
from featdash.recipes.named_arrays import nest
from featdash.runs.run import Run
from featdash.tasks.dictionary import PatternLaw
from featdash.theory.fixed_features import bound_is_stated
from featdash.ui import blocks
from featdash.ui.panels import Panel, View
from featdash.ui.shared import service

LAWS = {"structured": "structured/", "unstructured": "unstructured/"}  # as a visitor reads it -> prefix of its streams
FEATURE = "Σ<sub>A</sub> M<sub>j</sub>"
PatternView = View[EmergenceSpec, Options]
PAPER = (0.52, 1.0)  # accuracy of a head on the features after steps 1 and 2, as Shi, Wei and Liang report it


def view_options(run: Run) -> Options:
    """The switch, the scrubber, and after the end what step 2 gave to the features."""
    if not run.active:
        frames = service().frames(run.id, "structured/heads")
        st.caption(jump(head_accuracy(frames), linear_accuracy(frames)))
    return two_stage_panels.view_options(run, "structured/neurons")


def jump(head: Curve, linear: float | None) -> str:
    """The head after steps 1 and 2 beside the linear model's and the paper's; "" before all are known."""
    accuracy = dict(zip(head.at, head.accuracy, strict=True))
    if linear is None or not {1, 2} <= accuracy.keys():
        return ""
    return (
        f"Head on the structured features: {accuracy[1]:.2f} after step 1, {accuracy[2]:.2f} after step 2; "
        f"on the inputs themselves {linear:.2f}. The paper's: {PAPER[0]:.2f}, then {PAPER[1]:.2f}."
    )


def pattern_facts(spec: EmergenceSpec) -> None:
    """What is known of both laws before a run, exactly."""
    structured, unstructured = (law_constants(spec.law().at(strength)) for strength in (spec.structure, 0.0))
    blocks.small_text(f"structured: {structured} · unstructured: {unstructured}", "law")


def law_constants(law: PatternLaw) -> str:
    """γ and σ̃ of a law."""
    return f"$\\gamma = {number(round(law.gamma, 4))}$, $\\tilde\\sigma = {number(round(law.sigma, 4))}$"


def pattern_accuracy(view: PatternView) -> Picture | None:
    return two_stage_panels.course_accuracy(view, LAWS, 2 + view.spec.steps)


def pattern_maps(view: PatternView) -> Picture | None:
    return two_stage_panels.course_maps(view, LAWS, FEATURE)


def pattern_cosines(view: PatternView) -> Picture | None:
    return two_stage_panels.course_cosines(view, LAWS, FEATURE)


def gradient(view: PatternView) -> Picture | None:
    """T_j on and off A in steps 1 and 2."""
    laws = {
        law: {int(frame.at): GradientComponents.from_arrays(frame.arrays) for frame in view.frames(f"{prefix}gradient")}
        for law, prefix in LAWS.items()
    }
    return gradient_components(laws, theme=view.theme, height=290) if any(laws.values()) else None


def bound(view: PatternView) -> Picture | None:
    """The lower bound and the measured losses, on structured inputs; after the end."""
    result = view.result()
    if result is None:
        return None
    methods, spec = nest(FixedFeatures, result.arrays, "structured/"), view.spec
    stated = bound_is_stated(spec.k, spec.D, spec.labels)
    return hinge_bound(methods, spec.p0, spec.k, theme=view.theme, stated=stated, height=290)


def _streams(*names: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{name}" for prefix in LAWS.values() for name in names)


PATTERN_PLAYS = _streams("training", "heads", "neurons", "gradient")
PATTERN_PANELS = (
    Panel("emergence-accuracy", pattern_accuracy, streams=_streams("training", "heads")),
    Panel("emergence-neurons", pattern_maps, width=1.05, wide=True, start=1, streams=_streams("neurons")),
    Panel("emergence-gradient", gradient, row=1, width=1.15, streams=_streams("gradient")),
    Panel("emergence-cosines", pattern_cosines, row=1, streams=_streams("neurons")),
    Panel("emergence-bound", bound, row=1),
)
