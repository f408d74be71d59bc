"""What is wrong with the settings of a page, in a sentence that names them as the page does."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

from featdash.recipes.grid import RANGE, Grid
from featdash.recipes.spec import Choice, MultipleChoice, Spec, quote_value

BEFORE = "lower |raise |change |below |above |than |at most |at least "  # a setting's name stands after these words


def complaint(spec: type[Spec], values: Mapping[str, Any], labels: Mapping[str, str]) -> str:
    """The first rule of the recipe that the values break: a sentence with its full stop; "" if they break none.

    labels : the name of each setting on the page; the command line and links call it by its field.
    """
    for field in dataclasses.fields(spec):
        said = _alone(field.metadata["rule"], labels[field.name], values[field.name])
        if said:
            return f"{said[0].upper()}{said[1:]}."
    try:
        spec(**values)
    except ValueError as error:
        said = _by_label(str(error), labels)
        return f"{said[0].upper()}{said[1:]}."
    return ""


def _alone(rule: Any, label: str, value: Any) -> str:
    """What one rule says of its value; of a line that holds no list of numbers, how a list is written."""
    if isinstance(rule, MultipleChoice) and not isinstance(rule.each, Choice) and isinstance(value, str):
        if not isinstance(rule, Grid):
            return f"{label} must be numbers separated by commas, got {quote_value(value)}; write them as 10, 20"
        if not RANGE.fullmatch(value):
            ways = "write them as 10, 20, as 0..9 or as 10^0..5 by 1/2"
            return f"{label} must be whole numbers, a range or powers, got {quote_value(value)}; {ways}"
    try:
        rule.check(label, value)
    except ValueError as error:
        return str(error)
    return ""


def _by_label(said: str, labels: Mapping[str, str]) -> str:
    """The sentence with labels in place of the fields' names, where it speaks of settings."""
    names = "|".join(sorted(map(re.escape, labels), key=len, reverse=True))
    said = re.sub(r"^pretraining target(?= must)", "pretraining", said)
    found = rf"(?:^|(?<=\b)(?:{BEFORE}))({names})\b(?= must| =|,|;|\.|$| or )|\b({names})(?= = )"
    return re.sub(found, lambda one: one[0].replace(one[1] or one[2], labels[one[1] or one[2]]), said)
