"""The blocks of a lesson, in the order every page keeps: question, formula, controls, picture, reading, try, source."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.runtime.pages_manager import PagesManager

from featdash.ui.visitor import PRESENTER

# Little padding, so that controls and main picture share one screen of 1280 by 720.
COMPACT = """<style>
[data-testid="stCheckbox"] {min-height: 1.5rem;}
.block-container {padding: 3.9rem 1.2rem 1rem; max-width: none;}
[data-testid="stVerticalBlock"] {gap: 0.45rem;}
[data-testid="stHorizontalBlock"] {gap: 0.7rem;}
[data-testid="stMarkdownContainer"] p {margin-bottom: 0.2rem;}
[data-testid="stWidgetLabel"] p {font-size: 0.85rem; white-space: nowrap;}
[class*="st-key-fine-"] p {font-size: 0.8rem; line-height: 1.3;}
[class*="st-key-fine-"] [data-testid="stMarkdownContainer"] {margin-bottom: 0;}
[data-testid="stSliderTickBar"] {display: none;}
.featdash-chart {width: 100%;}
.featdash-chart:focus-visible {outline: 2px solid var(--st-primary-color); outline-offset: 1px;}
</style>"""
# No text below 18 pixels; spaces, which follow the root's size, grow less, and what does not fit its line takes two.
LARGE = """<style>
html {font-size: 18px;}
[data-testid="stMarkdownContainer"] :is(p, li), [data-testid="stWidgetLabel"] p, [class*="st-key-fine-"] p,
[data-testid="stCaptionContainer"] p, [data-testid="stSliderThumbValue"], [data-baseweb="select"] *,
.stApp :is(input, textarea, button, a, label, small, .stMarkdownBadge) {font-size: 18px !important;}
[data-testid="stWidgetLabel"] p, [data-testid="stCheckbox"] p {white-space: normal; overflow: visible;}
[data-testid="stPopover"] button {padding-left: 0.3rem; padding-right: 0.1rem;}
[data-testid="stButton"] button {padding-left: 0.3rem; padding-right: 0.3rem;}
[data-testid="stWidgetLabel"] [data-testid="stTooltipIcon"], [data-testid="stNumberInput"] button {display: none;}
</style>"""


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
    st.html(COMPACT + (LARGE if st.session_state.get(PRESENTER) else ""))
    asked, *written, projector = st.columns([5.6, 5.4, 1.7] if formula else [11, 1.7], vertical_alignment="center")
    asked.markdown(f"**{question}**")
    for place in written:
        small_text(place, formula, "formula")
    projector.toggle("Larger text", key=PRESENTER, persist_state="session")


def small_text(place: DeltaGenerator, text: str, name: str) -> None:
    """Text a little smaller than the rest, where a line must hold much; `name` is unique on the page."""
    place.container(key=f"fine-{name}").markdown(text)


def restart_through_app() -> None:
    """Begin again through app.py if this page was opened before anyone opened the frame.

    A server that has not run `st.navigation` yet takes the files of pages/ for an app of the old kind, without a frame.
    """
    if PagesManager.uses_pages_directory:
        PagesManager.uses_pages_directory = False
        st.rerun()


def how_to_read(text: str) -> None:
    """How to read the picture."""
    st.markdown(f"##### How to read this\n{text}")


def suggestions(place: DeltaGenerator, choices: Sequence[Trial], load: Load, name: str) -> None:
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
