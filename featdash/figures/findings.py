"""Words for what numbers say: who is lowest, which way a curve goes, how many; true of any numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from featdash.figures.text import MINUS, number

FLAT = 1.4  # up to this factor a curve is called flat in words
DECIMALS = 3


def quote_number(value: float, decimals: int = DECIMALS) -> str:
    """A number as a sentence quotes it: rounded, but never to zero where it is not zero."""
    value = float(value)
    if not math.isfinite(value):
        return number(value)
    rounded = round(value, decimals)
    return number(rounded if rounded or not value else float(f"{value:.2g}"))


def with_decimals(value: float, decimals: int) -> str:
    """A number with all of its decimals, without a minus sign before zeros."""
    text = f"{value:.{decimals}f}"
    return text.replace("-", MINUS if float(text) else "")


def join_words(items: Sequence[str]) -> str:
    """A, B and C."""
    return " and ".join(part for part in (", ".join(items[:-1]), *items[-1:]) if part)


def each(values: Mapping[str, float], decimals: int = DECIMALS) -> str:
    """A number for each name: 0.1 for A, 0.2 for B."""
    return ", ".join(f"{quote_number(value, decimals)} for {name}" for name, value in values.items())


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
    """Whose number is the lowest, a clause to append; nothing where there is no one to compare with.

    Numbers that read the same share the place.
    """
    known = {name: value for name, value in values.items() if not math.isnan(value)}
    if len(known) < 2:
        return ""
    least = quote_number(min(known.values()))
    names = [name for name, value in known.items() if quote_number(value) == least]
    if len(names) == len(known):
        return "; all are the same" if len(known) > 2 else "; both are the same"
    return (
        f"; the lowest is that of {names[0]}" if len(names) == 1 else f"; the lowest are those of {join_words(names)}"
    )
