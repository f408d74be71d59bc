"""Rooms on disk: SQLite in WAL mode, with one writer that puts all pending writes into one commit."""

from __future__ import annotations

import contextlib
import json
import logging
import shutil
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import asdict
from pathlib import Path
from typing import Any

from featdash.classroom.question import Answer, Question, parse_answer
from featdash.classroom.refusal import BadValue
from featdash.classroom.room import LIFE, ROUNDS, STATUSES, Room
from featdash.runs.codec import set_aside
from featdash.runs.history import Presence

PATIENCE = 5.0  # seconds to wait for another process's write
CACHE = 256  # KiB of the file that a connection holds in memory: the default of 2 MB fills in an hour of questions
CLOSED = "the server is shutting down; try again in a minute"
UNSEEN = 1000  # added to the version of a room that is read from disk, so that no phone has seen a later one
TABLES = (
    "rooms (id TEXT PRIMARY KEY, server TEXT, created REAL, state TEXT)",
    "phones (room TEXT, phone TEXT, PRIMARY KEY (room, phone)) WITHOUT ROWID",
    "answers (room TEXT, question TEXT, round INTEGER, phone TEXT, value TEXT, seconds REAL,"
    " PRIMARY KEY (room, question, round, phone)) WITHOUT ROWID",
)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


_FIT: dict[str, Callable[[Any], bool]] = {  # field of a room's state -> whether a value from the disk is valid for it
    "code": _is_text,
    "digest": _is_text,
    "version": _is_count,
    "status": STATUSES.__contains__,
    "round": (0, *ROUNDS).__contains__,
    "opened": _is_number,
    "ends": lambda value: value is None or _is_number(value),
    "locked": lambda value: isinstance(value, bool),
    "place": _is_text,
    "asked": lambda value: isinstance(value, list) and all(map(_is_text, value)),
    "active": _is_number,
}
STATE = tuple(_FIT)

Statement = tuple[str, Sequence[Any]]

log = logging.getLogger(__name__)


class NotKept(OSError):
    """The disk has refused a write; cause : what it said."""

    def __init__(self, cause: sqlite3.Error) -> None:
        super().__init__(f"the server could not keep it ({cause}); try again")
        self.cause = cause


