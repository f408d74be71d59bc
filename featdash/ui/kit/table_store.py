"""Visitors' own tables: one for each tab, in memory while the tab is open, and the tickets that let a tab send one."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from featdash.tasks.csv_table import NumericTable

MOST_TABLES = 48
MOST_TOGETHER = 128_000_000  # bytes of all tables
OF_VISITOR, OF_ADDRESS = 3, 12  # tables; a department may stand behind one address
SHARE_OF_VISITOR, SHARE_OF_ADDRESS = 4, 2  # a quarter and a half of all tables' bytes
AT_ONCE = 4  # files that are read at the same time
AWAY = 150.0  # seconds of silence after which a tab has left; one in the background speaks once a minute
CLOSED = 15.0  # seconds without a connection after which a tab has been closed; a network may fail for less
SWEEP = 5.0  # seconds between two looks at who has left
LATER = "try again when a visitor has left"
NO_TICKET = "A file is taken from the page «Your own data» alone, while it is open; load that page again."
BUSY = f"the server must read at most {AT_ONCE} files at once, got another; try again in a minute"
ONE_EACH = "a tab must send one file at a time, got another; wait for the first"


class Refusal(Exception):
    """A file that is not taken: the status of HTTP and one sentence."""

    def __init__(self, status: int, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Tab:
    """session : the tab's name; visitor : its browser's; address : of its network; connection : "" if not known."""

    session: str
    visitor: str
    address: str
    connection: str = ""


@dataclass
class Seat:
    """What the server knows about one tab: its ticket, "" while it shows another page; its table; and its run on that.

    last_seen : when it last spoke; lost : when its connection was first missing.
    """

    tab: Tab
    last_seen: float
    lost: float | None = None
    ticket: str = ""
    reading: bool = False
    table: NumericTable | None = None
    run: str = ""


class TableStore:
    """Thread-safe.

    on_drop : called with the id of a run whose table has gone; is_connected : whether a connection is still open;
    clock : seconds, never set back.
    """

    def __init__(
        self,
        on_drop: Callable[[str], None],
        is_connected: Callable[[str], bool] = bool,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._on_drop, self._is_connected, self._clock = on_drop, is_connected, clock
        self._seats: dict[str, Seat] = {}
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def open(self, tab: Tab) -> str:
        """The ticket of a tab that shows the page: the same until it shows another."""
        with self._lock:
            seat = self._seats.setdefault(tab.session, Seat(tab, self._clock()))
            seat.tab, seat.last_seen = tab, self._clock()
            seat.ticket = seat.ticket or secrets.token_urlsafe(24)
            self._watch()
            return seat.ticket

    def touch(self, session: str, on_page: bool = True) -> None:
        """The tab is there; one that shows another page keeps its table, but its ticket is void."""
        with self._lock:
            if seat := self._seats.get(session):
                seat.last_seen = self._clock()
                seat.ticket = seat.ticket if on_page else ""

    @contextmanager
    def reading(self, ticket: str) -> Iterator[Callable[[NumericTable], None]]:
        """While a file is read: yields the function that replaces the tab's table. Refusal if the file is not taken."""
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
        """Note the new run on the tab's table; the run before it is dropped."""
        with self._lock:
            seat = self._seats.get(session)
            before = seat.run if seat else run
            if seat:
                seat.run = run
        if before:
            self._on_drop(before)

    def drop(self, session: str) -> None:
        """Drop the tab's table and its run; its ticket stays valid."""
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
            for seat in self._seats.values():
                there = not seat.tab.connection or self._is_connected(seat.tab.connection)
                seat.lost = None if there else now if seat.lost is None else seat.lost
            absent = [
                name
                for name, seat in self._seats.items()
                if now - seat.last_seen > AWAY or (seat.lost is not None and now - seat.lost > CLOSED)
            ]
            runs = [self._seats.pop(name).run for name in absent]
        for run in filter(None, runs):
            self._on_drop(run)

    def close(self) -> None:
        """Drop everything."""
        with self._lock:
            self._seats.clear()
            if self._timer:
                self._timer.cancel()

    def _put(self, session: str, table: NumericTable) -> None:
        with self._lock:
            seat = self._seats.get(session)
            if seat is None:
                raise Refusal(403, NO_TICKET)
            self._check_share(seat.tab, table.values.nbytes)
            run, seat.table, seat.run = seat.run, table, ""
        if run:
            self._on_drop(run)

    def _check_share(self, tab: Tab, size: int) -> None:
        """Refusal if a table of `size` bytes is more than its browser, its network or all visitors may hold."""
        others = [seat for name, seat in self._seats.items() if name != tab.session and seat.table]
        mine = [seat for seat in others if seat.tab.visitor == tab.visitor]
        near = [seat for seat in others if seat.tab.address == tab.address]
        _check_room(mine, size, OF_VISITOR, SHARE_OF_VISITOR, "one browser", 429, "forget one, or close its tab")
        _check_room(near, size, OF_ADDRESS, SHARE_OF_ADDRESS, "one network", 429, LATER)
        _check_room(others, size, MOST_TABLES, 1, "all visitors together", 503, LATER)

    def _watch(self) -> None:
        """Sweep at every interval while there is a tab; call it under the lock."""
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


def _check_room(seats: Sequence[Seat], size: int, most: int, share: int, who: str, status: int, remedy: str) -> None:
    """Refusal if one more table of `size` bytes does not fit beside the tables of these tabs."""
    if len(seats) >= most:
        raise Refusal(status, f"{who} must hold at most {most} tables at once, got another; {remedy}.")
    if sum(seat.table.values.nbytes for seat in seats if seat.table) + size > MOST_TOGETHER // share:
        rule = f"the tables of {who} must have at most {MOST_TOGETHER // share:,} bytes, got more with this one"
        raise Refusal(status, f"{rule}; {remedy}.")
