"""How the stages of a hierarchical target are named and drawn."""

from __future__ import annotations

from featdash.figures.palette import METHODS, MethodStyle

BLUE = METHODS["algorithm1"]
STYLES = {
    "random": MethodStyle("random neurons", "#8A8A8A", "dot", "x", "✖", "."),
    "products": MethodStyle("all products", "#009E73", "dash", "square", "■", "/"),
    "second": MethodStyle("filter 2 alone", "#D55E00", "longdash", "triangle-up", "▲", "x"),
    "one": MethodStyle("filter 1 alone", "#CC79A7", "8px,2px,2px,2px", "diamond", "◆", "-"),
    "two": MethodStyle("both filters", BLUE.colour, "solid", BLUE.marker, BLUE.glyph, BLUE.hatch),
}
