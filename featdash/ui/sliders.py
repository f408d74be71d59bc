"""Sliders of a file that opens offline: over what a finished run knows without being computed anew."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Generic

from featdash.export.slider import Shown, Slider, Stops
from featdash.figures.picture import Picture
from featdash.ui.panels import OptionsT, Panel, View, pictures


@dataclass(frozen=True)
class Sliders(Generic[OptionsT]):
    """What a lesson lets the reader of a file move.

    panels : the pictures that they move, by name.
    options : how a page would have its pictures with the sliders there.
    """

    controls: tuple[Slider, ...]
    panels: tuple[str, ...]
    options: Callable[[Stops], OptionsT]


def shown_pictures(panels: Sequence[Panel], view: View, sliders: Sliders | None) -> list[Shown]:
    """The pictures of a view; those that the sliders move at every stop as well."""
    moved, drawn = _moved(panels, view, sliders) if sliders else {}, pictures(panels, view)
    return [Shown(panel.name, drawn[panel.name], moved.get(panel.name, {})) for panel in panels if panel.name in drawn]


def _moved(panels: Sequence[Panel], view: View, sliders: Sliders) -> dict[str, dict[Stops, Picture]]:
    """Panel -> stops -> its picture there."""
    moving = [panel for panel in panels if panel.name in sliders.panels]
    moved: dict[str, dict[Stops, Picture]] = {panel.name: {} for panel in moving}
    for stops in _places(sliders.controls):
        for name, picture in pictures(moving, replace(view, options=sliders.options(stops))).items():
            moved[name][stops] = picture
    return moved


def _places(controls: Sequence[Slider]) -> list[Stops]:
    """Every place of the sliders but the first."""
    first = tuple(one.at for one in controls)
    return [stops for stops in product(*(range(len(one.stops)) for one in controls)) if stops != first]
