"""Stories against all lessons: what they show, set and ask must be there, and answers must be in recorded runs."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from featdash.lessons import PAGES, lessons_of
from featdash.recipes.spec import Spec
from featdash.runs.archive import read_archive
from featdash.runs.recording import recorded_path
from featdash.stories.check import LessonParts, check_story
from featdash.stories.library import read_file
from featdash.stories.story import Mistake, StoryError


def lesson_parts() -> dict[str, LessonParts]:
    """Experiment -> what a story may name of its lesson."""
    parts = {}
    for part in (lesson for page in PAGES for lesson in lessons_of(page)):
        summary = partial(recorded_summary, part.experiment.name)
        panels = tuple(panel.name.partition("-")[2] for panel in part.panels)
        parts[part.experiment.name] = LessonParts(part.experiment, panels, summary, summary(part.experiment.spec()))
    return parts


def recorded_summary(experiment: str, spec: Spec) -> Mapping[str, Any] | None:
    """The summary of the recorded run of these settings; None if there is none."""
    path = recorded_path(experiment, spec)
    archive = read_archive(path, shipped=True) if path.exists() else None
    return archive.result.summary if archive else None


def mistakes_in(path: Path, parts: Mapping[str, LessonParts]) -> list[Mistake]:
    """Everything that is wrong with a story file, by line; none if it can be played."""
    try:
        story = read_file(path)
    except StoryError as error:
        return error.mistakes
    return check_story(story, parts)
