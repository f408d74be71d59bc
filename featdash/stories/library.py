"""All stories: those of the lessons, and a lecturer's own; a bad file does not affect the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from featdash.stories.reader import read_story
from featdash.stories.story import Mistake, Scene, Story, StoryError, scene_called

LARGEST = 400_000  # bytes of a file


@dataclass(frozen=True)
class Library:
    """All stories, and what is wrong with the other files.

    stories : name -> story, in their order; mistakes : file that holds no story -> its mistakes; own : the names of a
    lecturer's stories; paths : name -> file.
    """

    stories: dict[str, Story] = field(default_factory=dict)
    mistakes: dict[Path, list[Mistake]] = field(default_factory=dict)
    own: frozenset[str] = frozenset()
    paths: dict[str, Path] = field(default_factory=dict)


def read_file(path: Path) -> Story:
    """The story of a file; StoryError with its mistakes if it holds none or cannot be read."""
    try:
        if path.stat().st_size > LARGEST:
            raise StoryError([Mistake(1, f"a story must have at most {LARGEST} bytes", "split it into two files")])
        return read_story(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeError) as error:
        rule = "a story must be a file that can be read, as text in UTF-8"
        raise StoryError([Mistake(1, f"{rule}, got {error}", "check its name, or save it as one")]) from None
    except StoryError:
        raise
    except (ValueError, RecursionError) as error:  # from the parsers of TOML and Markdown, which have their own limits
        reason = "nested too deeply" if isinstance(error, RecursionError) else str(error).partition(";")[0]
        rule = f"{path.name} must be a story that can be read, got a value that cannot ({reason})"
        raise StoryError([Mistake(1, rule, "write a shorter one")]) from None


def name_of(path: Path) -> str:
    """What a story of ours is called: `NAME_story.md` by its name, and `story.md` as the folder of its lesson."""
    return path.parent.name if path.name == "story.md" else path.stem.removesuffix("_story")


def collect(ours: Iterable[Path], lecturers: Iterable[Path] = ()) -> Library:
    """Read the stories that come with the package, `ours`, and those of a lecturer's own folder.

    Ours are named by `name_of`, a lecture after its file, a lecturer's FILE as my-FILE. A scene that names another
    story becomes the scene of that story.
    """
    stories, mistakes, theirs = dict[str, Story](), dict[Path, list[Mistake]](), set[str]()
    sources = [(name_of(path), path, False) for path in ours] + [(f"my-{path.stem}", path, True) for path in lecturers]
    for name, path, is_own in sources:
        try:
            stories[name] = read_file(path)
        except StoryError as error:
            mistakes[path] = error.mistakes
        else:
            theirs |= {name} if is_own else set()
    drafts = dict(stories)
    for name, path, _ in sources:
        if name in drafts:
            outcomes = [resolve_scene(scene, drafts) for scene in drafts[name].scenes]
            wrong = [one for one in outcomes if isinstance(one, Mistake)]
            if wrong:
                mistakes[path] = wrong
                del stories[name]
            else:
                scenes = tuple(one for one in outcomes if isinstance(one, Scene))
                stories[name] = replace(drafts[name], scenes=scenes)
    paths = {name: path for name, path, _ in sources if name in stories}
    return Library(stories, mistakes, frozenset(theirs & set(stories)), paths)


def resolve_scene(scene: Scene, stories: Mapping[str, Story]) -> Scene | Mistake:
    """The scene itself or, if it names another story, the scene of the same title there."""
    if not scene.story:
        return scene
    if scene.story not in stories:
        return Mistake(
            scene.line, f"story must be one of {', '.join(stories)}, got {scene.story!r}", "choose one of them"
        )
    own = [one for one in stories[scene.story].scenes if not one.story]
    match = scene_called(scene.title, own)
    if match is None:
        rule = f"a scene of another story must have the title of one of its scenes, got {scene.title!r}"
        return Mistake(scene.line, rule, f"known are {', '.join(one.title for one in own)}")
    return replace(match, story=scene.story, line=scene.line)
