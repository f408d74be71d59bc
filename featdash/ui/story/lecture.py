"""The page Lecture: all lectures, the visitor's own from the scenes that they kept, and a teacher's sheet for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Literal
from urllib.parse import urlencode

import streamlit as st

from featdash.recipes.events import Result
from featdash.recipes.spec import quote_value
from featdash.stories.lecture import NAME, gone_from_link, link_of, no_longer_there, story_of, story_text
from featdash.stories.story import Scene, Story
from featdash.ui.kit import layout, navigation
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service
from featdash.ui.stage.lesson import Lesson
from featdash.ui.story import own_lecture, player, sheet, story_choice, storybook

ABOUT = (
    "A lecture is a list of scenes from any page, in an order of your choice. Open one and press **p** for the wall: "
    f"{sheet.KEYS}. «Keep this», in Explore and in every story, adds what is on show to the end of your own lecture, "
    "which stays in this browser and in its link."
)
STYLE = "h2 {font-size: 1.25rem !important; padding: 0.8rem 0 0 !important;}"
WAIT = "Looking for your lecture in this browser …"
GONE = "This lecture is not in this browser: open it by its link, or keep its scenes again."


def lecture_page(pages: Mapping[str, Sequence[Lesson]]) -> None:
    """Play the lecture that the address names, or show the sheet that it asks for, or else list all lectures."""
    parts = {part.experiment.name: part for lessons in pages.values() for part in lessons}
    homes = {part.experiment.name: page for page, lessons in pages.items() for part in lessons}
    query = st.query_params.to_dict()
    link_scenes, trouble = _scenes_of_link(query.get("kept", ""), parts)
    stories, lectures = storybook.stories_of(parts), storybook.lectures(parts) | own_lecture.story()
    if "kept" in query:
        lectures.pop(NAME, None)  # the address holds another one, or one that cannot be played
    playable = lectures | ({NAME: story_of(link_scenes)} if link_scenes else {})
    sheet_name = query.get("sheet")
    if NAME in (sheet_name, query.get("story")) and NAME not in playable:
        _absent(trouble or (GONE if "kept" in query or own_lecture.is_known() else WAIT))
    elif sheet_name in (sheets := stories | playable):
        sheet.draw(sheets[sheet_name], partial(_stored_result, parts))
    elif "story" in query:
        _play(playable, query, parts, homes, trouble)
    else:
        if sheet_name:
            trouble = f"sheet must be one of {', '.join(sheets)}, got {quote_value(sheet_name)}; choose it below."
        _list(playable, stories, link_scenes, trouble)
        story_choice.tell(storybook.wrong_files(parts, lectures=True))


def _absent(sentence: str) -> None:
    """The page where a visitor's own lecture is missing: a sentence, and no other lecture in its place."""
    layout.heading("Lectures")
    st.info(sentence)
    st.button("All lectures", on_click=navigation.write_address, args=({},))


def _stored_result(parts: Mapping[str, Lesson], scene: Scene) -> Result | None:
    """The result of the scene's run, if it is recorded or stored."""
    entry = parts[scene.lesson].experiment
    try:
        run_id = service().find_stored(entry.name, entry.recipe(scene.settings))
    except ValueError:  # a lecturer's own scene with invalid settings; `story check` says what is wrong
        return None
    return service().result(run_id) if run_id else None


def _play(
    lectures: Mapping[str, Story],
    query: Mapping[str, str],
    parts: Mapping[str, Lesson],
    homes: Mapping[str, str],
    trouble: str,
) -> None:
    place, wrong = story_choice.place_of(lectures, query)
    regions = layout.regions(story=True, wall=layout.on_wall())
    with regions.head:
        layout.name()
        st.button("All lectures", on_click=navigation.write_address, args=({},), width="stretch")
        in_service = layout.in_service()
    if in_service:
        player.play(regions, parts, place, wrong or trouble, homes)


