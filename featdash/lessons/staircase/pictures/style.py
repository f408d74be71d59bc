"""How the targets and monomials of a stair are named and drawn, in all of its pictures."""

from __future__ import annotations

from featdash.figures.picture import MethodStyle
from featdash.figures.text import SUBSCRIPTS
from featdash.lessons.staircase.recipe import ALL, GAP, HIGH, LONG, LOOSE, NONE

OTHERS = "#9A9A9A"


def monomial_text(name: str) -> str:
    """x₁ + x₁x₂ of "x1+x1x2"."""
    return name.translate(SUBSCRIPTS).replace("+", " + ")


TARGETS = {
    name: MethodStyle(monomial_text(name), *look)
    for name, look in {
        ALL: ("#0072B2", "solid", "circle", "●", ""),
        GAP: ("#E69F00", "8px,4px", "diamond", "◆", "/"),
        NONE: ("#D55E00", "2px,3px", "square", "■", "x"),
        LOOSE: ("#009E73", "8px,3px,2px,3px", "triangle-up", "▲", "\\"),
        LONG: ("#56B4E9", "14px,4px", "triangle-down", "▼", "-"),
        HIGH: ("#CC79A7", "4px,4px", "star", "★", "+"),
    }.items()
}
# By the number of factors: colour, dash and marker of a monomial's coefficient.
MONOMIALS = {
    1: ("#0072B2", "solid", "circle"),
    2: ("#E69F00", "8px,4px", "diamond"),
    3: ("#D55E00", "2px,3px", "square"),
    4: ("#CC79A7", "8px,3px,2px,3px", "triangle-up"),
}
