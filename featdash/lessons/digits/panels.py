"""The pictures of digits: from the frames of the one course to the figures' numbers."""

from __future__ import annotations

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.digits.pictures import digit_neurons
from featdash.lessons.digits.recipe import DigitsSpec
from featdash.lessons.shared import two_stage_panels
from featdash.lessons.shared.two_stage_frames import Neurons
from featdash.lessons.shared.two_stage_panels import Options
from featdash.runs.run import Run
from featdash.ui.panels import Panel, View

DigitView = View[DigitsSpec, Options]
DIGITS = {"": ""}  # one course, without a name
MEANS = "(μ<sub>2</sub> − μ<sub>1</sub>)"


def view_options(run: Run) -> Options:
    return two_stage_panels.view_options(run, "neurons")


def digit_accuracy(view: DigitView) -> Picture | None:
    return two_stage_panels.course_accuracy(view, DIGITS, 2 + view.spec.steps)


def digit_maps(view: DigitView) -> Picture | None:
    return two_stage_panels.course_maps(view, DIGITS, MEANS)


def digit_cosines(view: DigitView) -> Picture | None:
    return two_stage_panels.course_cosines(view, DIGITS, MEANS)


def images(view: DigitView) -> Picture | None:
    """Neurons as images: untrained, after steps 1 and 2, and on show; the star once the run has ended."""
    frames, now = view.frames("neurons"), view.last("neurons", view.options.step)
    if now is None:
        return None
    rows = {}
    for frame in (*frames[:3], now):
        weights = Neurons.from_arrays(frame.arrays).weights
        if weights is not None:
            rows[f"step {number(frame.at)}" if frame.at else "untrained"] = weights
    result = view.result()
    return digit_neurons(rows, result.arrays["star"] if result else None, theme=view.theme, height=290)


DIGIT_PLAYS = ("training", "heads", "neurons")
DIGIT_PANELS = (
    Panel("digits-images", images, width=1.7, wide=True, start=1, streams=("neurons",)),
    Panel("digits-neurons", digit_maps, streams=("neurons",)),
    Panel("digits-accuracy", digit_accuracy, row=1, width=1.2, streams=("training", "heads")),
    Panel("digits-cosines", digit_cosines, row=1, streams=("neurons",)),
)
