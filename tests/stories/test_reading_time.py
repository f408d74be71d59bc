"""The minutes of a story: by one rule, from its words, its films and its questions."""

from pathlib import Path

import pytest

from featdash import stories
from featdash.stories.library import read_file
from featdash.stories.reading_time import minutes_aloud
from featdash.stories.story import Option, Question, Scene
from featdash.ui.story import storybook

LECTURES = sorted((Path(stories.__file__).parent / "lectures").glob("*.md"))
TALK = 4  # minutes for a question at most: one alone, two with a neighbour, and another to answer again


def scene(words, question=None):
    return Scene("Title", "word " * words, "race", ("risk",), question=question)


def test_every_word_film_and_question_takes_its_time():
    options = tuple(Option(text, text) for text in ("one", "two or three"))
    says = ("Yes.", "No, that is not how it is.")  # of which one is read: the longest counts
    question = Question("choice", "Which of them?", "lowest methods.*.risk", says, "So it is.", options)
    assert minutes_aloud([scene(129)]) == 2, "one minute of words with the title, and four seconds of film"
    assert minutes_aloud([scene(120)]) == 1, "56 seconds of words"
    assert minutes_aloud([scene(120)], learned="word " * 10) == 2
    # Words: 1 in the title, 3 + 4 + 7 + 3 in the question. Of the two minutes, 14 seconds are no words: 229 are left.
    assert minutes_aloud([scene(211, question)]) == 2
    assert minutes_aloud([scene(212, question)]) == 3


@pytest.mark.parametrize("path", LECTURES, ids=lambda path: path.stem)
def test_a_lecture_says_what_it_takes_with_a_class(path):
    lecture = storybook.library().stories[path.stem]
    aloud = minutes_aloud(lecture.scenes, lecture.learned)
    talk = TALK * sum(scene.question is not None for scene in lecture.scenes)
    assert aloud <= lecture.minutes <= aloud + talk, (
        f"{aloud} minutes to read aloud, and up to {talk} for the questions"
    )
    assert read_file(path).minutes == lecture.minutes
