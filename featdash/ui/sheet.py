"""The teacher's sheet: one printable page of a story, made from its file."""

from __future__ import annotations

import streamlit as st

from featdash.stories.story import Question, Story
from featdash.ui import streamlit_internals
from featdash.ui.plain_text import plain_text

QUESTIONS = 3
FAILS = (
    "**If a run does not come**: every scene has a recorded run and needs no computing; load the page again. "
    "Without a network nothing is missing, for nothing comes from elsewhere."
)
KEYS = "**On the wall**: p begins and Esc ends, ← → go from scene to scene, space shows the answer, h hides the words."


def draw(story: Story) -> None:
    """Goal, minutes, questions with options and notes; the browser's own command prints it."""
    st.html(f"<style>{streamlit_internals.PRINT}</style>")
    st.markdown(f"### {plain_text(story.title)}")
    st.markdown(f"**Goal.** {story.goal} **{story.minutes} minutes**, {len(story.scenes)} scenes.")
    asked = [(scene, scene.question) for scene in story.scenes if scene.question]
    st.markdown("#### Questions")
    for scene, question in asked[:QUESTIONS]:
        st.markdown(f"**{scene.title}.** {question.prompt} {_options(question)}")
        st.markdown(f"> {question.because}")
        if scene.notes:
            st.markdown(scene.notes)
    st.markdown("#### The scenes")
    for number, scene in enumerate(story.scenes, start=1):
        st.markdown(f"{number}. {scene.title}" + (" (asks)" if scene.question else ""))
    st.markdown("#### If something fails")
    st.markdown(f"{KEYS}\n\n{FAILS}")


def _options(question: Question) -> str:
    """What can be answered."""
    if question.kind == "number":
        return f"(a number from {question.low:g} to {question.high:g} {question.unit})".replace(" )", ")")
    return "(" + " / ".join(option.text for option in question.options) + ")"
