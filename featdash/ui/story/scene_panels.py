"""The pictures of a story's scene: which panels of the lesson they are, and what its question does to them."""

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
    """The scene's pictures: the first one leads, and the others stand beside it once they have something to show.

    predict : what a question does to the picture of that name. A hidden picture is drawn only if it leads, takes the
    guess, or has a beginning to show. beside : more pictures, right after the first.
    """
    panels = {panel.short: panel for panel in part.panels}
    streams = tuple(stream for phase in part.film for stream in phase.streams)
    ending = None if scene.until is None else Ending(scene.until, streams)
    first, *others = (replace(panels[name], prediction=predict(name), ending=ending) for name in scene.show)
    axis_panel = scene.question.on if scene.question else None
    visible = [panel for panel in others if panel.short == axis_panel or panel.start or not panel.is_hidden]
    return (first, *beside, *(replace(panel, keeps_place=False) for panel in visible))
