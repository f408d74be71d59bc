"""How one look and two looks are named and drawn."""

from __future__ import annotations

from featdash.figures.palette import METHODS, MethodStyle

BLUE = METHODS["algorithm1"]
STYLES = {
    "once": MethodStyle("one look", "#E69F00", "dash", "diamond", "◆", "/"),
    "twice": MethodStyle("two looks", BLUE.colour, "solid", BLUE.marker, BLUE.glyph, BLUE.hatch),
}
OPEN = ("-open", "-open-dot", "")  # of the markers, by dimension: the largest is full


def symbol_of(name: str, place: int, count: int) -> str:
    """The marker of a variant at the dimension of that place, of so many."""
    return STYLES[name].marker + ("" if place == count - 1 else OPEN[min(place, 1)])
