"""Blocks of text that every lesson has, and its suggestions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from featdash.ui.kit import glossary
from featdash.ui.stage.lesson import Trial

Load = Callable[[Trial], None]


def small_text(text: str, name: str) -> None:
    """Text a little smaller than the rest, for a line that must hold much; `name` is unique on the page."""
    st.container(key=f"fine-{name}").markdown(text)


def scene_words(text: str) -> None:
    """The words of a story's scene."""
    glossary.text(text)


def how_to_read(formula: str, text: str) -> None:
    """The formula that the page is about, and how to read the pictures."""
    glossary.text(f"{formula}\n\n{text}")


def suggestions(choices: Sequence[Trial], load: Load, name: str) -> None:
    """Settings that are worth a look, behind a button that closes when the visitor chooses one; `name` : for its keys.

    It closes because its key changes: a browser that is about to say that the old one is open cannot undo that.
    """
    count_key = f"{name}.suggestions@"
    key = f"{count_key}{st.session_state.setdefault(count_key, 0)}"

    def choose_trial(trial: Trial) -> None:
        st.session_state[count_key] += 1
        load(trial)

    about = "Settings that are worth a look; one click loads them."
    with st.popover("Try", width="stretch", help=about, key=key, on_change="rerun"):
        for choice in choices:
            st.button(choice.label, on_click=choose_trial, args=(choice,), width="stretch", key=f"{key}{choice.label}")
            st.caption(choice.expect)


def source(text: str) -> None:
    """The paper, and the function that computes the page's numbers."""
    st.markdown(f"## Source\n{text}")
