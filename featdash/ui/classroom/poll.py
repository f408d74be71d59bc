"""A question as a class meets it, and the picture of its answers once the class may see them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from featdash.classroom.question import Answer, Question
from featdash.classroom.room import RoomView
from featdash.figures.guesses import Guesses
from featdash.figures.prediction import Prediction
from featdash.figures.text import number
from featdash.figures.votes import Votes
from featdash.recipes.events import Result
from featdash.stories import story
from featdash.stories.answer import THEN, truth
from featdash.ui.story.question import bands_of

FLASH = "flash"
FLASHES = {"A B C D": ("A", "B", "C", "D"), "yes / no": ("Yes", "No")}  # options of a question without preparation
FLASH_PROMPT = "Choose one: your lecturer says what it is about."
FEW, MANY = 0.3, 0.7  # shares of right answers below which talking does not help, and above which it is not needed
ADVICE = (
    "Few are right: explain it once more, then ask again.",
    "Let them talk with their neighbours, then ask again.",
    "Most are right: show the answer and go on.",
)
MOST_ORDERS = 6  # on the wall, the most frequent first


def class_question(question: story.Question, name: str) -> Question:
    """What phones may know of a story's question: neither its answer and reason, nor the bounds of its options."""
    texts = tuple(option.text for option in question.options)
    axis = (question.low, question.high, question.log, question.unit)
    return Question(name, question.kind, question.prompt, texts, *axis)


def flash_question(label: str) -> Question:
    """A question that is asked by one click, and has no computed answer."""
    return Question(FLASH, "choice", FLASH_PROMPT, FLASHES[label])


def is_named(question: Question | None, name: str) -> bool:
    """Whether it is the question of that name; asked a second time, it has `~` and a number behind its name."""
    return question is not None and question.id.partition("~")[0] == name


@dataclass(frozen=True)
class Poll:
    """A scene's question and its class.

    question : None if the scene asks none; name : the name that the room gives it.
    answers : None before the class may see them; answer_known : whether the class has seen the right answer before.
    """

    question: story.Question | None
    name: str
    view: RoomView
    answers: Sequence[Answer] | None = None
    answer_known: bool = False

    @property
    def revealed(self) -> bool:
        """Whether the room shows the answers to its last question."""
        return self.view.status == "revealed" and self.answers is not None

    @property
    def hides(self) -> bool:
        """Whether the scene's pictures hide what would answer its question."""
        return self.question is not None and not (self.answer_known or self.answers_visible)

    @property
    def is_asked(self) -> bool:
        """Whether the scene's question is the room's last one, open or not."""
        return self.question is not None and is_named(self.view.question, self.name)

    @property
    def answers_visible(self) -> bool:
        """Whether the room shows the answers to the scene's question."""
        return self.revealed and is_named(self.view.question, self.name)

    def prediction(self, result: Result | None, panel: str) -> Prediction | None:
        """What the question does to a picture of the scene."""
        question = self.question
        if question is None:
            return None
        if self.hides:
            bands = bands_of(question) if question.kind == "choice" and panel == question.on else ()
            return Prediction(True, axis=question.axis, bands=bands) if question.hides(panel) else None
        if panel != question.on:
            return None
        outcome = self.outcome(result) if self.answers_visible else None
        if question.kind != "number":
            votes = outcome if isinstance(outcome, Votes) else None
            return Prediction(False, axis=question.axis, bands=bands_of(question), votes=votes)
        value = truth(question, result.summary) if result else None
        answer = value if isinstance(value, float) else None
        return Prediction(False, None, answer, question.axis, outcome if isinstance(outcome, Guesses) else None)

    def outcome(self, result: Result | None) -> Guesses | Votes | None:
        """What the class has answered to the room's question; None before it may be seen."""
        if not self.revealed or self.view.question is None or self.answers is None:
            return None
        question, rounds = self.view.question, _rounds(self.answers, self.view.round)
        unsure = tuple(sum(answer.value is None for answer in of_round) for of_round in rounds)
        if question.kind == "number":
            numbers = tuple(tuple(sorted(one.value for one in each if isinstance(one.value, float))) for each in rounds)
            return Guesses(numbers, unsure, question.low, question.high, question.log)
        right = truth(self.question, result.summary) if self.answers_visible and self.question and result else ""
        name = THEN.join(right) if isinstance(right, tuple) else ""
        counts = [Counter(_text(one) for one in each if one.value is not None) for each in rounds]
        options = question.options if question.kind == "choice" else _orders(counts, name)
        return Votes(options, tuple(tuple(count[one] for one in options) for count in counts), unsure, name)


def split_text(question: Question, answers: Sequence[Answer], right: Sequence[bool] | None, advises: bool) -> str:
    """How a closed round came out, in Markdown, for the host alone.

    right : for each answer that is no «not sure» whether it is right, None if nobody can say; the share counts all.
    advises : whether to say what to do next.
    A number is near or far and never right: guesses of a number get their median and no advice.
    """
    if not answers:
        return "Nobody has answered."
    unsure = sum(one.value is None for one in answers)
    if question.kind == "number":
        guesses = sorted(one.value for one in answers if isinstance(one.value, float))
        low, middle, high = (number(float(one)) for one in np.quantile(guesses or [0.0], (0.25, 0.5, 0.75)))
        parts = [f"{len(guesses)} guesses", f"median {middle}", f"half of them from {low} to {high}"] if guesses else []
    else:
        counts = Counter(_text(one) for one in answers if one.value is not None)
        options = question.options if question.kind == "choice" else _orders([counts], "")
        parts = [f"{option}: {counts[option]}" for option in options]
    line = " · ".join([*parts, *([f"not sure: {unsure}"] if unsure else [])])
    if right is None:
        return line
    share = sum(right) / len(answers)
    advice = f" {ADVICE[(share >= FEW) + is_settled(answers, right)]}" if advises else ""
    return f"**{sum(right)} of {len(answers)} right ({share:.0%}).**{advice}\n\n{line}"


def is_settled(answers: Sequence[Answer], right: Sequence[bool] | None) -> bool:
    """Whether so many are right, as `split_text` has it, that a second round is not needed."""
    return bool(answers) and right is not None and sum(right) / len(answers) > MANY


def _rounds(answers: Sequence[Answer], last: int) -> list[list[Answer]]:
    """The answers of the first round, and of the second where there was one."""
    return [[answer for answer in answers if answer.round == number] for number in range(1, max(last, 1) + 1)]


def _text(answer: Answer) -> str:
    return THEN.join(answer.value) if isinstance(answer.value, tuple) else str(answer.value)


def _orders(counts: Sequence[Counter[str]], right: str) -> tuple[str, ...]:
    """The orders that were given most often in the last round or before, and the right one."""
    often = [order for order, _ in sum(reversed(counts), Counter[str]()).most_common(MOST_ORDERS)]
    return tuple(often) if not right or right in often else (*often[: MOST_ORDERS - 1], right)
