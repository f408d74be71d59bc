"""The recipe of a run: frozen, validated, and its own cache key, URL and file."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from featdash.theory.target import expression_of

ARITHMETIC = 35_000_000  # bytes that the first run in a worker takes for numerical code and its buffers
LIBRARIES = 140_000_000  # and for scikit-learn, where a run loads an estimator, a kernel or a data set
LONG = 50  # digits that are told by their number
GROUPS = ("Task", "Method", "Training", "Data", "Repeats")  # what a setting is about, in the order of the page


def quote_value(value: Any) -> str:
    """A visitor's value as it stands in an error: quoted, and cut where it is long."""
    if isinstance(value, int) and abs(value) >= 10**LONG:
        return f"one of about {math.ceil(value.bit_length() * math.log10(2))} digits"
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # Python writes no numbers of thousands of digits
        text = f"a {type(value).__name__} too long to show"
    return text if len(text) <= 60 else f"{text[:57]}..."


def json_value(text: str) -> Any:
    """The value of a JSON text, ±inf for whole numbers of thousands of digits; ValueError if it is no JSON."""
    try:
        return json.loads(text, parse_int=_whole)
    except RecursionError as error:
        raise ValueError(f"JSON must not be nested so deeply, got {quote_value(text)}; write a plain value") from error


def _whole(digits: str) -> float:
    return int(digits) if len(digits) < sys.int_info.str_digits_check_threshold else float(digits)


@dataclass(frozen=True)
class Number:
    """A number in [low, high]; `whole` asks for an integer. Booleans and NaN are refused."""

    low: float
    high: float
    whole: bool = False

    def check(self, name: str, value: Any) -> float:
        kind = "a whole number" if self.whole else "a number"
        rule = f"{name} must be {kind} from {self.low:g} to {self.high:g}, got {quote_value(value)}"
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"{rule}; write digits, such as {self.low:g}")
        if value != value:  # NaN; math.isnan takes no integer beyond 1e308
            raise ValueError(f"{rule}; write a number")
        if not self.low <= value <= self.high:
            raise ValueError(
                f"{rule}; {'raise' if value < self.low else 'lower'} {name.replace('each of', 'those in')}"
            )
        if self.whole and not float(value).is_integer():
            raise ValueError(f"{rule}; round it to {math.floor(value)}")
        return int(value) if self.whole else float(value)


@dataclass(frozen=True)
class Width(Number):
    """A number of neurons, which the symmetric start has in pairs."""

    whole: bool = True

    def check(self, name: str, value: Any) -> int:
        width = int(super().check(name, value))
        if width % 2:
            raise ValueError(f"{name} must be even for the symmetric start, got {width}; use {width + 1}")
        return width


@dataclass(frozen=True)
class Choice:
    """One of a fixed list of names or numbers."""

    options: tuple

    def check(self, name: str, value: Any) -> Any:
        if isinstance(value, bool) or value not in self.options:
            options = ", ".join(str(option) for option in self.options)
            raise ValueError(f"{name} must be one of {options}, got {quote_value(value)}; choose one of them")
        return value


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def check(self, name: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise ValueError(f"{name} must be true or false, got {quote_value(value)}; write true or false")
        return value


@dataclass(frozen=True)
class Text:
    """A string of bounded length; what it means is checked by the Spec that holds it."""

    longest: int

    def check(self, name: str, value: Any) -> str:
        if not isinstance(value, str):
            raise ValueError(f"{name} must be text, got {quote_value(value)}; write it in quotes")
        if len(value) > self.longest:
            raise ValueError(f"{name} must have at most {self.longest} characters, got {len(value)}; shorten it")
        return value


@dataclass(frozen=True)
class Formula(Text):
    """A target: its name in the table of targets, or a polynomial in z1, z2, ...; the Spec that holds it reads it."""

    def formula(self, value: str) -> str:
        """The polynomial that the text stands for."""
        return expression_of(value)


@dataclass(frozen=True)
class MultipleChoice:
    """A tuple of distinct values, each following `each`, between `fewest` and `most` of them."""

    each: Number | Choice
    fewest: int = 1
    most: int = 20

    def check(self, name: str, value: Any) -> tuple:
        if not isinstance(value, list | tuple):
            raise ValueError(f'{name} must be a list, got {quote_value(value)}; write it as ["a", "b"] or [1, 2]')
        values = tuple(self.each.check(f"each of {name}", one) for one in value)
        if not self.fewest <= len(values) <= self.most:
            raise ValueError(
                f"{name} must have {self.fewest} to {self.most} entries, got {len(values)}; change the list"
            )
        if len(set(values)) < len(values):
            raise ValueError(f"{name} must not repeat an entry, got {quote_value(value)}; remove the repeats")
        return values


def setting(default: Any, rule: Any, label: str, about: str = "", group: str = "Task") -> Any:
    """A field of a Spec: its default, its rule, the label of its control, one sentence of help, and its group.

    group : one of GROUPS; the page shows the finer settings of a lesson group by group.
    """
    if group not in GROUPS:
        raise ValueError(f"group must be one of {', '.join(GROUPS)}, got {group!r}; choose one of them")
    return dataclasses.field(default=default, metadata={"rule": rule, "label": label, "about": about, "group": group})


@dataclass(frozen=True)
class Spec:
    """Base of every recipe: fields made with `setting`, each checked once, here.

    Errors: ValueError with the name, the rule, the value and the remedy.
    """

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = field.metadata["rule"].check(field.name, getattr(self, field.name))
            object.__setattr__(self, field.name, value)
        self.check_together()

    def check_together(self) -> None:
        """Rules that bind several fields; override where there are any."""

    @classmethod
    def from_mapping(cls, values: Mapping[str, Any]) -> Self:
        """A Spec from named JSON values; unknown names are refused with the list of known ones."""
        names = [field.name for field in dataclasses.fields(cls)]
        for name in values:
            if name not in names:
                raise ValueError(f"{quote_value(name)} is not a setting; known settings are {', '.join(names)}")
        return cls(**values)

    def to_mapping(self) -> dict[str, Any]:
        """Plain JSON values, tuples as lists."""
        return {name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()}

    def canonical_json(self) -> str:
        """Every setting, sorted by name, without spaces: equal Specs give equal text."""
        return _compact_json(self.to_mapping())

    def identity_json(self) -> str:
        """What tells this recipe from others of its kind, as JSON: the settings that differ from their defaults.

        A setting that is added later has its default in all earlier recipes and changes none of their identities.
        A target always stands here, by its formula: a name means what the table of targets says at the time.
        """
        differences: dict[str, Any] = {}
        for field in dataclasses.fields(self):
            rule, value = field.metadata["rule"], getattr(self, field.name)
            if isinstance(rule, Formula):
                differences[field.name] = rule.formula(value)
            elif value != field.default:
                differences[field.name] = list(value) if isinstance(value, tuple) else value
        return _compact_json(differences)


@dataclass(frozen=True)
class Cost:
    """What a run will need: bytes by which it makes a worker with torch loaded grow at most, and seconds on one core.

    remedy : what to lower when that is too much, e.g. "lower n to 4000".
    """

    memory: int
    seconds: float
    remedy: str


def spec_digest(experiment: str, spec: Spec) -> str:
    """Sixteen hex digits of the recipe alone: the name of a recorded run."""
    return hashlib.sha256(f"{experiment}\0{spec.identity_json()}".encode()).hexdigest()[:16]


def _compact_json(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True, separators=(",", ":"), allow_nan=False)
