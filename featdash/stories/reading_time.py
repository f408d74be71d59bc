"""How long it takes to read a story aloud: one rule for all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from featdash.stories.story import Scene

WORDS_A_MINUTE = 130
FILM, THOUGHT = 4, 10  # seconds: the film of a scene, and what a guess takes


def minutes_aloud(scenes: Sequence[Scene], learned: str = "") -> int:
    """Whole minutes, rounded up: every word at 130 a minute, four seconds for each scene's film, ten for each question.

    Of the sentences of an answer, of which one is read, the longest counts. learned : what the story says at its end.
    """
    words = sum(len(text.split()) for text in [*_texts(scenes), learned])
    questions = sum(scene.question is not None for scene in scenes)
    return math.ceil(words / WORDS_A_MINUTE + (FILM * len(scenes) + THOUGHT * questions) / 60)


def _texts(scenes: Iterable[Scene]) -> Iterator[str]:
    for scene in scenes:
        yield from (scene.title, scene.words)
        if question := scene.question:
            yield from (question.prompt, *(option.text for option in question.options))
            yield from (max(question.says, key=len, default=""), question.because)
