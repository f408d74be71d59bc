"""The rooms of a server, for hosts, walls and phones: who may do what; a command returns once it is on disk."""

from __future__ import annotations

import csv
import hashlib
import hmac
import io
import os
import secrets
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import Any

from featdash.classroom.question import Answer, Question
from featdash.classroom.refusal import UnknownRoom
from featdash.classroom.room import Room, RoomView
from featdash.classroom.room_store import NotKept, RoomStore
from featdash.runs.store import open_at_home

ROOMS = 50
ROOMS_OF_VISITOR, ROOMS_OF_ADDRESS = 3, 12  # a department may stand behind one address
IDLE = 3600.0  # seconds unused after which a room gives its place up where there is no other
LETTERS = "BCDFGHJKLMNPRSTVWXYZ"  # no vowels: they make words; no Q, which is read as O
WRONG_SECRET = 0.5  # seconds that a wrong secret costs; one is looked at at a time
UNKNOWN = "There is no such room: the code is wrong, or the room has ended; read it from the wall."
ENDED = "the room has ended; open another one"


class Rooms:
    """Thread-safe. Nobody waits for the disk while holding the lock.

    clock : seconds since 1970; sleep : slows down a wrong secret.
    """

    def __init__(
        self, store: RoomStore, clock: Callable[[], float] = time.time, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        self._store, self._clock, self._sleep = store, clock, sleep
        self._lock = threading.Lock()
        self._guessing, self._creating = threading.Lock(), threading.Lock()
        self._listeners: set[Callable[[str], None]] = set()
        self._rooms = {room.code: room for room in store.load(clock())}

    def create(self, visitor: str = "", address: str = "") -> tuple[str, str]:
        """A new room, on disk: (its code, the secret of its host).

        visitor, address : who opens it; "" if unknown, which no limit counts.
        Errors: ValueError if server, visitor or address have too many rooms; OSError if the disk refuses.
        """
        secret, now = secrets.token_urlsafe(32), self._clock()
        room = Room(uuid.uuid4().hex, "", _digest(secret), now, active=now, visitor=visitor, address=address)
        with self._creating:
            with self._lock:
                self._forget_old(now)
                self._check_limits(visitor, address)
                ours = set(self._rooms)
            codes = (code for code in iter(_draw_code, None) if code not in ours)
            room.code = next(code for code in codes if self._store.add_room(room, code))
            with self._lock:
                self._rooms[room.code] = room
        return room.code, secret

    def view(self, code: str) -> RoomView | None:
        """The room as it stands; None if there is none."""
        with self._lock:
            room = self._find(code)
            return room.view() if room else None

    def visible_answers(self, code: str) -> list[Answer] | None:
        """The answers to the question on show, of both rounds; None before the reveal."""
        with self._lock:
            room = self._find(code)
            return list(room.all_answers()) if room and room.status == "revealed" else None

    def commands(self, code: str, secret: str) -> Commands | None:
        """What the host may do; None for a wrong secret or no room, but only after a while, one guess at a time."""
        room = self.authorise(code, secret)
        if room is None:
            with self._guessing:
                self._sleep(WRONG_SECRET)
        return room

    def authorise(self, code: str, secret: str) -> Commands | None:
        """As `commands`, but at once, for a caller that waits WRONG_SECRET itself, as an event loop must."""
        with self._lock:
            room = self._find(code)
        if room and hmac.compare_digest(room.digest, _digest(secret)):
            return Commands(self, room.code, room.id)
        return None

    # -- for the routes

    def is_in(self, code: str, token: str) -> bool:
        """Whether that phone has joined the room."""
        with self._lock:
            room = self._find(code)
            return room is not None and _phone(room, token) in room.phones

    def join(self, code: str, token: str) -> RoomView:
        """Note that a phone is there. UnknownRoom, NotOpen."""
        with self._lock:
            room = self._existing_room(code)
            self._join(room, _phone(room, token))
            return room.view()

    def put_answer(self, code: str, question: Any, round: Any, value: Any, token: str) -> Future[None]:
        """Take an answer: it counts at once, and the future is done when it is on disk.

        Errors: UnknownRoom, NotOpen, BadValue.
        """
        with self._lock:
            room = self._existing_room(code)
            phone = _phone(room, token)
            self._join(room, phone)
            return self._store.save_answer(room.id, room.answer(question, round, value, phone, self._clock()))

    def on_change(self, listener: Callable[[str], None]) -> None:
        """Call the listener with a room's code after each command, on the host's thread; adding it twice is no harm."""
        self._listeners.add(listener)

    def now(self) -> float:
        """The clock by which rooms open and close: seconds since 1970."""
        return self._clock()

    # -- for the commands

    def change(self, code: str, room_id: str, action: Callable[[Room, float], None]) -> None:
        """Let the host change the room, and wait for the disk.

        Errors: ValueError if the room refuses, or has ended; OSError if the disk does: the class goes on with the
            change, which a server that restarts knows nothing of.
        """
        with self._lock:
            room = self._find(code)
            if room is None or room.id != room_id:
                raise ValueError(ENDED)
            room.active = now = self._clock()
            action(room, now)
            writing = self._store.save_room(room)
        try:
            writing.result()
        except NotKept as error:
            rule = "the class goes on, but a server that stops now forgets it"
            raise OSError(f"{rule} ({error.cause}); mend its disk") from error
        finally:
            self._tell(code)

    def split(self, code: str, room_id: str) -> list[Answer]:
        """The answers of the round that has just closed, for the host alone; empty at any other time."""
        with self._lock:
            room = self._find(code)
            if room is None or room.id != room_id or room.status != "closed":
                return []
            return list(room.guesses[room.round].values())

    def touch(self, code: str, room_id: str) -> None:
        """Note that the host's page is open, so that the room is in use."""
        with self._lock:
            room = self._find(code)
            if room is not None and room.id == room_id:
                room.active = self._clock()

    def end(self, code: str, room_id: str) -> None:
        """Delete the room and all its answers; a room that has ended may be ended again."""
        with self._lock:
            room = self._rooms.get(code)
            if room is None or room.id != room_id:
                return
            removal = self._remove(room)
        removal.result()
        self._tell(code)

    def answers(self, room_id: str) -> list[Answer]:
        """The answers to all questions of the room, except to a question on show that is not revealed."""
        with self._lock:
            room = next((one for one in self._rooms.values() if one.id == room_id), None)
            if room is None:
                raise ValueError(ENDED)
            open_question = room.question.id if room.question and room.status != "revealed" else None
            order = {name: place for place, name in enumerate(room.asked)}
        answers = [answer for answer in self._store.answers(room_id) if answer.question != open_question]
        return sorted(answers, key=lambda one: (order.get(one.question, len(order)), one.round, one.seconds))

    def close(self) -> None:
        """Wait until everything is on disk, and leave the rooms to the next server."""
        self._store.close()

    def _existing_room(self, code: str) -> Room:
        room = self._find(code)
        if room is None:
            raise UnknownRoom(UNKNOWN)
        return room

    def _find(self, code: str) -> Room | None:
        """The room as it is at this moment: it is removed if it has ended, and a countdown that is over closes it."""
        room, now = self._rooms.get(code.strip().upper()), self._clock()
        if room is not None and room.has_ended(now):
            self._remove(room)
            return None
        if room is not None and room.tick(now):
            self._store.save_room(room)
        return room

    def _join(self, room: Room, phone: str) -> None:
        if room.join(phone, self._clock()):
            self._store.save_phone(room.id, phone)

    def _forget_old(self, now: float) -> None:
        """Remove rooms whose time is over and, on a full server, the one that has been idle longest."""
        for room in [room for room in self._rooms.values() if room.has_ended(now)]:
            self._remove(room)
        idle = min(self._rooms.values(), key=lambda room: room.active, default=None)
        if len(self._rooms) >= ROOMS and idle is not None and now - idle.active > IDLE:
            self._remove(idle)

    def _check_limits(self, visitor: str, address: str) -> None:
        """ValueError if the limits allow no other room."""
        rooms = self._rooms.values()
        counts = (
            ("this server holds", len(rooms), ROOMS),
            ("this browser has opened", sum(one.visitor == visitor != "" for one in rooms), ROOMS_OF_VISITOR),
            ("your network has opened", sum(one.address == address != "" for one in rooms), ROOMS_OF_ADDRESS),
        )
        for holder, count, most in counts:
            if count >= most:
                raise ValueError(f"{holder} {count} rooms, the limit is {most}; end one, or wait")

    def _remove(self, room: Room) -> Future[None]:
        del self._rooms[room.code]
        return self._store.delete(room.id)

    def _tell(self, code: str) -> None:
        for listener in tuple(self._listeners):
            listener(code)


class Commands:
    """What a host may do with a room; each command raises ValueError in one sentence if it comes at a wrong time."""

    def __init__(self, rooms: Rooms, code: str, room_id: str) -> None:
        self._rooms, self._code, self._id = rooms, code, room_id

    def show(self, place: str) -> None:
        """Show that place on the wall; no question is on show then."""
        self._change(lambda room, _: room.show(place))

    def open(self, question: Question, seconds: float | None = None) -> None:
        """Ask the question, for so many seconds or until `close`; `Rooms.view` has its id in the room."""
        self._change(lambda room, now: room.open(question, now, seconds))

    def close(self) -> None:
        """Take no more answers."""
        self._change(lambda room, _: room.close())

    def again(self, seconds: float | None = None) -> None:
        """Ask the same question a second time."""
        self._change(lambda room, now: room.again(now, seconds))

    def reveal(self) -> None:
        """Let everybody see the answers."""
        self._change(lambda room, _: room.reveal())

    def lock(self, locked: bool) -> None:
        """Let no more phones in, or let them in again."""
        self._change(lambda room, _: room.lock(locked))

    def split(self) -> list[Answer]:
        """The answers of the round that has just closed; empty at any other time. They are not for the wall."""
        return self._rooms.split(self._code, self._id)

    def touch(self) -> None:
        """Note that the host is there, which keeps open a room that no phone has joined yet."""
        self._rooms.touch(self._code, self._id)

    def end(self) -> None:
        """Delete the room with all its answers; download them before."""
        self._rooms.end(self._code, self._id)

    def answers(self) -> list[Answer]:
        """All answers by question in their order, round and time, except to a question that is not revealed."""
        return self._rooms.answers(self._id)

    def csv(self) -> str:
        """The answers as a table: question, round, value, seconds; an order is written with > between its options."""
        text = io.StringIO()
        table = csv.writer(text)
        table.writerow(["question", "round", "value", "seconds"])
        for one in self.answers():
            value = " > ".join(one.value) if isinstance(one.value, tuple) else one.value
            table.writerow([one.question, one.round, "not sure" if value is None else value, one.seconds])
        return text.getvalue()

    def _change(self, action: Callable[[Room, float], None]) -> None:
        self._rooms.change(self._code, self._id, action)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def _phone(room: Room, token: str) -> str:
    """A phone's pseudonym: a different one in each room, from which nobody can tell the token."""
    return hashlib.sha256(f"{room.id} {token}".encode(errors="replace")).hexdigest()[:16]


def _draw_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(4))


def open_rooms(environment: Mapping[str, str] = os.environ) -> Rooms:
    """The rooms in `rooms.sqlite` of FEATDASH_HOME.

    In a folder of their own, until the server stops, where that one cannot be used.
    """
    return Rooms(open_at_home(environment, RoomStore))
