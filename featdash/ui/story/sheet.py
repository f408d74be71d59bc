"""The teacher's sheet: one printable page of a story, made from its file."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from featdash.recipes.events import Result
from featdash.stories.story import Question, Scene, Story
from featdash.ui import streamlit_internals
from featdash.ui.kit import layout
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.story.question import answer_of

QUESTIONS = 3
STYLE = "h2 {font-size: 1.25rem !important;}"
FAILS = (
    "**If a run does not come**: every scene has a recorded run and needs no computing; load the page again. "
    "Without a network nothing is missing, because nothing is loaded from elsewhere."
)
KEYS = (
    "← → go from scene to scene, space shows the answer, then plays and holds the film, comma and full stop go one "
    "moment back or forward, f fills the window with the large picture, h hides the words, Esc ends"
)


def draw(story: Story, result_of: Callable[[Scene], Result | None]) -> None:
    """Goal, minutes, questions with options, answers and notes; the browser's own command prints it.

    result_of : the result of a scene's run, None if it is not stored here.
    """
    st.html(f"<style>{streamlit_internals.PRINT}{STYLE}</style>")
    layout.heading(plain_text(story.title))
    st.markdown(f"**Goal.** {story.goal} **{story.minutes} minutes**, {len(story.scenes)} scenes.")
    questions = [(scene, scene.question) for scene in story.scenes if scene.question]
    few = f"The first {QUESTIONS} of {len(questions)} questions"
    st.markdown(f"## {few if len(questions) > QUESTIONS else 'Questions'}")
    for scene, question in questions[:QUESTIONS]:
        title = scene.title if scene.title.endswith(("?", "!")) else f"{scene.title}."
        st.markdown(f"**{plain_text(title)}** {question.prompt} {_options(question)}")
        result = result_of(scene)
        st.markdown(f"> {answer_of(question, result.summary) if result else question.because}")
        if scene.notes:
            st.markdown(scene.notes)
    st.markdown("## The scenes")
    scenes = enumerate(story.scenes, start=1)
    st.markdown(
        " · ".join(f"{number} {plain_text(one.title)}{' (asks)' if one.question else ''}" for number, one in scenes)
    )
    st.markdown("## If something fails")
    st.markdown(f"**On the wall**: p begins, {KEYS}.\n\n{FAILS}")


def _options(question: Question) -> str:
    """The possible answers, in brackets."""
    if question.kind == "number":
        return f"(a number from {question.low:g} to {question.high:g} {question.unit})".replace(" )", ")")
    return "(" + " / ".join(option.text for option in question.options) + ")"
