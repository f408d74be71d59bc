"""The pictures of emergence: from the frames of one course, or of two side by side, to the figures' numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from featdash.experiments.emergence import EmergenceSpec
from featdash.experiments.events import Frame
from featdash.figures.accuracy_curves import accuracy_curves
from featdash.figures.digit_neurons import digit_neurons
from featdash.figures.gradient_components import gradient_components
from featdash.figures.hinge_bound import hinge_bound
from featdash.figures.lettering import number
from featdash.figures.neuron_clusters import cluster_maps, cosine_histogram
from featdash.figures.picture import Picture
from featdash.runs.view import RunView
from featdash.tasks.dictionary import PatternLaw
from featdash.theory.fixed_features import bound_is_stated
from featdash.ui import lesson, toolbar
from featdash.ui.board import Moment, Panel
from featdash.ui.workshop import service

METHODS = ("network", "random_features", "ntk", "linear")
FIXED = METHODS[1:]
LAWS = {"structured": "structured/", "unstructured": "unstructured/"}  # as a visitor reads it -> prefix of its streams
DIGITS = {"": ""}  # one course, without a name
FEATURE = "Σ<sub>A</sub> M<sub>j</sub>"
MEANS = "(μ<sub>second</sub> − μ<sub>first</sub>)"
PAPER = (0.52, 1.0)  # accuracy of a head on the features after steps 1 and 2, as Shi, Wei and Liang report it


@dataclass(frozen=True)
class Wish:
    """folded : w and −w as one neuron; step : of the first layer on show, None for the newest."""

    folded: bool = False
    step: float | None = None


def pattern_wishes(view: RunView) -> Wish:
    """The switch, the scrubber, and after the end what step 2 gave to the features."""
    fold, scrub, told = toolbar.line([1, 2.6, 4.4])
    if not view.active:
        frames = service().frames(view.id, "structured/heads")
        told.caption(jump(heads(frames), on_inputs(frames)))
    return _wishes(view, "structured/neurons", fold, scrub)


def digit_wishes(view: RunView) -> Wish:
    return _wishes(view, "neurons", *toolbar.line([1, 3, 4])[:2])


def _wishes(view: RunView, stream: str, fold: DeltaGenerator, scrub: DeltaGenerator) -> Wish:
    """A switch, and after the end the scrubber over the steps."""
    folded = toolbar.switch(view, "fold", "Fold ±w", fold, help="Take a neuron and its opposite as one.")
    at = toolbar.scrubber(view, stream, scrub, "Step on show", lambda step: f"neurons after step {number(step)}")
    return Wish(folded, at)


def jump(head: Mapping[str, Sequence[float]], linear: float | None) -> str:
    """The head after steps 1 and 2 beside the linear model's and the paper's; "" before all are known."""
    accuracy = dict(zip(head["at"], head["accuracy"], strict=True))
    if linear is None or not {1, 2} <= accuracy.keys():
        return ""
    return (
        f"Head on the structured features: {accuracy[1]:.2f} after step 1, {accuracy[2]:.2f} after step 2; "
        f"on the inputs themselves {linear:.2f}. The paper's: {PAPER[0]:.2f}, then {PAPER[1]:.2f}."
    )


def pattern_facts(spec: EmergenceSpec) -> None:
    """What is known of both laws before a run, exactly."""
    structured, unstructured = (exact(spec.law().at(strength)) for strength in (spec.structure, 0.0))
    lesson.fine(st.container(), f"structured: {structured} · unstructured: {unstructured}", "law")


def exact(law: PatternLaw) -> str:
    """γ and σ̃ of a law."""
    return f"$\\gamma = {number(round(law.gamma, 4))}$, $\\tilde\\sigma = {number(round(law.sigma, 4))}$"


def curves(training: Sequence[Frame]) -> dict[str, dict[str, np.ndarray]]:
    """method -> {"at", "accuracy"} from the frames of a course; empty before the first."""
    if not training:
        return {}
    steps = np.array([frame.at for frame in training])
    return {
        name: {"at": steps, "accuracy": np.array([frame.arrays[f"{name}/accuracy"] for frame in training])}
        for name in METHODS
    }


def heads(frames: Sequence[Frame]) -> dict[str, list[float]]:
    """{"at", "accuracy"} of ridge heads on the network's features: at step 0 those are random features."""
    found: dict[str, list[float]] = {"at": [], "accuracy": []}
    for frame in frames:
        key = "network/accuracy" if frame.at else "random_features/accuracy"
        found["at"].append(frame.at)
        found["accuracy"].append(float(frame.arrays[key]))
    return found


def on_inputs(frames: Sequence[Frame]) -> float | None:
    """Accuracy of the ridge head on the inputs themselves, the linear model; None before it is fitted."""
    return next((float(frame.arrays["linear/accuracy"]) for frame in frames if "linear/accuracy" in frame.arrays), None)


def course_of(training: Sequence[Frame], fitted: Sequence[Frame]) -> dict[str, Any]:
    """What the accuracy picture shows of a course."""
    return {"curves": curves(training), "heads": heads(fitted), "linear": on_inputs(fitted)}


