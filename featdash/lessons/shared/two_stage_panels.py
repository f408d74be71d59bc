"""The pictures of emergence: from the frames of one course, or of two side by side, to the figures' numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.shared.pictures.accuracy import accuracy_curves
from featdash.lessons.shared.pictures.clusters import cluster_maps, cosine_histogram
from featdash.lessons.shared.two_stage_recipe import COMPARED
from featdash.recipes.events import Frame
from featdash.runs.view import RunView
from featdash.ui import toolbar
from featdash.ui.panels import View
from featdash.ui.streamlit_internals import Place


@dataclass(frozen=True)
class Options:
    """folded : w and −w as one neuron; step : of the first layer on show, None for the newest."""

    folded: bool = False
    step: float | None = None


def view_options(run: RunView, stream: str, fold: Place, scrub: Place) -> Options:
    """A switch, and after the end the scrubber over the steps."""
    folded = toolbar.switch(run, "fold", "Fold ±w", fold, help="Take a neuron and its opposite as one.")
    at = toolbar.scrubber(run, stream, scrub, "Step on show", lambda step: f"neurons after step {number(step)}")
    return Options(folded, at)


def curves(training: Sequence[Frame]) -> dict[str, dict[str, np.ndarray]]:
    """method -> {"at", "accuracy"} from the frames of a course; empty before the first."""
    if not training:
        return {}
    steps = np.array([frame.at for frame in training])
    return {
        name: {"at": steps, "accuracy": np.array([frame.arrays[f"{name}/accuracy"] for frame in training])}
        for name in COMPARED
    }


def head_accuracy(frames: Sequence[Frame]) -> dict[str, list[float]]:
    """{"at", "accuracy"} of ridge heads on the network's features: at step 0 those are random features."""
    found: dict[str, list[float]] = {"at": [], "accuracy": []}
    for frame in frames:
        key = "network/accuracy" if frame.at else "random_features/accuracy"
        found["at"].append(frame.at)
        found["accuracy"].append(float(frame.arrays[key]))
    return found


def linear_accuracy(frames: Sequence[Frame]) -> float | None:
    """Accuracy of the ridge head on the inputs themselves, the linear model; None before it is fitted."""
    return next((float(frame.arrays["linear/accuracy"]) for frame in frames if "linear/accuracy" in frame.arrays), None)


def course_of(training: Sequence[Frame], fitted: Sequence[Frame]) -> dict[str, Any]:
    """What the accuracy picture shows of a course."""
    return {"curves": curves(training), "heads": head_accuracy(fitted), "linear": linear_accuracy(fitted)}


def _accuracy(view: View, courses: Mapping[str, str]) -> Picture | None:
    drawn = {
        law: course_of(view.frames(f"{prefix}training"), view.frames(f"{prefix}heads"))
        for law, prefix in courses.items()
    }
    if not any(course["curves"] for course in drawn.values()):
        return None
    at = None if view.moves(f"{next(iter(courses.values()))}neurons") else view.options.step
    return accuracy_curves(drawn, 2 + view.spec.steps, theme=view.theme, at=at, height=310)


def _layers(view: View, courses: Mapping[str, str]) -> dict[str, tuple[Frame, Frame]]:
    """law -> the untrained layer and the one on show, for the courses that have begun."""
    found = {}
    for law, prefix in courses.items():
        stream = f"{prefix}neurons"
        if now := view.last(stream, view.options.step):
            found[law] = (view.frames(stream)[0], now)
    return found


def _named(law: str, frame: Frame) -> str:
    return f"{law}, step {number(frame.at)}".removeprefix(", ")


def _maps(view: View, courses: Mapping[str, str], star: str) -> Picture | None:
    layers = _layers(view, courses)
    if not layers:
        return None
    panels = {"untrained": next(iter(layers.values()))[0].arrays}
    panels |= {_named(law, now): now.arrays for law, (_, now) in layers.items()}
    return cluster_maps(panels, star, theme=view.theme, folded=view.options.folded, height=310)


def _cosines(view: View, courses: Mapping[str, str], star: str) -> Picture | None:
    layers = _layers(view, courses)
    panels = {law or _named(law, now): (start.arrays, now.arrays) for law, (start, now) in layers.items()}
    return cosine_histogram(panels, star, theme=view.theme, height=290) if panels else None
