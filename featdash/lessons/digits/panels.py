"""The pictures of emergence: from the frames of one course, or of two side by side, to the figures' numbers."""

from __future__ import annotations

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.digits.pictures import digit_neurons
from featdash.lessons.shared import two_stage_panels
from featdash.lessons.shared.two_stage_panels import Options, _accuracy, _cosines, _maps
from featdash.runs.view import RunView
from featdash.ui import toolbar
from featdash.ui.panels import Panel, View

DIGITS = {"": ""}  # one course, without a name
MEANS = "(μ<sub>second</sub> − μ<sub>first</sub>)"


def view_options(run: RunView) -> Options:
    return two_stage_panels.view_options(run, "neurons", *toolbar.line([1, 3, 4])[:2])


def digit_accuracy(view: View) -> Picture | None:
    return _accuracy(view, DIGITS)


def digit_maps(view: View) -> Picture | None:
    return _maps(view, DIGITS, MEANS)


def digit_cosines(view: View) -> Picture | None:
    return _cosines(view, DIGITS, MEANS)


def images(view: View) -> Picture | None:
    """Neurons as images: untrained, after steps 1 and 2, and on show; the star once the run has ended."""
    frames = view.frames("neurons")
    if not frames:
        return None
    now = view.last("neurons", view.options.step)
    kept = {frame.at: frame for frame in [*frames[:3], now]}
    rows = {f"step {number(at)}" if at else "untrained": frame.arrays["weights"] for at, frame in kept.items()}
    result = view.result()
    return digit_neurons(rows, result.arrays["star"] if result else None, theme=view.theme, height=290)


DIGIT_PLAYS = ("training", "heads", "neurons")
DIGIT_PANELS = (
    Panel("digits-images", images, width=1.7, streams=("neurons",)),
    Panel("digits-neurons", digit_maps, streams=("neurons",)),
    Panel("digits-accuracy", digit_accuracy, row=1, width=1.2, streams=("training", "heads")),
    Panel("digits-cosines", digit_cosines, row=1, streams=("neurons",)),
)
