"""The pictures of a story's scene: which of the lesson's, and what its question does to them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from featdash.figures.prediction import Prediction
from featdash.stories.story import Scene
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.panels import Ending, Panel


def panels_of(
    part: Lesson, scene: Scene, predict: Callable[[str], Prediction | None], beside: Sequence[Panel] = ()
) -> tuple[Panel, ...]:
    """The scene's pictures: the first leads, the others stand beside it, once they have something to show.

    predict : what a question does to the picture of that name; one that it hides is drawn where it leads, where it
    takes the guess, or where it has a start to show. beside : more pictures, right after the first.
    """
    known = {panel.short: panel for panel in part.panels}
    streams = tuple(stream for phase in part.film for stream in phase.streams)
    ending = None if scene.until is None else Ending(scene.until, streams)
    first, *others = (replace(known[name], prediction=predict(name), ending=ending) for name in scene.show)
    asked = scene.question.on if scene.question else None
    visible = [panel for panel in others if panel.short == asked or panel.start or not _is_hidden(panel)]
    return (first, *beside, *(replace(panel, keeps_place=False) for panel in visible))


def _is_hidden(panel: Panel) -> bool:
    return bool(panel.prediction and panel.prediction.hidden)
