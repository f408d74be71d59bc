"""A visitor's own lecture: the scenes that they keep, in the session and in the storage of their browser.

The browser's storage outlives the tab and the server. A session learns from it what the visitor has kept before, and
what other tabs keep meanwhile. A browser without a lecture stays silent, so that no page is drawn twice without need.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from featdash.stories.lecture import NAME, gone_from_stored, link_of, read_stored, stored_text, story_of
from featdash.stories.story import Scene, Story
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.stage.lesson import Lesson
from featdash.ui.story import storybook

SCENES = "lecture.scenes@"  # session-state key: the scenes, in their order
SYNCED = "lecture.synced@"  # session-state key: whether the session knows what the browser has stored
LOST = "lecture.lost@"  # session-state key: titles of scenes that it has stored, and that there are no longer
NEEDED = "lecture.needed@"  # session-state key: whether the page waits for that
COMPONENT = "lecture-storage"  # key of the component, and so of what it says
SCRIPT = """
export default function ({ data, setTriggerValue }) {
  if (!data) return;
  const NAME = "featdash.lecture";
  const read = () => {
    try {
      return window.localStorage.getItem(NAME) ?? "";
    } catch {
      return ""; // a browser that lets no page store anything
    }
  };
  const tab = (window.featdashLecture ??= {}); // of this tab: what was stored last, and how it tells its session
  tab.say = (text, isAnswer) => window.featdashLeaves?.() || setTriggerValue("stored", { text, isAnswer });
  if (data.synced && tab.text !== data.text) {
    tab.text = data.text;
    try {
      window.localStorage.setItem(NAME, data.text);
    } catch {
      // nor does it let this one: the lecture is in its link
    }
  } else if (!data.synced && (read() || data.text || data.needed)) {
    tab.say(read(), true); // once more at each drawing, until the session has heard it
  }
  if (tab.listens) return;
  tab.listens = true;
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== NAME) return;
    tab.text = newValue ?? ""; // another tab has kept a scene
    tab.say(tab.text, false);
  });
}
"""

_component = st.components.v2.component("featdash_lecture_storage", js=SCRIPT, isolate_styles=False)


def scenes() -> tuple[Scene, ...]:
    """The scenes that this visitor has kept, in their order."""
    return st.session_state.get(SCENES, ())


def lost_titles() -> list[str]:
    """The titles of scenes that the browser has stored, and that there are no longer."""
    return st.session_state.get(LOST, [])


def story() -> dict[str, Story]:
    """The lecture under its name; empty before the visitor has kept a scene."""
    return {NAME: story_of(scenes())} if scenes() else {}


def is_known() -> bool:
    """Whether the browser has said what it stores; if not, it will have when the page is next drawn."""
    st.session_state[NEEDED] = True
    return bool(st.session_state.get(SYNCED))


def sync(parts: Mapping[str, Lesson]) -> None:
    """Bring browser and session to the same lecture; once in the frame, after the page. parts : all lessons."""

    def take() -> None:
        component = st.session_state.get(COMPONENT)
        if component is None:
            return  # it came for a page that the visitor has left; the next page asks again
        message = component.stored or {}
        text, stories = str(message.get("text", "")), storybook.library().stories
        try:
            stored = storybook.playable(read_stored(text, stories), parts)
            st.session_state[LOST] = gone_from_stored(text, stories)
        except ValueError:
            stored = []
        st.session_state[SCENES] = merge(stored, scenes(), bool(message.get("isAnswer")))
        st.session_state[SYNCED] = True

    synced, needed = bool(st.session_state.get(SYNCED)), bool(st.session_state.get(NEEDED))
    data = {"text": stored_text(scenes()) if scenes() else "", "synced": synced, "needed": needed}
    _component(key=COMPONENT, data=data, on_stored_change=take)


def merge(stored: Sequence[Scene], ours: Sequence[Scene], is_answer: bool) -> tuple[Scene, ...]:
    """The lecture that browser and session have from now on.

    is_answer : whether the browser was asked, so that `stored` may lack what this session has kept; otherwise another
    tab has just changed the lecture, and knew what this session keeps.
    """
    whole = tuple(stored)
    for scene in ours if is_answer else ():
        if scene not in whole and fits((*whole, scene)):
            whole = (*whole, scene)
    return whole


def fits(lecture: Sequence[Scene]) -> bool:
    """Whether a browser's storage and a story file can hold so many scenes."""
    try:
        stored_text(lecture)
    except ValueError:
        return False
    return True


def keep(*new: Scene) -> None:
    """Put scenes at the end, though not twice in a row; a sentence says if they do not fit. For a callback."""
    now = scenes()
    if now[-len(new) :] != new:
        now = (*now, *new)
    try:
        stored_text(now)
    except ValueError as error:
        st.toast(f"{error}.")
        return
    st.session_state[SCENES] = now
    what = f"Kept: «{plain_text(new[0].title)}»" if len(new) == 1 else f"Kept: {len(new)} scenes"
    st.toast(f"{what}. See the page Lecture.")


def move(scene: Scene, by: int) -> None:
    """Move a scene earlier (by < 0) or later by so many places, but not beyond either end."""
    now = list(scenes())
    place = next((index for index, one in enumerate(now) if one is scene), None)
    if place is not None:
        now.insert(max(0, place + by), now.pop(place))
        st.session_state[SCENES] = tuple(now)


def drop(scene: Scene) -> None:
    """Take that scene out of the lecture."""
    st.session_state[SCENES] = tuple(one for one in scenes() if one is not scene)


def link(lecture: Sequence[Scene]) -> dict[str, str]:
    """The lecture as a part of an address; empty if it is too long for that, when only the browser's storage has it."""
    try:
        return {"kept": link_of(lecture)}
    except ValueError:
        return {}
