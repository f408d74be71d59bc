"""Numbers as a sentence quotes them, and words for what they say."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping, Sequence

import numpy as np

Numbers = Sequence[float] | np.ndarray  # (k,)

SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
SUPERSCRIPTS = str.maketrans("0123456789-−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁻")
UNITS = (("years", 31_557_600.0), ("days", 86_400.0), ("hours", 3600.0), ("minutes", 60.0))
MOST_POINTS = 300  # a trace; more costs bytes for every viewer and shows nothing new


def with_index(letter: str, index: int) -> str:
    """A letter with its index: u₁."""
    return f"{letter}{str(index).translate(SUBSCRIPTS)}"


def to_power(base: str, exponent: int) -> str:
    """A base with its exponent, as text: d²."""
    return f"{base}{str(exponent).translate(SUPERSCRIPTS)}"


def drawn_power(base: str, exponent: str) -> str:
    """A base with an exponent that has decimals, for words in a picture."""
    return f"{base}<sup>{exponent}</sup>"


def spoken_power(base: str, exponent: str) -> str:
    """The same in a sentence: d to the power 1.16."""
    return f"{base} to the power {exponent}"


MINUS = "−"  # U+2212: a hyphen is narrower than the digits that it stands before


def number(value: float) -> str:
    """Three significant digits, thousands with a thin space, large powers of ten as such, and a true minus sign.

    For readers; a number that a machine reads again is written with a hyphen.
    """
    if value < 0:
        return MINUS + number(-value)
    if math.isnan(value):
        return "unknown"
    if math.isinf(value):
        return "∞"
    if value != 0 and (abs(value) >= 1e6 or abs(value) < 1e-3):
        mantissa, exponent = f"{value:.1e}".split("e")
        power = to_power("10", int(exponent))
        return power if mantissa == "1.0" else f"{mantissa.removesuffix('.0')}·{power}"
    if float(value).is_integer():
        return f"{int(value):,}".replace(",", "\u202f")
    # From 999.5 on, three digits would be written as a power of ten.
    return f"{value:,.3g}".replace(",", "\u202f") if abs(value) < 999.5 else f"{value:,.0f}".replace(",", "\u202f")


def trace_values(values: Numbers) -> list[float | None]:
    """Numbers for a trace: six significant digits, gaps for what is not finite."""
    return [float(f"{value:.6g}") if math.isfinite(value) else None for value in np.asarray(values, float).ravel()]


def thin_out(*columns: Numbers) -> tuple[np.ndarray, ...]:
    """At most MOST_POINTS rows of columns of equal length, evenly spaced by index, with both ends."""
    arrays = tuple(np.asarray(column) for column in columns)
    length = len(arrays[0])
    if length <= MOST_POINTS:
        return arrays
    rows = np.linspace(0, length - 1, MOST_POINTS).astype(int)
    return tuple(array[rows] for array in arrays)


def letters(texts: Sequence[str]) -> int:
    """Letters of the longest text; mark-up takes none."""
    return max((len(re.sub("<[^>]*>", "", text)) for text in texts), default=0)


FLAT = 1.4  # up to this factor a curve is called flat in words
DECIMALS = 3


def quote_number(value: float, decimals: int = DECIMALS) -> str:
    """A number as a sentence quotes it: rounded, but never to zero where it is not zero."""
    value = float(value)
    if not math.isfinite(value):
        return number(value)
    short = round(value, decimals)
    return number(short if short or not value else float(f"{value:.2g}"))


def with_decimals(value: float, decimals: int) -> str:
    """A number with all of its decimals, without a minus sign before zeros."""
    text = f"{value:.{decimals}f}"
    return text.replace("-", MINUS if float(text) else "")


def join_words(items: Sequence[str]) -> str:
    """A, B and C."""
    return " and ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)


def in_lines(text: str, letters: int) -> str:
    """The text with a break where a line would have more than so many letters, for a picture."""
    return "<br>".join(textwrap.wrap(text, letters) or [text])


def each(values: Mapping[str, float], decimals: int = DECIMALS) -> str:
    """A number for each name: 0.1 for A, 0.2 for B."""
    return ", ".join(f"{quote_number(value, decimals)} for {name}" for name, value in values.items())


def duration(low: float, high: float) -> str:
    """A range of seconds in the unit that a person would choose, each end rounded to one digit."""
    name, size = next((unit for unit in UNITS if high >= 2 * unit[1]), ("s", 1.0))
    ends = [number(float(f"{end / size:.0e}")) for end in (low, high)]
    return "–".join(dict.fromkeys(ends)) + f" {name}"


def count_noun(count: int, one: str, many: str) -> str:
    """A count with its noun: no pairs, one pair, 2 pairs."""
    return f"one {one}" if count == 1 else f"{number(count) if count else 'no'} {many}"


def trend(first: float, last: float) -> str:
    """Which way a number goes: "rises", "falls" or, where both read the same, "stays"."""
    if quote_number(first) == quote_number(last):
        return "stays"
    return "rises" if last > first else "falls"


def course(first: float, last: float, before: str = "", after: str = "") -> str:
    """From where to where a number goes; before, after : words on the two ends, such as " at d = 4"."""
    if quote_number(first) == quote_number(last):
        return f"stays at {quote_number(first)}{before and f',{before} as{after}'}"
    return f"{trend(first, last)} from {quote_number(first)}{before} to {quote_number(last)}{after}"


def lowest(values: Mapping[str, float]) -> str:
    """A clause that says whose number is the lowest; "" if there is nothing to compare.

    Numbers that read the same share the place.
    """
    comparable = {name: value for name, value in values.items() if not math.isnan(value)}
    if len(comparable) < 2:
        return ""
    least = quote_number(min(comparable.values()))
    names = [name for name, value in comparable.items() if quote_number(value) == least]
    if len(names) == len(comparable):
        return "; all are the same" if len(comparable) > 2 else "; both are the same"
    return (
        f"; the lowest is that of {names[0]}" if len(names) == 1 else f"; the lowest are those of {join_words(names)}"
    )
