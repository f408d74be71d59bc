"""The blocks of a lesson, in the order every page keeps: question, formula, controls, picture, reading, try, source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from featdash.ui import streamlit_internals
from featdash.ui.streamlit_internals import Place
from featdash.ui.visitor import PRESENTER

# Little padding, so that controls and main picture share one screen of 1280 by 720.
COMPACT = """
label p {font-size: 0.85rem !important; white-space: nowrap;}
[class*="st-key-fine-"] p {font-size: 0.8rem; line-height: 1.3;}
[class*="st-key-fine-"] :has(> p) {margin-bottom: 0;}
"""
# No text below 18 pixels; spaces, which follow the root's size, grow less, and what does not fit its line takes two.
LARGE = """
html {font-size: 18px;}
body :is(p, li, input, button, a, label) {font-size: 18px !important;}
label p {white-space: normal; overflow: visible;}
"""


@dataclass(frozen=True)
class Trial:
    """A setting that loads with one click, and what should happen.

    switches : what the switches over the pictures are set to, by the names that the toolbar gives them, so that the
        picture spoken of is the one on show.
    """

    label: str
    values: Mapping[str, Any]
    expect: str
    switches: Mapping[str, Any] = field(default_factory=dict)


Load = Callable[[Trial], None]


def page_head(question: str, formula: str) -> None:
    """The question and the formula, side by side, and the switch for a projector; the formula may be empty."""
    style = streamlit_internals.COMPACT + COMPACT
    if st.session_state.get(PRESENTER):
        style += streamlit_internals.LARGE + LARGE
    st.html(f"<style>{style}</style>")
    asked, *written, projector = st.columns([5.6, 5.4, 1.7] if formula else [11, 1.7], vertical_alignment="center")
    asked.markdown(f"**{question}**")
    for place in written:
        small_text(place, formula, "formula")
    projector.toggle("Larger text", key=PRESENTER, persist_state="session")


def small_text(place: Place, text: str, name: str) -> None:
    """Text a little smaller than the rest, where a line must hold much; `name` is unique on the page."""
    place.container(key=f"fine-{name}").markdown(text)


def how_to_read(text: str) -> None:
    """How to read the picture."""
    st.markdown(f"##### How to read this\n{text}")


def suggestions(place: Place, choices: Sequence[Trial], load: Load, name: str) -> None:
    """The trials once more, behind a button of the first screen, which closes when one is chosen; `name` as in keys."""
    key = f"{name}.suggestions@"

    def chosen(trial: Trial) -> None:
        st.session_state[key] = False
        load(trial)

    about = "Settings worth a look: one click loads and shows them."
    with place.popover("Try", width="stretch", help=about, key=key, on_change="rerun"):
        for choice in choices:
            st.button(choice.label, on_click=chosen, args=(choice,), width="stretch", key=f"{key}{choice.label}")
            st.caption(choice.expect)


def trials(choices: Sequence[Trial], load: Load) -> None:
    """Buttons that load a setting; `load` is called with the trial before the page is drawn again."""
    st.markdown("##### Try")
    for column, choice in zip(st.columns(len(choices)), choices, strict=True):
        column.button(choice.label, on_click=load, args=(choice,), help=choice.expect, width="stretch")
        column.caption(choice.expect)


def source(text: str) -> None:
    """The paper, and the function that computes the page's numbers."""
    st.markdown(f"##### Source\n{text}")
