"""What a screen reader says about a run's state: one line of role `status`, which changes only when its words do.

The visible line counts per cents; a screen reader would never stop reading it out.
"""

from __future__ import annotations

import streamlit as st

from featdash.runs.run import Run
from featdash.ui.kit.plain_text import plain_text

STATES = {
    "queued": "The run waits in the queue.",
    "running": "The run is in progress.",
    "paused": "The run is paused.",
    "stopped": "The run has stopped.",
    "done": "The run has finished.",
}
DIFFER = "The settings have changed."
# The node stays, and its words change: a node that is put in place of another is not read out.
SCRIPT = """
export default function ({ data, parentElement }) {
  const line = parentElement.querySelector("[role=status]") ?? document.createElement("p");
  line.setAttribute("role", "status");
  line.style.cssText = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";
  if (!line.isConnected) parentElement.append(line);
  if (line.textContent !== data) line.textContent = data;
}
"""

_component = st.components.v2.component("featdash_status", js=SCRIPT, isolate_styles=False)


def announce(run: Run | None, differ: bool = False) -> None:
    """The state of the latest run; differ : whether the settings have changed since. Call it once a page."""
    _component(key="state@", data=words_of(run, differ))


def words_of(run: Run | None, differ: bool) -> str:
    """The state in words that change only when the state does: no percentage, no time."""
    if run is None:
        return ""
    state = STATES.get(run.status) or f"The run failed: {plain_text(run.error or '')}."
    return f"{state} {DIFFER}" if differ else state
