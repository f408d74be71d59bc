"""The pictures of a file that opens offline, and its sliders over what a finished run knows without a new run."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Generic

from featdash.export.slider import FilePicture, Slider, Stops, content
from featdash.ui.stage.panels import OptionsT, Panel, View


@dataclass(frozen=True)
class Sliders(Generic[OptionsT]):
    """The sliders of a lesson's file.

    panels : the names of the pictures that they change.
    options : the options of the page's pictures at these stops.
    """

    controls: tuple[Slider, ...]
    panels: tuple[str, ...]
    options: Callable[[Stops], OptionsT]


def shown_pictures(panels: Sequence[Panel], view: View, sliders: Sliders | None) -> list[FilePicture]:
    """The pictures of a view with their films; those that sliders change also at every stop."""
    pictures = []
    for panel in panels:
        if (rest := _content(panel, view)) is not None:
            at_stops = _pictures_at_stops(panel, view, sliders) if sliders and panel.name in sliders.panels else {}
            pictures.append(FilePicture(panel.name, rest, at_stops))
    return pictures


def _content(panel: Panel, view: View) -> dict[str, Any] | None:
    picture = panel.render(view)
    return content(json.loads(picture.data), picture.table) if picture else None


def _pictures_at_stops(panel: Panel, view: View, sliders: Sliders) -> dict[Stops, dict[str, Any]]:
    """Stops -> the picture there, for all stops of the sliders but those at rest."""
    first = tuple(one.at for one in sliders.controls)
    places = product(*(range(len(one.stops)) for one in sliders.controls))
    contents = {
        stops: _content(panel, replace(view, options=sliders.options(stops))) for stops in places if stops != first
    }
    return {stops: one for stops, one in contents.items() if one is not None}
