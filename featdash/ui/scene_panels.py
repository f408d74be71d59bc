"""The pictures of a story's scene: which of the lesson's, where they stand, and what moves in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from featdash.figures.prediction import Prediction
from featdash.stories.story import Scene
from featdash.ui import layout
from featdash.ui.lesson import Lesson
from featdash.ui.panels import Panel

# The width of the first of one, two or more pictures, beside those stacked at its right; where what a class has said is
# among them, the next one.
LEAD = (1.0, 1.2, 1.6, 2.2)
MORE = 3


def panels_of(
    part: Lesson, scene: Scene, predict: Callable[[str], Prediction | None], beside: Sequence[Panel] = ()
) -> tuple[Panel, ...]:
    """The scene's pictures: the first leads, the others are stacked at its right, once they have something to show.

    predict : what a question does to the picture of that name; one that it hides is drawn where it leads, where it
    takes the guess, or where it has a start to show. beside : more pictures, right after the first.
    """
    known = {panel.short: panel for panel in part.panels}
    first, *others = (replace(known[name], prediction=predict(name)) for name in scene.show)
    asked = scene.question.on if scene.question else None
    visible = [panel for panel in others if panel.short == asked or panel.start or not _is_hidden(panel)]
    chosen = [first, *beside, *(replace(panel, keeps_place=False) for panel in visible)]
    lead = LEAD[min(len(chosen), MORE) - 1 + bool(beside)]
    return tuple(replace(panel, **place) for panel, place in zip(chosen, _arrangement(chosen, lead), strict=True))


def _is_hidden(panel: Panel) -> bool:
    return bool(panel.prediction and panel.prediction.hidden)


def _arrangement(panels: Sequence[Panel], lead: float) -> list[dict[str, Any]]:
    """Row, width and stacking: the others stand at the right of the first, or below it if it is a wide one."""
    if panels[0].wide and not layout.on_wall():
        return [{"row": min(index, 1), "width": 1.0, "stacked": False} for index in range(len(panels))]
    return [{"row": 0, "width": lead if index == 0 else 1.0, "stacked": index > 1} for index in range(len(panels))]
