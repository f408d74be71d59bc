"""The finding of an ablation in one sentence: what a variant changes, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from featdash.lessons.ablation.pictures.listing import VARIANTS
from featdash.lessons.shared.pictures.headlines import shorten, two_digits


def headline(variants: Mapping[str, Mapping[str, Any]], chosen: str) -> str:
    """How the chosen variant ends, beside the intact one; variants : as for `result_bars`."""
    if chosen not in variants or "intact" not in variants:
        return ""
    (risk, aligned), (other_risk, other_aligned) = (
        (two_digits(variants[name]["excess_risk"]), f"{variants[name]['alignment']:.2f}") for name in ("intact", chosen)
    )
    if chosen == "intact":
        return f"Algorithm 1 intact: excess risk {risk}, alignment {aligned}"
    told = f"With «{VARIANTS[chosen].label}»: excess risk {other_risk} instead of {risk}"
    return shorten(f"{told}, alignment {other_aligned} instead of {aligned}", told)
