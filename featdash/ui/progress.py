"""What a visitor has answered and finished: in the session, and in the storage of their browser, never on the server.

A browser that has nothing stored is not asked, so that nobody's page is drawn twice for it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import streamlit as st

from featdash.stories.course import ORDER
from featdash.stories.reader import MOST_SCENES

PROGRESS = "progress@"  # session-state key: the Progress of this visitor
SYNCED, FORGET = "progress.synced@", "progress.forget@"  # whether the browser was heard; how often all was forgotten
COMPONENT = "progress-storage"  # key of the component, and so of what it says
LONGEST = 20_000  # characters that are read of a browser's storage

_component = st.components.v2.component(
    "featdash_progress",
    js=Path(__file__).with_suffix(".js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


@dataclass(frozen=True)
class Progress:
    """finished : stories whose end was reached; answered : story -> numbers of the scenes that were answered."""

    finished: frozenset[str] = frozenset()
    answered: dict[str, frozenset[int]] = field(default_factory=dict)

    def merged(self, other: Progress) -> Progress:
        """What either knows."""
        names = {*self.answered, *other.answered}
        answered = {name: self.scenes(name) | other.scenes(name) for name in names}
        return Progress(self.finished | other.finished, answered)

    def scenes(self, name: str) -> frozenset[int]:
        """The scenes of a story whose question was answered."""
        return self.answered.get(name, frozenset())


def read(text: str) -> Progress:
    """What a browser has stored, as far as it makes sense: anyone can write into its storage."""
    try:
        said = json.loads(text[:LONGEST])
        finished = frozenset(name for name in said["finished"] if name in ORDER)
        answered = {
            name: frozenset(one for one in numbers if isinstance(one, int) and 1 <= one <= MOST_SCENES)
            for name, numbers in said["answered"].items()
            if name in ORDER
        }
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return Progress()
    return Progress(finished, answered)


def text_of(progress: Progress) -> str:
    """As a browser stores it, in the order of the course; "" where there is nothing."""
    if not (progress.finished or progress.answered):
        return ""
    answered = {name: sorted(progress.scenes(name)) for name in ORDER if progress.scenes(name)}
    return json.dumps({"finished": [name for name in ORDER if name in progress.finished], "answered": answered})


def now() -> Progress:
    """What this visitor has answered and finished, as far as the session knows."""
    return st.session_state.get(PROGRESS, Progress())


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
    for key in list(st.session_state):
        if isinstance(key, str) and key.startswith("story.") and key.endswith((".shown@", ".guess@", ".answer@")):
            del st.session_state[key]


def sync() -> None:
    """Let browser and session know the same; once in the frame, after the page."""

    def take() -> None:
        said = st.session_state[COMPONENT].stored or {}
        stored = Progress() if said.get("cleared") else read(str(said.get("text", "")))
        st.session_state[PROGRESS] = stored if said.get("cleared") else now().merged(stored)
        st.session_state[SYNCED] = True

    data = {
        "text": text_of(now()),
        "synced": bool(st.session_state.get(SYNCED)),
        "forget": st.session_state.get(FORGET, 0),
    }
    _component(key=COMPONENT, data=data, on_stored_change=take)
