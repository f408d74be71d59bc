"""A story on its page: scene after scene, a question before the run is shown, the place in the address."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import streamlit as st

from featdash.recipes.events import Result
from featdash.runs.run import Run
from featdash.stories.story import Scene, Story
from featdash.ui import (
    blocks,
    claims_view,
    keys,
    layout,
    link,
    live,
    navigation,
    run_panel,
    scene_block,
    storybook,
    toolbar,
)
from featdash.ui.form import Form
from featdash.ui.layout import Room
from featdash.ui.lesson import Lesson
from featdash.ui.panels import Panel
from featdash.ui.plain_text import plain_text
from featdash.ui.playback import ReplayedStreams
from featdash.ui.question import Asked
from featdash.ui.shared import service
from featdash.ui.stage import stage, takeaway

LAST = "scene.last@"  # session-state key: story and scene that were on show last
LEAD = (1.0, 1.2, 1.6)  # the width of the first of one, two or more pictures, beside those stacked at its right


@dataclass(frozen=True)
class Place:
    """Where a visitor is: a story by its name, and a scene from 1 on."""

    name: str
    story: Story
    number: int

    @property
    def scene(self) -> Scene:
        return self.story.scenes[self.number - 1]

    @property
    def key(self) -> str:
        """Of the session's state, unique to the scene."""
        return f"story.{self.name}.{self.number}."


def place_of(stories: Mapping[str, Story], query: Mapping[str, str]) -> tuple[Place, str]:
    """The place that the address names, else the first; and a sentence where it names one that there is not."""
    name = query.get("story", next(iter(stories)))
    if name not in stories:
        first = next(iter(stories))
        return Place(
            first, stories[first], 1
        ), f"story must be one of {', '.join(stories)}, got {name!r}; see the first."
    story, wanted = stories[name], query.get("scene", "1")
    count = len(story.scenes)
    if not (wanted.isdecimal() and len(wanted) < 4 and 1 <= int(wanted) <= count):
        return Place(name, story, 1), f"scene must be a whole number from 1 to {count}, got {wanted!r}; see the first."
    return Place(name, story, int(wanted)), ""


def play(
    room: Room, parts: Mapping[str, Lesson], place: Place, trouble: str, homes: Mapping[str, str] | None = None
) -> None:
    """One scene: words and question in the column, its pictures on the stage.

    homes : experiment -> the page that it is at home on, where that is another than this one.
    """
    scene, part = place.scene, parts[place.scene.lesson]
    room.question.markdown(place.story.title)
    form = Form(part.experiment, part.text.words, place.key)
    _enter(form, scene, place)
    asked = Asked(scene.question, place.key) if scene.question else None
    with room.settings:
        _walk(place)
        run_panel.show_notices(form, [trouble or None])
        with st.container(key="words"):
            st.markdown(f"##### {scene.title}")
            blocks.scene_words(scene.words)
        spec, wrong = form.validate()
        run_panel.show_notices(form, [wrong])
        run = _run_of(form)
        result = service().result(run.id) if run and run.status == "done" else None
        panels, shown = _panels(part, scene, asked, result), run_panel.previous_run(form, run)
        told = replace(part, panels=panels, plays=_plays(part, panels))
        if asked and asked.shown:
            asked.draw_answer(result)
        elif asked:
            asked.draw_guess()
            _show_me(form, told, place, asked, run)
        if not asked or asked.shown:
            _controls(form, scene)
        _ways_out(form, place, (homes or {}).get(scene.lesson))
        unseen = st.container(key="unseen")
        with unseen:
            keys.release_focus()
    hidden = asked is not None and not asked.shown
    with room.commands:
        run_panel.buttons(form, run, ready=spec is not None, story=not hidden and bool(told.plays))
    with room.stage:
        stage(shown, told, unseen, live.ending_line(run, spec), None if shown is run else run)
        with st.container(key="below"), st.expander("How to read the pictures, and where their numbers come from"):
            blocks.how_to_read(part.text.formula, part.text.reading)
            claims_view.page_end(scene.lesson)
            blocks.source(part.text.source)
            takeaway(shown, part, scene.lesson)
    if layout.on_wall():
        with room.band:
            st.markdown(f"**{scene.title}**")
            st.markdown(_spoken(scene, asked, result))


