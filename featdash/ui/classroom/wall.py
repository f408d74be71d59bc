"""The wall of a class: the scene in present mode beside the way to join; it follows the room by itself."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from featdash import classroom
from featdash.classroom.question import Answer
from featdash.classroom.room import RoomView
from featdash.figures.guesses import FULL, PALE, Guesses
from featdash.runs.run import Run
from featdash.ui.classroom import position
from featdash.ui.classroom.controls import PACE, scene_mark
from featdash.ui.classroom.join_card import join_card
from featdash.ui.classroom.poll import Poll, is_named
from featdash.ui.classroom.stage import ClassScene, draw_alone, draw_scene, is_at_rest, result_of, text_on_wall
from featdash.ui.kit import layout, navigation
from featdash.ui.kit.link import Home
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.stage.lesson import Lesson

GONE = "The room has ended, or its code is wrong. The host can open another one."
NO_SCENE = "The scene that this room shows is no longer there. The host can choose another one."
HOW = "Open this address on your phone and type the code."
LEAST = 1.5  # magnification of pictures on a wall
STYLE = """
:root {--featdash-side: clamp(200px, 17vw, 330px); --featdash-below-px: 178; --featdash-qr: 100%;
  --featdash-address: clamp(18px, 1.5vw, 28px); --featdash-code: clamp(34px, 2.9vw, 58px);}
.st-key-room {max-width: calc(100% - var(--featdash-side));}
.st-key-band {width: calc(100% - var(--featdash-side)) !important;
  height: calc(172px * var(--featdash-wall));}
.st-key-band > :nth-child(n+2) strong {font-size: inherit;}
.st-key-side {position: fixed; inset: 0 0 0 auto; width: var(--featdash-side); padding: 0.7rem 0.8rem; z-index: 10;
  gap: 0.5rem; border-left: 1px solid rgb(128 128 128 / 35%);}
.featdash-count {margin: 0; text-align: center; font-size: clamp(26px, 2.5vw, 48px); line-height: 1.15;}
.featdash-count b {font-size: 1.35em;}
.featdash-count small {display: block; font-size: max(18px, 0.62em); line-height: 1.3;}
.featdash-count.key {text-align: left;}
"""
SWATCH = "display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.35em; background: currentColor;"
LOBBY = """
:root {--featdash-qr: min(52vh, 34vw); --featdash-address: clamp(28px, 3.2vw, 64px);
  --featdash-code: clamp(80px, 9vw, 180px);}
.st-key-room {display: none;}
.st-key-band {display: none;}
.st-key-side {inset: 0; width: auto; border: none; padding-top: 3vh;}
"""


def wall_page(code: str, parts: Mapping[str, Lesson], homes: Mapping[str, str]) -> None:
    """The wall of the room of that code. It knows no secret: before the reveal the room gives it only counts."""
    view = classroom.rooms().view(code)
    if view is None:
        st.info(GONE)
        st.button("Back", on_click=navigation.write_address, args=({},))
        layout.unseen_heading("A class")
        return
    place = position.place_in(view.place)
    at = position.scene_at(place, parts) if place else None
    regions = layout.regions(story=True, wall=True)
    answers = classroom.rooms().visible_answers(code) if view.status == "revealed" else None
    current = ClassScene(at, place, view, answers) if at and place else None
    alone = at is None and view.question is None
    st.html(f"<style>{STYLE}{LOBBY if alone else ''}</style>")
    at_rest = True
    if current:
        part = parts[current.at.scene.lesson]
        _scene(regions, current, part, Home(part.experiment.name, homes.get(part.experiment.name)))
        at_rest = is_at_rest(current, part)
    elif not alone:
        with regions.stage:
            draw_alone(view, answers, LEAST)
        with regions.band:
            _question(view)
    with st.container(key="side"):
        join_card(view.code, (NO_SCENE if view.place else HOW) if alone else "")
        _follow(view, answers if at_rest else None, partial(current.run, part) if current else lambda: None)
    layout.unseen_heading(plain_text(at.story.title) if at else "A class")


def _scene(regions: layout.Regions, current: ClassScene, part: Lesson, home: Home) -> None:
    view, scene = current.view, current.at.scene
    with regions.settings:
        unseen = st.container(key="unseen")
    with regions.stage:
        draw_scene(current, part, home, unseen)
    with regions.band:
        if view.question and (view.status in ("open", "closed") or not is_named(view.question, current.place.question)):
            _question(view)
        else:
            st.markdown(f"**{plain_text(scene.title)}**")
            st.markdown(text_on_wall(current, result_of(current.run(part)), is_at_rest(current, part)))


def _question(view: RoomView) -> None:
    """The question with its options, for those who have no phone."""
    if view.question:
        st.markdown(f"**{view.question.prompt}**")
        options = enumerate(view.question.options, 1)
        st.markdown("\N{EM SPACE}".join(f"**{digit}**\N{NO-BREAK SPACE}{plain_text(text)}" for digit, text in options))


def has_begun(before: Run | None, now: Run | None) -> bool:
    """Whether a run has appeared or started since the pictures were drawn; they notice its end themselves."""
    return now is not None and (before is None or (now.active and not before.active))


def _follow(before: RoomView, answers: list[Answer] | None, find: Callable[[], Run | None]) -> None:
    """The counts and the countdown, read again every second; only a change of scene draws the whole page again.

    find : returns the scene's run as it is now, None if there is none.
    """
    run = find()

    @st.fragment(run_every=PACE)
    def counts() -> None:
        view = classroom.rooms().view(before.code)
        if view is None or scene_mark(view) != scene_mark(before) or has_begun(run, find()):
            st.rerun()
        st.html(counts_text(view, time.time()) + outcome_text(view, answers))

    counts()


def counts_text(view: RoomView, now: float) -> str:
    """How many of those who joined have answered, and the seconds that are left; HTML."""
    counts = f"<b>{view.phone_count}</b> joined"
    if view.status in ("open", "closed"):
        round_note = "<small>second vote</small>" if view.round == 2 else ""
        counts = f"<b>{view.answer_count}</b> of <b>{view.phone_count}</b>{round_note}"
    if view.status == "closed":
        counts += f"<small>{'talk, then vote again' if view.round == 1 else 'closed'}</small>"
    door_note = "<small>the door is locked</small>" if view.locked and view.status == "wait" else ""
    seconds_left = max(0, math.ceil(view.ends - now)) if view.ends and view.status == "open" else None
    clock = (
        f'<p class="featdash-count"><b>{seconds_left // 60}:{seconds_left % 60:02d}</b></p>'
        if seconds_left is not None
        else ""
    )
    return f'<p class="featdash-count">{counts}{door_note}</p>{clock}'


def outcome_text(view: RoomView, answers: list[Answer] | None) -> str:
    """What the pale and the full bars mean, and how many were not sure; HTML, "" before the reveal."""
    outcome = Poll(None, "", view, answers).outcome(None)
    if outcome is None:
        return ""
    counts = [len(values) if isinstance(outcome, Guesses) else sum(values) for values in outcome.rounds]
    names = ["alone", "after talking"] if len(counts) > 1 else ["answers"]
    lines = []
    for opacity, name, count in zip((PALE, FULL)[-len(names) :], names, counts, strict=True):
        swatch = f'<span style="{SWATCH} opacity: {opacity}"></span>'
        lines.append(f"<small>{swatch}{name}: {count}</small>")
    unsure = " → ".join(map(str, outcome.unsure)) if any(outcome.unsure) else ""
    lines += [f"<small>not sure: {unsure}</small>"] if unsure else []
    return f'<p class="featdash-count key">{"".join(lines)}</p>'
