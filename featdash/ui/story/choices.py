"""The options of a question, as buttons over its pictures that a click or a digit presses; then the right answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import streamlit as st

from featdash.stories.story import Question
from featdash.ui.kit import layout
from featdash.ui.kit.plain_text import plain_text

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th", "6th", "7th", "8th", "9th")
CHOSEN = ":material/check:"
GUESS, RIGHT = "your guess", "measured"
STYLE = """
.st-key-guess p {margin: 0;}
.st-key-choices {flex-wrap: wrap;}
.st-key-choices > * {flex: 1 1 auto;}
.st-key-choices button {width: 100%; min-height: 2.75rem; justify-content: flex-start; text-align: left;}
.st-key-choices button :is(div, p) {white-space: normal; overflow: visible;}
.st-key-choices kbd {padding: 0 0.4em; border: 1px solid rgb(128 128 128 / 60%); border-radius: 0.3em;}
.featdash-choices {display: flex; flex-wrap: wrap; gap: 0.4rem 0.6rem; margin: 0 0 0.3rem !important;
  padding: 0 !important; list-style: none;}
.featdash-choices li {margin: 0 !important; padding: 0.3rem 0.8rem; border: 2px solid transparent;
  border-radius: 0.5rem; outline: 1px solid rgb(128 128 128 / 45%);}
.featdash-choices .right {border-color: currentColor; font-weight: 600;}
.featdash-choices .guess {background: rgb(128 128 128 / 28%);}
.featdash-choices small {font-size: 0.85em; opacity: 0.85;}
"""
# In present mode the words below the pictures ask the question, and the back row reads the options.
ON_WALL = """
.st-key-guess > :first-child {display: none;}
.st-key-choices button {min-height: 0; padding: 0 0.8rem;}
.st-key-choices button * {font-size: calc(24px * var(--featdash-wall)); line-height: 1.2;}
.featdash-choices li {font-size: calc(24px * var(--featdash-wall)); line-height: 1.2;}
"""


def draw_buttons(question: Question, choice: Sequence[str], take: Callable[[str], None], key: str) -> None:
    """A button with a digit for each option; in an order, the options chosen so far show their place.

    choice : the texts chosen so far, in their order; take : called with the text of an option when it is pressed.
    """
    st.html(f"<style>{STYLE}{ON_WALL if layout.on_wall() else ''}</style>")
    with st.container(key="choices", horizontal=True, gap="xsmall"):
        for index, option in enumerate(question.options):
            is_chosen = option.text in choice
            place = f"{ORDINALS[choice.index(option.text)]}: " if is_chosen and question.kind == "order" else ""
            st.button(
                f"{place}{plain_text(option.text)}",
                on_click=take,
                args=(option.text,),
                type="primary" if is_chosen else "secondary",
                icon=CHOSEN if is_chosen else None,  # never by colour alone
                shortcut=str(index + 1),
                key=f"{key}.{index + 1}",
            )


def draw_outcome(question: Question, choice: Sequence[str], right: Sequence[str]) -> None:
    """The options, with the guess and the right one marked; or the guessed order above the right one."""
    style = f"<style>{STYLE}{ON_WALL if layout.on_wall() else ''}</style>"
    st.html(f"{style}{outcome_html(question, choice, right)}")


def outcome_html(question: Question, choice: Sequence[str], right: Sequence[str]) -> str:
    """The HTML that `draw_outcome` shows."""
    if question.kind == "order":
        whole = len(choice) == len(question.options)
        rows = [(GUESS, choice, "guess")] if whole else []
        lines = [_list([_item(text, kind, name if not index else "") for index, text in enumerate(texts)])
                 for name, texts, kind in [*rows, (RIGHT, right, "right")]]  # fmt: skip
        return "".join(lines)
    items = []
    for option in question.options:
        is_guess, is_right = option.text in choice, option.text in right
        words = " · ".join([*([RIGHT] if is_right else []), *([GUESS] if is_guess else [])])
        items.append(_item(option.text, f"{'right ' * is_right}{'guess' * is_guess}".strip(), words))
    return _list(items)


def _list(items: Sequence[str]) -> str:
    return f'<ul class="featdash-choices">{"".join(items)}</ul>'


def _item(text: str, kind: str, words: str) -> str:
    note = f" <small>({words})</small>" if words else ""
    return f'<li class="{kind}">{escape(text)}{note}</li>'