def _spoken(scene: Scene, asked: Asked | None, result: Result | None) -> str:
    """The sentence on a wall: the question, then its answer, else how the scene begins."""
    if asked:
        return asked.answer(result)[1] if asked.shown else asked.question.prompt
    return first_sentence(scene.words)


def first_sentence(words: str) -> str:
    """What a wall shows of a scene's words."""
    return re.split(r"(?<=[.!?:])\s+(?=[A-Z*«$])", " ".join(words.split()), maxsplit=1)[0]


def _enter(form: Form, scene: Scene, place: Place) -> None:
    """At a scene that is new on show: its settings, its view, and its run."""
    here = (place.name, place.number)
    if st.session_state.get("scene@") == here:
        return
    st.session_state["scene@"] = here
    try:
        spec = form.experiment.recipe(scene.settings)
    except ValueError as error:
        run_panel.add_notice(form, f"The scene's settings are not valid: {error}.")
        spec = form.experiment.spec()
    form.load({name: getattr(spec, name) for name in form.fields})
    toolbar.preset(form.experiment.name, scene.view)
    run_panel.arrive(form)


def _run_of(form: Form) -> Run | None:
    """The run of the scene's settings as they stand; a setting that the visitor moves is computed at once."""
    run, (spec, _) = run_panel.view_of(form), form.validate()
    asked = form.key("asked@")
    if spec and run and run.spec != spec and st.session_state.get(asked) != spec:
        st.session_state[asked] = spec
        run_panel.arrive(form, run)
        return run_panel.view_of(form)
    return run


def _controls(form: Form, scene: Scene) -> None:
    """The settings that the visitor may move in this scene."""
    for name in scene.controls:
        if name == "n":
            form.slider(name)
        else:
            form.control(name)


