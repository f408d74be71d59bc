"""What a visitor has answered and finished, and where they are: in the session and in their browser's storage.

The server stores none of it. A browser that stores nothing stays silent, and what another one says draws the page anew
only if the page shows it: most do not, and each visit to them would cost twice as much.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from featdash.stories.course import ORDER
from featdash.stories.reader import MOST_SCENES
from featdash.ui.streamlit_internals import arrived_by_history

PROGRESS = "progress@"  # session-state key: the Progress of this visitor
SYNCED, FORGET = "progress.synced@", "progress.forget@"  # whether the browser was heard; how often all was forgotten
GIVEN = "progress.given@"  # what the browser was given last to store
SHOWN = "progress.shown@"  # whether the page that is being drawn shows any of it
HEARD = "progress.heard@"  # whether the browser has said something since the page was drawn
VISITED = "progress.visited@"  # the story and the scene that were noted last
RESUMED = "progress.resumed@"  # the story and the scene to which an address without a scene has led
ELSEWHERE = "progress.elsewhere@"  # whether an address with a scene has been on show since
COMPONENT = "progress-storage"  # key of the component, and so of its messages in the session
LONGEST = 20_000  # characters that are read of a browser's storage
LATEST = 2**53  # a browser's numbers are whole up to here

_component = st.components.v2.component(
    "featdash_progress",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Progress:
    """How far a visitor is in the course.

    finished : stories that were read to the end; answered : story -> numbers of the scenes that were answered;
    places : story -> (when, scene) of the last visit. `when` counts visits, so that of two tabs the later one counts.
    """

    finished: frozenset[str] = frozenset()
    answered: dict[str, frozenset[int]] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def merge(self, other: Progress) -> Progress:
        """The two together: a scene that is answered in either is answered."""
        names = {*self.answered, *other.answered}
        answered = {name: self.scenes(name) | other.scenes(name) for name in names}
        stories = {*self.places, *other.places}
        places = {name: max(self.places.get(name, (0, 1)), other.places.get(name, (0, 1))) for name in stories}
        return Progress(self.finished | other.finished, answered, places)

    def after_visit(self, name: str, number: int) -> Progress:
        """The progress after a visit to that scene."""
        when = 1 + max((when for when, _ in self.places.values()), default=0)
        return Progress(self.finished, self.answered, self.places | {name: (when, number)})

    def scene(self, name: str) -> int:
        """The scene at which the visitor left a story; 1 if the story is new to them, or finished."""
        return 1 if name in self.finished else self.places.get(name, (0, 1))[1]

    def ahead(self) -> str | None:
        """The story to go on with: the one visited last or, if that is finished, the next unfinished; None for none."""
        if not self.places:
            return next((name for name in ORDER if name not in self.finished), None)
        last = max(self.places, key=self.places.__getitem__)
        start = ORDER.index(last)
        return next((name for name in (*ORDER[start:], *ORDER[:start]) if name not in self.finished), None)

    def scenes(self, name: str) -> frozenset[int]:
        """The scenes of a story whose question was answered."""
        return self.answered.get(name, frozenset())


def read(text: str) -> Progress:
    """What a browser has stored, as far as it makes sense: anyone can write into its storage."""
    try:
        data = json.loads(text[:LONGEST])
        finished = frozenset(name for name in data["finished"] if name in ORDER)
        answered = {
            name: frozenset(one for one in numbers if _whole(one, MOST_SCENES))
            for name, numbers in data["answered"].items()
            if name in ORDER
        }
        places = {
            name: (when, scene)
            for name, (when, scene) in data.get("places", {}).items()
            if name in ORDER and _whole(when, LATEST) and _whole(scene, MOST_SCENES)
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Progress()
    return Progress(finished, answered, places)


def _whole(value: object, most: int) -> bool:
    return isinstance(value, int) and 1 <= value <= most


def text_of(progress: Progress) -> str:
    """The progress as a browser stores it, in the order of the course; "" if there is none."""
    if not (progress.finished or progress.answered or progress.places):
        return ""
    answered = {name: sorted(progress.scenes(name)) for name in ORDER if progress.scenes(name)}
    places = {name: list(progress.places[name]) for name in ORDER if name in progress.places}
    finished = [name for name in ORDER if name in progress.finished]
    return json.dumps({"finished": finished, "answered": answered, "places": places})


def now() -> Progress:
    """What this visitor has answered and finished, as far as the session knows."""
    return st.session_state.get(PROGRESS, Progress())


def shown() -> Progress:
    """The same, for a page that shows it or is led by it: it is drawn anew when the browser knows more."""
    st.session_state[SHOWN] = True
    return now()


def visit(name: str, number: int) -> None:
    """Note that the visitor has come to a scene, once for each time; only of stories of the course."""
    if name in ORDER and st.session_state.get(VISITED) != (name, number):
        st.session_state[VISITED] = (name, number)
        st.session_state[PROGRESS] = now().after_visit(name, number)


def place_to_resume(names: Sequence[str], story: str | None) -> tuple[str, int]:
    """Story and scene for an address that names no scene: the place where the visitor left.

    names : the stories of the page, the first of which is the default; story : the story that the address names, None
    if it names none. The result stays the same while that address is on show, whatever other tabs do, and when Back
    leads there again.
    """
    last, progress = st.session_state.get(RESUMED), shown()
    is_back = not st.session_state.pop(ELSEWHERE, False) or arrived_by_history()
    if last and is_back and last[0] in names and story in (None, last[0]):
        return last
    open_stories = [name for name in names if name in progress.places and name not in progress.finished]
    name = story or max(open_stories, key=progress.places.__getitem__, default=names[0])
    st.session_state[RESUMED] = (name, progress.scene(name))
    return st.session_state[RESUMED]


def answer(name: str, number: int) -> None:
    """Note that the visitor has answered the question of a scene; only of stories of the course."""
    if name in ORDER and number not in now().scenes(name):
        st.session_state[PROGRESS] = now().merge(Progress(answered={name: frozenset({number})}))


def finish(name: str) -> None:
    """Note that the visitor has reached the end of a story."""
    if name in ORDER and name not in now().finished:
        st.session_state[PROGRESS] = now().merge(Progress(frozenset({name})))


def forget() -> None:
    """Forget everything, here and in the browser; for a callback."""
    st.session_state[PROGRESS] = Progress()
    st.session_state[FORGET] = st.session_state.get(FORGET, 0) + 1
    st.session_state.pop(RESUMED, None)
    for key in list(st.session_state):
        if isinstance(key, str) and key.startswith("story.") and key.endswith((".shown@", ".guess@", ".answer@")):
            del st.session_state[key]


def sync() -> None:
    """Bring browser and session to the same progress; once in the frame, after the page."""
    st.session_state.pop(HEARD, None)  # it was drawn with that
    _exchange(st.session_state.pop(SHOWN, False))


@st.fragment
def _exchange(is_shown: bool) -> None:
    """is_shown : whether the page on show must be drawn anew when the browser says something."""

    def take() -> None:
        component = st.session_state.get(COMPONENT)
        if component is None:
            return  # it came for a page that the visitor has left; the next page asks again
        message = component.stored or {}
        stored = Progress() if message.get("cleared") else read(str(message.get("text", "")))
        st.session_state[PROGRESS] = stored if message.get("cleared") else now().merge(stored)
        st.session_state[HEARD] = True
        if not st.session_state.get(SYNCED):
            st.session_state[SYNCED] = True
            st.session_state.pop(RESUMED, None)  # it was noted, as was the visit, before the browser had answered
            visited = st.session_state.pop(VISITED, None)
            if visited and not is_shown:
                visit(*visited)  # it is the latest one

    if st.session_state.pop(HEARD, False) and is_shown:
        st.rerun()
    data = {
        "text": text_of(now()),
        "before": st.session_state.get(GIVEN, ""),
        "synced": bool(st.session_state.get(SYNCED)),
        "forget": st.session_state.get(FORGET, 0),
    }
    st.session_state[GIVEN] = data["text"]
    _component(key=COMPONENT, data=data, on_stored_change=take)
