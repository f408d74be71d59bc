"""The page Lecture: the lectures that there are, one's own from kept scenes, and the teacher's sheet of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from urllib.parse import urlencode

import streamlit as st

from featdash.recipes.events import Result
from featdash.recipes.spec import quote_value
from featdash.stories.lecture import link_of, story_of, story_text
from featdash.stories.story import Scene, Story
from featdash.ui import layout, navigation, player, scene_block, sheet, story_choice, storybook
from featdash.ui.lesson import Lesson
from featdash.ui.plain_text import plain_text
from featdash.ui.scene_block import KEPT
from featdash.ui.shared import service
from featdash.ui.streamlit_internals import restart_through_app

ABOUT = (
    "A lecture is a list of scenes from any page, in an order of your choice. Open one and press **p** for the wall: "
    "← → go from scene to scene, space shows the answer, a plays the run again, h hides the words, Esc ends. «Keep "
    "this», in Explore and in every story, puts what is on show at the end of your own lecture, which lasts as long as "
    "this tab."
)


def lecture_page(pages: Mapping[str, Sequence[Lesson]]) -> None:
    """Plays the lecture that the address names, shows the sheet that it asks for, else lists all."""
    restart_through_app()
    parts = {part.experiment.name: part for lessons in pages.values() for part in lessons}
    homes = {part.experiment.name: page for page, lessons in pages.items() for part in lessons}
    query = st.query_params.to_dict()
    stories = storybook.stories_of(parts)
    trouble = _take_link(query.get("kept", ""), parts)
    own: list[Scene] = st.session_state.get(KEPT, [])
    lectures = storybook.lectures(parts) | scene_block.lecture()
    sheets, asked = stories | lectures, query.get("sheet")
    if asked in sheets:
        sheet.draw(sheets[asked], partial(_known_result, parts))
    elif "story" in query:
        _play(lectures, query, parts, homes)
    else:
        if asked:
            trouble = f"sheet must be one of {', '.join(sheets)}, got {quote_value(asked)}; choose it below."
        _list(lectures, stories, own, trouble)
        story_choice.tell(storybook.wrong_files(parts, lectures=True))


def _known_result(parts: Mapping[str, Lesson], scene: Scene) -> Result | None:
    """Of the scene's run, where it is recorded or stored."""
    entry = parts[scene.lesson].experiment
    try:
        found = service().find_stored(entry.name, entry.recipe(scene.settings))
    except ValueError:  # a scene of one's own whose settings are not valid, which its check tells
        return None
    return service().result(found) if found else None


def _play(
    lectures: Mapping[str, Story], query: Mapping[str, str], parts: Mapping[str, Lesson], homes: Mapping[str, str]
) -> None:
    place, wrong = story_choice.place_of(lectures, query)
    room = layout.room(story=True, wall=layout.on_wall())
    with room.head:
        layout.name()
        st.button("All lectures", on_click=navigation.write_address, args=({},), width="stretch")
        served = layout.in_service()
    if served:
        player.play(room, parts, place, wrong, homes)


def _take_link(kept: str, parts: Mapping[str, Lesson]) -> str | None:
    """Take the lecture of a link, once; a sentence if it holds none that can be played."""
    if not kept or st.session_state.get("lecture.link@") == kept:
        return None
    st.session_state["lecture.link@"] = kept
    try:
        st.session_state[KEPT] = list(storybook.scenes_in_link(kept, parts))
    except ValueError as error:
        return f"{error}."
    return None


def _list(lectures: Mapping[str, Story], stories: Mapping[str, Story], own: list[Scene], trouble: str | None) -> None:
    st.html(f"<style>{layout.STYLE}</style>")
    layout.name()
    st.markdown("#### Lectures")
    st.markdown(ABOUT)
    if trouble:
        st.error(plain_text(trouble))
    for name, story in lectures.items():
        _entry(name, story)
    st.markdown("#### Your lecture")
    _editor(own)
    st.markdown("#### Teacher's sheets")
    st.caption("One printable page for each story: goal, minutes, questions with the usual wrong answers.")
    for name, story in stories.items():
        st.markdown(f"[{plain_text(story.title)}](lecture?{urlencode({'sheet': name})})")


def _entry(name: str, story: Story) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            f"**{plain_text(story.title)}** · {len(story.scenes)} scenes, {story.minutes} minutes. {story.goal}"
        )
        st.button("Open", on_click=story_choice.go, args=(name, 1), key=f"lecture.open.{name}", type="primary")
        st.button("Teacher's sheet", on_click=_sheet, args=(name,), key=f"lecture.sheet.{name}")


def _sheet(name: str) -> None:
    navigation.write_address({"sheet": name})


def _editor(own: list[Scene]) -> None:
    """The kept scenes in their order, and the lecture as a file and as a link."""
    if not own:
        st.caption("Nothing is kept yet: press «Keep this» on any page, in Explore or in a story.")
        return
    for index, scene in enumerate(own):
        name = id(scene)  # a button pressed twice is that of one scene
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.button("↑", on_click=_move, args=(scene, -1), key=f"kept.up.{name}", disabled=index == 0, help="Earlier")
            last = index == len(own) - 1
            st.button("↓", on_click=_move, args=(scene, 1), key=f"kept.down.{name}", disabled=last, help="Later")
            st.button("✕", on_click=_drop, args=(scene,), key=f"kept.drop.{name}", help="Remove it from the lecture")
            st.markdown(f"{index + 1}. {plain_text(scene.title)}")
    story = story_of(own)
    st.download_button("Save as a story file", story_text(story), "my-lecture.md", on_click="ignore")
    try:
        st.caption("Its link, for another browser or another day:")
        here = str(st.context.url).partition("?")[0]
        st.code(f"{here}?{urlencode({'kept': link_of(own)})}", language=None, wrap_lines=True)
    except ValueError as error:
        st.caption(plain_text(f"{error}."))


def _move(scene: Scene, by: int) -> None:
    """Earlier or later by so many places; a scene at the end stays there."""
    own = st.session_state[KEPT]
    place = next((index for index, one in enumerate(own) if one is scene), None)
    if place is not None:
        own.insert(max(0, place + by), own.pop(place))


def _drop(scene: Scene) -> None:
    st.session_state[KEPT] = [one for one in st.session_state[KEPT] if one is not scene]
