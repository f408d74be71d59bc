"""What a story is: scenes in their order, each with words, settings, pictures and perhaps a question."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

LECTURE = "lecture"  # in place of a lesson: scenes of several
FIRST_SENTENCE = re.compile(r"(?<=[.!?:])\s+(?=[A-Z*«$])")


@dataclass(frozen=True)
class Mistake:
    """What is wrong with a story file.

    line : counted from 1; rule : what the file must be; remedy : what to write in its place.
    """

    line: int
    rule: str
    remedy: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.rule}; {self.remedy}"


class StoryError(ValueError):
    """Raised for a file that is no story; holds all its mistakes, by line."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        self.mistakes = sorted(mistakes, key=lambda mistake: mistake.line)
        super().__init__("\n".join(str(mistake) for mistake in self.mistakes))


@dataclass(frozen=True)
class Option:
    """One of the things to choose from or to put in order.

    name : as in a run's summary, where the answer names it; text : what the visitor reads; below : if the answer is a
    number, the option is right up to this value (the last option has none).
    """

    text: str
    name: str = ""
    below: float | None = None


@dataclass(frozen=True)
class Question:
    """A prediction asked before the run is shown.

    kind : "choice", "order" or "number".
    answer : where the answer stands in the run's summary, see `featdash.stories.answer`.
    says : the answer in sentences: for a choice one for each option, to be read if that option is right; for a number
    or an order just one. Numbers in it are places of the summary, see `featdash.stories.answer.fill_in`.
    on : the panel on whose axis ("x" or "y") a number, or a choice between ranges, is guessed and drawn; "" for none.
    hide : the panels that would give the answer away, hidden until then; all of the scene if none is named.
    low, high, log, unit : for a number, the axis on which it is guessed.
    because : one sentence of reason, shown with the answer.
    line : the line of the block in its file.
    """

    kind: str
    prompt: str
    answer: str
    says: tuple[str, ...]
    because: str
    options: tuple[Option, ...] = ()
    on: str = ""
    axis: str = "y"
    hide: tuple[str, ...] = ()
    low: float = 0.0
    high: float = 1.0
    log: bool = False
    unit: str = ""
    line: int = 0

    def hides(self, panel: str) -> bool:
        """Whether the picture of that name would give the answer away."""
        return panel in self.hide or not self.hide


@dataclass(frozen=True)
class Scene:
    """One idea.

    words : Markdown with formulas, 40 to 70 words.
    wall : what a wall shows in their place; "" for their first sentence.
    settings : what differs from the lesson's defaults; view : name of a switch over the pictures -> its value.
    show : the panels on show, of which the first leads; controls : the settings that the visitor may move.
    notes : for the lecturer alone, Markdown.
    lines : whether the lines of the lesson's algorithm stand under the pictures.
    until : the moment of the lesson's film at which the scene's film ends, such as step 2; None for its end.
    lesson : whose run and panels it shows; in a lecture each scene may be of another lesson.
    story : the name of the story that the scene of this title comes from; "" for a scene of this file.
    formerly : titles that it had before, by which lectures that were kept then still find it.
    """

    title: str
    words: str
    lesson: str
    show: tuple[str, ...]
    settings: Mapping[str, Any] = field(default_factory=dict, hash=False)
    view: Mapping[str, Any] = field(default_factory=dict, hash=False)
    controls: tuple[str, ...] = ()
    question: Question | None = None
    notes: str = ""
    story: str = ""
    wall: str = ""
    lines: bool = False
    until: float | None = None
    formerly: tuple[str, ...] = ()
    line: int = 0

    def wall_text(self) -> str:
        """What a wall shows of the words."""
        return self.wall or FIRST_SENTENCE.split(" ".join(self.words.split()), maxsplit=1)[0]

    def wall_question(self) -> str:
        """What a wall shows until the question is answered: what must be known for it, and the question."""
        return f"{self.wall} {self.question.prompt if self.question else ''}".strip()


def scene_called(title: str, scenes: Sequence[Scene]) -> Scene | None:
    """The scene of that title, else the one that had it before; None for none."""
    matches = [one for one in scenes if one.title == title] or [one for one in scenes if title in one.formerly]
    return matches[0] if matches else None


@dataclass(frozen=True)
class Story:
    """Scenes in their order; lesson : LECTURE if they are of several.

    minutes : to read it aloud, by the rule of `featdash.stories.reading_time`, or what its file says: a lecture's are
    those with a class. goal : one sentence; learned : what its end says, in one sentence or two.
    """

    title: str
    lesson: str
    minutes: int
    goal: str
    scenes: tuple[Scene, ...]
    learned: str = ""
