"""Who is looking, and how: a name that survives a refresh, the theme, and presenter mode."""

from __future__ import annotations

import hashlib

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext

from featdash.figures.palette import Theme

COOKIE = "_streamlit_xsrf"
PRESENTER = "presenter"


def visitor() -> str:
    """A name for this browser: a digest of the token in Streamlit's cookie, or of the session where there is none."""
    lasting = browser_token(st.context.cookies.get(COOKIE) or "") or script_run().session_id
    return hashlib.sha256(lasting.encode()).hexdigest()[:16]


def script_run() -> ScriptRunContext:
    """What Streamlit knows of this run of the page's script. Errors: RuntimeError outside of one."""
    context = get_script_run_ctx()
    if context is None:
        raise RuntimeError("this thread runs no page; call it from a page's script")
    return context


def browser_token(cookie: str) -> str | None:
    """The token in "2|mask|masked token|time", which stays while the mask changes; None for anything else."""
    parts = cookie.split("|")
    try:
        mask, masked = (bytes.fromhex(part) for part in parts[1:3])
    except ValueError:
        return None
    return bytes(byte ^ mask[i % len(mask)] for i, byte in enumerate(masked)).hex() if mask and masked else None


def theme() -> Theme:
    """The visitor's theme and, in presenter mode, larger text."""
    return Theme(st.context.theme.type or "light", bool(st.session_state.get(PRESENTER, False)))
