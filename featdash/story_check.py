"""A story file against all lessons: what it shows, sets and asks must be there, and answers in recorded runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from featdash.lessons import PAGES, lessons_of
from featdash.stories.check import LessonParts, check_story
from featdash.stories.library import read_file
from featdash.stories.story import Mistake, StoryError
from featdash.ui.story import storybook


def lesson_parts() -> dict[str, LessonParts]:
    """Experiment -> what a story may name of its lesson, of all lessons."""
    return storybook.lesson_parts({part.experiment.name: part for page in PAGES for part in lessons_of(page)})


def mistakes_in(path: Path, parts: Mapping[str, LessonParts]) -> list[Mistake]:
    """Everything that is wrong with a story file, by line; none if it can be played."""
    try:
        story = read_file(path)
    except StoryError as error:
        return error.mistakes
    return check_story(story, parts)
