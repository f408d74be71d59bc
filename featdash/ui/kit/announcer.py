"""What a screen reader says when something has changed: the sentences of one region of role `status`.

The visible line of state counts per cents; a screen reader would never stop reading it out.
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
WATCHED = "announcer.watched@"  # session-state key: the run that was last seen before its end
# The nodes stay, and their words change: a node that is put in place of another is not read out.
SCRIPT = """
export default function ({ data, parentElement }) {
  const region = parentElement.querySelector("[role=status]") ?? document.createElement("div");
  region.setAttribute("role", "status");
  region.setAttribute("aria-atomic", "false"); // a sentence that has changed is read out alone
  region.style.cssText = "position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%)";
  if (!region.isConnected) parentElement.append(region);
  data.forEach((sentence, index) => {
    const line = region.children[index] ?? region.appendChild(document.createElement("p"));
    if (line.textContent !== sentence) line.textContent = sentence;
  });
}
"""

_component = st.components.v2.component("featdash_status", js=SCRIPT, isolate_styles=False)


def announce(*sentences: str) -> None:
    """Say those that have changed, each in its place; call it once a page, with as many each time."""
    _component(key="state@", data=list(sentences))


def place_of(title: str, number: int, count: int) -> str:
    """Which scene is on show."""
    return f"{plain_text(title)}, scene {number} of {count}."


def state_of(run: Run | None, differ: bool = False) -> str:
    """The state of the latest run on this page; differ : whether the settings have changed since."""
    if run is not None and run.active:
        st.session_state[WATCHED] = run.id
    return words_of(run, differ, run is not None and st.session_state.get(WATCHED) == run.id)


def words_of(run: Run | None, differ: bool, watched: bool) -> str:
    """The state in words that change only when it does: no percentage, no time.

    watched : whether the run was seen before its end; else it is no news that it has finished.
    """
    if run is None:
        return ""
    state = STATES.get(run.status) or f"The run failed: {plain_text(run.error or '')}."
    if run.status == "done" and not watched:
        state = ""
    return f"{state} {DIFFER}".lstrip() if differ else state
