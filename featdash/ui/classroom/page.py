"""The page Class: where a host opens a room and leads it, and where a wall shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from featdash import classroom
from featdash.classroom.limits import network
from featdash.ui.classroom import host_key
from featdash.ui.classroom.host import host_page
from featdash.ui.classroom.join_card import join_address
from featdash.ui.classroom.room import NOTE
from featdash.ui.classroom.wall import wall_page
from featdash.ui.kit import layout, navigation
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import visitor
from featdash.ui.stage.lesson import Lesson

ABOUT = "A class answers each question on its phones before the run is shown, talks, answers again, and sees both."
STEPS = (
    "Open a room, and its **wall** in a window on the projector: address, code and QR code stand there.",
    "Phones join by the code, without accounts and without names. They show the question and nothing else.",
    "Here you have the scenes, your notes and the buttons. Nobody but you sees what was answered before «Show me».",
)
LIVES = (
    "A room lives twelve hours; one that no phone has joined ends half an hour after its host has left. Without a "
    "class nothing changes: the stories of each page ask one visitor."
)
WRONG_KEY = "This link opens no room: it has ended, or the link is not whole. Open a room, or copy the link again."


def class_page(pages: Mapping[str, Sequence[Lesson]]) -> None:
    """The wall if the address names one, the host's page if this browser commands a room, else the way to open one."""
    parts = {part.experiment.name: part for lessons in pages.values() for part in lessons}
    homes = {part.experiment.name: page for page, lessons in pages.items() for part in lessons}
    if not layout.in_service():
        return
    query = st.query_params.to_dict()
    if layout.WALL_OF in query:
        wall_page(query[layout.WALL_OF].upper(), parts, homes)
        return
    host_key.take_link(on_refusal=_refuse)
    room = host_key.commands()
    if room:
        host_key.keep()
        host_page(*room, parts, homes)
    else:
        _begin()


def _refuse() -> None:
    st.session_state[NOTE] = WRONG_KEY


def _begin() -> None:
    """What a class is, and the button that opens a room."""
    st.html(f"<style>{layout.STYLE}.st-key-open button {{font-size: 1.25rem; padding: 0.6rem 1.6rem;}}</style>")
    layout.name()
    layout.heading("A class")
    st.markdown(ABOUT)
    with st.container(key="open", horizontal=True):
        st.button("Open a room", type="primary", on_click=_open)
        st.link_button(
            "Join a room", join_address(str(st.context.url or "")), help="For students; the page asks for the code."
        )
    if note := st.session_state.pop(NOTE, None):
        st.error(plain_text(note))
    st.markdown("\n".join(f"{number}. {step}" for number, step in enumerate(STEPS, 1)))
    st.caption(LIVES)
    with st.form("wall-of", border=False), st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        code = st.text_input("This screen is the projector of a room", max_chars=4, placeholder="Code", width=280)
        if st.form_submit_button("Show its wall") and code:
            navigation.write_address({layout.WALL_OF: code.upper()})
            st.rerun()


def _open() -> None:
    """Open a room for this browser; for a callback. A refusal is shown as its sentence."""
    try:
        st.session_state[host_key.KEY] = classroom.rooms().create(visitor(), network(st.context.ip_address or ""))
    except (ValueError, OSError) as error:  # too many rooms, or a disk that takes none
        st.session_state[NOTE] = f"{error}."
