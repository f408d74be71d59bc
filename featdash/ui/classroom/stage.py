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
from featdash.ui.stage import chart, film, live
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
    """A scene, the room in which it is on show, and the answers once they may be seen."""

    at: Place
    place: ClassPlace
    view: RoomView
    answers: list[Answer] | None

    @property
    def poll(self) -> Poll:
        question, told = self.at.scene.question, self.place.number in self.place.told
        return Poll(question, self.place.question, self.view, self.answers, told)

    def spec(self, part: Lesson) -> Spec:
        """The settings of the scene, and the host's; the defaults where they are none, as `story check` tells."""
        try:
            return part.experiment.recipe({**self.at.scene.settings, **self.place.settings})
        except ValueError:
            return part.experiment.spec()

    def run(self, part: Lesson) -> Run | None:
        """The scene's run: recorded, kept here, or in progress because the host has asked for it."""
        name, spec = part.experiment.name, self.spec(part)
        return service().get(service().find_stored(name, spec) or run_id(name, spec))


def result_of(run: Run | None) -> Result | None:
    return service().result(run.id) if run and run.status == "done" else None


def draw_scene(shown: ClassScene, part: Lesson, home: Home, unseen: Container) -> None:
    """The scene's pictures; unseen : a place that nobody sees, for the switches of the view."""
    scene, run, poll = shown.at.scene, shown.run(part), shown.poll
    _enter(shown)
    if run is None:
        st.info(COMES)
        return
    result = result_of(run)
    _play(shown, part, run)
    outcome = poll.outcome(result) if is_at_rest(shown, part) else None
    on_axis = outcome is not None and poll.shown and scene.question and scene.question.on in scene.show
    beside = [] if outcome is None or on_axis else [outcome_panel(outcome, _truth(shown, result))]
    panels = panels_of(part, scene, partial(poll.prediction, result), beside)
    drawn = replace(part, panels=panels, film=() if poll.hides else part.film, lines=())
    stage(run, drawn, unseen, live.ending_line(run, None), None, home)


def is_at_rest(shown: ClassScene, part: Lesson) -> bool:
    """Whether no picture plays: the verdict, and what the class has said, come last."""
    known = {panel.short: panel for panel in part.panels}
    scene = replace(part, panels=[known[name] for name in shown.at.scene.show])
    return not film.is_playing(shown.run(part), scene)


def draw_alone(view: RoomView, answers: list[Answer] | None, least: float) -> None:
    """What the class said, where no scene is on show; least : its least magnification."""
    outcome = Poll(None, "", view, answers).outcome(None)
    if outcome is not None:
        theme = layout.browser_theme()
        rendered = chart.render(_outcome_picture(outcome, None, theme), "class")
        chart.mount({"class": rendered}, key="class-alone", least=least)


def outcome_panel(outcome: Guesses | Votes, answer: float | None) -> Panel:
    """The class's answers as a picture beside those of the scene.

    Its name changes with what it shows, for pictures are kept by their names.
    """
    mark = hashlib.blake2b(repr((outcome, answer)).encode(), digest_size=6).hexdigest()

    def draw(view: View) -> Picture:
        return _outcome_picture(outcome, answer, view.theme)

    return Panel(f"class-{mark}", draw, streams=("class",))  # a stream of no run: it waits for no playback


def _outcome_picture(outcome: Guesses | Votes, answer: float | None, theme: Theme) -> Picture:
    if isinstance(outcome, Votes):
        return votes_picture(outcome, CLASS, theme)
    return guessed_number(outcome, answer, CLASS, theme)


def _truth(shown: ClassScene, result: Result | None) -> float | None:
    """The number that the scene's question asks for, once it may be seen."""
    question = shown.at.scene.question
    if question is None or result is None or question.kind != "number" or not shown.poll.shown:
        return None
    found = truth(question, result.summary)
    return found if isinstance(found, float) else None


def _enter(shown: ClassScene) -> None:
    """At a scene that is new on show: its view, and nothing plays that this browser has begun elsewhere."""
    here = (shown.view.code, shown.place.story, shown.place.number)
    if st.session_state.get(SCENE) != here:
        st.session_state[SCENE] = here
        toolbar.preset(shown.at.scene.lesson, shown.at.scene.view)
        film.rest(shown.at.scene.lesson)


def _play(shown: ClassScene, part: Lesson, run: Run) -> None:
    """Begin the replay of the run when its answers have just been revealed, or the host has asked for it."""
    question = shown.view.question  # one that is put on the spot asks nothing of the pictures
    own = question is not None and shown.poll.shown and is_named(question, shown.place.question)
    asked = question.id if question and own else ""
    here = st.session_state[SCENE]
    before, now = st.session_state.get(PLAYED), (here, asked, shown.place.plays)
    st.session_state[PLAYED] = now
    wanted = before is not None and before[0] == here and before != now and (asked or before[2] != now[2])
    if wanted and run.status == "done":
        film.play(part.experiment.name, run.id)


def text_on_wall(shown: ClassScene, result: Result | None, at_rest: bool) -> str:
    """The sentence under the pictures: the question until the pictures are at rest, its answer, or the scene's own.

    Where the host has moved a setting the answer is no longer that of the question.
    """
    question, asked = shown.at.scene.question, shown.view.question
    if shown.place.settings:
        told = ", ".join(f"{name} = {value}" for name, value in shown.place.settings.items())
        return plain_text(f"Now with {told}.")
    if asked and not is_named(asked, shown.place.question):
        return asked.prompt
    if question is None or (shown.view.status == "wait" and not shown.poll.told):
        return shown.at.scene.wall_text()
    if shown.poll.hides or not at_rest:
        return question.prompt
    return answer_of(question, result.summary) if result else NOT_YET
