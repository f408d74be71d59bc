"""Numbers as a sentence writes them, «0.06», «3·10⁻⁶», «14 000» or «½», and ranges, «0.04 to 0.08»."""

from __future__ import annotations

import re

_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = "[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+"
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_SLACK = 1 + 1e-9  # rounding errors of a value that lies on an end
NUMBER = re.compile(
    rf"(?P<lead>[−-]?\d+(?:\.\d+)?(?: \d{{3}})*)(?:(?P<times>·10)(?P<of>{_RAISED})|(?P<power>{_RAISED}))?(?P<unit> ?%)?"
    "|[½¼¾]"
)


def stated_ends(text: str) -> tuple[float, float]:
    """The least and the largest number that rounds to a stated one, or to one within a stated range.

    «0.06» is 0.055 to 0.065, «0.04 to 0.08» is 0.035 to 0.085: an end is as exact as its last digit.
    Errors: ValueError if the text is neither a number nor two of them, the smaller first, with «to» between them.
    """
    first, joint, last = text.partition(" to ")
    low, high = _match(first), _match(last if joint else first)
    if value_of(low) > value_of(high) or (joint and value_of(low) == value_of(high)):
        raise ValueError(f"stated must be a range from a smaller to a larger number, got {text!r}; swap its ends")
    return value_of(low) - _half_a_unit(low) * _SLACK, value_of(high) + _half_a_unit(high) * _SLACK


def value_of(found: re.Match[str]) -> float:
    """The number that a match of NUMBER writes."""
    if found[0] in _FRACTIONS:
        return _FRACTIONS[found[0]]
    lead = float(found["lead"].replace("−", "-").replace(" ", ""))
    if found["times"]:
        lead *= 10.0 ** int(found["of"].translate(_POWERS))
    elif found["power"]:
        lead **= int(found["power"].translate(_POWERS))
    return lead / 100 if found["unit"] else lead


def _match(text: str) -> re.Match[str]:
    found = NUMBER.fullmatch(text)
    if not found:
        raise ValueError(f"stated must be a number or a range such as «0.04 to 0.08», got {text!r}; write digits")
    return found


def _half_a_unit(found: re.Match[str]) -> float:
    """Of the last digit; that of 10⁻⁸ is that of 1·10⁻⁸, and a fraction is exact."""
    if found[0] in _FRACTIONS:
        return 0.0
    if found["power"]:
        return value_of(found) / 2
    decimals = len(found["lead"].partition(".")[2])
    scale = 10.0 ** int(found["of"].translate(_POWERS)) if found["times"] else 0.01 if found["unit"] else 1.0
    return 0.5 * 10.0**-decimals * scale
