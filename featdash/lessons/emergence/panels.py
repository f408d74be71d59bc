"""The pictures of emergence: of one course, or of two side by side, each by the law of its inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.emergence.frames import Neurons, Score
from featdash.lessons.emergence.pictures.accuracy import Course, Curve
from featdash.lessons.emergence.pictures.clusters import (
    cluster_film,
    cluster_maps,
    cosine_film,
    cosine_histogram,
    highest_share,
)
from featdash.lessons.emergence.recipe import COMPARED
from featdash.runs.run import Run
from featdash.ui.kit import toolbar

Scores = Mapping[str, Score]  # by method
Layers = Mapping[str, Frames[Neurons]]  # by law, "" for the only one


@dataclass(frozen=True)
class Options:
    """folded : w and −w as one neuron; step : of the first layer on show, None for the newest."""

    folded: bool = False
    step: float | None = None


def view_options(run: Run, stream: str) -> Options:
    """A switch, and after the end the scrubber over the steps."""
    folded = toolbar.switch(run, "fold", "Fold ±w", help="Treat a neuron and its opposite as the same.")
    at = toolbar.scrubber(run, stream, "Step on show", lambda step: f"neurons after step {number(step)}")
    return Options(folded, at)


def course_of(training: Frames[Scores] | None, heads: Frames[Scores] | None) -> Course:
    """What the frames of a course say so far."""
    curves = {}
    if training:
        curves = {name: Curve(training.at, [one[name].accuracy for one in training]) for name in COMPARED}
    return Course(curves, *head_accuracy(heads.at, heads.arrays)) if heads else Course(curves, Curve())


def head_accuracy(at: Sequence[float], heads: Sequence[Scores]) -> tuple[Curve, float | None]:
    """Of ridge heads on the network's features, at step 0 random ones; and on the inputs, None before it is fitted."""
    network = [one["network" if step else "random_features"].accuracy for step, one in zip(at, heads, strict=True)]
    return Curve(at, network), next((one["linear"].accuracy for one in heads if "linear" in one), None)


def _layer_title(law: str, step: float) -> str:
    return f"{law}, step {number(step)}".removeprefix(", ")


def course_maps(layers: Layers, star: str, options: Options, theme: Theme) -> Picture:
    """The layer of each course now, the untrained one pale in it; star : the name of the effective feature."""
    now = {law: frames.last(options.step) for law, frames in layers.items()}
    panels = {_layer_title(law, one.at): one.arrays for law, one in now.items()}
    untrained = next(iter(layers.values())).arrays[0]
    return cluster_maps(panels, star, theme=theme, untrained=untrained, folded=options.folded, height=310)


def course_cosines(layers: Layers, star: str, options: Options, theme: Theme) -> Picture:
    """How the neurons' cosines with the effective feature are spread, now and untrained."""
    now = {law: frames.last(options.step) for law, frames in layers.items()}
    panels = {law or _layer_title(law, one.at): (layers[law].arrays[0], one.arrays) for law, one in now.items()}
    least = max(highest_share(layer) for frames in layers.values() for layer in frames)
    return cosine_histogram(panels, star, theme=theme, least=least, height=290)


def _at_moments(layers: Layers, moments: Sequence[float], numbered: bool) -> list[dict[str, Neurons]]:
    """At each of these steps, title -> the layer; numbered : whether the title of a law has the step as well."""
    courses = {law: frames.at_moments(moments) for law, frames in layers.items()}
    return [
        {_layer_title(law, at) if numbered or not law else law: course[index] for law, course in courses.items()}
        for index, at in enumerate(moments)
    ]


def maps_film(picture: Picture, layers: Layers, moments: Sequence[float], options: Options) -> Film | None:
    """Of `course_maps`, over these steps."""
    panels = _at_moments(layers, moments, numbered=True)
    return cluster_film(picture.figure, panels, options.folded) if len(moments) > 1 else None


def cosines_film(picture: Picture, layers: Layers, moments: Sequence[float]) -> Film | None:
    """Of `course_cosines`, over these steps."""
    return cosine_film(picture.figure, _at_moments(layers, moments, numbered=False)) if len(moments) > 1 else None
