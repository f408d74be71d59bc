"""Keys: after a click they belong to the page again, and inside a choice they belong to the choice."""

from __future__ import annotations

import streamlit as st

# A clicked choice would keep the focus, and with it arrows and space. Visitors who use the keyboard alone do keep it:
# for them space and arrows choose, and press no button of the page at the same time.
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
    """Mount the script that gives the focus back after a click; call it once a page."""
    _component(key="keys")
