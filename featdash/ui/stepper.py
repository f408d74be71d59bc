"""Algorithm 1 line by line beside the pictures: the line lit, every picture at that moment, at a pace of one's own."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from featdash.runs.run import Run
from featdash.ui import layout, live
from featdash.ui.lesson import Lesson, Step

PACES = {"slow": 0.6, "normal": 0.25, "at once": 0.0}  # seconds a frame
TITLE = "Step through Algorithm 1"


def stepper(run: Run | None, part: Lesson) -> None:
    """The lines, and the button for the next one; nothing where the lesson has no lines or the run has not ended."""
    if not part.steps or run is None or run.status != "done":
        return
    experiment = part.experiment.name
    name, at, _, _ = st.session_state.get(live.steps_key(experiment), live.NO_STEPS)
    begun = name == run.id
    if not begun:
        about = "One line of the algorithm after the other, each with the pictures as they are at that moment."
        st.button(TITLE, on_click=_go, args=(experiment, run.id, 0), help=about, width="stretch")
        return
    with st.container(key="steps", gap="xsmall", border=True):
        for index, step in enumerate(part.steps):
            _line(step, lit=index == at)
        last = at == len(part.steps) - 1
        with st.container(horizontal=True, gap="xsmall"):
            st.button(
                "Next line",
                type="primary",
                on_click=_go,
                args=(experiment, run.id, at + 1),
                disabled=last,
                shortcut=None if layout.on_wall() else "Space",
            )
            st.button("Start over", on_click=_go, args=(experiment, run.id, 0), help="Back to the first line.")
            st.button("Leave", on_click=_leave, args=(experiment,), help="Back to the end of the run.")
        pace: dict[str, Any] = {"key": _pace_key(experiment), "help": "How fast the pictures follow a line."}
        st.segmented_control("Pace", list(PACES), default="normal", required=True, **pace)


def _line(step: Step, lit: bool) -> None:
    if lit:
        st.markdown(f":blue-background[**▸ {step.line}**]")
        st.caption(step.about)
    else:
        st.markdown(step.line)


def _pace_key(experiment: str) -> str:
    return f"{experiment}.pace@"


def _go(experiment: str, run: str, at: int) -> None:
    """To a line, which then plays; for a callback."""
    pace = PACES[st.session_state.get(_pace_key(experiment)) or "normal"]
    st.session_state[live.steps_key(experiment)] = (run, at, time.time(), pace)


def _leave(experiment: str) -> None:
    st.session_state.pop(live.steps_key(experiment), None)
