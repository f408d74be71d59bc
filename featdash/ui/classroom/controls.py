"""The host's buttons for one scene: the question's two rounds, the reveal, the way on, and a question on the spot."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from featdash import classroom
from featdash.classroom.registry import Commands
from featdash.classroom.room import RoomView
from featdash.stories.story import Question
from featdash.ui.classroom.poll import FLASHES, class_question, flash_question, is_named
from featdash.ui.classroom.position import ClassPlace
from featdash.ui.classroom.room import act, attend

PACE = 1.0  # seconds between two looks at the room
COUNTDOWNS = {"No timer": None, "20 s": 20.0, "30 s": 30.0, "60 s": 60.0}
COUNTDOWN = "class.countdown@"  # session-state key
STATES = {
    "wait": "No question is open.",
    "open": "Open, round {round}.",
    "closed": "Closed after round {round}.",
    "revealed": "Shown on the wall.",
}


@dataclass(frozen=True)
class Desk:
    """What the host's buttons act on.

    question : the scene's question, None if it asks none; last : the number of the story's last scene; plays : whether
    the scene has a film that can be played again; settled : whether most answers of the round are right.
    """

    commands: Commands
    view: RoomView
    place: ClassPlace | None
    question: Question | None = None
    last: int = 0
    plays: bool = False
    settled: bool = False

    @property
    def answer_known(self) -> bool:
        """Whether the class has seen the scene's answer."""
        return bool(self.place and self.place.number in self.place_now.answers_known)

    @property
    def place_now(self) -> ClassPlace:
        """The place, with the answers that the class knows by now."""
        place = self.place or ClassPlace()
        revealed = self.view.status == "revealed" and is_named(self.view.question, place.question)
        return place.with_answer_known() if revealed else place

    def next_step(self) -> str:
        """The button that a lecture goes on with."""
        status = self.view.status
        if status == "wait":
            return "Open" if self.question and not self.answer_known else "Next"
        asks_again = self.view.round == 1 and not self.settled
        return {"open": "Close", "closed": "Ask again" if asks_again else "Show me"}.get(status, "Next")


def scene_mark(view: RoomView) -> tuple:
    """A value that changes when the wall shows something else, and not when phones join or answer."""
    return view.place, view.status, view.round, view.question.id if view.question else "", view.locked


def draw_controls(desk: Desk) -> None:
    """The counts, read again every second, and the buttons; a scene that has changed draws the whole page again."""
    walk(desk)

    @st.fragment(run_every=PACE)
    def counts() -> None:
        view = classroom.rooms().view(desk.view.code)
        if view is None or scene_mark(view) != scene_mark(desk.view):
            st.rerun()
        attend(view, desk.commands)
        st.markdown(counts_line(view, time.time()))

    counts()
    _vote(desk)
    _beside(desk)


def _beside(desk: Desk) -> None:
    """The countdown of the next round, questions on the spot and, where the scene asks nothing, its replay."""
    busy = desk.view.status == "open"
    st.session_state.setdefault(COUNTDOWN, next(iter(COUNTDOWNS)))
    with st.container(key="beside", horizontal=True, gap="xsmall", vertical_alignment="center"):
        st.selectbox("Countdown", list(COUNTDOWNS), key=COUNTDOWN, label_visibility="collapsed", width=140)
        for label in FLASHES:
            st.button(f"Ask {label}", on_click=_flash, args=(desk, label), disabled=busy)
        if desk.plays and not desk.question:
            st.button("Replay", on_click=_replay, args=(desk,), disabled=busy)


def state_line(view: RoomView) -> str:
    """Where the room is."""
    return STATES[view.status].format(round=view.round)


def counts_line(view: RoomView, now: float) -> str:
    """Where the room is, who is there and who has answered."""
    phones = view.phone_count
    counts = f"**{view.answer_count} of {phones}** answered" if view.round else f"**{phones}** joined"
    time_left = f" · **{max(0, math.ceil(view.ends - now))} s** left" if view.ends and view.status == "open" else ""
    return f"{state_line(view)} {counts}{time_left}"


def walk(desk: Desk) -> None:
    """Back and Next; both wait while a question is open."""
    here = desk.place.number if desk.place else 1
    still = desk.view.status == "open" or desk.place is None
    with st.container(key="walk", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        _button(desk, "Back", _go, (desk, here - 1), still or here == 1, "Left")
        st.markdown(f"{here} of {desk.last}" if desk.last else "")
        _button(desk, "Next", _go, (desk, here + 1), still or here >= desk.last, "Right")


def _vote(desk: Desk) -> None:
    """Open, close, ask again and show: each button keeps its place, and the next one to press is coloured."""
    status, question = desk.view.status, desk.question
    waits = status == "wait" and question is not None
    commands = desk.commands
    with st.container(key="vote", horizontal=True, gap="xsmall"):
        _button(desk, "Open", _open, (desk,), not waits)
        _button(desk, "Close", act, (commands.close,), status != "open")
        _button(desk, "Ask again", _again, (desk,), status != "closed" or desk.view.round != 1)
        _button(desk, "Show me", act, (commands.reveal,), status != "closed")


def _button(
    desk: Desk,
    label: str,
    command: Callable,
    arguments: tuple,
    disabled: bool,
    shortcut: str | None = None,
) -> None:
    kind: Literal["primary", "secondary"] = "primary" if label == desk.next_step() else "secondary"
    shortcut = shortcut or ("Space" if kind == "primary" else None)
    st.button(label, on_click=command, args=arguments, disabled=disabled, type=kind, shortcut=shortcut)


def _go(desk: Desk, number: int) -> None:
    act(desk.commands.show, desk.place_now.at_scene(number).text())


def _open(desk: Desk) -> None:
    if desk.question and desk.place:
        act(desk.commands.open, class_question(desk.question, desk.place.question), COUNTDOWNS[_countdown()])


def _again(desk: Desk) -> None:
    act(desk.commands.again, COUNTDOWNS[_countdown()])


def _countdown() -> str:
    return st.session_state.get(COUNTDOWN, next(iter(COUNTDOWNS)))


def _flash(desk: Desk, label: str) -> None:
    """Ask a question on the spot; the wall keeps its scene, and the class what it knows of it."""
    place = desk.place_now.text() if desk.place else ""
    if desk.view.status == "wait" or act(desk.commands.show, place):
        act(desk.commands.open, flash_question(label), COUNTDOWNS[_countdown()])


def _replay(desk: Desk) -> None:
    act(desk.commands.show, replace(desk.place_now, plays=desk.place_now.plays + 1).text())