def _walk(place: Place) -> None:
    """Back and Next, at a place that no scene's words move."""
    count, here = len(place.story.scenes), place.number
    with st.container(key="walk", horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        st.button("Back", on_click=go, args=(place.name, here - 1), disabled=here == 1, shortcut="Left")
        st.markdown(f"{here} of {count}")
        st.button("Next", on_click=go, args=(place.name, here + 1), disabled=here == count, shortcut="Right")


def _show_me(form: Form, part: Lesson, place: Place, asked: Asked, run: Run | None) -> None:
    st.button(
        "Show me",
        type="primary",
        on_click=_reveal,
        args=(form, asked, run.id if run and part.plays else None),
        disabled=run is None or run.status != "done",
        width="stretch",
        shortcut="Space",
        key=f"{place.key}show",
    )


def _ways_out(form: Form, place: Place, home: str | None) -> None:
    """To the wall, to Explore, and into a lecture; home : the page of Explore, if it is another."""
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        layout.present(layout.on_wall())
        about = "Every setting of this run, to change at will."
        if home is None:
            st.button("Open in Explore", on_click=_explore, args=(form, place), help=about)
        elif st.button("Open in Explore", help=about):
            query = link.query(form.experiment, form.values())
            navigation.go(link.address(home, {"part": form.experiment.name, **query}))
        kept = replace(place.scene, story=place.scene.story or place.name)
        st.button("Keep this", on_click=scene_block.keep, args=(kept,), help="Put it into your lecture.")


def _plays(part: Lesson, panels: Sequence[Panel]) -> ReplayedStreams:
    """The streams that move in these pictures, phase by phase: a replay of others would be a pause."""
    read = {stream for panel in panels for stream in panel.streams}
    phases = part.plays if part.plays and isinstance(part.plays[0], tuple) else (part.plays,)
    kept = [tuple(stream for stream in phase if stream in read) for phase in phases]
    return tuple(phase for phase in kept if phase)


def _reveal(form: Form, asked: Asked, moving: str | None) -> None:
    """Answer, and replay the run of that name, if any picture moves."""
    asked.show()
    if moving:
        live.replay(form.experiment.name, moving)


def go(name: str, number: int) -> None:
    """Lead to a scene; for a callback."""
    wall = {"present": "1"} if layout.on_wall() else {}
    st.query_params.from_dict({"story": name, "scene": str(number)} | wall)


def _explore(form: Form, place: Place) -> None:
    """Take the scene's settings to Explore; for a callback."""
    values, run = form.values(), link.watched_query(form)
    known = Form(form.experiment)
    known.load(values)
    link.watch(known, run)
    first = place.story.lesson == form.experiment.name
    st.query_params.from_dict({"mode": link.EXPLORE} | ({} if first else {"part": form.experiment.name}))
    st.session_state[known.key("link@")] = {} if first else {"part": form.experiment.name}


def _panels(part: Lesson, scene: Scene, asked: Asked | None, result: Result | None) -> tuple[Panel, ...]:
    """The scene's pictures: the first leads, the others are stacked at its right."""
    known = {panel.name: panel for panel in part.panels}
    chosen = []
    for name in scene.show:
        panel = next(panel for full, panel in known.items() if full == name or full.partition("-")[2] == name)
        prediction = asked.prediction(name, result) if asked else None
        chosen.append(replace(panel, prediction=prediction))
    return tuple(replace(panel, **place) for panel, place in zip(chosen, _arrangement(chosen), strict=True))


def _arrangement(panels: Sequence[Panel]) -> list[dict[str, Any]]:
    """Row, width and stacking: the others stand at the right of the first, or below it if it is a wide one."""
    if panels[0].wide and not layout.on_wall():
        return [{"row": min(index, 1), "width": 1.0, "stacked": False} for index in range(len(panels))]
    lead = LEAD[min(len(panels), len(LEAD)) - 1]
    return [{"row": 0, "width": lead if index == 0 else 1.0, "stacked": index > 1} for index in range(len(panels))]


def switch(place: Place | None, stories: Mapping[str, Story]) -> None:
    """Story or Explore; and which story, where there are several."""
    mode = link.STORY if place else link.EXPLORE
    st.session_state["mode@"] = mode
    if place:
        st.session_state[LAST] = (place.name, place.number)
    first = _last(stories)
    st.segmented_control(
        "Story or Explore",
        [link.STORY, link.EXPLORE],
        format_func=str.capitalize,
        key="mode@",
        required=True,
        on_change=partial(_switch, *first),
        label_visibility="collapsed",
        width="stretch",
    )
    if place and len(stories) > 1:
        st.session_state["story@"] = place.name
        st.selectbox(
            "Story",
            list(stories),
            format_func=lambda name: stories[name].title,
            key="story@",
            on_change=_choose,
            label_visibility="collapsed",
        )
    _mistakes()


def _mistakes() -> None:
    """What is wrong with a lecturer's files, which cost none of the other stories."""
    found = storybook.mistakes()
    if found:
        with st.popover(f"{len(found)} of your files cannot be read as a story"):
            for path, mistakes in found.items():
                st.markdown(f"**{plain_text(path.name)}**")
                for mistake in mistakes:
                    st.caption(plain_text(str(mistake)))


def _last(stories: Mapping[str, Story]) -> tuple[str, int]:
    """Story and scene that this visitor saw last, if they are of this page."""
    name, number = st.session_state.get(LAST, ("", 1))
    return (name, number) if name in stories else (next(iter(stories)), 1)


def _switch(name: str, number: int) -> None:
    if st.session_state["mode@"] == link.STORY:
        go(name, number)
    else:
        st.query_params.from_dict({"mode": link.EXPLORE})


def _choose() -> None:
    st.query_params.from_dict({"story": st.session_state["story@"], "scene": "1"})
