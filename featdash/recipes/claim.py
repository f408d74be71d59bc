"""What a lesson claims, and what it does not show: each claim with its kind, what it rests on, and where to check it.

A lesson keeps both in its `claims.py`: `CLAIMS`, a tuple of them, and `LIMITS`, Markdown with a bullet a limit.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from featdash.recipes.experiment import LESSONS, Entry, SpecT

KINDS = {
    "theorem": "Proved, under the assumptions that stand beside it; constants and logarithms are not known.",
    "published": "A number or statement of a paper, as its authors give it.",
    "measured": "Computed by this program, with the settings and seeds that stand beside it. A range holds what these "
    "seeds gave, and is longer by about a third at either end, because another seed often falls outside the bare "
    "range.",
    "open": "Not known to us, or a choice of ours that the source leaves open.",
}


@dataclass(frozen=True)
class Figure:
    """A number that a claim states, and where the run's summary has it.

    path : its place, as `value_at` reads it.
    text : as the sentence has it: a number, such as «0.06» or «3·10⁻⁶», or the range of a measurement over its seeds,
        such as «0.04 to 0.08». A range holds what the seeds named in the claim gave and about a third of its width more
        at either end: a further seed lies outside the bare range of k seeds with probability 2/(k + 1).
    settings : of the run, where they differ from those of the claim.
    low, high : what the summary may hold: all that rounds to the text.
    """

    path: str
    text: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    low: float = field(init=False)
    high: float = field(init=False)

    def __post_init__(self) -> None:
        low, high = stated_ends(self.text)
        object.__setattr__(self, "low", low)
        object.__setattr__(self, "high", high)

    def holds(self, value: float) -> bool:
        """Whether that is what the sentence says."""
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Claim:
    """One sentence, and what it rests on.

    kind : of KINDS.
    sentence : Markdown; each «{}» stands for the figure whose turn it is.
    basis : a theorem's assumptions and source, a published number's source, a measurement's seeds, or what is open.
    settings : what differs from the lesson's defaults where it can be checked; `preset` names one of its presets.
    figures : the numbers of a measurement.
    check : a test or function beside the page, if there is one.
    """

    kind: str
    sentence: str
    basis: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    figures: tuple[Figure, ...] = ()
    check: str = ""

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {self.kind!r}; choose one of them")
        if self.sentence.count("{}") != len(self.figures):
            raise ValueError(
                f"sentence must have a {{}} for each figure, got {self.sentence.count('{}')} for {len(self.figures)}; "
                "add or remove one"
            )

    @property
    def text(self) -> str:
        """The sentence with its figures."""
        first, *rest = self.sentence.split("{}")
        return first + "".join(one.text + part for one, part in zip(self.figures, rest, strict=True))

    def recipe(self, experiment: Entry[SpecT], figure: Figure | None = None) -> SpecT:
        """The run in which it can be checked, and from which that figure of it is read."""
        settings = {**self.settings, **(figure.settings if figure else {})}
        return experiment.recipe({name: list(one) if isinstance(one, tuple) else one for name, one in settings.items()})


def claims_of(experiment: str) -> tuple[Claim, ...]:
    """The claims of the lesson of that experiment."""
    return _claims(experiment).CLAIMS


def limits_of(experiment: str) -> str:
    """What the lesson of that experiment does not show."""
    return _claims(experiment).LIMITS


def _claims(experiment: str) -> Any:
    """An arrow that points up, by name, as in `featdash.recipes.experiment`: a page knows its experiment's name."""
    return import_module(LESSONS).part_of(experiment, "claims")


# Numbers as a sentence writes them, «0.06», «3·10⁻⁶», «14 000» or «½», and ranges, «0.04 to 0.08».
_POWERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
_RAISED = "[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+"
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_SLACK = 1 + 1e-9  # rounding errors of a value that lies on an end
NUMBER = re.compile(
    rf"(?P<lead>[−-]?\d+(?:\.\d+)?(?: \d{{3}})*)(?:(?P<times>·10)(?P<of>{_RAISED})|(?P<power>{_RAISED}))?(?P<unit> ?%)?"
    "|[½¼¾]"
)


def stated_ends(text: str) -> tuple[float, float]:
    """The smallest and the largest number that rounds to a stated one, or to one within a stated range.

    «0.06» is 0.055 to 0.065, «0.04 to 0.08» is 0.035 to 0.085: an end is as exact as its last digit.
    Errors: ValueError if the text is neither a number nor two of them, the smaller first, with «to» between them.
    """
    first, joint, last = text.partition(" to ")
    low, high = _match(first), _match(last if joint else first)
    if value_of(low) > value_of(high) or (joint and value_of(low) == value_of(high)):
        raise ValueError(f"text must be a range from a smaller to a larger number, got {text!r}; swap its ends")
    return value_of(low) - _half_a_unit(low) * _SLACK, value_of(high) + _half_a_unit(high) * _SLACK


def value_of(match: re.Match[str]) -> float:
    """The number that a match of NUMBER writes."""
    if match[0] in _FRACTIONS:
        return _FRACTIONS[match[0]]
    lead = float(match["lead"].replace("−", "-").replace(" ", ""))
    if match["times"]:
        lead *= 10.0 ** int(match["of"].translate(_POWERS))
    elif match["power"]:
        lead **= int(match["power"].translate(_POWERS))
    return lead / 100 if match["unit"] else lead


def _match(text: str) -> re.Match[str]:
    match = NUMBER.fullmatch(text)
    if not match:
        raise ValueError(f"text must be a number or a range such as «0.04 to 0.08», got {text!r}; write digits")
    return match


def _half_a_unit(match: re.Match[str]) -> float:
    """Half a unit of the last digit; for 10⁻⁸ as for 1·10⁻⁸, and 0 for a fraction, which is exact."""
    if match[0] in _FRACTIONS:
        return 0.0
    if match["power"]:
        return value_of(match) / 2
    decimals = len(match["lead"].partition(".")[2])
    scale = 10.0 ** int(match["of"].translate(_POWERS)) if match["times"] else 0.01 if match["unit"] else 1.0
    return 0.5 * 10.0**-decimals * scale


_STEP = re.compile(r"([^.\[\]]+)(?:\[([^\]]*)\])?(?:\.|$)")


def value_at(summary: Any, path: str) -> float:
    """The number at that place of a summary; ValueError, with what is missing, if there is none.

    path : names joined by dots; `errors.0` is the first of a list, and `rows[method=ntk,n=1000].mean` the mean of the
        one row of a list that has these values.
    """
    value = summary
    for name, condition in _STEP.findall(path):
        value = _inside(value, name, path)
        if condition:
            value = _row(value, dict(part.split("=") for part in condition.split(",")), path)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(f"path must lead to a number, got {value!r} at {path}; choose another path")
    return float(value)


def _inside(value: Any, name: str, path: str) -> Any:
    if isinstance(value, list) and name.isdigit() and int(name) < len(value):
        return value[int(name)]
    if isinstance(value, Mapping) and name in value:
        return value[name]
    raise ValueError(f"path must be in the summary, got {path} where {name} is not; see `run --out`")


def _row(rows: Any, conditions: Mapping[str, str], path: str) -> Any:
    matches = [row for row in rows if all(str(row.get(name)) == value for name, value in conditions.items())]
    if len(matches) != 1:
        raise ValueError(f"path must choose one row, got {path}, which chooses {len(matches)}; name more of its values")
    return matches[0]
