"""A visitor's own lecture: scenes kept from stories and from runs, as a story file and as a link."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from featdash.stories.story import LECTURE, Scene, Story, scene_called

NAME, TITLE = "kept", "My lecture"
LONGEST = 6000  # characters of a link
LARGEST = 100_000  # bytes that it may stand for
MOST = 20  # scenes
LONGEST_TITLE = 200  # characters
WORDS = "This scene was kept from Explore, with its settings and its pictures as they were at that moment."
TO_WRITE = f"{WORDS} Write here, in forty to seventy words, what to look at and why."  # in a file, where one can
NOTES = "What to say, and the usual wrong answers."
MINUTES = 2  # a scene, with a class
UNREADABLE = "the lecture of this link cannot be read; ask for the story file, or for the whole link"


def is_unwritten(scene: Scene) -> bool:
    """Whether the scene was kept from Explore and nobody has written its words yet."""
    return " ".join(scene.words.split()) in (WORDS, TO_WRITE)


def story_of(scenes: Sequence[Scene]) -> Story:
    """The lecture as a story; scenes of the same title are numbered."""
    counts, scenes_named = dict[str, int](), []
    for scene in scenes:
        counts[scene.title] = counts.get(scene.title, 0) + 1
        again = counts[scene.title] > 1 and not scene.story
        scenes_named.append(replace(scene, title=f"{scene.title} ({counts[scene.title]})") if again else scene)
    return Story(TITLE, LECTURE, min(MINUTES * len(scenes), 180) or 1, "A lecture of my own.", tuple(scenes_named))


def toml_value(value: Any) -> str:
    """A setting as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {toml_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def scene_text(scene: Scene) -> str:
    """A scene as a story file has it; a scene from another story only names that story."""
    lines = [f"## {' '.join(scene.title.split())}", "", "```scene"]
    if scene.story:
        return "\n".join([*lines, f"story = {toml_value(scene.story)}", "```", ""])
    lines += [f"lesson = {toml_value(scene.lesson)}"]
    lines += [f"settings = {toml_value(scene.settings)}"] if scene.settings else []
    lines += [f"show = {toml_value(scene.show)}"]
    lines += [f"view = {toml_value(scene.view)}"] if scene.view else []
    lines += [f"wall = {toml_value(scene.wall)}"] if scene.wall else []
    lines += [f"until = {toml_value(scene.until)}"] if scene.until is not None else []
    words = TO_WRITE if is_unwritten(scene) else scene.words
    return "\n".join([*lines, "```", "", words, "", "### Notes", "", scene.notes or NOTES, ""])


def story_text(story: Story) -> str:
    """The lecture as a story file."""
    head = [f"# {story.title}", "", "```story", f"lesson = {toml_value(story.lesson)}", f"minutes = {story.minutes}"]
    return "\n".join([*head, f"goal = {toml_value(story.goal)}", "```", "", *map(scene_text, story.scenes)])


def stored_text(scenes: Sequence[Scene]) -> str:
    """The scenes as JSON, for a browser's storage; ValueError in one sentence if they are too many."""
    text = json.dumps([[one.story, one.title] if one.story else plain(one) for one in scenes])
    if len(scenes) > MOST:
        raise ValueError(
            f"a lecture must have at most {MOST} scenes, got {len(scenes)}; remove one on the page Lecture"
        )
    if len(text) > LARGEST:
        raise ValueError(
            f"a lecture must have at most {LARGEST} characters, got {len(text)}; remove a scene on the page Lecture"
        )
    return text


def read_stored(text: str, stories: Mapping[str, Story]) -> list[Scene]:
    """The scenes of `stored_text`, without those that no longer exist; ValueError if the text holds no list."""
    return [scene for one in _list_in(text) if (scene := _scene(one, stories))]


def link_of(scenes: Sequence[Scene]) -> str:
    """The scenes in letters that an address can hold; ValueError in one sentence if they are too many."""
    letters = base64.urlsafe_b64encode(zlib.compress(stored_text(scenes).encode(), 9)).decode().rstrip("=")
    if len(letters) > LONGEST:
        raise ValueError(
            f"a lecture in a link must have at most {LONGEST} characters, got {len(letters)}; save the file"
        )
    return letters


def plain(scene: Scene) -> dict[str, Any]:
    fields = {name: getattr(scene, name) for name in ("title", "lesson", "settings", "view")}
    return fields | {"settings": dict(scene.settings), "view": dict(scene.view), "show": list(scene.show)}


def scenes_of(link: str, stories: Mapping[str, Story]) -> list[Scene]:
    """The scenes of a link; ValueError in one sentence if it holds none, or none that exists still."""
    entries = _list_of_link(link)
    scenes, missing = [scene for one in entries if (scene := _scene(one, stories))], _missing_titles(entries, stories)
    if len(scenes) + len(missing) < len(entries):
        raise ValueError(UNREADABLE)
    if not scenes:
        raise ValueError(no_longer_there(missing))
    return scenes


def gone_from_link(link: str, stories: Mapping[str, Story]) -> list[str]:
    """The titles of the scenes that a link names and that there are no longer; ValueError if it cannot be read."""
    return _missing_titles(_list_of_link(link), stories)


def gone_from_stored(text: str, stories: Mapping[str, Story]) -> list[str]:
    """The same of `stored_text`."""
    return _missing_titles(_list_in(text), stories)


def no_longer_there(titles: Sequence[str]) -> str:
    """A sentence on scenes that a lecture has lost."""
    names = ", ".join(f"«{title}»" for title in titles)
    many = "Scenes" if len(titles) > 1 else "A scene"
    return f"{many} of this lecture {'are' if len(titles) > 1 else 'is'} no longer there: {names}"


def _missing_titles(entries: Sequence[Any], stories: Mapping[str, Story]) -> list[str]:
    """The titles of the scenes that are named by their story, and that it has no longer."""
    references = [one for one in entries if isinstance(one, list) and [*map(type, one)] == [str, str]]
    return [title for story, title in references if _scene([story, title], stories) is None]


def _list_of_link(link: str) -> list[Any]:
    """What a link tells of scenes, each still to be read; ValueError in one sentence if it cannot be read."""
    try:
        data = base64.b64decode(link[:LONGEST] + "=" * (-len(link[:LONGEST]) % 4), altchars=b"-_", validate=True)
        return _list_in(zlib.decompressobj().decompress(data, LARGEST))
    except (ValueError, binascii.Error, zlib.error):
        raise ValueError(UNREADABLE) from None


def _list_in(text: str | bytes) -> list[Any]:
    """The entries of a stored list of scenes, each still to be read; ValueError if the text is no such list."""
    try:
        entries = json.loads(text[:LARGEST])
        # Refuses half a character, such as "\ud800", which no page can draw.
        json.dumps(entries, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("a lecture must be a list of scenes") from None
    if not isinstance(entries, list) or not 1 <= len(entries) <= MOST:
        raise ValueError(f"a lecture must be a list of 1 to {MOST} scenes")
    return entries


def _scene(entry: Any, stories: Mapping[str, Story]) -> Scene | None:
    """The scene of an entry; None if there is no such scene."""
    if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], str) and entry[0] in stories:
        scene = scene_called(entry[1], stories[entry[0]].scenes)
        if scene is not None:
            return replace(scene, story=entry[0])
    kinds = {"title": str, "lesson": str, "settings": dict, "view": dict, "show": list}
    if not isinstance(entry, dict) or set(entry) != set(kinds):
        return None
    if not all(isinstance(entry[name], kind) for name, kind in kinds.items()) or not entry["show"]:
        return None
    title = " ".join(entry["title"].split())[:LONGEST_TITLE]
    return Scene(title, WORDS, entry["lesson"], tuple(map(str, entry["show"])), entry["settings"], entry["view"])
