"""A story's question as a class is asked it, and what its answers come to: nothing before the reveal."""

import math
from dataclasses import replace

import pytest

from featdash.classroom.question import Answer, parse_answer
from featdash.classroom.room import RoomView
from featdash.figures.guesses import Guesses
from featdash.figures.votes import Votes
from featdash.lessons import PAGES, lessons_of
from featdash.recipes.events import Result
from featdash.stories.story import Option, Question
from featdash.ui.classroom.poll import (
    ADVICE,
    FLASHES,
    MOST_ORDERS,
    Poll,
    class_question,
    flash_question,
    is_named,
    split_text,
)
from featdash.ui.classroom.position import ClassPlace, begin, place_in, scene_at, stories
from featdash.ui.story import storybook

PARTS = {part.experiment.name: part for page in PAGES for part in lessons_of(page)}
SHIPPED = [
    (name, number, scene.question)
    for name, story in storybook.library().stories.items()
    for number, scene in enumerate(story.scenes, 1)
    if scene.question
]
CHOICE = Question(
    "choice", "How many?", "ntk.risk", ("Few.", "Many."), "So.", options=(Option("few", below=0.3), Option("many"))
)
METHODS = (Option("NTK", name="ntk"), Option("Algorithm 1", name="a1"))
ORDER = Question("order", "Who first?", "order *.risk", ("{answer}.",), "So.", options=METHODS)
NUMBER = Question("number", "Where?", "ntk.risk", ("{answer}.",), "So.", on="risk", low=0.03, high=1.0, log=True)
RESULT = Result({"ntk": {"risk": 0.446}, "a1": {"risk": 0.057}}, {})


def view(question, status="revealed", round=1):
    asked = class_question(question, "race.1") if isinstance(question, Question) else question
    return RoomView("BCDF", 1, status, asked, round, 0, 0, False, "", None)


def poll(question, *answers, round=1, status="revealed", answer_known=False):
    given = [Answer("race.1", number, value, 1.0, f"{index}") for index, (number, value) in enumerate(answers)]
    answers = given if status == "revealed" else None
    return Poll(question, "race.1", view(question, status, round), answers, answer_known)


@pytest.mark.parametrize(("name", "number", "question"), SHIPPED, ids=lambda one: str(one)[:40])
def test_every_shipped_question_can_be_asked_on_phones_and_tells_no_answer(name, number, question):
    asked = class_question(question, ClassPlace(name, number).question)
    assert (asked.kind, asked.prompt) == (question.kind, question.prompt)
    if question.kind == "number":
        middle = math.sqrt(question.low * question.high) if question.log else (question.low + question.high) / 2
        assert parse_answer(asked, middle) == middle
        assert (asked.low, asked.high) == (question.low, question.high)
        assert (asked.log, asked.unit) == (question.log, question.unit)
    else:
        assert asked.options == tuple(option.text for option in question.options)
    assert not [text for text in (*question.says, question.because) if text in repr(asked)]
    assert {*vars(asked)} == {"id", "kind", "prompt", "options", "low", "high", "log", "unit"}


@pytest.mark.parametrize("label", FLASHES)
def test_a_question_on_the_spot_has_no_answer_and_bars_alone(label):
    asked = flash_question(label)
    given = [Answer(asked.id, 1, asked.options[0], 1.0, "a"), Answer(asked.id, 1, None, 1.0, "b")]
    outcome = Poll(NUMBER, "race.1", view(asked), given).outcome(RESULT)
    assert outcome == Votes(asked.options, ((1, *[0] * (len(asked.options) - 1)),), (1,), "")


@pytest.mark.parametrize("status", ["wait", "open", "closed"])
@pytest.mark.parametrize("question", [CHOICE, ORDER, NUMBER])
def test_before_the_reveal_there_is_no_outcome_and_the_pictures_hide(status, question):
    asked = poll(question, status=status)
    assert asked.outcome(RESULT) is None
    hidden = asked.prediction(RESULT, "risk")
    assert hidden is not None
    assert (hidden.hidden, hidden.guesses, hidden.truth) == (True, None, None)


def test_guesses_of_both_rounds_stand_with_the_truth_on_the_picture_that_was_asked_about():
    asked = poll(NUMBER, (1, 0.1), (1, None), (2, 0.5), (2, 0.4), round=2)
    told = asked.prediction(RESULT, "risk")
    assert told is not None
    assert (told.hidden, told.truth, told.guess) == (False, 0.446, None)
    assert told.guesses == Guesses(((0.1,), (0.4, 0.5)), (1, 0), 0.03, 1.0, True)
    assert asked.prediction(RESULT, "energy") is None


def test_a_second_round_that_nobody_answered_is_still_one():
    assert poll(NUMBER, (1, 0.1), round=2).outcome(RESULT).rounds == ((0.1,), ())


def test_a_choice_is_counted_by_option_and_the_run_says_which_is_right():
    outcome = poll(CHOICE, (1, "few"), (1, "many"), (1, "many"), (1, None)).outcome(RESULT)
    assert outcome == Votes(("few", "many"), ((1, 2),), (1,), "many")


