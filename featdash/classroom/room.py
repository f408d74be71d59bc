"""A room as a state machine: wait → open → closed → open again → closed → revealed → wait, without clock and disk."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from featdash.classroom.question import Answer, Question, parse_answer
from featdash.classroom.refusal import NotOpen

LIFE = 12 * 3600.0  # seconds that a room lives
EMPTY = 1800.0  # seconds unused after which a room ends that no phone has joined; its host's open page uses it
PHONES = 1000  # of a room
QUESTIONS = 100  # that a room may ask: a lecture asks ten
ASLEEP = 60.0  # seconds unheard after which a phone that has not answered gives its place up in a full room
GRACE = 1.0  # seconds after a countdown in which answers that are on their way still count
LONGEST_COUNTDOWN = 3600.0
LONGEST_PLACE = 8000  # characters; the longest link of a lecture has 6000

Status = Literal["wait", "open", "closed", "revealed"]
STATUSES: tuple[Status, ...] = get_args(Status)
ROUNDS = (1, 2)


@dataclass(frozen=True)
class RoomView:
    """What everybody may know of a room; the same for all.

    version : changes with each command, and not with an answer.
    place : a text of the host's page that says which scene the wall shows.
    answer_count : phones that have answered in this round; phone_count : phones that have joined.
    ends : when the countdown ends, in seconds since 1970; None without one.
    """

    code: str
    version: int
    status: Status
    question: Question | None
    round: int
    answer_count: int
    phone_count: int
    locked: bool
    place: str
    ends: float | None


@dataclass(eq=False)
class Room:
    """Guarded by the lock of the registry. Times are seconds since 1970, given by the caller.

    phones : pseudonym -> when the phone was last heard; guesses : round -> phone -> its answer to the question on show.
    asked : ids of all its questions; active : when it was last used. Errors: ValueError in one sentence.
    visitor, address : of the browser that opened it, "" if unknown; they are never stored on disk.
    The names of the fields are those of its state on disk.
    """

    id: str
    code: str
    digest: str
    created: float
    version: int = 1
    status: Status = "wait"
    question: Question | None = None
    round: int = 0
    opened: float = 0.0
    ends: float | None = None
    locked: bool = False
    place: str = ""
    asked: list[str] = field(default_factory=list)
    phones: dict[str, float] = field(default_factory=dict)
    guesses: dict[int, dict[str, Answer]] = field(default_factory=lambda: {one: {} for one in ROUNDS})
    active: float = 0.0
    visitor: str = ""
    address: str = ""

    def view(self) -> RoomView:
        answer_count = len(self.guesses[self.round]) if self.round else 0
        open_until = self.ends if self.status == "open" else None
        about = (self.code, self.version, self.status, self.question, self.round, answer_count)
        return RoomView(*about, len(self.phones), self.locked, self.place, open_until)

    def has_ended(self, now: float) -> bool:
        return now >= self.created + LIFE or (not self.phones and now >= self.active + EMPTY)

    # -- what the host commands

    def show(self, place: str) -> None:
        """Show that place on the wall; a question that was on show is over."""
        self._demand("show", "wait", "closed", "revealed")
        if len(place) > LONGEST_PLACE:
            raise ValueError(f"place must have at most {LONGEST_PLACE} characters, got {len(place)}; shorten it")
        self.place = place
        self.question, self.round, self.ends = None, 0, None
        self.guesses = {one: {} for one in ROUNDS}
        self._enter("wait")

    def open(self, question: Question, now: float, seconds: float | None = None) -> None:
        """Ask it, for so many seconds or until `close`. A repeated id gets a number: q, q~2, q~3."""
        self._demand("open", "wait")
        if len(self.asked) >= QUESTIONS:
            raise ValueError(f"a room asks at most {QUESTIONS} questions, and this one has; open another room")
        times = sum(name == question.id or name.startswith(f"{question.id}~") for name in self.asked)
        question = replace(question, id=f"{question.id}~{times + 1}") if times else question
        self._count_down(now, seconds)
        self.question = question
        self.asked.append(question.id)
        self._begin(1, now)

    def close(self) -> None:
        """Take no more answers."""
        self._demand("close", "open")
        self._enter("closed")

    def again(self, now: float, seconds: float | None = None) -> None:
        """Ask the same question once more, after the talk."""
        self._demand("ask again", "closed")
        if self.round == ROUNDS[-1]:
            raise ValueError("a question is asked twice at most, and this one was; reveal the answers")
        self._count_down(now, seconds)
        self._begin(self.round + 1, now)

    def reveal(self) -> None:
        """Let the answers be seen."""
        self._demand("reveal", "closed")
        self._enter("revealed")

    def lock(self, locked: bool) -> None:
        """Let no other phone in, or let them in again."""
        self.locked = bool(locked)
        self.version += 1

    # -- what time and phones do

    def tick(self, now: float) -> bool:
        """Close the question if its countdown is over; returns whether it was."""
        over = self.status == "open" and self.ends is not None and now >= self.ends + GRACE
        if over:
            self._enter("closed")
        return over

    def join(self, phone: str, now: float) -> bool:
        """Note that a phone is there, and say whether it is new; NotOpen if a new one is not let in."""
        new = phone not in self.phones
        if new and self.locked:
            raise NotOpen("The lecturer has locked the door of this room; ask to be let in.")
        if new and len(self.phones) >= PHONES and not self._drop_sleepers(now):
            raise NotOpen(f"This room is full: {PHONES} phones are in it; look at the wall.")
        self.phones[phone] = self.active = now
        return new

    def answer(self, question: Any, round: Any, value: Any, phone: str, now: float) -> Answer:
        """Take a phone's answer in place of its earlier one in this round. NotOpen, BadValue.

        The caller must let the phone join first.
        """
        if self.status != "open" or self.question is None:
            raise NotOpen("No question is open now; look at the wall.")
        if question != self.question.id or round != self.round:
            raise NotOpen("This question is no longer open; another one is.")
        value, seconds = parse_answer(self.question, value), round_time(now - self.opened)
        answer = Answer(self.question.id, self.round, value, seconds, phone)
        self.guesses[self.round][phone] = answer
        return answer

    def all_answers(self) -> Iterator[Answer]:
        """All answers to the question on show, round by round."""
        for of_round in self.guesses.values():
            yield from of_round.values()

    def _drop_sleepers(self, now: float) -> bool:
        """Drop the phones that are silent and have not answered this question; returns whether there were any."""
        voters = {phone for of_round in self.guesses.values() for phone in of_round}
        sleepers = [
            phone for phone, last_sign in self.phones.items() if now - last_sign > ASLEEP and phone not in voters
        ]
        for phone in sleepers:
            del self.phones[phone]
        return bool(sleepers)

    def _demand(self, command: str, *statuses: Status) -> None:
        if self.status not in statuses:
            raise ValueError(f"{command} is for a room that is {' or '.join(statuses)}, and this one is {self.status}")

    def _count_down(self, now: float, seconds: float | None) -> None:
        if seconds is not None and not 0 < seconds <= LONGEST_COUNTDOWN:
            raise ValueError(f"seconds must be from 0 to {LONGEST_COUNTDOWN:g}, got {seconds}; leave them out for none")
        self.ends = None if seconds is None else now + seconds

    def _begin(self, round: int, now: float) -> None:
        self.round, self.opened = round, now
        self._enter("open")

    def _enter(self, status: Status) -> None:
        self.status = status
        self.version += 1


def round_time(seconds: float) -> float:
    """Tenths of a second, never below 0: a clock may be set back."""
    return max(0.0, round(seconds, 1))