def _scenes_of_link(link: str, parts: Mapping[str, Lesson]) -> tuple[tuple[Scene, ...], str]:
    """The scenes that the address holds, and a sentence on those that there are no longer, or why there are none."""
    if not link:
        return (), ""
    try:
        scenes, lost_titles = storybook.scenes_in_link(link, parts), gone_from_link(link, storybook.library().stories)
    except ValueError as error:
        return (), f"{error}."
    return tuple(scenes), f"{no_longer_there(lost_titles)}." if lost_titles else ""


def _list(
    lectures: Mapping[str, Story], stories: Mapping[str, Story], link_scenes: Sequence[Scene], trouble: str | None
) -> None:
    st.html(f"<style>{layout.STYLE}{STYLE}</style>")
    layout.name()
    layout.heading("Lectures")
    st.markdown(ABOUT)
    if trouble:
        st.error(plain_text(trouble))
    for name, story in lectures.items():
        _entry(name, story, link_scenes)
    st.markdown("## Your lecture")
    if lost_titles := own_lecture.lost_titles():
        st.info(plain_text(f"{no_longer_there(lost_titles)}."))
    _editor(own_lecture.scenes())
    st.markdown("## Teacher's sheets")
    st.caption("One printable page for each story: goal, minutes, questions with the usual wrong answers.")
    for name, story in stories.items():
        st.markdown(f"[{plain_text(story.title)}](lecture?{urlencode({'sheet': name})})")


def _entry(name: str, story: Story, link_scenes: Sequence[Scene]) -> None:
    """A lecture and its buttons; the visitor's own is the one in the address, if the address holds one."""
    own = own_lecture.scenes()
    scenes = link_scenes or own
    rest = own_lecture.link(scenes) if name == NAME else {}
    title = "The lecture of this link" if name == NAME and scenes != own else story.title
    with st.container(horizontal=True, vertical_alignment="center"):
        size = f"{len(story.scenes)} scenes, {story.minutes} minutes."
        st.markdown(f"**{plain_text(title)}** · {size} {story.goal}")
        place = {"story": name, "scene": "1", **rest}
        kind: Literal["primary", "secondary"] = "primary" if link_scenes and name == NAME else "secondary"
        st.button("Open", on_click=navigation.write_address, args=(place,), key=f"lecture.open.{name}", type=kind)
        place = {"sheet": name, **rest}
        st.button("Teacher's sheet", on_click=navigation.write_address, args=(place,), key=f"lecture.sheet.{name}")
        if name == NAME and scenes != own:
            st.button("Put it into your lecture", on_click=own_lecture.keep, args=tuple(scenes))


def _editor(own: Sequence[Scene]) -> None:
    """The scenes that the visitor keeps, in their order, and the lecture as a file and as a link."""
    if not own:
        st.caption("Nothing is kept yet: press «Keep this» on any page, in Explore or in a story.")
        return
    for index, scene in enumerate(own):
        name = id(scene)  # so that a button pressed twice acts on the same scene
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.markdown(f"{index + 1}. {plain_text(scene.title)}")
            move, last = own_lecture.move, index == len(own) - 1
            st.button("↑ Earlier", on_click=move, args=(scene, -1), key=f"kept.up.{name}", disabled=index == 0)
            st.button("↓ Later", on_click=move, args=(scene, 1), key=f"kept.down.{name}", disabled=last)
            st.button("✕ Remove", on_click=own_lecture.drop, args=(scene,), key=f"kept.drop.{name}")
    story = story_of(own)
    st.download_button("Save as a story file", story_text(story), "my-lecture.md", on_click="ignore")
    try:
        here, letters = str(st.context.url).partition("?")[0], link_of(own)
    except ValueError as error:
        st.caption(plain_text(f"{error}."))
    else:
        st.caption("Its link, for another browser or another day:")
        st.code(f"{here}?{urlencode({'kept': letters})}", language=None, wrap_lines=True)
