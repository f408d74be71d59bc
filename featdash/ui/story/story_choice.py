"""Where a visitor is in the stories: the place in the address, the way from scene to scene, and Story or Explore."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from featdash.recipes.spec import quote_value
from featdash.stories.course import removal
from featdash.stories.lecture import NAME
from featdash.stories.story import Mistake, Scene, Story
from featdash.ui.kit import control_key, layout, link, navigation
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.story import progress

MODE, STORY = "mode@", "story@"  # of control keys
LAST = "scene.last@"  # session-state key: story and scene that were on show last


@dataclass(frozen=True)
class Place:
    """Where a visitor is: a story by its name, and a scene from 1 on."""

    name: str
    story: Story
    number: int

    @property
    def scene(self) -> Scene:
        return self.story.scenes[self.number - 1]

    @property
    def key(self) -> str:
        """The beginning of the scene's keys in the session's state."""
        return f"story.{self.name}.{self.number}."


def place_of(stories: Mapping[str, Story], query: Mapping[str, str]) -> tuple[Place, str]:
    """The place that the address names, else where the visitor left; and a sentence if the address names no place."""
    first = next(iter(stories))
    name = query.get("story")
    if name is not None and name not in stories:
        rule = f"story must be one of {', '.join(stories)}, got {quote_value(name)}; this is the first."
        return Place(first, stories[first], 1), removal(name) or rule
    if "scene" in query:
        st.session_state[progress.ELSEWHERE] = True
        name, scene = name or first, query["scene"]
    else:
        name, number = progress.place_to_resume(list(stories), name)
        scene = str(min(number, len(stories[name].scenes)))
    story = stories[name]
    count = len(story.scenes)
    if not (scene.isdecimal() and len(scene) < 4 and 1 <= int(scene) <= count):
        rule = f"scene must be a whole number from 1 to {count}, got {quote_value(scene)}"
        return Place(name, story, 1), f"{rule}; this is the first."
    return Place(name, story, int(scene)), ""


def go(name: str, number: int) -> None:
    """Lead to a scene; for a callback."""
    wall = {"present": "1"} if layout.on_wall() else {}
    lecture = st.query_params.to_dict().get("kept", "") if name == NAME else ""
    navigation.write_address({"story": name, "scene": str(number)} | wall | ({"kept": lecture} if lecture else {}))


def walk(place: Place) -> None:
    """Back and Next, above the words of the scene, so that they never move."""
    count, here = len(place.story.scenes), place.number
    with st.container(key="walk", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.button("Back", on_click=go, args=(place.name, here - 1), disabled=here == 1, shortcut="Left")
        st.markdown(f"{here} of {count}")
        st.button("Next", on_click=go, args=(place.name, here + 1), disabled=here == count, shortcut="Right")


def switch(place: Place | None, stories: Mapping[str, Story], wrong: Mapping[Path, Sequence[Mistake]]) -> None:
    """The controls Story or Explore and, if there are several, which story; wrong : files that hold none, and why."""
    mode = link.STORY if place else link.EXPLORE
    if place:
        st.session_state[LAST] = (place.name, place.number)
    key = control_key.showing(MODE, mode)
    st.segmented_control(
        "Story or Explore",
        [link.STORY, link.EXPLORE],
        default=mode,
        format_func=str.capitalize,
        key=key,
        required=True,
        on_change=control_key.listener(MODE, partial(_switch, *_last(stories))),
        label_visibility="collapsed",
        width="stretch",
    )
    key = control_key.showing(STORY, place.name if place else None)  # in Explore it is on no page, and not listened to
    if place and len(stories) > 1:
        st.selectbox(
            "Story",
            list(stories),
            index=list(stories).index(place.name),
            format_func=lambda name: stories[name].title,
            key=key,
            on_change=control_key.listener(STORY, _choose),
            label_visibility="collapsed",
        )
    tell(wrong)


def tell(wrong: Mapping[Path, Sequence[Mistake]]) -> None:
    """Say what is wrong with a lecturer's files, if anything; the other stories are not affected."""
    if wrong:
        with st.popover("Files that are not stories", width="stretch", help="Stories in the folder FEATDASH_STORIES."):
            for path, mistakes in wrong.items():
                st.markdown(f"**{plain_text(path.name)}**")
                for mistake in mistakes:
                    st.caption(plain_text(str(mistake)))


def _last(stories: Mapping[str, Story]) -> tuple[str, int]:
    """The story and scene that this visitor saw last if they are on this page, else the page's first story."""
    name, number = st.session_state.get(LAST, ("", 1))
    return (name, number) if name in stories else (next(iter(stories)), 1)


def _switch(name: str, number: int, mode: str) -> None:
    if mode == link.STORY:
        go(name, number)
    else:
        navigation.write_address({"mode": link.EXPLORE})


def _choose(name: str) -> None:
    go(name, progress.now().scene(name))
