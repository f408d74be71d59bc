"""How the curves of a scaling law and its single tasks are named and drawn."""

from __future__ import annotations

from featdash.figures.palette import CASES, SUBJECT
from featdash.figures.picture import MethodStyle

STYLES = {
    "network": MethodStyle("network", *SUBJECT),
    "alone": MethodStyle("tasks one by one, summed", *CASES[1]),
    "many": MethodStyle("10\u202f000 such tasks", *CASES[0]),
}
