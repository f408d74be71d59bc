"""How the curves of «Rank and condition» are named and drawn."""

from __future__ import annotations

from featdash.figures.palette import METHODS, MethodStyle

BLUE = METHODS["algorithm1"]
STYLES = {
    "rank": MethodStyle("rank r, equal weights", BLUE.colour, "solid", BLUE.marker, BLUE.glyph, BLUE.hatch),
    "condition": MethodStyle("unequal weights", "#D55E00", "dash", "square", "■", "/"),
    "together": MethodStyle("all neurons together", "#009E73", "8px,2px,2px,2px", "diamond", "◆", "x"),
}
CURVES = (  # of the targets of one sweep, in their order: colour, dash, marker, glyph
    ("#0072B2", "solid", "circle", "●"),
    ("#D55E00", "7px,2px", "square", "■"),
    ("#009E73", "4px,2px", "diamond", "◆"),
    ("#CC79A7", "10px,2px", "triangle-up", "▲"),
    ("#E69F00", "2px,2px", "x", "✖"),
    ("#56B4E9", "6px,2px,2px,2px", "cross", "✚"),
    ("#AA4499", "12px,3px,3px,3px", "star", "★"),
    ("#8A8A8A", "3px,3px", "triangle-down", "▼"),
)
