"""The pictures of emergence: from the frames of one course, or of two side by side, to the figures' numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.shared.pictures.accuracy import Course, Curve, accuracy_curves
from featdash.lessons.shared.pictures.clusters import cluster_maps, cosine_histogram
from featdash.lessons.shared.two_stage_frames import Neurons, Score
from featdash.lessons.shared.two_stage_recipe import COMPARED
from featdash.recipes.events import Frame, nest
from featdash.recipes.experiment import SpecT
from featdash.runs.run import Run
from featdash.ui.kit import toolbar
from featdash.ui.stage.panels import View


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


def curves(training: Sequence[Frame]) -> dict[str, Curve]:
    """method -> its curve from the frames of a course; empty before the first."""
    scores = [nest(Score, frame.arrays) for frame in training]
    steps = [frame.at for frame in training]
    return {name: Curve(steps, [one[name].accuracy for one in scores]) for name in COMPARED} if scores else {}


def head_accuracy(frames: Sequence[Frame]) -> Curve:
    """Of ridge heads on the network's features: at step 0 those are random features."""
    scores = [nest(Score, frame.arrays)["network" if frame.at else "random_features"] for frame in frames]
    return Curve([frame.at for frame in frames], [score.accuracy for score in scores])


def linear_accuracy(frames: Sequence[Frame]) -> float | None:
    """Accuracy of the ridge head on the inputs themselves, the linear model; None before it is fitted."""
    scores = [nest(Score, frame.arrays) for frame in frames]
    return next((one["linear"].accuracy for one in scores if "linear" in one), None)


def course_accuracy(view: View[SpecT, Options], courses: Mapping[str, str], last: int) -> Picture | None:
    """Accuracy against steps, of which the course has `last`; courses : law -> how its streams begin."""
    drawn = {}
    for law, prefix in courses.items():
        heads = view.frames(f"{prefix}heads")
        drawn[law] = Course(curves(view.frames(f"{prefix}training")), head_accuracy(heads), linear_accuracy(heads))
    if not any(course.curves for course in drawn.values()):
        return None
    at = None if view.moves(f"{next(iter(courses.values()))}neurons") else view.options.step
    return accuracy_curves(drawn, last, theme=view.theme, at=at, height=310)


def _layers(view: View[SpecT, Options], courses: Mapping[str, str]) -> dict[str, tuple[Frame, Frame]]:
    """law -> the untrained layer and the one on show, for the courses that have begun."""
    found = {}
    for law, prefix in courses.items():
        stream = f"{prefix}neurons"
        if now := view.last(stream, view.options.step):
            found[law] = (view.frames(stream)[0], now)
    return found


def _neurons(frame: Frame) -> Neurons:
    return Neurons.from_arrays(frame.arrays)


def _named(law: str, frame: Frame) -> str:
    return f"{law}, step {number(frame.at)}".removeprefix(", ")


def course_maps(view: View[SpecT, Options], courses: Mapping[str, str], star: str) -> Picture | None:
    """The layer of each course now, the untrained one pale in it; star : the name of the effective feature."""
    layers = _layers(view, courses)
    if not layers:
        return None
    untrained = _neurons(next(iter(layers.values()))[0])
    panels = {_named(law, now): _neurons(now) for law, (_, now) in layers.items()}
    folded = view.options.folded
    return cluster_maps(panels, star, theme=view.theme, untrained=untrained, folded=folded, height=310)


def course_cosines(view: View[SpecT, Options], courses: Mapping[str, str], star: str) -> Picture | None:
    """How the neurons' cosines with the effective feature are spread, now and untrained."""
    layers = _layers(view, courses)
    panels = {law or _named(law, now): (_neurons(start), _neurons(now)) for law, (start, now) in layers.items()}
    return cosine_histogram(panels, star, theme=view.theme, height=290) if panels else None
