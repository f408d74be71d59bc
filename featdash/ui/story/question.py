"""A question of a story: the guess, and after it the answer, which is read from the run."""

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

STOPS = 60  # of the axis of a number
CLOSE = 1.1  # times, up to which a guess is said to be right
FIGURES = 2  # of a measured number in an answer, where the story does not say
MARKS = {True: "✓", False: "✗", None: "•"}
NOT_YET = "The answer comes with the end of the run."
PLAYS = "Watch: the answer comes when the pictures stop moving."


class Asked:
    """One question as this visitor meets it; `key` is unique to the scene. Nothing is scored, nothing is kept."""

    def __init__(self, question: Question, key: str) -> None:
        self.question, self.key = question, key

    @property
    def shown(self) -> bool:
        """Whether the visitor has asked for the answer."""
        return bool(st.session_state.get(f"{self.key}.shown@"))

    @property
    def guess(self) -> Any:
        """A number, an option's text, the texts in their order, or None."""
        kept, whole = st.session_state.get(f"{self.key}.guess@"), len(self.question.options)
        if isinstance(kept, list):
            return tuple(kept) if len(kept) == whole else None
        return kept

    def draw_guess(self) -> None:
        """The prompt and the control for the guess."""
        question, key = self.question, f"{self.key}.guess"
        with st.container(key="guess", gap="xsmall"):
            st.markdown(f"**Your guess.** {question.prompt}")
            if question.options:
                choices.draw_buttons(question, self._chosen(), self._choose, key)
            else:
                self._draw_slider(key)

    def _draw_slider(self, key: str) -> None:
        question = self.question
        if (kept := st.session_state.get(f"{key}@")) is not None:
            if st.session_state.pop(f"{self.key}.pointed@", False):
                st.session_state[key] = kept  # it was made in the picture
            st.session_state.setdefault(key, kept)  # the visitor has been at another scene
        stops = stops_of(question)
        unit = f" {question.unit}" if question.unit else ""
        now = st.session_state.setdefault(key, stops[len(stops) // 2])  # the middle is nobody's guess until it is moved
        settings: dict[str, Any] = {"value": now, "key": key, "label_visibility": "collapsed", "on_change": self._keep}
        st.select_slider(question.prompt, stops, format_func=lambda value: f"{number(value)}{unit}", **settings)

    def _chosen(self) -> tuple[str, ...]:
        """The options taken so far, of an order those of its beginning."""
        kept = st.session_state.get(f"{self.key}.guess@")
        return tuple(kept) if isinstance(kept, list) else (kept,) if kept in self._texts() else ()

    def _texts(self) -> list[str]:
        return [option.text for option in self.question.options]

    def _choose(self, text: str) -> None:
        """Take an option; of an order the next one, or back to before it where it is taken already."""
        guess: Any = text
        if self.question.kind == "order":
            taken = list(self._chosen())
            guess = taken[: taken.index(text)] if text in taken else [*taken, text]
        st.session_state[f"{self.key}.guess@"] = guess

    def _keep(self) -> None:
        """Take the guess at once, and not where its control is drawn: «Show me» may be pressed before that."""
        st.session_state[f"{self.key}.guess@"] = st.session_state[f"{self.key}.guess"]

    def point(self, told: Any) -> None:
        """Take the guess that the browser says was made in the picture: an option's place, or a number.

        A number goes to the nearest that can be guessed; what is neither is passed over.
        """
        question = self.question
        if isinstance(told, bool) or not isinstance(told, int | float) or not math.isfinite(told):
            return
        if question.kind == "choice" and told in range(len(question.options)):
            guess: Any = question.options[int(told)].text
        elif question.kind == "number" and (told > 0 or not question.log):
            scale = math.log if question.log else float
            guess = min(stops_of(question), key=lambda stop: abs(scale(stop) - scale(told)))
        else:
            return
        st.session_state[f"{self.key}.guess@"] = guess
        st.session_state[f"{self.key}.pointed@"] = True

    def show(self) -> None:
        """Ask for the answer; for a callback."""
        st.session_state[f"{self.key}.shown@"] = True

    def draw_answer(self, result: Result | None, plays: bool) -> None:
        """What was asked and guessed, what is, and why; the last two once nothing `plays` any more."""
        st.markdown(f"**{self.question.prompt}** {self._said()}")
        if plays:
            st.info(PLAYS)
            return
        kind, told = self.answer(result)
        (st.success if kind else st.info)(told)

    def draw_outcome(self, result: Result | None, plays: bool) -> None:
        """Of options that are no ranges of an axis: the guess beside the right one, once nothing `plays` any more."""
        if self.question.options and not self.question.on and result is not None and not plays:
            right = truth(self.question, result.summary)
            choices.draw_outcome(self.question, self._chosen(), right if isinstance(right, tuple) else ())

    def answer(self, result: Result | None) -> tuple[bool | None, str]:
        """Whether the guess is right, None where that cannot be said, and the answer in Markdown.

        It is that of the scene as it was told: a setting that the visitor moves later does not change it.
        """
        kept = f"{self.key}.answer@"
        if kept not in st.session_state:
            if result is None:
                return None, NOT_YET
            st.session_state[kept] = self._answer(result)
        return st.session_state[kept]

    def _answer(self, result: Result) -> tuple[bool | None, str]:
        question, guess = self.question, self.guess
        right = is_right(question, guess, result.summary) if guess is not None else None
        found = truth(question, result.summary) if isinstance(guess, float) else None
        missed = f" {distance(guess, found, question.log)}" if isinstance(found, float) else ""
        return right, f"{MARKS[right]} {answer_of(question, result.summary)}{missed}"

    def _said(self) -> str:
        """The guess in words."""
        guess, unit = self.guess, self.question.unit
        if guess is None:
            return ""
        told = number(guess) if isinstance(guess, float) else ", ".join(guess) if isinstance(guess, tuple) else guess
        return f"You said: {plain_text(told)} {unit}".rstrip() + "."

    def prediction(self, panel: str, result: Result | None) -> Prediction | None:
        """What the question does to a picture of the scene."""
        question, open_ = self.question, not self.shown
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
    """The ranges of a choice, which stand on the axis of its picture."""
    limits = [None, *(option.below for option in question.options)]
    texts = [option.text for option in question.options]
    return tuple(Band(*one) for one in zip(texts, limits[:-1], limits[1:], strict=True))


def distance(guess: float, found: float, log: bool) -> str:
    """How far a guess is from what was found: their ratio on a logarithmic axis, else their difference."""
    if not log:
        return f"Your guess was off by {number(float(f'{abs(guess - found):.2g}'))}."
    times = max(guess, found) / min(guess, found) if min(guess, found) > 0 else math.inf
    if times < CLOSE:
        return "Your guess was within 10 % of it."
    return f"Your guess was {number(float(f'{times:.2g}'))} times too {'high' if guess > found else 'low'}."


def answer_of(question: Question, summary: Mapping[str, Any]) -> str:
    """What is, in a sentence, and why, in Markdown."""
    return f"**{sentence_of(question, summary, write_number)}** {question.because}"


def write_number(value: float, figures: int | None) -> str:
    """A number in an answer, to so many figures, zeros too; where none are given a count in full, another to two."""
    if figures is None and float(value).is_integer():
        return number(value)
    figures = figures or FIGURES
    rounded = float(f"{value:.{figures}g}")
    if 1e-3 <= abs(rounded) < 10 ** (figures - 1):
        return f"{rounded:#.{figures}g}".rstrip(".").replace("-", MINUS)
    return number(rounded)


def stops_of(question: Question) -> list[float]:
    """Where a number can be put on its axis: evenly spaced, to two or three figures."""
    low, high = question.low, question.high
    if question.log:
        values = np.geomspace(low, high, STOPS + 1)
        return sorted({float(f"{value:.2g}") for value in values})
    digits = 1 - math.floor(math.log10((high - low) / STOPS))
    return sorted({round(float(value), digits) for value in np.linspace(low, high, STOPS + 1)})