def test_what_a_class_chose_of_ranges_stands_on_the_axis_that_was_asked_about():
    ranges = replace(CHOICE, on="risk")
    told = poll(ranges, (1, "few"), (1, "many")).prediction(RESULT, "risk")
    assert told is not None
    assert [band.text for band in told.bands] == list(told.votes.options) == ["few", "many"]
    assert told.votes.rounds == ((1, 1),)
    assert poll(ranges, (1, "few"), status="closed").prediction(RESULT, "risk").votes is None, "not before the reveal"


def test_orders_are_counted_whole_the_most_frequent_first_and_the_right_one_always():
    wrong = ("NTK", "Algorithm 1")
    assert poll(ORDER, (1, wrong)).outcome(RESULT).options == ("NTK, then Algorithm 1", "Algorithm 1, then NTK")
    assert poll(ORDER).outcome(RESULT) == Votes(("Algorithm 1, then NTK",), ((0,),), (0,), "Algorithm 1, then NTK")
    many = [(1, ("NTK", f"{index}")) for index in range(20)]
    assert len(poll(ORDER, *many).outcome(RESULT).options) == MOST_ORDERS


def test_a_run_without_an_end_marks_nothing_yet():
    assert poll(CHOICE, (1, "few")).outcome(None).right == ""
    assert poll(NUMBER, (1, 0.1)).prediction(None, "risk").truth is None


def test_what_the_class_has_seen_stays_seen_while_something_else_is_asked():
    flash = flash_question("yes / no")
    asked = Poll(NUMBER, "race.1", view(flash, "open"), None, answer_known=True)
    assert not asked.hides
    assert asked.prediction(RESULT, "risk").truth == 0.446
    assert Poll(NUMBER, "race.1", view(flash, "open"), None).hides


def test_a_question_that_is_asked_again_is_known_by_its_name():
    assert is_named(class_question(CHOICE, "race.1~2"), "race.1")
    assert not is_named(class_question(CHOICE, "race.12"), "race.1")
    assert not is_named(None, "race.1")


def test_a_place_is_read_as_it_was_written_and_nonsense_is_none():
    place = ClassPlace("race", 3).with_answer_known().at_scene(4).with_answer_known()
    assert place_in(place.text()) == place
    assert place.answers_known == (3, 4)
    for text in ("", "race", "{}", "[1]", "null", '{"story": 3'):
        assert place_in(text) is None


def test_every_story_and_lecture_has_its_first_and_last_scene_and_no_other():
    known = stories(PARTS)
    assert {"race", "paper"} <= set(known)
    for name, story in known.items():
        for number in (1, len(story.scenes)):
            found = scene_at(begin(name).at_scene(number), PARTS)
            assert found is not None
            assert found.scene == story.scenes[number - 1]
        assert scene_at(begin(name).at_scene(len(story.scenes) + 1), PARTS) is None
    assert scene_at(ClassPlace("melted"), PARTS) is None
    assert scene_at(ClassPlace("kept", lecture_link="melted"), PARTS) is None


@pytest.mark.parametrize(
    ("right", "wrong", "told", "advice"),
    [
        (2, 8, "**2 of 10 right (20%).**", ADVICE[0]),
        (3, 7, "**3 of 10 right (30%).**", ADVICE[1]),
        (7, 3, "**7 of 10 right (70%).**", ADVICE[1]),
        (8, 2, "**8 of 10 right (80%).**", ADVICE[2]),
    ],
)
def test_the_split_of_the_first_round_comes_with_the_advice_that_fits(right, wrong, told, advice):
    values = ["many"] * right + ["few"] * (wrong - 1) + [None]
    given = [Answer("race.1", 1, value, 1.0, f"{index}") for index, value in enumerate(values)]
    known = [value == "many" for value in values if value is not None]
    text = split_text(class_question(CHOICE, "race.1"), given, known, advises=True)
    assert text.startswith(f"{told} {advice}")
    assert text.endswith(f"few: {wrong - 1} · many: {right} · not sure: 1")
    assert not any(one in split_text(class_question(CHOICE, "race.1"), given, known, advises=False) for one in ADVICE)


def test_the_split_of_numbers_and_of_a_question_on_the_spot_gives_no_advice():
    guesses = [Answer("race.1", 1, value, 1.0, "p") for value in (0.1, 0.2, 0.3, 0.4, 0.9, None)]
    told = split_text(class_question(NUMBER, "race.1"), guesses, None, advises=True)
    assert told == "5 guesses · median 0.3 · half of them from 0.2 to 0.4 · not sure: 1"
    flash = [Answer("flash", 1, value, 1.0, "p") for value in ("Yes", "Yes", "No")]
    assert split_text(flash_question("yes / no"), flash, None, advises=True) == "Yes: 2 · No: 1"
    assert split_text(flash_question("yes / no"), [], None, advises=True) == "Nobody has answered."
