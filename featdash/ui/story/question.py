"""A question of a story: the visitor's guess and, after it, the answer that the run gives."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st

from featdash.figures.prediction import Band, Prediction
from featdash.figures.text import MINUS, number
from featdash.recipes.events import Result
from featdash.stories.answer import is_right, sentence_of, truth
from featdash.stories.story import Question
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.story import choices

STOPS = 60  # equal steps of the axis of a number
CLOSE = 1.1  # a guess within this factor of the answer is called close
FIGURES = 2  # of a measured number in an answer, where the story does not say
MARKS = {True: "✓", False: "✗", None: "•"}
NOT_YET = "The answer comes with the end of the run."
PLAYS = "Watch: the answer comes when the pictures stop moving."


class Attempt:
    """One visitor's attempt at a question; `key` is unique to the scene. Nothing is scored, and nothing is stored."""

    def __init__(self, question: Question, key: str) -> None:
        self.question, self.key = question, key
        self.answer_is_new = False  # drawn for the first time since it was asked for

    @property
    def answer_visible(self) -> bool:
        """Whether the visitor has asked for the answer."""
        return bool(st.session_state.get(f"{self.key}.shown@"))

    @property
    def guess(self) -> Any:
        """A number, an option's text, or all texts in their order; None before there is a guess."""
        guess, whole = st.session_state.get(f"{self.key}.guess@"), len(self.question.options)
        if isinstance(guess, list):
            return tuple(guess) if len(guess) == whole else None
        return guess

    def draw_guess(self) -> None:
        """The prompt and the control for the guess."""
        question, key = self.question, f"{self.key}.guess"
        with st.container(key="guess", gap="xsmall"):
            st.markdown(f"**Your guess.** {question.prompt}")
            if question.options:
                choices.draw_buttons(question, self._choice(), self._choose, key)
            else:
                self._draw_slider(key)

    def _draw_slider(self, key: str) -> None:
        question = self.question
        if (guess := st.session_state.get(f"{key}@")) is not None:
            if st.session_state.pop(f"{self.key}.pointed@", False):
                st.session_state[key] = guess  # it was made in the picture
            st.session_state.setdefault(key, guess)  # the visitor has been at another scene
        stops = stops_of(question)
        unit = f" {question.unit}" if question.unit else ""
        now = st.session_state.setdefault(key, stops[len(stops) // 2])  # the middle is nobody's guess until it is moved
        settings: dict[str, Any] = {"value": now, "key": key, "label_visibility": "collapsed", "on_change": self._keep}
        st.select_slider(question.prompt, stops, format_func=lambda value: f"{number(value)}{unit}", **settings)

    def _choice(self) -> tuple[str, ...]:
        """The options chosen so far; of an order, its beginning."""
        guess = st.session_state.get(f"{self.key}.guess@")
        return tuple(guess) if isinstance(guess, list) else (guess,) if guess in self._texts() else ()

    def _texts(self) -> list[str]:
        return [option.text for option in self.question.options]

    def _choose(self, text: str) -> None:
        """Choose an option; in an order it comes next or, if it has a place already, it is undone with all after it."""
        guess: Any = text
        if self.question.kind == "order":
            order = list(self._choice())
            guess = order[: order.index(text)] if text in order else [*order, text]
        st.session_state[f"{self.key}.guess@"] = guess

    def _keep(self) -> None:
        """Take the guess at once, and not when its control is drawn: «Show me» may be pressed before that."""
        st.session_state[f"{self.key}.guess@"] = st.session_state[f"{self.key}.guess"]

    def point(self, value: Any) -> None:
        """Take a guess that the visitor made in the picture: the index of an option, or a number.

        A number becomes the nearest stop of its axis; anything else from the browser is ignored.
        """
        question = self.question
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            return
        if question.kind == "choice" and value in range(len(question.options)):
            guess: Any = question.options[int(value)].text
        elif question.kind == "number" and (value > 0 or not question.log):
            scale = math.log if question.log else float
            guess = min(stops_of(question), key=lambda stop: abs(scale(stop) - scale(value)))
        else:
            return
        st.session_state[f"{self.key}.guess@"] = guess
        st.session_state[f"{self.key}.pointed@"] = True

    def show(self) -> None:
        """Make the answer visible; for a callback."""
        st.session_state[f"{self.key}.shown@"] = st.session_state[f"{self.key}.new@"] = True

    def draw_answer(self, result: Result | None, plays: bool) -> None:
        """The question, the guess, the answer and its reason; the last two only once no film `plays` any more."""
        st.markdown(f"**{self.question.prompt}** {self.guess_sentence()}")
        if plays:
            st.info(PLAYS)
            return
        kind, text = self.answer(result)
        with st.container(key="answer"):
            (st.success if kind else st.info)(text)
        self.answer_is_new = st.session_state.pop(f"{self.key}.new@", False)

    def draw_outcome(self, result: Result | None, plays: bool) -> None:
        """Options that are no ranges of an axis, with the guess and the right one marked, once no film `plays`."""
        if self.question.options and not self.question.on and result is not None and not plays:
            right = truth(self.question, result.summary)
            choices.draw_outcome(self.question, self._choice(), right if isinstance(right, tuple) else ())

    def answer(self, result: Result | None) -> tuple[bool | None, str]:
        """Whether the guess is right, None if nobody can say, and the answer in Markdown.

        It is the answer of the scene's own run: a setting that the visitor moves later does not change it.
        """
        key = f"{self.key}.answer@"
        if key not in st.session_state:
            if result is None:
                return None, NOT_YET
            st.session_state[key] = self._answer(result)
        return st.session_state[key]

    def _answer(self, result: Result) -> tuple[bool | None, str]:
        question, guess = self.question, self.guess
        right = is_right(question, guess, result.summary) if guess is not None else None
        value = truth(question, result.summary) if isinstance(guess, float) else None
        remark = f" {distance(guess, value, question.log)}" if isinstance(value, float) else ""
        return right, f"{MARKS[right]} {answer_of(question, result.summary)}{remark}"

    def guess_sentence(self) -> str:
        """The guess in a sentence; "" if there is none."""
        guess, unit = self.guess, self.question.unit
        if guess is None:
            return ""
        words = number(guess) if isinstance(guess, float) else ", ".join(guess) if isinstance(guess, tuple) else guess
        return f"You said: {plain_text(words)} {unit}".rstrip() + "."

    def prediction(self, panel: str, result: Result | None) -> Prediction | None:
        """What the question hides or adds in the picture of that panel; None for nothing."""
        question, open_ = self.question, not self.answer_visible
        hides, here = open_ and question.hides(panel), panel == question.on
        if not here:
            return Prediction(hidden=True) if hides else None
        if question.kind == "number":
            value = None if open_ or result is None else truth(question, result.summary)
            answer = value if isinstance(value, float) else None
            return Prediction(hides, self.guess, answer, question.axis, asks=open_)
        texts = self._texts()
        choice = texts.index(self.guess) if self.guess in texts else None
        return Prediction(hides, axis=question.axis, bands=bands_of(question), choice=choice, asks=open_)


def bands_of(question: Question) -> tuple[Band, ...]:
    """The options of a choice as ranges on the axis of its picture."""
    limits = [None, *(option.below for option in question.options)]
    texts = [option.text for option in question.options]
    return tuple(Band(*one) for one in zip(texts, limits[:-1], limits[1:], strict=True))


def distance(guess: float, value: float, log: bool) -> str:
    """How far a guess is from the measured value: their ratio on a logarithmic axis, else their difference."""
    if not log:
        return f"Your guess was off by {number(float(f'{abs(guess - value):.2g}'))}."
    times = max(guess, value) / min(guess, value) if min(guess, value) > 0 else math.inf
    if times < CLOSE:
        return "Your guess was within 10 % of it."
    return f"Your guess was {number(float(f'{times:.2g}'))} times too {'high' if guess > value else 'low'}."


def answer_of(question: Question, summary: Mapping[str, Any]) -> str:
    """The answer in a sentence, and the reason, in Markdown."""
    return f"**{sentence_of(question, summary, write_number)}** {question.because}"


def write_number(value: float, figures: int | None) -> str:
    """A number in an answer, to so many figures, zeros included; by default counts in full, other numbers to two."""
    if figures is None and float(value).is_integer():
        return number(value)
    figures = figures or FIGURES
    value = float(f"{value:.{figures}g}")
    if 1e-3 <= abs(value) < 10 ** (figures - 1):
        return f"{value:#.{figures}g}".rstrip(".").replace("-", MINUS)
    return number(value)


def stops_of(question: Question) -> list[float]:
    """Where a number can be put on its axis: evenly spaced, to two or three figures."""
    low, high = question.low, question.high
    if question.log:
        values = np.geomspace(low, high, STOPS + 1)
        return sorted({float(f"{value:.2g}") for value in values})
    digits = 1 - math.floor(math.log10((high - low) / STOPS))
    return sorted({round(float(value), digits) for value in np.linspace(low, high, STOPS + 1)})
