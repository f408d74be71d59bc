"""Visitors' own tables: one a tab, in memory while it is there, and the tickets with which a browser sends them."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from featdash.tasks.csv_table import NumericTable

MOST_TABLES = 16
MOST_TOGETHER = 128_000_000  # bytes of all tables
AT_ONCE = 4  # files that are read at the same time
AWAY = 150.0  # seconds unseen after which a tab has left; one in the background speaks once a minute
SWEEP = 30.0  # seconds between two looks at who has left
NO_TICKET = "A file is taken from the page «Your own data» alone, while it is open; load that page again."
BUSY = f"the server must read at most {AT_ONCE} files at once, got another; try again in a minute"
ONE_EACH = "a tab must send one file at a time, got another; wait for the first"


class Refusal(Exception):
    """A file that is not taken: the status of HTTP and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass
class Seat:
    """What is known of one tab: its ticket, "" while it is on another page; its table; and the run on that."""

    seen: float
    ticket: str = ""
    reading: bool = False
    table: NumericTable | None = None
    run: str = ""


class TableStore:
    """Thread-safe. on_drop : called with the id of a run whose table has gone. clock : seconds, steady."""

    def __init__(self, on_drop: Callable[[str], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._on_drop, self._clock = on_drop, clock
        self._seats: dict[str, Seat] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def open(self, session: str) -> str:
        """The ticket of a tab that shows the page: the same until it shows another."""
        with self._lock:
            seat = self._seats.setdefault(session, Seat(self._clock()))
            seat.seen, seat.ticket = self._clock(), seat.ticket or secrets.token_urlsafe(24)
            self._watch()
            return seat.ticket

    def touch(self, session: str, on_page: bool = True) -> None:
        """The tab is there; one that shows another page keeps its table, but its ticket is void."""
        with self._lock:
            if seat := self._seats.get(session):
                seat.seen = self._clock()
                seat.ticket = seat.ticket if on_page else ""

    @contextmanager
    def reading(self, ticket: str) -> Iterator[Callable[[NumericTable], None]]:
        """While a file is read; gives what puts its table in the place of the old one. Refusal if it is not taken."""
        self.sweep()
        with self._lock:
            session = next((name for name, seat in self._seats.items() if ticket and seat.ticket == ticket), "")
            if not session:
                raise Refusal(403, NO_TICKET)
            if self._seats[session].reading:
                raise Refusal(429, f"{ONE_EACH}.")
            if sum(seat.reading for seat in self._seats.values()) >= AT_ONCE:
                raise Refusal(503, f"{BUSY}.")
            self._seats[session].reading = True
        try:
            yield lambda table: self._put(session, table)
        finally:
            with self._lock:
                if seat := self._seats.get(session):
                    seat.reading = False

    def table(self, session: str) -> NumericTable | None:
        with self._lock:
            seat = self._seats.get(session)
            return seat.table if seat else None

    def set_run(self, session: str, run: str) -> None:
        """The run on the tab's table is another now; what there was before is dropped."""
        with self._lock:
            seat = self._seats.get(session)
            before = seat.run if seat else run
            if seat:
                seat.run = run
        if before:
            self._on_drop(before)

    def drop(self, session: str) -> None:
        """The tab's table and its run go; its ticket stays."""
        with self._lock:
            seat = self._seats.get(session)
            run = seat.run if seat else ""
            if seat:
                seat.table, seat.run = None, ""
        if run:
            self._on_drop(run)

    def sweep(self) -> None:
        """Drop all that belongs to tabs that have left."""
        with self._lock:
            now = self._clock()
            gone = [name for name, seat in self._seats.items() if now - seat.seen > AWAY]
            runs = [self._seats.pop(name).run for name in gone]
        for run in filter(None, runs):
            self._on_drop(run)

    def close(self) -> None:
        """Nothing is left."""
        with self._lock:
            self._seats.clear()
            if self._timer:
                self._timer.cancel()

    def _put(self, session: str, table: NumericTable) -> None:
        with self._lock:
            others = [seat.table for name, seat in self._seats.items() if name != session and seat.table]
            if len(others) >= MOST_TABLES:
                rule = f"the server must hold at most {MOST_TABLES} tables at once, got another"
                raise Refusal(503, f"{rule}; try again when a visitor has left.")
            held = sum(one.values.nbytes for one in others)
            if held + table.values.nbytes > MOST_TOGETHER:
                rule = f"all tables together must have at most {MOST_TOGETHER:,} bytes, got more with this one"
                raise Refusal(503, f"{rule}; try again when a visitor has left.")
            seat = self._seats.get(session)
            if seat is None:
                raise Refusal(403, NO_TICKET)
            run, seat.table, seat.run = seat.run, table, ""
        if run:
            self._on_drop(run)

    def _watch(self) -> None:
        """Look again and again while a tab is known; under the lock."""
        if self._timer is None or not self._timer.is_alive():
            self._timer = threading.Timer(SWEEP, self._look)
            self._timer.daemon = True
            self._timer.start()

    def _look(self) -> None:
        self.sweep()
        with self._lock:
            self._timer = None
            if self._seats:
                self._watch()
