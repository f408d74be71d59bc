"""How the pages call the functions of one input."""

from __future__ import annotations

WORDS = {"heaviside": "jump", "smooth": "smooth"}
