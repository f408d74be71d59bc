"""The stories of a page: those shipped beside the lessons, and those of the folder FEATDASH_STORIES."""

from __future__ import annotations

import os
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

from featdash.stories.library import Library, collect
from featdash.stories.story import LECTURE, Mistake, Story

PACKAGE = Path(__file__).resolve().parents[1]
FOLDER = "FEATDASH_STORIES"


def library() -> Library:
    """All stories as their files are now; read again only when a file has changed."""
    folder = os.environ.get(FOLDER)
    own = sorted(Path(folder).expanduser().glob("*.md")) if folder else []
    return _collected(
        _stamps(sorted(PACKAGE.glob("lessons/*/story.md")) + sorted(PACKAGE.glob("stories/lectures/*.md"))),
        _stamps(own),
    )


def _stamps(paths: Collection[Path]) -> tuple[tuple[Path, int], ...]:
    return tuple((path, path.stat().st_mtime_ns) for path in paths if path.is_file())


@lru_cache(maxsize=2)
def _collected(shipped: tuple[tuple[Path, int], ...], own: tuple[tuple[Path, int], ...]) -> Library:
    return collect([path for path, _ in shipped], [path for path, _ in own])


def stories_of(lessons: Collection[str]) -> dict[str, Story]:
    """Name -> story, of the stories that begin with one of these experiments, in the order of the page."""
    order = {name: index for index, name in enumerate(lessons)}
    found = {name: story for name, story in library().stories.items() if story.lesson in order}
    return dict(sorted(found.items(), key=lambda named: (named[0] in library().own, order[named[1].lesson])))


def lectures() -> dict[str, Story]:
    """Name -> story, of those whose scenes are of several lessons."""
    return {name: story for name, story in library().stories.items() if story.lesson == LECTURE}


def mistakes() -> dict[Path, list[Mistake]]:
    """Of the files that could not be read as stories."""
    return library().mistakes
