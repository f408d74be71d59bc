"""The text below the pictures, in tabs: the browser gets the formulas of a tab only when the visitor opens it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from featdash.recipes.claim import claims_of, limits_of
from featdash.runs.run import Run
from featdash.ui.kit import glossary
from featdash.ui.kit.link import Home
from featdash.ui.page import blocks, claims_view, take_away, theorem_card
from featdash.ui.stage.lesson import Lesson

READING, LIMITS, THEORY, CLAIMS = "How to read", "What this does not show", "Theory", "Claims"
DATA = "Data and take-away"
NOT_YET = "The numbers come here once the run has ended."
UNANSWERED = "This comes once you have seen the answer: it would give it away."


def below(run: Run | None, part: Lesson, home: Home, asks: bool = False) -> None:
    """The tabs of a lesson, in the same order on every page; Theory only for a lesson with theorems.

    asks : whether a question is open, which the claims and the data would answer.
    """
    tabs: dict[str, Callable[[], None]] = {
        READING: lambda: _reading(part),
        LIMITS: lambda: glossary.text(limits_of(part.experiment.name)),
        CLAIMS: _say_unanswered if asks else lambda: _claims(part),
        DATA: _say_unanswered if asks else lambda: _data(run, part, home),
    }
    if run and run.spec and part.theory:
        theory = part.theory(run.spec)
        tabs = {READING: tabs[READING], LIMITS: tabs[LIMITS], THEORY: lambda: theorem_card.card(theory), **tabs}
    places = st.tabs(list(tabs), on_change="rerun", key=f"{part.experiment.name}.below@")
    for place, draw in zip(places, tabs.values(), strict=True):
        if place.open:
            with place:
                draw()


def _reading(part: Lesson) -> None:
    blocks.how_to_read(part.text.formula, part.text.reading)
    glossary.whole()


def _claims(part: Lesson) -> None:
    claims_view.table(claims_of(part.experiment.name))
    st.markdown(f"[Every claim, with the place where it can be checked →]({claims_view.PATH})")
    blocks.source(part.text.source)


def _say_unanswered() -> None:
    st.markdown(UNANSWERED)


def _data(run: Run | None, part: Lesson, home: Home) -> None:
    takeaway = take_away.taken_run(run, part, home)
    if takeaway:
        take_away.data(takeaway)
    else:
        st.markdown(NOT_YET)
