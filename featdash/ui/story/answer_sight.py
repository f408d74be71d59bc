"""An answer that comes is scrolled into sight, where the column of words is too short for it."""

from __future__ import annotations

import streamlit as st

# On a phone the column is no box of its own, and nothing happens.
SCRIPT = """
export default function () {
  const column = document.querySelector(".st-key-aside");
  const answer = column?.querySelector(".st-key-answer");
  if (!answer) return;
  const beyond = answer.getBoundingClientRect().bottom - column.getBoundingClientRect().bottom;
  if (beyond > 0) column.scrollTop += beyond;
}
"""

_component = st.components.v2.component("featdash_answer_sight", js=SCRIPT, isolate_styles=False)


def scroll_to_answer() -> None:
    """Mount the script; call it where the answer is drawn for the first time, below it."""
    _component(key="answer-sight")
