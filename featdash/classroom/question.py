"""A question that a class answers, and what counts as an answer to it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from featdash.classroom.refusal import BadValue

KINDS = ("choice", "order", "number")
MOST_OPTIONS = 12
OPTION_BYTES = 1200  # of all options together: an order of them fits the body of one answer
LONGEST = {"id": 100, "prompt": 2000, "unit": 40}  # characters

Value = str | float | tuple[str, ...] | None


@dataclass(frozen=True)
class Question:
    """What phones may know of a question; nothing in it gives away the answer.

    id : its name in the room; kind : "choice", "order" or "number".
    prompt, options : Markdown with formulas between dollar signs.
    low, high, log, unit : for a number, the axis on which it is guessed.
    Errors: ValueError in one sentence.
    """

    id: str
    kind: str
    prompt: str
    options: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    unit: str = ""

    def __post_init__(self) -> None:
        for name, most in LONGEST.items():
            if len(getattr(self, name)) > most:
                raise ValueError(f"{name} must have at most {most} characters, got {len(getattr(self, name))}; cut it")
        if not (self.id.strip() and self.prompt.strip()):
            raise ValueError("a question must have an id and a prompt, got an empty one; write it")
        if self.kind not in KINDS:
            raise ValueError(f"kind must be one of {', '.join(KINDS)}, got {self.kind!r}; choose one of them")
        (_check_axis if self.kind == "number" else _check_options)(self)


def _check_options(question: Question) -> None:
    options, size = question.options, sum(len(option.encode()) for option in question.options)
    if not 2 <= len(options) <= MOST_OPTIONS or len(set(options)) < len(options) or not all(map(str.strip, options)):
        raise ValueError(f"options must be 2 to {MOST_OPTIONS} different words, got {options!r:.200}; correct them")
    if size > OPTION_BYTES:
        raise ValueError(f"options must have at most {OPTION_BYTES} bytes together, got {size}; shorten them")


def _check_axis(question: Question) -> None:
    low, high = question.low, question.high
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise ValueError(f"low and high must be numbers with low < high, got {low} and {high}; correct them")
    if question.log and low <= 0:
        raise ValueError(f"low must be > 0 on a logarithmic axis, got {low}; raise it or use a linear axis")


@dataclass(frozen=True)
class Answer:
    """What one phone answered.

    round : 1, or 2 after the talk; value : None for «not sure»; seconds : since the round was opened.
    phone : a pseudonym that links the two rounds and says nothing about the phone.
    """

    question: str
    round: int
    value: Value
    seconds: float
    phone: str


def parse_answer(question: Question, value: Any) -> Value:
    """The value as a room stores it: an option, the options in order, a number in [low, high], None; else BadValue."""
    if value is None:
        return None
    if question.kind == "choice":
        if isinstance(value, str) and value in question.options:
            return value
        raise BadValue("The answer must be one of the options; choose one.")
    if question.kind == "order":
        if isinstance(value, Sequence) and not isinstance(value, str) and _is_order(value, question.options):
            return tuple(value)
        raise BadValue("The answer must name every option once, in your order; place them all.")
    return _accepted_number(question, value)


def _is_order(value: Sequence[Any], options: tuple[str, ...]) -> bool:
    return all(isinstance(one, str) for one in value) and sorted(value) == sorted(options)


def _accepted_number(question: Question, value: Any) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and question.low <= value <= question.high:  # false for nan and for an infinity
        return float(value)
    raise BadValue(f"The answer must be a number from {question.low:g} to {question.high:g}; correct it.")
