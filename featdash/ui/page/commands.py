"""Run, Pause, Resume and Stop as one component, whose state is a list of numbered commands.

Streamlit joins requests that wait for their turn: of two clicks on one button one would be lost, and those on two
buttons would be answered with the newest first, so that Run, then Stop, would stop the run and begin it again. A timer
may take a click along, which then counts twice. What a list of numbers says stays the same however often, and with
whatever else, it arrives: the server carries out, in their order, the commands that it has not carried out yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from featdash.ui.kit.shared import session
from featdash.ui.streamlit_internals import uninterrupted

Actions = Mapping[str, Callable[[], None]]  # of "run", "pause", "resume", "stop"

MOST = 20  # commands that are read of one list; the browser lets no more wait
FOLDER = Path(__file__).parent
_component = st.components.v2.component(
    "featdash_commands",
    css=(FOLDER / "commands.css").read_text(encoding="utf-8"),
    js=(FOLDER / "commands.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def mount(place: str, data: Mapping[str, Any], actions: Actions) -> None:
    """Draw the buttons, and have what is pressed carried out before the page is drawn again.

    place : session-state key of the component; data : what they show, as commands.js reads it; actions : what each
    command does.
    """
    told = {**data, "place": place, "session": session(), "done": st.session_state.get(_done(place), 0)}
    _component(key=place, data=told, on_commands_change=partial(carry_out, place, actions))


def carry_out(place: str, actions: Actions) -> None:
    """Carry out what was pressed since the last time; for the component's callback, and for the start of a page.

    The page looks as well because Streamlit calls no callback of a request whose earlier callbacks were broken off.
    """
    with uninterrupted():
        state = st.session_state.get(place)
        pressed = state.get("commands") if isinstance(state, Mapping) else None
        for number, command in unseen(pressed, session(), st.session_state.get(_done(place), 0)):
            st.session_state[_done(place)] = number
            if command in actions:
                actions[command]()


def unseen(pressed: Any, session: str, done: int) -> list[tuple[int, str]]:
    """The commands after number `done` of a list that a browser sends, in their order.

    None of a list that another session was given: a browser whose server was restarted still has the old one.
    """
    if not isinstance(pressed, Mapping) or pressed.get("session") != session:
        return []
    sent = pressed.get("list")
    pairs = [one for one in (sent[:MOST] if isinstance(sent, list) else []) if isinstance(one, list) and len(one) == 2]
    known = {number: command for number, command in pairs if type(number) is int and isinstance(command, str)}
    return sorted((number, command) for number, command in known.items() if number > done)


def _done(place: str) -> str:
    """The session-state key of the last number carried out."""
    return f"{place}done@"
