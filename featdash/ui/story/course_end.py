"""The end of a story: what you learned, two questions on its earlier scenes, and the story that comes next."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from featdash.stories.answer import is_right
from featdash.stories.course import next_story
from featdash.stories.story import Question, Scene, Story
from featdash.ui.kit import layout, navigation
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.stage.lesson import Lesson
from featdash.ui.story import progress, storybook
from featdash.ui.story.question import MARKS, answer_of
from featdash.ui.story.story_choice import Place

HOMES = "homes@"  # session-state key: experiment -> the page that it is on; the frame sets it
RECALLED = 2  # questions on earlier scenes


def address_of(name: str, story: Story, scene: int = 1) -> str:
    """The address of a scene of the story of that name, or of its last one if it has fewer scenes by now."""
    return f"{st.session_state[HOMES][story.lesson]}?story={name}&scene={min(scene, len(story.scenes))}"


def draw(place: Place, parts: Mapping[str, Lesson], answered: bool) -> None:
    """Note that the scene was visited, and answered; at the last scene, draw the end of the story into its column.

    answered : whether the visitor has asked for the answer of the scene on show.
    """
    progress.visit(place.name, place.number)
    if answered:
        progress.answer(place.name, place.number)
    if place.number < len(place.story.scenes) or layout.on_wall():
        return
    if place.scene.question and not answered:
        return  # the end comes after the last answer
    progress.finish(place.name)
    with st.container(key="end"):
        if place.story.learned:
            st.markdown(f"**What you learned.** {place.story.learned}")
        following = next_story(place.name)
        if following:
            story = storybook.library().stories[following]
            label, address = f"Next story: {plain_text(story.title)}", address_of(following, story)
            st.button(label, on_click=navigation.go, args=(address,), type="primary", width="stretch")
        for number, scene in scenes_to_recall(place):
            _recall(f"recall.{place.name}.{number}", scene, parts[scene.lesson])


def scenes_to_recall(place: Place) -> list[tuple[int, Scene]]:
    """(number, scene) of the earlier scenes whose question is asked once more, in the order of the story.

    Scenes are preferred whose answer cannot be read from the pictures of the last scene and, among equals, those with
    options.
    """
    *earlier, last = place.story.scenes
    questions = [(number, scene, scene.question) for number, scene in enumerate(earlier, 1) if scene.question]
    questions.sort(key=lambda one: (_shows_answer(last, one[1]), one[2].kind != "choice"))
    return sorted(((number, scene) for number, scene, _ in questions[:RECALLED]), key=lambda one: one[0])


def _shows_answer(last: Scene, scene: Scene) -> bool:
    """Whether the last scene shows a picture of that scene, drawn from the same run."""
    same_run = (last.lesson, last.settings) == (scene.lesson, scene.settings)
    return same_run and bool(set(last.show) & set(scene.show))


def _recall(key: str, scene: Scene, part: Lesson) -> None:
    """Ask a question once more: its options, then the answer of the recorded run."""
    question = scene.question
    summary = storybook.recorded_summary(part.experiment.name, part.experiment.recipe(scene.settings))
    if question is None or summary is None:  # a lecturer's own story may have runs that are not recorded
        return
    st.markdown(f"**Do you remember?** {question.prompt}")
    guess = _guess(question, key)
    if guess is None:
        return
    right = is_right(question, guess, summary) if question.kind == "choice" else None
    (st.success if right else st.info)(f"{MARKS[right]} {answer_of(question, summary)}")


def _guess(question: Question, key: str) -> str | None:
    """The option that the visitor has chosen, None for none; for a number or an order, "" once they want the answer."""
    if question.kind == "choice":
        options = [option.text for option in question.options]
        return st.pills(question.prompt, options, format_func=plain_text, key=key, label_visibility="collapsed")
    flag = f"{key}.seen@"
    if not st.session_state.get(flag):
        st.button("Show the answer", key=f"{key}.show", on_click=st.session_state.update, args=({flag: True},))
    return "" if st.session_state.get(flag) else None
