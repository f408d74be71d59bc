"""Symbols and numbers as they stand in a picture, where no LaTeX is available offline."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

import numpy as np

Numbers = Sequence[float] | np.ndarray  # (k,)

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MOST_POINTS = 300  # a trace; more costs bytes for every viewer and shows nothing new


def indexed(letter: str, index: int) -> str:
    """A letter with its index: u₁."""
    return f"{letter}{str(index).translate(SUBSCRIPTS)}"


MINUS = "−"  # U+2212: a hyphen is narrower than the digits that it stands before


def number(value: float) -> str:
    """Three significant digits, thousands with a thin space, large powers of ten as such, and a true minus sign.

    To be read: what a machine reads again is written with a hyphen.
    """
    if value < 0:
        return MINUS + number(-value)
    if math.isnan(value):
        return "unknown"
    if math.isinf(value):
        return "∞"
    if value != 0 and (abs(value) >= 1e6 or abs(value) < 1e-3):
        mantissa, exponent = f"{value:.1e}".split("e")
        power = f"10{str(int(exponent)).translate(SUPERSCRIPTS)}"
        return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u202f")
    # From 999.5 on, three digits would be written as a power of ten.
    return f"{value:,.3g}".replace(",", "\u202f") if abs(value) < 999.5 else f"{value:,.0f}".replace(",", "\u202f")


def trace_values(values: Numbers) -> list[float | None]:
    """Numbers for a trace: six significant digits, gaps for what is not finite."""
    return [float(f"{value:.6g}") if math.isfinite(value) else None for value in np.asarray(values, float).ravel()]


def thin_out(*columns: Numbers) -> tuple[np.ndarray, ...]:
    """At most MOST_POINTS rows of columns of equal length, evenly by index, both ends kept."""
    arrays = tuple(np.asarray(column) for column in columns)
    length = len(arrays[0])
    if length <= MOST_POINTS:
        return arrays
    kept = np.linspace(0, length - 1, MOST_POINTS).astype(int)
    return tuple(array[kept] for array in arrays)


def letters(texts: Sequence[str]) -> int:
    """Letters of the longest text; mark-up takes none."""
    return max((len(re.sub("<[^>]*>", "", text)) for text in texts), default=0)
