"""The pictures of emergence: from the frames of one course, or of two side by side, to the figures' numbers."""

from __future__ import annotations

from featdash.figures.picture import Picture
from featdash.figures.text import number
from featdash.lessons.digits.pictures import digit_neurons
from featdash.lessons.shared.two_stage_panels import Wish, _accuracy, _cosines, _maps, _wishes
from featdash.runs.view import RunView
from featdash.ui import toolbar
from featdash.ui.panels import Moment, Panel

DIGITS = {"": ""}  # one course, without a name
MEANS = "(μ<sub>second</sub> − μ<sub>first</sub>)"


def digit_wishes(view: RunView) -> Wish:
    return _wishes(view, "neurons", *toolbar.line([1, 3, 4])[:2])


def digit_accuracy(moment: Moment) -> Picture | None:
    return _accuracy(moment, DIGITS)


def digit_maps(moment: Moment) -> Picture | None:
    return _maps(moment, DIGITS, MEANS)


def digit_cosines(moment: Moment) -> Picture | None:
    return _cosines(moment, DIGITS, MEANS)


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


DIGIT_PLAYS = ("training", "heads", "neurons")
DIGIT_PANELS = (
    Panel("digits-images", images, width=1.7, streams=("neurons",)),
    Panel("digits-neurons", digit_maps, streams=("neurons",)),
    Panel("digits-accuracy", digit_accuracy, row=1, width=1.2, streams=("training", "heads")),
    Panel("digits-cosines", digit_cosines, row=1, streams=("neurons",)),
)
