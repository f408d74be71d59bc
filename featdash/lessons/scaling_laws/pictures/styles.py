"""How the curves of a scaling law and its single tasks are named and drawn."""

from __future__ import annotations

from featdash.figures.picture import METHODS, MethodStyle

BLUE = METHODS["algorithm1"]
STYLES = {
    "network": MethodStyle("network", BLUE.colour, "solid", BLUE.marker, BLUE.glyph, BLUE.hatch),
    "alone": MethodStyle("tasks one by one, summed", "#E69F00", "dash", "diamond", "◆", "/"),
    "many": MethodStyle("10\u202f000 such tasks", "#009E73", "8px,2px,2px,2px", "square", "■", "x"),
}
TASKS = (  # of the single tasks that are drawn, in their order
    ("#0072B2", "solid", "circle"),
    ("#D55E00", "7px,2px", "square"),
    ("#009E73", "4px,2px", "diamond"),
    ("#CC79A7", "10px,2px", "triangle-up"),
    ("#E69F00", "2px,2px", "x"),
    ("#56B4E9", "6px,2px,2px,2px", "cross"),
    ("#AA4499", "12px,3px,3px,3px", "star"),
)
