"""How a number is set: the steps of its box, the stops of its slider, and lists of numbers as a line of text."""

from __future__ import annotations

import math
from typing import Any

from featdash.recipes.spec import Number

DIGITS = (1, 2, 3, 5, 7)  # a decade of a logarithmic slider
WIDE = 100  # a range with this ratio of its ends or more is set on a log scale
FINE = 40  # at least as many steps in a narrow range


def scale_of(rule: Number) -> type:
    return int if rule.whole else float


def is_wide(rule: Number) -> bool:
    """Whether the range spans decades."""
    return rule.low > 0 and rule.high >= WIDE * rule.low


def step_of(rule: Number, default: float) -> float:
    """The step of + and −, a power of ten: about a tenth of the default in a wide range, else 1/FINE of the range."""
    size = abs(default) / 10 if is_wide(rule) and default else (rule.high - rule.low) / FINE
    if rule.whole:
        return max(1, 10 ** math.floor(math.log10(size))) if is_wide(rule) and size >= 1 else 1
    return 10.0 ** math.floor(math.log10(size))


def round_stops(rule: Number, top: float) -> list[float]:
    """Round numbers from the rule's lower end up to `top`, a handful in each decade."""
    decades = range(math.floor(math.log10(rule.low)), math.ceil(math.log10(top)) + 1)
    stops = [scale_of(rule)(float(f"{digit}e{power}")) for power in decades for digit in DIGITS]
    return [stop for stop in stops if rule.low <= stop <= top]


def text_of(value: Any) -> str:
    """A list of numbers as a line of text; a text that is no list stays as typed."""
    return (
        value
        if isinstance(value, str)
        else ", ".join(f"{number:g}" if number < 1e5 else str(number) for number in value)
    )


def values_of(text: str) -> list[float] | str:
    """The numbers in a line, whole ones as such; the line itself if it holds anything else."""
    try:
        numbers = [float(part) for part in text.split(",") if part.strip()]
    except ValueError:
        return text.strip()
    return [int(number) if math.isfinite(number) and number.is_integer() else number for number in numbers]
