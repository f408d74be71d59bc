"""What a host does with a room itself: its links, its door, its answers as a file, its end, and the server's health."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

import streamlit as st

from featdash.classroom.registry import Commands
from featdash.classroom.room import RoomView
from featdash.runs.run import Run
from featdash.ui.classroom import host_key
from featdash.ui.classroom.join_card import host_of, is_alone, own_addresses
from featdash.ui.kit import control_key, layout
from featdash.ui.kit.shared import service, viewer_count, visitor
from featdash.ui.stage import live

NOTE = "class.note@"  # session-state key: a sentence that the page shows when it is next drawn
PACE = 5.0  # seconds between two looks at the server's health
ALONE = (
    "No phone can reach {host}. Start FeatDash with --server.address 0.0.0.0, and open this page by the computer's "
    "address in the network{known}."
)
SURE = "Phones are sent away, and the answers are deleted: download them before."


def act(command: Callable[..., None], *arguments: Any) -> bool:
    """Give a command, and say whether the room took it; a refusal is shown as its sentence. For a callback."""
    try:
        command(*arguments)
    except (ValueError, OSError) as error:
        st.session_state[NOTE] = f"{error}."
        return False
    return True


def attend(view: RoomView, commands: Commands) -> None:
    """The host is there, which keeps an empty room open; a host whose class has joined comes first in the queue."""
    commands.touch()
    service().favour(visitor(), view.phone_count > 0)


def room_line(view: RoomView, commands: Commands) -> None:
    """The code, the way to the wall, and a menu of what a host seldom needs."""
    with st.container(key="room-line", horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{view.code}**")
        wall = f"class?{urlencode({layout.WALL_OF: view.code})}"
        st.link_button("Open the wall", wall, help="Opens in its own window, for the projector.")
        with st.popover("Room", help="Its door, its links, its answers, its end."):
            _settings(view, commands)


def _settings(view: RoomView, commands: Commands) -> None:
    key = "class.locked@"
    st.toggle(
        "Lock the door",
        value=view.locked,
        key=control_key.showing(key, view.locked),
        on_change=control_key.listener(key, partial(act, commands.lock)),
        help="No more phones can join; those inside stay.",
    )
    st.download_button(
        "Answers as a table",
        commands.csv().encode(),
        f"answers-{view.code}.csv",
        "text/csv",
        on_click="ignore",
        help="Question, round, value and seconds, for every question that was shown.",
    )
    page = str(st.context.url or "").partition("?")[0]
    st.caption("Continue on another machine: this link commands the room, so keep it off the wall.")
    st.code(host_key.link(page), language=None, wrap_lines=True)
    with st.popover("End the room"):
        st.caption(SURE)
        st.button("End it now", type="primary", on_click=_end, args=(commands,))


def _end(commands: Commands) -> None:
    if act(commands.end):
        service().favour(visitor(), False)
        st.session_state.pop(host_key.KEY, None)


def warn_if_alone() -> None:
    """Warn that no phone can reach the server, if its address means this computer alone."""
    page = str(st.context.url or "")
    if page and is_alone(page):
        addresses = [f"{address}:{urlsplit(page).port or 80}" for address in own_addresses()]
        st.warning(ALONE.format(host=host_of(page), known=f": {' or '.join(addresses)}" if addresses else ""))


def tell_refusal() -> None:
    """Show what the room has refused, once."""
    if note := st.session_state.pop(NOTE, None):
        st.error(note)


@st.fragment(run_every=PACE)
def health(run: Run | None) -> None:
    """How many workers are free, how many browsers watch, and where the scene's run comes from."""
    free, workers = service().workers()
    now = (service().get(run.id) if run else None) or run
    viewers = f"{viewer_count().watching()} browsers with a live run"
    parts = [f"{free} of {workers} workers free", viewers, run_line(now)]
    st.caption(" · ".join(one for one in parts if one))


def run_line(run: Run | None) -> str:
    """Where the scene's run comes from, or how far it is."""
    if run is None:
        return ""
    seconds = f", took {run.seconds:.1f} s" if run.seconds else ""
    if run.status == "done":
        return f"this scene's run is {'recorded' if run.recorded else 'kept here'}{seconds}"
    return f"this scene's run: {live.status_line(run)}"
