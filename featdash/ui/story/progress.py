"""What a visitor has answered and finished, and where they are: in the session and in their browser's storage.

The server keeps none of it. A browser that has nothing stored is not asked, so that nobody's page is drawn twice.
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
VISITED = "progress.visited@"  # the story and the scene that were noted last
RESUMED = "progress.resumed@"  # the story and the scene to which an address without a scene has led
ELSEWHERE = "progress.elsewhere@"  # whether an address with a scene has been on show since
COMPONENT = "progress-storage"  # key of the component, and so of what it says
LONGEST = 20_000  # characters that are read of a browser's storage
LATEST = 2**53  # a browser's numbers are whole up to here

_component = st.components.v2.component(
    "featdash_progress",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Progress:
    """What is known of a visitor.

    finished : stories whose end was reached; answered : story -> numbers of the scenes that were answered;
    places : story -> (when, scene) of the last visit. `when` counts visits, so that of two tabs the later one holds.
    """

    finished: frozenset[str] = frozenset()
    answered: dict[str, frozenset[int]] = field(default_factory=dict)
    places: dict[str, tuple[int, int]] = field(default_factory=dict)

    def merged(self, other: Progress) -> Progress:
        """What either knows."""
        names = {*self.answered, *other.answered}
        answered = {name: self.scenes(name) | other.scenes(name) for name in names}
        visited = {*self.places, *other.places}
        places = {name: max(self.places.get(name, (0, 1)), other.places.get(name, (0, 1))) for name in visited}
        return Progress(self.finished | other.finished, answered, places)

    def visited(self, name: str, number: int) -> Progress:
        """With that scene as the last one that was seen."""
        when = 1 + max((when for when, _ in self.places.values()), default=0)
        return Progress(self.finished, self.answered, self.places | {name: (when, number)})

    def scene(self, name: str) -> int:
        """The scene of a story at which the visitor left it; 1 of one that is new to them, or done."""
        return 1 if name in self.finished else self.places.get(name, (0, 1))[1]

    def ahead(self) -> str | None:
        """The story to go on with: the last one seen, unless it is done; else the next that is not; None at the end."""
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
        said = json.loads(text[:LONGEST])
        finished = frozenset(name for name in said["finished"] if name in ORDER)
        answered = {
            name: frozenset(one for one in numbers if _whole(one, MOST_SCENES))
            for name, numbers in said["answered"].items()
            if name in ORDER
        }
        places = {
            name: (when, scene)
            for name, (when, scene) in said.get("places", {}).items()
            if name in ORDER and _whole(when, LATEST) and _whole(scene, MOST_SCENES)
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Progress()
    return Progress(finished, answered, places)


def _whole(value: object, most: int) -> bool:
    return isinstance(value, int) and 1 <= value <= most


def text_of(progress: Progress) -> str:
    """As a browser stores it, in the order of the course; "" where there is nothing."""
    if not (progress.finished or progress.answered or progress.places):
        return ""
    answered = {name: sorted(progress.scenes(name)) for name in ORDER if progress.scenes(name)}
    places = {name: list(progress.places[name]) for name in ORDER if name in progress.places}
    finished = [name for name in ORDER if name in progress.finished]
    return json.dumps({"finished": finished, "answered": answered, "places": places})


def now() -> Progress:
    """What this visitor has answered and finished, as far as the session knows."""
    return st.session_state.get(PROGRESS, Progress())


def visit(name: str, number: int) -> None:
    """Keep that a scene is on show, once for each time that the visitor comes to it; of the stories of the course."""
    if name in ORDER and st.session_state.get(VISITED) != (name, number):
        st.session_state[VISITED] = (name, number)
        st.session_state[PROGRESS] = now().visited(name, number)


def resumed(names: Sequence[str], wanted: str | None) -> tuple[str, int]:
    """Story and scene of an address that names no scene: where the visitor left.

    names : the stories of the page, the first of which is meant where nothing is known; wanted : the story that the
    address names, if it names one. The answer stays while that address is on show, whatever other tabs do, and it is
    the same when Back leads there.
    """
    held, known = st.session_state.get(RESUMED), now()
    returned = not st.session_state.pop(ELSEWHERE, False) or arrived_by_history()
    if held and returned and held[0] in names and wanted in (None, held[0]):
        return held
    seen = [name for name in names if name in known.places and name not in known.finished]
    name = wanted or max(seen, key=known.places.__getitem__, default=names[0])
    st.session_state[RESUMED] = (name, known.scene(name))
    return st.session_state[RESUMED]


def answer(name: str, number: int) -> None:
    """Keep that the question of a scene was answered; of a story that is not in the course nothing is kept."""
    if name in ORDER and number not in now().scenes(name):
        st.session_state[PROGRESS] = now().merged(Progress(answered={name: frozenset({number})}))


def finish(name: str) -> None:
    """Keep that the end of a story was reached."""
    if name in ORDER and name not in now().finished:
        st.session_state[PROGRESS] = now().merged(Progress(frozenset({name})))


def forget() -> None:
    """Nothing is known any more, here and in the browser; for a callback."""
    st.session_state[PROGRESS] = Progress()
    st.session_state[FORGET] = st.session_state.get(FORGET, 0) + 1
    st.session_state.pop(RESUMED, None)
    for key in list(st.session_state):
        if isinstance(key, str) and key.startswith("story.") and key.endswith((".shown@", ".guess@", ".answer@")):
            del st.session_state[key]


def sync() -> None:
    """Let browser and session know the same; once in the frame, after the page."""

    def take() -> None:
        component = st.session_state.get(COMPONENT)
        if component is None:
            return  # said under a page that the visitor has left: the one that comes asks once more
        said = component.stored or {}
        stored = Progress() if said.get("cleared") else read(str(said.get("text", "")))
        st.session_state[PROGRESS] = stored if said.get("cleared") else now().merged(stored)
        if not st.session_state.get(SYNCED):
            st.session_state[SYNCED] = True
            for noted in (VISITED, RESUMED):  # before anything was known
                st.session_state.pop(noted, None)

    data = {
        "text": text_of(now()),
        "synced": bool(st.session_state.get(SYNCED)),
        "forget": st.session_state.get(FORGET, 0),
    }
    _component(key=COMPONENT, data=data, on_stored_change=take)
