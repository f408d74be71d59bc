"""Who is looking, and how: a name that survives a refresh, the theme, and presenter mode."""

from __future__ import annotations

import hashlib
import uuid

import streamlit as st

from featdash.figures.palette import Theme

COOKIE = "featdash_visitor"  # which the server gives to each browser
SESSION = "session@"
PRESENTER = "presenter"


def visitor() -> str:
    """A name for this browser: a digest of its cookie, or of the session where there is none."""
    lasting = st.context.cookies.to_dict().get(COOKIE) or session()
    return hashlib.sha256(lasting.encode()).hexdigest()[:16]


def session() -> str:
    """A name for this tab, until it is loaded anew."""
    return st.session_state.setdefault(SESSION, uuid.uuid4().hex)


def theme() -> Theme:
    """The visitor's theme and, in presenter mode, larger text."""
    return Theme(st.context.theme.type or "light", bool(st.session_state.get(PRESENTER, False)))
