"""A list of whole numbers, written out, as a range or as powers."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from featdash.recipes.spec import MultipleChoice, quote_value

RANGE = re.compile(r"\s*(?:(?P<base>\d{1,4})\s*\^)?\s*(?P<first>\d{1,4})\s*\.\.\s*(?P<last>\d{1,4})"
                   r"(?:\s+by\s+(?P<step>\d{1,3}(?:/\d{1,2})?))?\s*")  # fmt: skip
LARGEST = 1e12  # powers beyond every limit; they are not worked out


@dataclass(frozen=True)
class WholeNumbers(MultipleChoice):
    """Distinct whole numbers, ascending: [1, 3, 10], "0..9", or "10^0..5 by 1/2" for ⌊10^{k/2}⌋, k = 0 .. 10."""

    def check(self, name: str, value: Any) -> tuple:
        return tuple(sorted(super().check(name, numbers_of(name, value) if isinstance(value, str) else value)))


def numbers_of(name: str, text: str) -> list[int]:
    """The numbers that a range or a row of powers stands for; ValueError if it is neither."""
    match = RANGE.fullmatch(text[:60])
    step = Fraction(match["step"] or 1) if match and not re.search(r"/0", match["step"] or "") else Fraction(0)
    if not match or not step:
        rule = f'{name} must be a list such as [10, 100], or text such as "0..9" or "10^0..5 by 1/2"'
        raise ValueError(f"{rule}, got {quote_value(text)}; write it so")
    first, last = int(match["first"]), int(match["last"])
    count = math.floor((last - first) / step) + 1
    if count > 1000:
        raise ValueError(f"{name} must have at most 1000 entries, got {count} in {quote_value(text)}; widen the step")
    exponents = [first + index * step for index in range(max(count, 0))]
    if match["base"] is None:
        return [int(one) for one in exponents]
    return sorted({_power(int(match["base"]), one) for one in exponents})


def _power(base: int, exponent: Fraction) -> int:
    """⌊base^exponent⌋, exact for whole powers."""
    if base == 0 or exponent * math.log10(base) > math.log10(LARGEST):
        return 0 if base == 0 else int(LARGEST)
    return math.floor(base ** float(exponent) * (1 + 1e-12))
