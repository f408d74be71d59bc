"""A class's scene on the stage: its pictures, what its question hides, and after the reveal what the class has said."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from featdash.classroom.question import Answer
from featdash.classroom.room import RoomView
from featdash.figures.guessed_number import guessed_number
from featdash.figures.guesses import Guesses
from featdash.figures.picture import Picture, Theme
from featdash.figures.votes import Votes, votes_picture
from featdash.recipes.events import Result
from featdash.recipes.spec import Spec
from featdash.recipes.version import run_id
from featdash.runs.run import Run
from featdash.stories.answer import truth
from featdash.ui.classroom.poll import Poll, is_named
from featdash.ui.classroom.position import ClassPlace
from featdash.ui.kit import layout, toolbar
from featdash.ui.kit.link import Home
from featdash.ui.kit.plain_text import plain_text
from featdash.ui.kit.shared import service
from featdash.ui.stage import chart, film
from featdash.ui.stage.lesson import Lesson
from featdash.ui.stage.panels import Panel, View
from featdash.ui.stage.stage import stage
from featdash.ui.story.question import NOT_YET, answer_of
from featdash.ui.story.scene_panels import panels_of
from featdash.ui.story.story_choice import Place
from featdash.ui.streamlit_internals import Place as Container

CLASS = "What the class said"
SCENE, PLAYED = "class.scene@", "class.played@"  # session-state keys: the scene on show, and what was played last
COMES = "The host's page asks for this run; it comes when it has begun."


@dataclass(frozen=True)
class ClassScene:
    """A scene that a class has on show.

    at : the scene in its story; place : the same as the room stores it, with what the class knows and the host has set.
    view : the room; answers : None before the class may see them.
    """

    at: Place
    place: ClassPlace
    view: RoomView
    answers: list[Answer] | None

    @property
    def poll(self) -> Poll:
        question, answer_known = self.at.scene.question, self.place.number in self.place.answers_known
        return Poll(question, self.place.question, self.view, self.answers, answer_known)

    def spec(self, part: Lesson) -> Spec:
        """The scene's settings with the host's; the defaults if the lesson refuses them, as `story check` reports."""
        try:
            return part.experiment.recipe({**self.at.scene.settings, **self.place.settings})
        except ValueError:
            return part.experiment.spec()

    def run(self, part: Lesson) -> Run | None:
        """The scene's run: recorded, stored here, or in progress because the host has submitted it."""
        name, spec = part.experiment.name, self.spec(part)
        return service().get(service().find_stored(name, spec) or run_id(name, spec))


def result_of(run: Run | None) -> Result | None:
    return service().result(run.id) if run and run.status == "done" else None


def draw_scene(current: ClassScene, part: Lesson, home: Home, unseen: Container) -> None:
    """The scene's pictures; unseen : a hidden container, for the switches of the view."""
    scene, run, poll = current.at.scene, current.run(part), current.poll
    _enter(current)
    if run is None:
        st.info(COMES)
        return
    result = result_of(run)
    _play(current, part, run)
    outcome = poll.outcome(result) if is_at_rest(current, part) else None
    on_axis = outcome is not None and poll.answers_visible and scene.question and scene.question.on in scene.show
    beside = [] if outcome is None or on_axis else [outcome_panel(outcome, _truth(current, result))]
    panels = panels_of(part, scene, partial(poll.prediction, result), beside)
    lesson = replace(part, panels=panels, film=() if poll.hides else part.film, lines=())
    stage(run, lesson, unseen, None, "", None, home)


def is_at_rest(current: ClassScene, part: Lesson) -> bool:
    """Whether no film plays: the verdict and what the class said wait for that."""
    panels = {panel.short: panel for panel in part.panels}
    scene = replace(part, panels=[panels[name] for name in current.at.scene.show])
    return not film.is_playing(current.run(part), scene)


def draw_alone(view: RoomView, answers: list[Answer] | None, least: float) -> None:
    """What the class said, where the wall shows no scene; least : the smallest magnification."""
    outcome = Poll(None, "", view, answers).outcome(None)
    if outcome is not None:
        theme = layout.browser_theme()
        picture = chart.render(_outcome_picture(outcome, None, theme), "class")
        chart.mount({"class": picture}, key="class-alone", least=least)


def outcome_panel(outcome: Guesses | Votes, answer: float | None) -> Panel:
    """The class's answers as a picture beside those of the scene.

    Its name changes with its content, because the browser keeps a picture under its name.
    """
    mark = hashlib.blake2b(repr((outcome, answer)).encode(), digest_size=6).hexdigest()

    def draw(view: View) -> Picture:
        return _outcome_picture(outcome, answer, view.theme)

    return Panel(f"class-{mark}", draw, streams=("class",))  # no run has this stream, so the picture waits for no film


def _outcome_picture(outcome: Guesses | Votes, answer: float | None, theme: Theme) -> Picture:
    if isinstance(outcome, Votes):
        return votes_picture(outcome, CLASS, theme)
    return guessed_number(outcome, answer, CLASS, theme)


def _truth(current: ClassScene, result: Result | None) -> float | None:
    """The number that the scene's question asks for, once the class may see it."""
    question = current.at.scene.question
    if question is None or result is None or question.kind != "number" or not current.poll.answers_visible:
        return None
    value = truth(question, result.summary)
    return value if isinstance(value, float) else None


def _enter(current: ClassScene) -> None:
    """When the scene changes, set the switches of its view and rest the film that this browser may have started."""
    here = (current.view.code, current.place.story, current.place.number)
    if st.session_state.get(SCENE) != here:
        st.session_state[SCENE] = here
        toolbar.preset(current.at.scene.lesson, current.at.scene.view)
        film.rest(current.at.scene.lesson)


def _play(current: ClassScene, part: Lesson, run: Run) -> None:
    """Play the run's film when its answers have just been revealed, or when the host asks for a replay."""
    question = current.view.question  # a question on the spot is not about the pictures
    own = question is not None and current.poll.answers_visible and is_named(question, current.place.question)
    revealed_id = question.id if question and own else ""
    here = st.session_state[SCENE]
    before, now = st.session_state.get(PLAYED), (here, revealed_id, current.place.plays)
    st.session_state[PLAYED] = now
    is_new = before is not None and before[0] == here and before != now and (revealed_id or before[2] != now[2])
    if is_new and run.status == "done":
        film.play(part.experiment.name, run.id)


def text_on_wall(current: ClassScene, result: Result | None, at_rest: bool) -> str:
    """The sentence under the pictures: the question until the film is over, then its answer, or the scene's own words.

    If the host has moved a setting, the answer of the question no longer holds.
    """
    question, class_question = current.at.scene.question, current.view.question
    if current.place.settings:
        settings = ", ".join(f"{name} = {value}" for name, value in current.place.settings.items())
        return plain_text(f"Now with {settings}.")
    if class_question and not is_named(class_question, current.place.question):
        return class_question.prompt
    if question is None or (current.view.status == "wait" and not current.poll.answer_known):
        return current.at.scene.wall_text()
    if current.poll.hides or not at_rest:
        return current.at.scene.wall_question()
    return answer_of(question, result.summary) if result else NOT_YET
