"""A lecture of one's own: scenes kept from stories and from runs, as a story file and as a link."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from featdash.stories.story import LECTURE, Scene, Story

NAME, TITLE = "kept", "My lecture"
LONGEST = 6000  # characters of a link
LARGEST = 100_000  # bytes that it may stand for
MOST = 20  # scenes
WORDS = (
    "This scene was kept from Explore, with its settings and its pictures as they were at that moment. Write here, in "
    "forty to seventy words, what to look at and why."
)
NOTES = "What to say, and the usual wrong answers."
MINUTES = 2  # a scene, with a class


def is_unwritten(scene: Scene) -> bool:
    """Whether it was kept from Explore and nobody has written its words yet."""
    return " ".join(scene.words.split()) == WORDS


def story_of(scenes: Sequence[Scene]) -> Story:
    """The lecture as a story; scenes of the same title are numbered."""
    seen, named = dict[str, int](), []
    for scene in scenes:
        seen[scene.title] = seen.get(scene.title, 0) + 1
        again = seen[scene.title] > 1 and not scene.story
        named.append(replace(scene, title=f"{scene.title} ({seen[scene.title]})") if again else scene)
    return Story(TITLE, LECTURE, min(MINUTES * len(scenes), 180) or 1, "A lecture of my own.", tuple(named))


def toml_value(value: Any) -> str:
    """A setting as TOML writes it."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{name} = {toml_value(one)}" for name, one in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


def scene_text(scene: Scene) -> str:
    """A scene as a story file has it; one that is borrowed names its story alone."""
    lines = [f"## {' '.join(scene.title.split())}", "", "```scene"]
    if scene.story:
        return "\n".join([*lines, f"story = {toml_value(scene.story)}", "```", ""])
    lines += [f"lesson = {toml_value(scene.lesson)}"]
    lines += [f"settings = {toml_value(scene.settings)}"] if scene.settings else []
    lines += [f"show = {toml_value(scene.show)}"]
    lines += [f"view = {toml_value(scene.view)}"] if scene.view else []
    lines += [f"wall = {toml_value(scene.wall)}"] if scene.wall else []
    return "\n".join([*lines, "```", "", scene.words, "", "### Notes", "", scene.notes or NOTES, ""])


def story_text(story: Story) -> str:
    """The lecture as a story file."""
    head = [f"# {story.title}", "", "```story", f"lesson = {toml_value(story.lesson)}", f"minutes = {story.minutes}"]
    return "\n".join([*head, f"goal = {toml_value(story.goal)}", "```", "", *map(scene_text, story.scenes)])


def link_of(scenes: Sequence[Scene]) -> str:
    """The scenes in letters that an address can hold; ValueError in one sentence if they are too many."""
    told = [[one.story, one.title] if one.story else plain(one) for one in scenes]
    packed = base64.urlsafe_b64encode(zlib.compress(json.dumps(told).encode(), 9)).decode().rstrip("=")
    if len(packed) > LONGEST:
        raise ValueError(
            f"a lecture in a link must have at most {LONGEST} characters, got {len(packed)}; save the file"
        )
    return packed


def plain(scene: Scene) -> dict[str, Any]:
    told = {name: getattr(scene, name) for name in ("title", "lesson", "settings", "view")}
    return told | {"settings": dict(scene.settings), "view": dict(scene.view), "show": list(scene.show)}


def scenes_of(link: str, stories: Mapping[str, Story]) -> list[Scene]:
    """The scenes of a link; ValueError in one sentence if it holds none."""
    wrong = ValueError("the lecture of this link cannot be read; ask for the story file, or for the whole link")
    try:
        packed = base64.b64decode(link[:LONGEST] + "=" * (-len(link[:LONGEST]) % 4), altchars=b"-_", validate=True)
        told = json.loads(zlib.decompressobj().decompress(packed, LARGEST))
    except (ValueError, binascii.Error, zlib.error, RecursionError):
        raise wrong from None
    if not isinstance(told, list) or not 1 <= len(told) <= MOST:
        raise wrong
    return [_scene(one, stories, wrong) for one in told]


def _scene(told: Any, stories: Mapping[str, Story], wrong: ValueError) -> Scene:
    if isinstance(told, list) and len(told) == 2 and told[0] in stories:
        found = next((scene for scene in stories[told[0]].scenes if scene.title == told[1]), None)
        if found is not None:
            return replace(found, story=told[0])
    kinds = {"title": str, "lesson": str, "settings": dict, "view": dict, "show": list}
    if not isinstance(told, dict) or set(told) != set(kinds):
        raise wrong
    if not all(isinstance(told[name], kind) for name, kind in kinds.items()) or not told["show"]:
        raise wrong
    return Scene(
        told["title"][:200], WORDS, told["lesson"], tuple(map(str, told["show"])), told["settings"], told["view"]
    )
