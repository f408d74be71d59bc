"""The host's page of a class: scenes, notes and counts, and the pictures as the wall shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import streamlit as st

from featdash import classroom
from featdash.classroom.question import Answer
from featdash.classroom.registry import Commands
from featdash.classroom.room import RoomView
from featdash.recipes.events import Result
from featdash.runs.run import Run
from featdash.stories.answer import is_right
from featdash.stories.lecture import WORDS, is_unwritten
from featdash.stories.story import Question, Story
from featdash.ui.classroom import position
from featdash.ui.classroom.controls import Desk, draw_controls, state_line
from featdash.ui.classroom.poll import is_settled, split_text
from featdash.ui.classroom.position import ClassPlace
from featdash.ui.classroom.room import NOTE, act, attend, health, room_line, tell_refusal, warn_if_alone
from featdash.ui.classroom.stage import ClassScene, draw_alone, draw_scene, result_of
from featdash.ui.classroom.wall import outcome_text
from featdash.ui.kit import announcer, control_key, layout
from featdash.ui.kit.form import Form
from featdash.ui.kit.link import Home
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service, visitor
from featdash.ui.page import blocks
from featdash.ui.stage.lesson import Lesson
from featdash.ui.story.question import NOT_YET, answer_of

NONE_YET = "Choose a story or a lecture on the left. The wall shows how to join until then."
GONE = "The scene that this room shows is no longer there: its story has changed. Choose a story on the left."
PRIVATE = "Only you see this: the wall and the phones show no answer before «Show me»."
NO_NOTES = "No notes for this scene."
ASKED = "class.asked@"  # session-state key: the scene and settings whose run was submitted last
STYLE = """
@media (min-width: 1101px) {
  :has(> .st-key-aside) {flex: 0 0 400px !important; width: 400px !important;}
  .st-key-aside {width: 400px !important;}
}
.st-key-room-line {flex-wrap: nowrap;}
.st-key-room-line strong {font-size: 1.25rem; letter-spacing: 0.06em;}
.st-key-room-line :is(button, a) {min-height: 1.9rem; padding: 0 0.5rem;}
.st-key-room-line :is(button, a) p {font-size: 0.875rem; white-space: nowrap;}
.st-key-beside {flex-wrap: nowrap;}
:is(.st-key-vote, .st-key-beside) button {padding: 0 0.55rem; min-height: 2.1rem; white-space: nowrap;}
:is(.st-key-notes, .st-key-split) {border-left: 3px solid currentColor; padding-left: 0.6rem;}
.featdash-count {margin: 0; font-size: 0.875rem;}
.featdash-count small {display: block; font-size: inherit;}
"""


def host_page(code: str, commands: Commands, parts: Mapping[str, Lesson], homes: Mapping[str, str]) -> None:
    """The page of the browser that commands the room of that code."""
    view = classroom.rooms().view(code)
    if view is None:  # the room has ended just now
        st.rerun()
    attend(view, commands)
    place = position.place_in(view.place)
    at = position.scene_at(place, parts) if place else None
    answers = classroom.rooms().visible_answers(code) if view.status == "revealed" else None
    regions = layout.regions(story=True, wall=False)
    here = announcer.place_of(at.scene.title, place.number, len(at.story.scenes)) if at and place else ""
    announcer.announce(here, state_line(view))
    st.html(f"<style>{STYLE}</style>")
    with regions.head:
        layout.name()
        room_line(view, commands)
        _choose(position.stories(parts), place, view, commands)
    if at and place:
        _scene(regions, commands, ClassScene(at, place, view, answers), parts[at.scene.lesson], homes)
        return
    regions.question.markdown("# A class")
    with regions.settings:
        draw_controls(Desk(commands, view, None))
        tell_refusal()
        _outcome(view, answers)
        _split_line(view, *_split(commands, view, None, None))
        health(None)
    with regions.stage:
        st.info(GONE if view.place else NONE_YET)
        warn_if_alone()
        draw_alone(view, answers, 1.0)


def _choose(stories: Mapping[str, Story], place: ClassPlace | None, view: RoomView, commands: Commands) -> None:
    """The menu of stories: lectures first, then the stories of the pages."""
    key = "class.story@"
    current = place.story if place and place.story in stories else None

    def show_story(name: str) -> None:
        try:
            start = position.begin(name)
        except ValueError as error:
            st.session_state[NOTE] = f"{error}."
            return
        act(commands.show, start.text())

    st.selectbox(
        "Story or lecture",
        list(stories),
        index=None if current is None else list(stories).index(current),
        format_func=lambda name: stories[name].title,
        key=control_key.showing(key, current),
        placeholder="Choose a story or a lecture",
        on_change=control_key.listener(key, show_story),
        disabled=view.status == "open",
        label_visibility="collapsed",
    )


def _scene(
    regions: layout.Regions, commands: Commands, current: ClassScene, part: Lesson, homes: Mapping[str, str]
) -> None:
    scene, run = current.at.scene, _run(current, part)
    regions.question.markdown(f"# {plain_text(current.at.story.title)}")
    with regions.settings:
        plays = bool(part.film) and run is not None and run.status == "done"
        last = len(current.at.story.scenes)
        question = scene.question if current.poll.is_asked else None
        split = _split(commands, current.view, question, result_of(run))
        draw_controls(Desk(commands, current.view, current.place, scene.question, last, plays, is_settled(*split)))
        tell_refusal()
        _outcome(current.view, current.answers)
        _split_line(current.view, *split)
        with st.container(key="words"):
            st.markdown(f"## {plain_text(scene.title)}")
            _question(current, run)
            draw_settings(current, part, commands)
            with st.container(key="notes"):
                st.markdown(scene.notes or NO_NOTES)
            blocks.scene_words(WORDS if is_unwritten(scene) else scene.words)
        if run and run.status in ("failed", "stopped"):
            st.button("Run it again", on_click=partial(_submit, current, part))
        health(run)
        unseen = st.container(key="unseen")
    with regions.stage:
        draw_scene(current, part, Home(scene.lesson, homes.get(scene.lesson)), unseen)


def _outcome(view: RoomView, answers: list[Answer] | None) -> None:
    if text := outcome_text(view, answers):
        st.html(text)


def _split(
    commands: Commands, view: RoomView, question: Question | None, result: Result | None
) -> tuple[Sequence[Answer], Sequence[bool] | None]:
    """The answers of a closed round, and for each that is no «not sure» whether it is right, None if nobody can say.

    question : the scene's, if it is what the room asked.
    """
    answers = commands.split() if view.status == "closed" else []
    if question is None or result is None or question.kind == "number":
        return answers, None
    return answers, [bool(is_right(question, one.value, result.summary)) for one in answers if one.value is not None]


def _split_line(view: RoomView, answers: Sequence[Answer], right: Sequence[bool] | None) -> None:
    """How the closed round came out, for the host alone."""
    if view.status != "closed" or view.question is None:
        return
    with st.container(key="split"):
        st.markdown(split_text(view.question, answers, right, advises=view.round == 1))
        st.caption(PRIVATE)


def _question(current: ClassScene, run: Run | None) -> None:
    """What the scene asks, and its answer once the class has seen it."""
    question = current.at.scene.question
    if question is None:
        return
    options = "".join(f"\n- {option.text}" for option in question.options)
    st.markdown(f"**{question.prompt}**\n{options}")
    if not current.poll.hides:
        result = result_of(run)
        st.info(answer_of(question, result.summary) if result else NOT_YET)


def _run(current: ClassScene, part: Lesson) -> Run | None:
    """The scene's run; one that is neither recorded nor stored is submitted, once."""
    run, here = current.run(part), (current.view.code, current.place.story, current.place.number, current.spec(part))
    if run is None and st.session_state.get(ASKED) != here:
        st.session_state[ASKED] = here
        _submit(current, part)
        return current.run(part)
    return run


