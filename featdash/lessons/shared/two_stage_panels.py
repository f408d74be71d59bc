"""The pictures of emergence: from the frames of one course, or of two side by side, to the figures' numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from streamlit.delta_generator import DeltaGenerator

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.shared.pictures.accuracy import accuracy_curves
from featdash.lessons.shared.pictures.clusters import cluster_maps, cosine_histogram
from featdash.lessons.shared.two_stage_recipe import COMPARED
from featdash.recipes.events import Frame
from featdash.runs.view import RunView
from featdash.ui import toolbar
from featdash.ui.panels import Moment


@dataclass(frozen=True)
class Wish:
    """folded : w and −w as one neuron; step : of the first layer on show, None for the newest."""

    folded: bool = False
    step: float | None = None


def _wishes(view: RunView, stream: str, fold: DeltaGenerator, scrub: DeltaGenerator) -> Wish:
    """A switch, and after the end the scrubber over the steps."""
    folded = toolbar.switch(view, "fold", "Fold ±w", fold, help="Take a neuron and its opposite as one.")
    at = toolbar.scrubber(view, stream, scrub, "Step on show", lambda step: f"neurons after step {number(step)}")
    return Wish(folded, at)


def curves(training: Sequence[Frame]) -> dict[str, dict[str, np.ndarray]]:
    """method -> {"at", "accuracy"} from the frames of a course; empty before the first."""
    if not training:
        return {}
    steps = np.array([frame.at for frame in training])
    return {
        name: {"at": steps, "accuracy": np.array([frame.arrays[f"{name}/accuracy"] for frame in training])}
        for name in COMPARED
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
