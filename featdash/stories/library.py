"""The stories that there are: those of the lessons, and a lecturer's own; a bad file costs none of the others."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from featdash.stories.reader import read_story
from featdash.stories.story import Mistake, Story, StoryError

LARGEST = 400_000  # bytes of a file


@dataclass(frozen=True)
class Library:
    """stories : name -> story, in their order; mistakes : of the files that hold none; own : names of a lecturer's."""

    stories: dict[str, Story] = field(default_factory=dict)
    mistakes: dict[Path, list[Mistake]] = field(default_factory=dict)
    own: frozenset[str] = frozenset()


def read_file(path: Path) -> Story:
    """The story of a file; StoryError with its mistakes if it holds none or cannot be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise StoryError([Mistake(1, f"a story must have at most {LARGEST} bytes", "split it into two files")])
        return read_story(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError) as error:
        raise StoryError([Mistake(1, f"a story must be a text file in UTF-8, got {error}", "save it as one")]) from None


def collect(shipped: Iterable[Path], own: Iterable[Path] = ()) -> Library:
    """Reads the files; a story of a lesson is called as the lesson's folder is, one of a lecturer's own as its file."""
    stories, mistakes, theirs = dict[str, Story](), dict[Path, list[Mistake]](), set[str]()
    named = [(path.parent.name, path, False) for path in shipped] + [(f"my-{path.stem}", path, True) for path in own]
    for name, path, is_own in named:
        try:
            stories[name] = read_file(path)
        except StoryError as error:
            mistakes[path] = error.mistakes
        else:
            theirs |= {name} if is_own else set()
    return Library(stories, mistakes, frozenset(theirs))
