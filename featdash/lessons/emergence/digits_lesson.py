"""Digits, on its page: the same two clusters on real images."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from featdash.figures.film import Film
from featdash.figures.picture import Picture, Theme
from featdash.figures.streams import Frames
from featdash.figures.text import number
from featdash.lessons.emergence import panels
from featdash.lessons.emergence.frames import Neurons
from featdash.lessons.emergence.panels import Options, Scores, course_of
from featdash.lessons.emergence.pictures.accuracy import accuracy_curves
from featdash.lessons.emergence.pictures.digits import digit_neurons, images_film, row_title
from featdash.lessons.emergence.recipe import DIGITS, DigitsSpec
from featdash.recipes.events import Result
from featdash.runs.run import Run
from featdash.ui.stage.lesson import Lesson, LessonText, Trial
from featdash.ui.stage.panels import Panel, View, growing, shown_moments
from featdash.ui.stage.phases import Phase
from featdash.ui.stage.shown import shown

TEXT = LessonText(
    question="Do the same two clusters appear on real images?",
    formula=r"$x$: 8×8 pixels, centred; $y = \pm 1$: which of two digits; stars at $\pm(\mu_2 - \mu_1)$",
    papers=("shi2022",),
    controls=("first", "second", "m", "steps", "rate", "seed"),
    sliders=("steps",),
    reading="""
- **Use this part** to choose two digits yourself and see when one direction is enough. The story «Where do
  features come from?» shows zeros against ones; you find other pairs only here.
- **Neurons as images**: noise before training; after two steps each is the difference of the class means, or its
  opposite. The map beside them shows the same as two clusters.
- **Accuracy**: filled markers are each method's own output, hollow diamonds a tuned ridge head on the network's
  features, the thin line one on the pixels themselves. An easy pair is easy for everyone. Features that gather in one
  direction can also *lose*, where a pair needs several: see the first «Try».
- **Cosines**, which «Last picture» shows in place of the map: with the difference of the class means, now and
  untrained.
""",
    source="""
After Shi, Wei and Liang (ICLR 2022), who show MNIST 0 against 1. Computed by
`featdash.lessons.emergence.digits_run.run`. Ours: scikit-learn's 8×8 digits instead of MNIST, their split, the scales
of the start (those of $k = 5$ patterns), all rates, and that every step uses the one training sample there is. A test
sample has about 110 images: 0.01 is one image.
""",
    trials=(
        Trial(
            "3 against 8: one direction is not enough",
            {"first": 3, "second": 8},
            "Over seeds 0 to 9 the network has a mean of 0.958, a linear head 0.981 and the NTK 0.990; the network is "
            "below the linear head on eight seeds and below the NTK on nine. Random features have 0.970, which decides "
            "nothing: the network loses to them five times, ties twice and wins three times.",
        ),
        Trial(
            "4 against 9",
            {"first": 4, "second": 9},
            "A harder-looking pair, and yet one direction is nearly enough: 1.00 here, 0.99 on average over the "
            "seeds 0 to 7, where a linear head on the pixels has 1.00.",
        ),
    ),
)


Layers = Annotated[Frames[Neurons], "neurons"]
MEANS = "(μ<sub>2</sub> − μ<sub>1</sub>)"


def view_options(run: Run) -> Options:
    return panels.view_options(run, "neurons")


@shown
def digit_accuracy(
    training: Annotated[Frames[Scores], "training"],
    heads: Annotated[Frames[Scores] | None, "heads"],
    options: Options,
    spec: DigitsSpec,
    theme: Theme,
) -> Picture:
    """Accuracy against steps."""
    at, courses = training.choice(options.step), {"": course_of(training, heads)}
    return accuracy_curves(courses, 2 + spec.steps, theme=theme, at=at, height=310)


@shown
def digit_maps(layers: Layers, options: Options, theme: Theme) -> Picture:
    return panels.course_maps({"": layers}, MEANS, options, theme)


@shown
def digit_cosines(layers: Layers, options: Options, theme: Theme) -> Picture:
    return panels.course_cosines({"": layers}, MEANS, options, theme)


@shown
def maps_film(picture: Picture, layers: Layers, view: View) -> Film | None:
    return panels.maps_film(picture, {"": layers}, moments_of(view), view.options)


@shown
def cosines_film(picture: Picture, layers: Layers, view: View) -> Film | None:
    return panels.cosines_film(picture, {"": layers}, moments_of(view))


@shown
def images(layers: Layers, result: Result | None, options: Options, theme: Theme) -> Picture:
    """Neurons as images: untrained, after steps 1 and 2, and on show; the star once the run has ended."""
    rows = rows_of(layers, options)
    weights_by_title = {row_title(at): weights for at, weights in rows.items()}
    return digit_neurons(weights_by_title, result.arrays["star"] if result else None, theme=theme, height=290)


@shown
def rows_film(_: Picture, layers: Layers, result: Result | None, view: View) -> Film | None:
    moments = moments_of(view)
    weights = [layer.weights for layer in layers.at_moments(moments)]
    shown_weights = {at: one for at, one in zip(moments, weights, strict=True) if one is not None}
    return images_film(list(rows_of(layers, view.options)), shown_weights, result.arrays["star"] if result else None)


def rows_of(layers: Frames[Neurons], options: Options) -> dict[float, np.ndarray]:
    """step -> weights of the neurons that are drawn as images."""
    now = layers.last(options.step)
    rows = [*zip(layers.at[:3], layers.arrays[:3], strict=True), (now.at, now.arrays)]
    return {at: layer.weights for at, layer in rows if layer.weights is not None}


def moments_of(view: View) -> list[float]:
    """The steps of the timeline."""
    return shown_moments(PHASES[0], view.run, view.ending)


PHASES = (Phase("training", ("training", "heads", "neurons"), lambda at: f"step {number(at)}"),)
DIGIT_PANELS = (
    Panel("digits-images", images, wide=True, start=1, film=rows_film),
    Panel("digits-accuracy", digit_accuracy, film=growing(PHASES[0], still=("ridge head on the inputs",))),
    Panel("digits-neurons", digit_maps, film=maps_film),
    Panel("digits-cosines", digit_cosines, film=cosines_film),
)


LAST = {"neurons": "map", "cosines": "cosines"}
LESSON = Lesson("Digits", DIGITS, TEXT, DIGIT_PANELS, view_options, film=PHASES, alternatives=LAST)
