"""Who is looking, and how: a name that survives a refresh, the theme, the size of text; that a tab is still open."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Mapping

import streamlit as st

from featdash.figures.picture import Theme
from featdash.ui.shared import service, table_store

COOKIE = "featdash_visitor"  # which the server gives to each browser
SESSION = "session@"
LARGE = "large@"  # session-state key: larger text


def visitor() -> str:
    """A name for this browser: a digest of its cookie, or of the session where there is none."""
    lasting = st.context.cookies.to_dict().get(COOKIE) or session()
    return hashlib.sha256(lasting.encode()).hexdigest()[:16]


def session() -> str:
    """A name for this tab, until it is loaded anew."""
    return st.session_state.setdefault(SESSION, uuid.uuid4().hex)


def theme() -> Theme:
    """The visitor's theme."""
    return Theme(st.context.theme.type or "light")


def take_size(query: Mapping[str, str]) -> None:
    """The size of text that the address of a new tab asks for."""
    st.session_state.setdefault(LARGE, query.get("text") == "large")


def large() -> bool:
    """Whether the visitor wants larger text and pictures."""
    return bool(st.session_state.get(LARGE, False))


BEAT = 60.0  # seconds; a browser slows the timers of a tab in the background to just this


@st.fragment(run_every=BEAT)
def heartbeat() -> None:
    """Draws nothing. Without a service the page says why."""
    table_store().touch(session())
    try:
        service().touch(visitor(), st.context.ip_address or "")
    except ValueError:
        return
