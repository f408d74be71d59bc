"""A question's answer, read from the summary of a run and never typed into the story.

An answer is a path of names joined by dots, such as `methods.ntk.excess_risk`: one number. With a star for one of the
names, as in `methods.*.excess_risk`, it stands for {name: number}; `lowest PATH`, `highest PATH` and `order PATH` (from
the lowest to the highest) then name one or all of them.

The sentence of the answer may hold places in braces, which are filled from the summary: `{answer}` is the answer itself
(for an order its options, the lowest first), `{methods.ntk.excess_risk:2}` the number there to two figures.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from featdash.stories.story import Option, Question

WAYS = ("lowest", "highest", "order")
ANSWER = "answer"  # in braces: the answer itself
PLACE = re.compile(r"\$[^$]*\$|\{([^{}]*)\}")  # a formula, whose braces are its own, or a place
THEN = ", then "

Write = Callable[[float, int | None], str]  # a number, and to how many figures; None if the story does not say


def parts_of(answer: str) -> tuple[str, tuple[str, ...]]:
    """The way ("" for a number) and the names of the path; ValueError if it is neither."""
    way, _, path = answer.strip().rpartition(" ")
    names = tuple(path.split("."))
    if way not in ("", *WAYS) or not all(names):
        raise ValueError(
            f"answer must be a path such as methods.ntk.excess_risk, or one of {', '.join(WAYS)} before a path with a "
            f"star, got {answer!r}; see a run's summary"
        )
    if bool(way) != (names.count("*") == 1):
        raise ValueError(
            f"answer must have one star exactly where {', '.join(WAYS)} stands before it, got {answer!r}; "
            f"write lowest methods.*.excess_risk"
        )
    return way, names


def number_at(summary: Any, names: Sequence[str], path: str) -> float:
    """The finite number at that place; ValueError if there is none."""
    value = summary
    for name in names:
        if isinstance(value, Sequence) and not isinstance(value, str) and name.isdigit() and int(name) < len(value):
            value = value[int(name)]
        elif isinstance(value, Mapping) and name in value:
            value = value[name]
        else:
            choices = (
                f"known here are {', '.join(map(str, value))}" if isinstance(value, Mapping) else "it has no parts"
            )
            raise ValueError(f"answer must be in the run's summary, got {path!r} where {name!r} is not; {choices}")
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"answer must lead to a finite number, got {value!r} at {path!r}; choose another path")
    return float(value)


def numbers_at(summary: Any, names: Sequence[str], path: str) -> dict[str, float]:
    """{name: number} over the star."""
    star = list(names).index("*")
    group = summary
    for name in names[:star]:
        if not isinstance(group, Mapping) or name not in group:
            raise ValueError(f"answer must be in the run's summary, got {path!r} where {name!r} is not; see --out")
        group = group[name]
    if not isinstance(group, Mapping) or not group:
        raise ValueError(f"answer must have names at its star, got {path!r} where there are none; see --out")
    return {name: number_at(group[name], names[star + 1 :], path) for name in group}


def truth(question: Question, summary: Mapping[str, Any]) -> float | tuple[str, ...]:
    """The answer: a number, or the names of the right options (one for a choice, all in their order for an order).

    Errors: ValueError in one sentence if the summary has no such place.
    """
    way, names = parts_of(question.answer)
    if not way:
        value = number_at(summary, names, question.answer)
        return value if question.kind == "number" else (_option_at(question.options, value).text,)
    values = numbers_at(summary, names, question.answer)
    by_name = {option.name: option.text for option in question.options}
    ranking = sorted((name for name in values if name in by_name), key=values.__getitem__)
    if len(ranking) < len(by_name):
        absent = next(name for name in by_name if name not in values)
        raise ValueError(
            f"options must be names at the star of the answer, got {absent!r}; known are {', '.join(values)}"
        )
    if way == "order":
        return tuple(by_name[name] for name in ranking)
    return (by_name[ranking[0] if way == "lowest" else ranking[-1]],)


def sentence_of(question: Question, summary: Mapping[str, Any], write: Write) -> str:
    """The sentence of `says` that is true of the run, its places filled. Errors: ValueError in one sentence."""
    index, answer = 0, truth(question, summary)
    if question.kind == "choice" and isinstance(answer, tuple):
        index = [option.text for option in question.options].index(answer[0])
    return fill_in(question.says[index], question, summary, write)


def fill_in(sentence: str, question: Question, summary: Mapping[str, Any], write: Write) -> str:
    """The sentence, with the numbers of the summary at its places.

    Errors: ValueError in one sentence if a place is not in the summary or holds no number.
    """

    def value(match: re.Match[str]) -> str:
        if match[1] is None:
            return match[0]
        path, colon, figures = match[1].partition(":")
        if colon and figures not in tuple("123456"):
            raise ValueError(f"figures must be 1 to 6, got {match[0]!r}; write {{{path}:2}}")
        if path == ANSWER and question.kind == "order":
            order = truth(question, summary)
            return THEN.join(order) if isinstance(order, tuple) else str(order)
        path = question.answer if path == ANSWER else path
        way, names = parts_of(path)
        if way:
            raise ValueError(f"a place must be one number, got {match[0]!r} for {path!r}; write a path without a star")
        return write(number_at(summary, names, path), int(figures) if colon else None)

    return PLACE.sub(value, sentence)


def is_right(question: Question, guess: Any, summary: Mapping[str, Any]) -> bool | None:
    """Whether a choice or an order is right; None for a number, which is near or far and never right."""
    if question.kind == "number":
        return None
    answer = truth(question, summary)
    return (tuple(guess) if question.kind == "order" else (guess,)) == answer


def _option_at(options: Sequence[Option], value: float) -> Option:
    """The option whose range the value falls into."""
    return next(option for option in options if option.below is None or value < option.below)
