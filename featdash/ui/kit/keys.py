"""Keys: after a click they belong to the page, with the focus to what has it; and the focus outlives what had it."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from featdash.ui.streamlit_internals import PAGE

_component = st.components.v2.component(
    "featdash_keys", js=Path(__file__).with_name("keys.js").read_text(encoding="utf-8"), isolate_styles=False
)


def mount() -> None:
    """Mount the script; call it once a page. It takes no room, nor a gap."""
    st.html("<style>.st-key-keys {position: absolute;}</style>")
    _component(key="keys", data=PAGE)
