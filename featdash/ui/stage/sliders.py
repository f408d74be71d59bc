"""The pictures of a file that opens offline, and its sliders: over what a finished run knows without a new run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Generic

from featdash.export.slider import Shown, Slider, Stops, content
from featdash.ui.stage.panels import OptionsT, Panel, View
from featdash.ui.stage.phases import Phase


@dataclass(frozen=True)
class Sliders(Generic[OptionsT]):
    """What a lesson lets the reader of a file move.

    panels : the pictures that they move, by name.
    options : how a page would have its pictures with the sliders there.
    """

    controls: tuple[Slider, ...]
    panels: tuple[str, ...]
    options: Callable[[Stops], OptionsT]


def shown_pictures(
    panels: Sequence[Panel], view: View, phases: tuple[Phase, ...], sliders: Sliders | None
) -> list[Shown]:
    """The pictures of a view with their films over these phases; those that the sliders move at every stop as well."""
    found = []
    for panel in panels:
        if (rest := _content(panel, view, phases)) is not None:
            moved = _moved(panel, view, phases, sliders) if sliders and panel.name in sliders.panels else {}
            found.append(Shown(panel.name, rest, moved))
    return found


def _content(panel: Panel, view: View, phases: tuple[Phase, ...]) -> dict[str, Any] | None:
    rendered = panel.render(view, phases)
    return content(json.loads(rendered.data), rendered.table) if rendered else None


def _moved(panel: Panel, view: View, phases: tuple[Phase, ...], sliders: Sliders) -> dict[Stops, dict[str, Any]]:
    """Stops -> the picture there, of every place of the sliders but the first."""
    first = tuple(one.at for one in sliders.controls)
    places = product(*(range(len(one.stops)) for one in sliders.controls))
    drawn = {
        stops: _content(panel, replace(view, options=sliders.options(stops)), phases)
        for stops in places
        if stops != first
    }
    return {stops: one for stops, one in drawn.items() if one is not None}
