"""The stories of a page: those shipped beside the lessons, and those of the folder FEATDASH_STORIES."""

from __future__ import annotations

import os
import threading
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from cachetools import LRUCache, cached

from featdash.recipes.spec import Spec
from featdash.runs.codec import read_archive
from featdash.runs.recording import recorded_path
from featdash.stories.check import LessonParts, check_story
from featdash.stories.course import place_in_course
from featdash.stories.lecture import scenes_of, story_of
from featdash.stories.library import Library, collect
from featdash.stories.story import LECTURE, Mistake, Scene, Story
from featdash.ui.stage.lesson import Lesson

PACKAGE = Path(__file__).resolve().parents[2]
FOLDER = "FEATDASH_STORIES"
SUMMARIES = 256  # of recorded runs that stay in memory: more than are shipped
CHECKED = 64  # stories whose mistakes stay in memory


def library() -> Library:
    """All stories as their files are now; a file is read again only when it has changed."""
    folder = os.environ.get(FOLDER)
    lecturers = sorted(Path(folder).expanduser().glob("*.md")) if folder else []
    ours = sorted(PACKAGE.glob("lessons/*/*story.md")) + sorted(PACKAGE.glob("stories/lectures/*.md"))
    return _library_of(_stamps(ours), _stamps(lecturers))


def _stamps(paths: Collection[Path]) -> tuple[tuple[Path, int], ...]:
    return tuple((path, path.stat().st_mtime_ns) for path in paths if path.is_file())


@lru_cache(maxsize=2)
def _library_of(ours: tuple[tuple[Path, int], ...], lecturers: tuple[tuple[Path, int], ...]) -> Library:
    return collect([path for path, _ in ours], [path for path, _ in lecturers])


def stories_of(parts: Mapping[str, Lesson]) -> dict[str, Story]:
    """Name -> story: those that belong to these lessons and can be played, in the order of the course."""
    stories = _playable({name: story for name, story in library().stories.items() if story.lesson in parts}, parts)
    return dict(sorted(stories.items(), key=lambda item: place_in_course(item[0])))


def lectures(parts: Mapping[str, Lesson]) -> dict[str, Story]:
    """Name -> story: those with scenes of several lessons that can be played; parts : all lessons."""
    return _playable({name: story for name, story in library().stories.items() if story.lesson == LECTURE}, parts)


def scenes_in_link(link: str, parts: Mapping[str, Lesson]) -> Sequence[Scene]:
    """The scenes of a lecture in a link; ValueError in one sentence if it holds none that these lessons can play."""
    scenes = scenes_of(link, library().stories)
    wrong = mistakes_of(story_of(scenes), parts)
    if wrong:
        raise ValueError(f"the lecture of this link cannot be played: {wrong[0].rule}; {wrong[0].remedy}")
    return scenes


def playable(scenes: Sequence[Scene], parts: Mapping[str, Lesson]) -> list[Scene]:
    """The scenes that these lessons can play."""
    return [scene for scene in scenes if not mistakes_of(story_of([scene]), parts)]


def _playable(stories: Mapping[str, Story], parts: Mapping[str, Lesson]) -> dict[str, Story]:
    """The stories without those of a lecturer that name what does not exist; our own are checked by the tests."""
    own = library().own
    return {name: story for name, story in stories.items() if name not in own or not mistakes_of(story, parts)}


def wrong_files(parts: Mapping[str, Lesson], lectures: bool = False) -> dict[Path, list[Mistake]]:
    """A lecturer's files that cannot be played with these lessons, and why; stories of other lessons are not checked.

    lectures : whether to check lectures too, whose scenes are of several lessons; this needs all lessons.
    """
    files, checkable = library(), {*parts, LECTURE} if lectures else {*parts}
    mine = [name for name in files.own if files.stories[name].lesson in checkable]
    checks = {files.paths[name]: mistakes_of(files.stories[name], parts) for name in mine}
    return files.mistakes | {path: mistakes for path, mistakes in checks.items() if mistakes}


@cached(LRUCache(CHECKED), key=lambda story, parts: (story, tuple(parts)), lock=threading.Lock())
def mistakes_of(story: Story, parts: Mapping[str, Lesson]) -> list[Mistake]:
    """What a story names that these lessons do not have."""
    return check_story(story, lesson_parts(parts))


def lesson_parts(parts: Mapping[str, Lesson]) -> dict[str, LessonParts]:
    """Experiment -> what a story may name of its lesson."""
    result = {}
    for name, part in parts.items():
        summary, panels = partial(recorded_summary, name), tuple(panel.short for panel in part.panels)
        result[name] = LessonParts(part.experiment, panels, summary, summary(part.experiment.spec()))
    return result


def recorded_summary(experiment: str, spec: Spec) -> Mapping[str, Any] | None:
    """The summary of the recorded run of these settings; None if there is none."""
    path = recorded_path(experiment, spec)
    return _summary_in(path, path.stat().st_mtime_ns) if path.exists() else None


@lru_cache(maxsize=SUMMARIES)
def _summary_in(path: Path, stamp: int) -> Mapping[str, Any] | None:  # noqa: ARG001
    """The summary in an archive as it was at that moment; cached, because reading all of them takes half a second."""
    archive = read_archive(path, shipped=True)
    return archive.result.summary if archive else None