def _accuracy(moment: Moment, courses: Mapping[str, str]) -> Picture | None:
    drawn = {
        law: course_of(moment.frames(f"{prefix}training"), moment.frames(f"{prefix}heads"))
        for law, prefix in courses.items()
    }
    if not any(course["curves"] for course in drawn.values()):
        return None
    at = None if moment.moves(f"{next(iter(courses.values()))}neurons") else moment.wish.step
    return accuracy_curves(drawn, 2 + moment.view.spec.steps, look=moment.look, at=at, height=310)


def _layers(moment: Moment, courses: Mapping[str, str]) -> dict[str, tuple[Frame, Frame]]:
    """law -> the untrained layer and the one on show, for the courses that have begun."""
    found = {}
    for law, prefix in courses.items():
        stream = f"{prefix}neurons"
        if now := moment.last(stream, moment.wish.step):
            found[law] = (moment.frames(stream)[0], now)
    return found


def _named(law: str, frame: Frame) -> str:
    return f"{law}, step {number(frame.at)}".removeprefix(", ")


def _maps(moment: Moment, courses: Mapping[str, str], star: str) -> Picture | None:
    layers = _layers(moment, courses)
    if not layers:
        return None
    panels = {"untrained": next(iter(layers.values()))[0].arrays}
    panels |= {_named(law, now): now.arrays for law, (_, now) in layers.items()}
    return cluster_maps(panels, star, look=moment.look, folded=moment.wish.folded, height=310)


def _cosines(moment: Moment, courses: Mapping[str, str], star: str) -> Picture | None:
    layers = _layers(moment, courses)
    panels = {law or _named(law, now): (start.arrays, now.arrays) for law, (start, now) in layers.items()}
    return cosine_histogram(panels, star, look=moment.look, height=290) if panels else None


def pattern_accuracy(moment: Moment) -> Picture | None:
    return _accuracy(moment, LAWS)


def digit_accuracy(moment: Moment) -> Picture | None:
    return _accuracy(moment, DIGITS)


def pattern_maps(moment: Moment) -> Picture | None:
    return _maps(moment, LAWS, FEATURE)


def digit_maps(moment: Moment) -> Picture | None:
    return _maps(moment, DIGITS, MEANS)


def pattern_cosines(moment: Moment) -> Picture | None:
    return _cosines(moment, LAWS, FEATURE)


def digit_cosines(moment: Moment) -> Picture | None:
    return _cosines(moment, DIGITS, MEANS)


def gradient(moment: Moment) -> Picture | None:
    """T_j on and off A in steps 1 and 2."""
    laws = {
        law: {int(frame.at): frame.arrays for frame in moment.frames(f"{prefix}gradient")}
        for law, prefix in LAWS.items()
    }
    return gradient_components(laws, look=moment.look, height=290) if any(laws.values()) else None


def bound(moment: Moment) -> Picture | None:
    """The lower bound and the measured losses, on structured inputs; after the end."""
    result = moment.result()
    if result is None:
        return None
    methods: dict[str, dict[str, Any]] = {
        name: {part: result.arrays[f"structured/{name}/{part}"] for part in ("norm", "hinge", "size")} for name in FIXED
    }
    spec = moment.view.spec
    stated = bound_is_stated(spec.k, spec.D, spec.labels)
    return hinge_bound(methods, spec.p0, spec.k, look=moment.look, stated=stated, height=290)


def images(moment: Moment) -> Picture | None:
    """Neurons as images: untrained, after steps 1 and 2, and on show; the star once the run has ended."""
    frames = moment.frames("neurons")
    if not frames:
        return None
    now = moment.last("neurons", moment.wish.step)
    kept = {frame.at: frame for frame in [*frames[:3], now]}
    rows = {f"step {number(at)}" if at else "untrained": frame.arrays["weights"] for at, frame in kept.items()}
    result = moment.result()
    return digit_neurons(rows, result.arrays["star"] if result else None, look=moment.look, height=290)


def _streams(*names: str) -> tuple[str, ...]:
    return tuple(f"{prefix}{name}" for prefix in LAWS.values() for name in names)


PATTERN_PLAYS = _streams("training", "heads", "neurons", "gradient")
DIGIT_PLAYS = ("training", "heads", "neurons")
PATTERN_PANELS = (
    Panel("emergence-accuracy", pattern_accuracy, streams=_streams("training", "heads")),
    Panel("emergence-neurons", pattern_maps, width=1.05, streams=_streams("neurons")),
    Panel("emergence-gradient", gradient, row=1, width=1.15, streams=_streams("gradient")),
    Panel("emergence-cosines", pattern_cosines, row=1, streams=_streams("neurons")),
    Panel("emergence-bound", bound, row=1),
)
DIGIT_PANELS = (
    Panel("digits-images", images, width=1.7, streams=("neurons",)),
    Panel("digits-neurons", digit_maps, streams=("neurons",)),
    Panel("digits-accuracy", digit_accuracy, row=1, width=1.2, streams=("training", "heads")),
    Panel("digits-cosines", digit_cosines, row=1, streams=("neurons",)),
)
