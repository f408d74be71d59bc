"""What a lesson claims, and what it does not show: each claim with its kind, what it rests on, and where to check it.

A lesson keeps both in its `claims.py`: `CLAIMS`, a tuple of them, and `LIMITS`, Markdown with a bullet a limit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from featdash.recipes.experiment import Entry, SpecT
from featdash.recipes.stated_number import stated_ends

KINDS = {
    "theorem": "Proved, under the assumptions that stand beside it; constants and logarithms are not known.",
    "published": "A number or statement of a paper, as its authors give it.",
    "measured": "Computed by this program, with the settings and seeds that stand beside it. A range holds what these "
    "seeds gave and about a third of its width more at either end, for a further seed is often outside the bare range.",
    "open": "Not known to us, or a choice of ours that the source leaves open.",
}


@dataclass(frozen=True)
class Figure:
    """A number that a claim states, and where the run's summary has it.

    path : its place, as `featdash.recipes.summary_path.value_at` reads it.
    stated : as the sentence has it: a number, such as «0.06» or «3·10⁻⁶», or the range of a measurement over its seeds,
        such as «0.04 to 0.08». A range holds what the seeds named in the claim gave and about a third of its width more
        at either end: a further seed lies outside the bare range of k seeds with probability 2/(k + 1).
    settings : of the run, over those of the claim.
    low, high : what the summary may hold: all that rounds to what is stated.
    """

    path: str
    stated: str
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    low: float = field(init=False)
    high: float = field(init=False)

    def __post_init__(self) -> None:
        low, high = stated_ends(self.stated)
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
        return first + "".join(one.stated + part for one, part in zip(self.figures, rest, strict=True))

    def recipe(self, experiment: Entry[SpecT], figure: Figure | None = None) -> SpecT:
        """The run in which it can be checked, and from which that figure of it is read."""
        settings = {**self.settings, **(figure.settings if figure else {})}
        return experiment.recipe({name: list(one) if isinstance(one, tuple) else one for name, one in settings.items()})


def claims_of(experiment: str) -> tuple[Claim, ...]:
    """The claims of the lesson of that experiment."""
    return _room(experiment).CLAIMS


def limits_of(experiment: str) -> str:
    """What the lesson of that experiment does not show."""
    return _room(experiment).LIMITS


def _room(experiment: str) -> Any:
    """An arrow that points up, by name, as in `featdash.recipes.experiment`: a page knows its experiment's name."""
    return import_module(".".join(("featdash", "lessons", experiment.replace("-", "_"), "claims")))
