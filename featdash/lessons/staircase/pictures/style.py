"""How the targets and monomials of a stair are named and drawn, in all of its pictures."""

from __future__ import annotations

from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle
from featdash.figures.text import SUBSCRIPTS
from featdash.lessons.staircase.recipe import ALL, GAP, HIGH, LONG, LOOSE, NONE


def monomial_text(name: str) -> str:
    """x₁ + x₁x₂ of "x1+x1x2"."""
    return name.translate(SUBSCRIPTS).replace("+", " + ")


TARGETS = {
    name: MethodStyle(monomial_text(name), *look)
    for name, look in zip((ALL, GAP, NONE, LOOSE, LONG, HIGH), (SUBJECT, *CASES), strict=False)
}
MONOMIALS = dict(enumerate((SUBJECT, *CASES[:3]), start=1))  # by the number of their factors
