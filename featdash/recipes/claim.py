"""What a lesson claims, and what it does not show: each claim with its kind, what it rests on, and where to check it.

A lesson keeps both in its `claims.py`: `CLAIMS`, a tuple of them, and `LIMITS`, Markdown with a bullet a limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

KINDS = {
    "theorem": "Proved, under the assumptions that stand beside it; constants and logarithms are not known.",
    "published": "A number or statement of a paper, as its authors give it.",
    "measured": "Computed by this program, with the settings and seeds that stand beside it.",
    "open": "Not known to us, or a choice of ours that the source leaves open.",
}


@dataclass(frozen=True)
class Figure:
    """A number that a claim states, and where the run's summary has it.

    path : names joined by dots; `statistics[method=ntk,n=1000]` is the one row of a list with these values, and
        `errors.0` the first of a list.
    stated : as the sentence has it, such as «0.06» or «3·10⁻⁶».
    low, high : what the summary may hold; None is half a unit of the last digit stated.
    settings : of the run, over those of the claim.
    """

    path: str
    stated: str
    low: float | None = None
    high: float | None = None
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)


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
        return first + "".join(one.stated + part for one, part in zip(self.figures, rest, strict=True))


def claims_of(experiment: str) -> tuple[Claim, ...]:
    """The claims of the lesson of that experiment."""
    return _room(experiment).CLAIMS


def limits_of(experiment: str) -> str:
    """What the lesson of that experiment does not show."""
    return _room(experiment).LIMITS


def _room(experiment: str) -> Any:
    """An arrow that points up, by name, as in `featdash.recipes.experiment`: a page knows its experiment's name."""
    return import_module(".".join(("featdash", "lessons", experiment.replace("-", "_"), "claims")))
