"""The keyboard after the mouse: a click leaves the keys of the page to the page."""

from __future__ import annotations

import streamlit as st

# A clicked choice keeps the focus, and with it arrows and space; who uses the keyboard alone keeps the focus as well.
SCRIPT = """
export default function () {
  if (window.featdashKeys) return;
  window.featdashKeys = true;
  window.addEventListener("click", (event) => {
    if (!event.detail) return; // by a key
    const held = document.activeElement;
    const released = ":is(.st-key-scene, .st-key-head) :is(input[type=radio], button)";
    if (held?.matches(released)) setTimeout(() => held.blur(), 0);
  });
}
"""

_component = st.components.v2.component("featdash_keys", js=SCRIPT, isolate_styles=False)


def release_focus() -> None:
    """Draw what gives the focus back after a click; once a page."""
    _component(key="keys")