class RoomStore:
    """The rooms of this server. A write returns at once with a future that is done when it is on disk.

    One thread writes; what arrives while the disk is busy goes into its next commit, so that a class that answers in
    the same second waits for two commits and not for three hundred. Each commit is synchronous: it survives a crash and
    a power cut. A server that runs on the same folder keeps its rooms. A temporary folder goes when it is closed.
    Errors: OSError if the folder cannot be used; a future has NotKept if the disk refuses. A damaged file is moved
    aside.
    """

    def __init__(self, home: Path, temporary: bool = False) -> None:
        self._temporary = home if temporary else None
        home.mkdir(parents=True, exist_ok=True)
        self._path = home / "rooms.sqlite"
        self._presence = Presence(home / "servers")
        try:
            self._file = self._open()
        except OSError:
            self._presence.leave()
            raise
        self._reading = threading.Lock()
        self._change = threading.Condition()
        self._pending: list[tuple[Sequence[Statement], Future[None]]] = []
        self._closed = False
        self._writer = threading.Thread(target=self._write_pending, name="featdash-rooms", daemon=True)
        self._writer.start()

    def add_room(self, room: Room, code: str) -> bool:
        """Give a new room that code and put it on disk; False if another room has the code, on any server.

        It waits for the disk. Errors: OSError.
        """
        if self._closed:
            raise OSError(CLOSED)
        room.code = code
        with self._reading, contextlib.closing(self._connect()) as file:
            try:
                file.execute("PRAGMA synchronous = FULL")
                with file:
                    file.execute("BEGIN IMMEDIATE")
                    free = code not in {_code(row["state"]) for row in file.execute("SELECT state FROM rooms")}
                    if free:
                        file.execute(*self._row(room))
            except sqlite3.Error as error:
                raise _refusal(error) from error
        return free

    def save_room(self, room: Room) -> Future[None]:
        """Write the room as it is now, without its phones and answers."""
        return self._write(self._row(room))

    def _row(self, room: Room) -> Statement:
        state = {name: getattr(room, name) for name in STATE}
        state["question"] = asdict(room.question) if room.question else None
        row = (room.id, self._presence.name, room.created, json.dumps(state))
        return "INSERT OR REPLACE INTO rooms VALUES (?, ?, ?, ?)", row

    def save_phone(self, room_id: str, phone: str) -> Future[None]:
        return self._write(("INSERT OR IGNORE INTO phones VALUES (?, ?)", (room_id, phone)))

    def save_answer(self, room_id: str, answer: Answer) -> Future[None]:
        """Write an answer in place of the phone's earlier one in that round."""
        row = (room_id, answer.question, answer.round, answer.phone, json.dumps(answer.value), answer.seconds)
        return self._write(("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)", row))

    def delete(self, room_id: str) -> Future[None]:
        """Delete the room with its phones and answers."""
        return self._write(*_deletions(room_id))

    def answers(self, room_id: str) -> list[Answer]:
        """All answers of a room, by question in the order of their names, round and phone."""
        self._write().result()  # waits until all earlier writes are in the file
        query = "SELECT question, round, value, seconds, phone FROM answers WHERE room = ?"
        with self._reading, contextlib.closing(self._connect()) as file:
            return [answer for row in file.execute(query, (room_id,)) if (answer := _answer(row))]

    def load(self, now: float) -> list[Room]:
        """The rooms of servers that no longer run, with their phones and the answers to the question on show.

        They belong to this server from now on; those older than twelve hours are deleted.
        """
        with self._reading, contextlib.closing(self._connect()) as file:
            rows = file.execute("SELECT id, server, created, state FROM rooms ORDER BY created").fetchall()
            rows = [row for row in rows if isinstance(row["id"], str)]
            old = [row["id"] for row in rows if isinstance(row["created"], float) and now >= row["created"] + LIFE]
            rooms = [room for row in rows if row["id"] not in old and (room := self._room_of(file, row))]
        for name in old:
            self.delete(name)
        for room in rooms:
            self.save_room(room)
        return rooms

    def close(self) -> None:
        """Wait until all writes are on disk, and close the file. May be called twice."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        self._writer.join()
        self._file.close()
        self._presence.leave()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def _room_of(self, file: sqlite3.Connection, row: sqlite3.Row) -> Room | None:
        """The room of a row; None if its server still runs, or if the row is damaged."""
        if self._presence.alive(row["server"]):
            return None
        try:
            state = json.loads(row["state"])
            question = state.pop("question")
            if not (isinstance(row["created"], float) and all(_FIT[name](state[name]) for name in STATE)):
                raise ValueError("a value of another kind")
            room = Room(row["id"], created=row["created"], **state)
            room.question = Question(**{**question, "options": tuple(question["options"])}) if question else None
            if room.round and not room.question:
                raise ValueError("a round without a question")
        except (ValueError, TypeError, LookupError, AttributeError) as damage:
            log.warning("a room on disk is damaged (%s) and was left out: %.60r", damage, row["id"])
            return None
        room.version += UNSEEN
        query = "SELECT phone FROM phones WHERE room = ?"
        room.phones = {one["phone"]: room.active for one in file.execute(query, (room.id,))}
        query = "SELECT question, round, value, seconds, phone FROM answers WHERE room = ? AND question = ?"
        for one in file.execute(query, (room.id, room.question.id)) if room.question else ():
            if room.question and (answer := _answer(one, room.question)):
                room.guesses[answer.round][answer.phone] = answer
        return room

    def _write(self, *statements: Statement) -> Future[None]:
        result: Future[None] = Future()
        with self._change:
            if self._closed:
                result.set_exception(OSError(CLOSED))
                return result
            self._pending.append((statements, result))
            self._change.notify_all()
        return result

    def _write_pending(self) -> None:
        """The writer: all that is pending in one transaction, until closed."""
        while True:
            with self._change:
                self._change.wait_for(lambda: self._pending or self._closed)
                batch, self._pending = self._pending, []
            if not batch:
                return
            trouble = self._commit([statement for statements, _ in batch for statement in statements])
            for result in [one for _, one in batch if one.set_running_or_notify_cancel()]:  # who waits for it still
                result.set_result(None) if trouble is None else result.set_exception(trouble)

    def _commit(self, statements: Sequence[Statement]) -> NotKept | None:
        """Commit the statements; returns the error that prevented it, None if they are on disk."""
        if not statements:
            return None
        try:
            with self._file:
                self._file.execute("BEGIN IMMEDIATE")
                for text, values in statements:
                    self._file.execute(text, values)
        except sqlite3.Error as error:
            return _refusal(error)
        return None

    def _open(self) -> sqlite3.Connection:
        """The open file; a damaged one is moved aside and a new one begun. OSError if it cannot be used."""
        try:
            return self._prepare()
        except sqlite3.OperationalError as error:
            raise OSError(f"{self._path.name}: {error}") from error
        except sqlite3.DatabaseError as damage:
            for suffix in ("-wal", "-shm"):
                self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
            set_aside(self._path, damage)
            return self._prepare()

    def _prepare(self) -> sqlite3.Connection:
        file = self._connect()
        try:
            file.execute("PRAGMA journal_mode = WAL")
            file.execute("PRAGMA synchronous = FULL")
            file.execute(f"PRAGMA cache_size = -{CACHE}")
            file.execute("PRAGMA quick_check(1)")
            for table in TABLES:
                file.execute(f"CREATE TABLE IF NOT EXISTS {table}")
        except sqlite3.Error:
            file.close()
            raise
        return file

    def _connect(self) -> sqlite3.Connection:
        file = sqlite3.connect(self._path, PATIENCE, isolation_level=None, check_same_thread=False)
        file.row_factory = sqlite3.Row
        return file


def _refusal(error: sqlite3.Error) -> NotKept:
    """The error that a host or a phone gets when the disk refuses a write."""
    log.warning("the file of the rooms could not be written: %s", error)
    return NotKept(error)


def _code(state: str) -> str | None:
    """The code of a room on disk; None if its row is damaged."""
    try:
        return json.loads(state)["code"]
    except (ValueError, TypeError, LookupError):
        return None


def _deletions(room_id: str) -> Iterator[Statement]:
    for table, column in (("rooms", "id"), ("phones", "room"), ("answers", "room")):
        yield f"DELETE FROM {table} WHERE {column} = ?", (room_id,)


def _answer(row: sqlite3.Row, question: Question | None = None) -> Answer | None:
    """The answer of a row; None if the row is damaged, or does not answer the question."""
    try:
        value = json.loads(row["value"])
        if row["round"] not in ROUNDS or not _is_number(row["seconds"]):
            raise ValueError("no round, or no time")
        content = parse_answer(question, value) if question else tuple(value) if isinstance(value, list) else value
    except (ValueError, TypeError, BadValue) as damage:
        log.warning("an answer on disk is damaged (%s) and was left out", damage)
        return None
    return Answer(row["question"], row["round"], content, row["seconds"], row["phone"])
