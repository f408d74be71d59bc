"""Which scene a class has on show: the room keeps it as a text, which host and wall read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from featdash.stories.lecture import NAME, link_of, story_of
from featdash.stories.story import Story
from featdash.ui.stage.lesson import Lesson
from featdash.ui.story import own_lecture, storybook
from featdash.ui.story.story_choice import Place


@dataclass(frozen=True)
class ClassPlace:
    """A scene of a story.

    answers_known : the numbers of the scenes whose answer the class has seen.
    plays : how often the host has played the film again.
    lecture_link : the link of the host's own lecture, which stands in no file.
    settings : the host's values where they differ from the scene's, as JSON can hold them.
    The room stores these names.
    """

    story: str = ""
    number: int = 1
    answers_known: tuple[int, ...] = ()
    plays: int = 0
    lecture_link: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def question(self) -> str:
        """The name of the scene's question in the room."""
        return f"{self.story}.{self.number}"

    def text(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))

    def at_scene(self, number: int) -> ClassPlace:
        """Another scene of the same story, with its own settings."""
        return replace(self, number=number, settings={})

    def with_answer_known(self) -> ClassPlace:
        """The same place, where the class also knows this scene's answer."""
        return replace(self, answers_known=tuple(sorted({*self.answers_known, self.number})))


def place_in(text: str) -> ClassPlace | None:
    """The place that a room stores, without what only another version of FeatDash knows; None if it stores none."""
    try:
        stored = json.loads(text)
        lists = {"answers_known": tuple(stored.get("answers_known", ())), "settings": dict(stored.get("settings", {}))}
        values = {one.name: stored[one.name] for one in fields(ClassPlace) if one.name in stored}
        return ClassPlace(**{"story": stored["story"], **values, **lists})
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def stories(parts: Mapping[str, Lesson]) -> dict[str, Story]:
    """What a host can lead a class through: lectures, the host's own first, and the stories of all pages."""
    return own_lecture.story() | storybook.lectures(parts) | storybook.stories_of(parts)


def begin(name: str) -> ClassPlace:
    """The first scene of a story; ValueError in one sentence if a lecture of one's own is too long for a link."""
    return ClassPlace(name, lecture_link=link_of(own_lecture.scenes()) if name == NAME else "")


def scene_at(place: ClassPlace, parts: Mapping[str, Lesson]) -> Place | None:
    """The scene as its file says today; None if there is no scene of that name and number."""
    if place.lecture_link:
        try:
            story: Story | None = story_of(storybook.scenes_in_link(place.lecture_link, parts))
        except ValueError:
            return None
    else:
        story = stories(parts).get(place.story)
    if story is None or not 1 <= place.number <= len(story.scenes):
        return None
    return Place(place.story, story, place.number)
