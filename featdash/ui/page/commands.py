"""Run, Pause, Resume and Stop as one component, whose state is a list of numbered commands.

Streamlit joins requests that wait for their turn: of two clicks on one button one would be lost, and clicks on two
buttons would be answered with the newest first, so that Run, then Stop, would stop the run and begin it again. A timer
may send a click a second time. A list of numbered commands means the same however often it arrives: the server carries
out, in their order, the commands that it has not carried out yet.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from featdash.ui.kit.shared import session

Actions = Mapping[str, Callable[[], None]]  # the keys are "run", "pause", "resume", "stop"

MOST = 20  # commands that the server reads from one list; the browser lets no more wait
FOLDER = Path(__file__).parent
_component = st.components.v2.component(
    "featdash_commands",
    css=(FOLDER / "commands.css").read_text(encoding="utf-8"),
    js=(FOLDER / "commands.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def mount(place: str, data: Mapping[str, Any], actions: Actions) -> None:
    """Draw the buttons; a command is carried out before the page is drawn again.

    place : session-state key of the component; data : what the buttons show, as commands.js reads it; actions : what
    each command does.
    """
    props = {**data, "place": place, "session": session(), "done": st.session_state.get(_last_key(place), 0)}
    _component(key=place, data=props, on_commands_change=partial(carry_out, place, actions))


def carry_out(place: str, actions: Actions) -> None:
    """Carry out the commands that are new; the component's callback."""
    state = st.session_state.get(place)
    message = state.get("commands") if isinstance(state, Mapping) else None
    for number, command in new_commands(message, session(), st.session_state.get(_last_key(place), 0)):
        st.session_state[_last_key(place)] = number
        if command in actions:
            actions[command]()


def new_commands(message: Any, session: str, last: int) -> list[tuple[int, str]]:
    """The commands after number `last` in the list of a browser's message, in their order.

    A list of another session counts as empty: after a restart of the server, a browser still has the old one.
    """
    if not isinstance(message, Mapping) or message.get("session") != session:
        return []
    entries = message.get("list")
    entries = entries[:MOST] if isinstance(entries, list) else []
    pairs = [one for one in entries if isinstance(one, list) and len(one) == 2]
    commands = {number: command for number, command in pairs if type(number) is int and isinstance(command, str)}
    return sorted((number, command) for number, command in commands.items() if number > last)


def _last_key(place: str) -> str:
    """The session-state key of the last number carried out."""
    return f"{place}done@"
