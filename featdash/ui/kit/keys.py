"""Keys: after a click they are the page's, and in a choice they are the choice's."""

from __future__ import annotations

import streamlit as st

# A clicked choice keeps the focus, and with it arrows and space; who uses the keyboard alone keeps the focus as well:
# there space and arrows choose, and press no button of the page besides.
SCRIPT = """
export default function () {
  if (window.featdashKeys) return;
  window.featdashKeys = true;
  window.addEventListener("click", (event) => {
    if (!event.detail) return; // by a key
    const held = document.activeElement;
    const released = ":is(.st-key-scene, .st-key-head, .st-key-choices) :is(input[type=radio], button)";
    if (held?.matches(released)) setTimeout(() => held.blur(), 0);
  });
  const chooses = [" ", "ArrowLeft", "ArrowRight"];
  window.addEventListener("keydown", (event) => {
    if (chooses.includes(event.key) && event.target.matches?.("input[type=radio], input[type=checkbox], [role=slider]"))
      event.stopImmediatePropagation();
    if (event.key === " " && event.target.matches?.(".st-key-choices button")) event.stopImmediatePropagation();
  }, true);
  // Where no button of the page takes it any more, space would scroll the column.
  const takes = "input, textarea, select, button, a, summary, [role], [contenteditable]";
  window.addEventListener("keydown", (event) => {
    if (event.key === " " && !event.target.matches?.(takes)) event.preventDefault();
  });
}
"""

_component = st.components.v2.component("featdash_keys", js=SCRIPT, isolate_styles=False)


def release_focus() -> None:
    """Draw what gives the focus back after a click; once a page."""
    _component(key="keys")
