"""A room by its states: which command when, whose answer counts, and that it stays bounded."""

import pytest
from class_rooms import CHOICE, NUMBER, ORDER, START, TYPICAL
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from featdash.classroom.question import BadValue, Question
from featdash.classroom.refusal import NotOpen
from featdash.classroom.room import ASLEEP, GRACE, LIFE, LONGEST_PLACE, PHONES, QUESTIONS, Room
from featdash.stories import lecture

QUESTIONS_OF_EACH_KIND = (CHOICE, ORDER, NUMBER)


@pytest.fixture
def room():
    return Room("r", "KMXT", "", START, active=START)


def say(room, value, phone="p", now=START, round=None):
    room.join(phone, now)
    return room.answer(room.question.id, round or room.round, value, phone, now)


def test_two_rounds_and_the_reveal(room):
    assert room.view().status == "wait"
    room.show("scene 3")
    room.open(CHOICE, START)
    say(room, "NTK", now=START + 2.04)
    say(room, "NTK", "other")
    room.close()
    room.again(START + 60)
    assert (room.view().round, room.view().answer_count, room.view().phone_count) == (2, 0, 2)
    say(room, None, now=START + 61)
    room.close()
    room.reveal()
    told = [(one.round, one.value, one.seconds, one.phone) for one in room.all_answers()]
    assert told == [(1, "NTK", 2.0, "p"), (1, "NTK", 0.0, "other"), (2, None, 1.0, "p")]
    room.show("scene 4")
    assert (room.view().status, room.view().question, room.view().place) == ("wait", None, "scene 4")
    assert not [*room.all_answers()]


def test_the_last_answer_of_a_phone_counts(room):
    room.open(CHOICE, START)
    for value in ("NTK", None, "Algorithm 1"):
        say(room, value)
    assert [one.value for one in room.all_answers()] == ["Algorithm 1"]


@pytest.mark.parametrize("status", ["wait", "open", "closed", "revealed"])
@pytest.mark.parametrize(
    ("command", "allowed"),
    [
        ("show", ("wait", "closed", "revealed")),
        ("open", ("wait",)),
        ("close", ("open",)),
        ("again", ("closed",)),
        ("reveal", ("closed",)),
    ],
)
def test_each_command_has_its_states(room, status, command, allowed):
    for step in ("open", "close", "reveal")[: ("wait", "open", "closed", "revealed").index(status)]:
        room.open(CHOICE, START) if step == "open" else getattr(room, step)()
    before = room.view()
    arguments = {"show": ["x"], "open": [CHOICE, START], "again": [START]}.get(command, [])
    if status in allowed:
        getattr(room, command)(*arguments)
        assert room.version > before.version
    else:
        with pytest.raises(ValueError, match=rf" is for a room that is .*, and this one is {status}$"):
            getattr(room, command)(*arguments)
        assert room.view() == before


def test_there_is_no_third_round(room):
    room.open(CHOICE, START)
    room.close()
    room.again(START)
    room.close()
    with pytest.raises(ValueError, match="twice at most"):
        room.again(START)


def test_a_countdown_closes_the_question_after_a_moment_of_grace(room):
    room.open(CHOICE, START, 30)
    assert room.view().ends == START + 30
    assert not room.tick(START + 30 + GRACE - 0.01)
    say(room, "NTK", now=START + 30 + GRACE - 0.01)
    version = room.version
    assert room.tick(START + 30 + GRACE)
    assert not room.tick(START + 30 + GRACE)
    assert (room.view().status, room.view().ends, room.version) == ("closed", None, version + 1)


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), 3601])
def test_a_countdown_has_a_length(room, seconds):
    with pytest.raises(ValueError, match="seconds must be from 0 to 3600"):
        room.open(CHOICE, START, seconds)
    assert room.view().status == "wait"


def test_late_answers_and_those_to_another_question_or_round_are_refused(room):
    room.join("p", START)
    with pytest.raises(NotOpen, match="No question is open"):
        room.answer("which", 1, "NTK", "p", START)
    room.open(CHOICE, START)
    for question, number in (("rank", 1), ("which", 2), ("which", 0), ("which", "1"), (["which"], 1), (None, None)):
        with pytest.raises(NotOpen, match="no longer open"):
            room.answer(question, number, "NTK", "p", START)
    room.close()
    with pytest.raises(NotOpen, match="No question is open"):
        room.answer("which", 1, "NTK", "p", START)
    assert not [*room.all_answers()]


