"""Checks of a story against its lessons: settings, pictures, controls, and answers that a run really gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from featdash.recipes.experiment import Entry
from featdash.stories.answer import fill_in, truth
from featdash.stories.story import Mistake, Question, Scene, Story

Summary = Mapping[str, Any]


@dataclass(frozen=True)
class LessonParts:
    """What a story may name of a lesson.

    panels : the names of its pictures, without the name of the lesson.
    summary : Spec -> the summary of its recorded run, None if there is none.
    default : the summary of the recorded default run, whose shape all runs share; None if there is none.
    """

    experiment: Entry
    panels: tuple[str, ...]
    summary: Callable[[Any], Summary | None]
    default: Summary | None = None


def check_story(story: Story, lessons: Mapping[str, LessonParts]) -> list[Mistake]:
    """Every mistake that only a comparison with the lessons shows, by line; empty if the story can be played."""
    return [mistake for scene in story.scenes for mistake in _check_scene(scene, lessons)]


def _check_scene(scene: Scene, lessons: Mapping[str, LessonParts]) -> Iterator[Mistake]:
    if scene.lesson not in lessons:
        rule = f"lesson must be one of {', '.join(lessons)}, got {scene.lesson!r}"
        yield Mistake(scene.line, rule, "choose one of them")
        return
    lesson = lessons[scene.lesson]
    for name in scene.show:
        if name not in lesson.panels:
            rule = f"show must name pictures of the lesson, got {name!r}"
            yield Mistake(scene.line, rule, f"known are {', '.join(lesson.panels)}")
    fields = lesson.experiment.spec.__dataclass_fields__
    for name in scene.controls:
        if name not in fields:
            rule = f"controls must name settings of the lesson, got {name!r}"
            yield Mistake(scene.line, rule, f"known are {', '.join(fields)}")
    try:
        spec = lesson.experiment.recipe(scene.settings)
    except ValueError as error:
        rule, _, remedy = str(error).rpartition("; ")
        yield Mistake(scene.line, rule or str(error), remedy or "change the settings")
        return
    if scene.question:
        yield from _check_question(scene, scene.question, lesson.summary(spec), lesson.default)


def _check_question(
    scene: Scene, question: Question, own: Summary | None, default: Summary | None
) -> Iterator[Mistake]:
    if question.on and question.on not in scene.show:
        rule = f"on must be a picture that the scene shows, got {question.on!r}"
        yield Mistake(question.line, rule, f"choose one of {', '.join(scene.show)}")
    for name in question.hide:
        if name not in scene.show:
            rule = f"hide must name pictures that the scene shows, got {name!r}"
            yield Mistake(question.line, rule, f"choose from {', '.join(scene.show)}")
    summary = own if own is not None else default
    if summary is None:
        return
    try:
        answer = truth(question, summary)
        for sentence in question.says:
            fill_in(sentence, question, summary, lambda value, _: f"{value}")
    except ValueError as error:
        rule, _, remedy = str(error).rpartition("; ")
        yield Mistake(question.line, rule, remedy)
        return
    if own is not None and isinstance(answer, float) and not question.low <= answer <= question.high:
        rule = f"low and high must hold the answer, which is {answer:.3g}, got {question.low:g} and {question.high:g}"
        yield Mistake(question.line, rule, "widen them")
