"""The keys of controls that are not set by the visitor alone: a button, a link or another control may set them too.

A browser tells with each request what each of its controls holds. Until it has heard that the server has changed one,
it tells what that one held before, as if the visitor had just chosen it: who types a number and at once presses Run
would find the number taken back. So a control that the server has changed is another control, with another key, and
what is still told of the one before does not count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

NUMBER = ".number@"  # how the session-state key ends that holds how often a control was renewed


def current(key: str) -> str:
    """The key that the control has now; at first the given one."""
    number = st.session_state.get(f"{key}{NUMBER}", 0)
    return f"{key}.{number}" if number else key


def held(key: str, otherwise: Any = None) -> Any:
    """What the control holds; `otherwise` if it is not on the page."""
    return st.session_state.get(current(key), otherwise)


def showing(key: str, value: Any) -> str:
    """The key of a control that is to show `value`: another one than before if the control holds something else.

    For a callback, or before the control is drawn.
    """
    if held(key, value) != value:
        st.session_state[f"{key}{NUMBER}"] = st.session_state.get(f"{key}{NUMBER}", 0) + 1
    return current(key)


def listener(key: str, take: Callable[[Any], object]) -> Callable[[], None]:
    """The callback of the control that has just got its key of `showing`; it calls `take` with what the visitor chose.

    Streamlit also calls it for a control that is no longer on the page, of which a browser has not heard, and may have
    dropped its value by then.
    """
    own = current(key)

    def told() -> None:
        if current(key) == own and own in st.session_state:
            take(st.session_state[own])

    return told