def test_a_question_that_is_asked_again_later_has_a_name_of_its_own(room):
    names = []
    for _ in range(3):
        room.open(CHOICE, START)
        names.append(room.view().question.id)
        room.close()
        room.show("")
    assert names == ["which", "which~2", "which~3"]


def test_a_locked_door_lets_nobody_else_in(room):
    room.join("p", START)
    room.lock(True)
    assert not room.join("p", START)
    with pytest.raises(NotOpen, match="locked the door"):
        room.join("q", START)
    room.lock(False)
    assert room.join("q", START)


def test_a_full_room_makes_place_of_phones_that_sleep_and_have_said_nothing(room):
    room.open(CHOICE, START)
    for number in range(PHONES):
        room.join(f"{number}", START)
    say(room, "NTK", "0")
    with pytest.raises(NotOpen, match="room is full: 1000 phones"):
        room.join("new", START + ASLEEP)
    room.join("1", START + ASLEEP)
    assert room.join("new", START + ASLEEP + 1)
    assert sorted(room.phones) == ["0", "1", "new"]
    assert room.view().answer_count == 1


def test_a_room_asks_so_many_questions_and_keeps_a_place_so_long(room):
    for _ in range(QUESTIONS):
        room.open(CHOICE, START)
        room.close()
        room.show("")
    with pytest.raises(ValueError, match=f"at most {QUESTIONS} questions"):
        room.open(CHOICE, START)
    with pytest.raises(ValueError, match="place must have at most"):
        room.show("x" * (LONGEST_PLACE + 1))
    room.show(f"/lecture?{'x' * lecture.LONGEST}")


def test_a_room_lives_twelve_hours(room):
    assert LIFE == 12 * 3600
    room.join("p", START)
    assert not room.has_ended(START + LIFE - 1)
    assert room.has_ended(START + LIFE)


class AnyOrder(RuleBasedStateMachine):
    """Commands and answers in any order, beside a list of what should be there."""

    def __init__(self):
        super().__init__()
        self.room, self.now = Room("r", "KMXT", "", START), START
        self.status, self.round, self.said = "wait", 0, {}
        self.asked: Question | None = None

    def expect(self, allowed, action, status):
        version = self.room.version
        if allowed:
            action()
            self.status = status
            assert self.room.version == version + 1
        else:
            with pytest.raises(ValueError, match=r"^[a-z].*[a-z]$"):
                action()
            assert self.room.version == version
        return allowed

    @rule(seconds=st.floats(0, 20))
    def time(self, seconds):
        self.now += seconds
        if self.room.tick(self.now):
            assert self.status == "open"
            self.status = "closed"

    @rule()
    def show(self):
        if self.expect(self.status != "open", lambda: self.room.show("x"), "wait"):
            self.round, self.said = 0, {}

    @rule(question=st.sampled_from(QUESTIONS_OF_EACH_KIND), seconds=st.none() | st.floats(1, 60))
    def open(self, question, seconds):
        if self.expect(self.status == "wait", lambda: self.room.open(question, self.now, seconds), "open"):
            self.asked, self.round = question, 1

    @rule()
    def close(self):
        self.expect(self.status == "open", self.room.close, "closed")

    @rule()
    def again(self):
        if self.expect(self.status == "closed" and self.round == 1, lambda: self.room.again(self.now), "open"):
            self.round = 2

    @rule()
    def reveal(self):
        self.expect(self.status == "closed", self.room.reveal, "revealed")

    @precondition(lambda self: self.asked is not None)
    @rule(phone=st.sampled_from("abc"), which=st.integers(0, 3), round=st.sampled_from((1, 1, 2, 3)))
    def answer(self, phone, which, round):
        value = [*TYPICAL[self.asked.kind], None, "neither"][which]
        name = self.room.question.id if self.room.question else "none"
        self.room.join(phone, self.now)
        try:
            self.room.answer(name, round, value, phone, self.now)
        except NotOpen:
            assert self.status != "open" or round != self.round
        except BadValue:
            assert self.status == "open"
            assert value == "neither"
        else:
            assert (self.status, round) == ("open", self.round)
            self.said[round, phone] = tuple(value) if isinstance(value, list) else value

    @invariant()
    def the_room_holds_what_was_said(self):
        view = self.room.view()
        assert (view.status, view.round) == (self.status, self.round)
        assert {(one.round, one.phone): one.value for one in self.room.all_answers()} == self.said
        assert view.answer_count == sum(round == self.round for round, _ in self.said)
        assert view.answer_count <= view.phone_count


AnyOrder.TestCase.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
TestAnyOrder = AnyOrder.TestCase