def _submit(current: ClassScene, part: Lesson) -> None:
    """Have the scene's run computed for this host; a refusal is shown as a sentence."""
    try:
        service().submit(part.experiment.name, current.spec(part), visitor())
    except ValueError as error:
        st.session_state[NOTE] = plain_text(f"{error}.")


DRAWN = "drawn@"  # session-state key: the settings that the controls of a scene show


def draw_settings(current: ClassScene, part: Lesson, commands: Commands) -> None:
    """The controls of the scene; none while a question is open, or while the class does not know its answer."""
    scene, spec = current.at.scene, current.spec(part)
    if not scene.controls or current.poll.hides or current.view.status in ("open", "closed"):
        return
    form = Form(part.experiment, part.text.words, f"class.{current.place.question}.")
    if st.session_state.get(form.key(DRAWN)) != spec:
        form.load({name: getattr(spec, name) for name in form.fields})
        st.session_state[form.key(DRAWN)] = spec
    for name in scene.controls:
        (form.slider if name in part.text.sliders else form.control)(name)
    new_spec, wrong = form.validate()
    if wrong and form.notice(wrong):
        st.error(plain_text(wrong))
    elif new_spec and new_spec != spec:
        _leave(current, part)
        scenes_own = replace(current, place=replace(current.place, settings={})).spec(part)
        values, own = new_spec.to_mapping(), scenes_own.to_mapping()
        settings = {name: values[name] for name in scene.controls if values[name] != own[name]}
        place = current.place.with_answer_known() if current.poll.answers_visible else current.place
        if act(commands.show, replace(place, settings=settings).text()):
            st.session_state[form.key(DRAWN)] = new_spec
        st.rerun()


def _leave(current: ClassScene, part: Lesson) -> None:
    """Stop the scene's run if it is still being computed for this host alone: the next one takes its place."""
    run, name = current.run(part), visitor()
    if run and run.active and service().owns(run.id, name, alone=True):
        service().stop(run.id, name)
