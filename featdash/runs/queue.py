"""Whose run is next, with those who teach first and each session in turn; and what is known about each visitor."""

from __future__ import annotations

import threading
from bisect import insort
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count, islice

from cachetools import LRUCache

SESSIONS = 1000  # sessions whose last turn is remembered
REMEMBERED = 4000  # visitors; the one seen longest ago is dropped first
REQUESTS = 10  # runs remembered for each visitor
AWAY = 300.0  # seconds of silence after which a visitor has left; a tab in the background speaks once a minute
FAVOURED = 50  # visitors whose runs come first: as many as there are rooms of classes
UNWATCHED = (
    f"none of those who asked for it has been here for {AWAY:.0f} s while it waited; press Run to ask for it again"
)


@dataclass(frozen=True)
class Waiting:
    """A run in the queue. session : whose turn it takes; cell : whether a composite has it; since : its arrival."""

    run_id: str
    session: str
    cell: bool
    since: int


class Queue:
    """The waiting runs, in the order in which they begin if nobody else comes.

    A session that teaches a class comes before all others, with its sweeps too. Runs that a visitor asked for come
    before cells of composites, which nobody watches one by one. Within each group, sessions take turns: every session's
    first run comes before any session's second and, among equals, first the session that was served longest ago, then
    the run that came first.
    is_favoured : whether a session teaches.
    """

    def __init__(self, is_favoured: Callable[[str], bool] = lambda _: False) -> None:
        self._is_favoured = is_favoured
        self._waiting: dict[str, Waiting] = {}
        self._shares: dict[tuple[bool, str], list[Waiting]] = defaultdict(list)  # of each session, oldest first
        self._last_served: LRUCache[str, int] = LRUCache(SESSIONS)
        self._servings = 0

    def put(self, waiting: Waiting) -> None:
        """Take a run in, or note that it now waits in another session's turn."""
        self.drop(waiting.run_id)
        self._waiting[waiting.run_id] = waiting
        insort(self._shares[waiting.cell, waiting.session], waiting, key=lambda one: one.since)

    def drop(self, run_id: str) -> None:
        """Take a run out, if it is there."""
        if waiting := self._waiting.pop(run_id, None):
            share = self._shares[waiting.cell, waiting.session]
            share.remove(waiting)
            if not share:
                del self._shares[waiting.cell, waiting.session]

    def serve(self, session: str) -> None:
        """Note that a run of that session begins; a session long gone is forgotten."""
        self._servings += 1
        self._last_served[session] = self._servings

    def __contains__(self, run_id: str) -> bool:
        return run_id in self._waiting

    def __iter__(self) -> Iterator[Waiting]:
        """The runs in order, sorted only as far as the caller iterates: the first of a thousand cells costs nothing."""
        first = {session: self._is_favoured(session) for _, session in self._shares}
        for rank in ((True, False), (True, True), (False, False), (False, True)):
            shares = [share for (cell, session), share in self._shares.items() if (first[session], cell) == rank]
            for turn in count():
                shares = [share for share in shares if len(share) > turn]
                if len(shares) <= 1:
                    yield from islice(shares[0] if shares else (), turn, None)
                    break
                runs = [share[turn] for share in shares]
                yield from sorted(runs, key=lambda one: (self._last_served.get(one.session, -1), one.since))

    def __len__(self) -> int:
        return len(self._waiting)


class Sessions:
    """The visitors: when they were last there, what they asked for, whose runs come first. Thread-safe.

    clock : seconds, never set back.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._last_signs: LRUCache[str, tuple[float, str]] = LRUCache(REMEMBERED)
        self._requests: LRUCache[str, tuple[str, ...]] = LRUCache(REMEMBERED)
        self._favourites: LRUCache[str, bool] = LRUCache(FAVOURED)

    def touch(self, session: str, address: str = "") -> None:
        """Note that the visitor is there now; address : "" if unknown."""
        with self._lock:
            self._last_signs[session] = (self._clock(), address or self.address(session))

    def address(self, session: str) -> str:
        """The network address that the visitor was last seen at, else ""."""
        with self._lock:
            return self._last_signs.get(session, (0.0, ""))[1]

    def is_away(self, session: str) -> bool:
        """Whether the visitor has left; one who was never seen counts from now."""
        with self._lock:
            if session not in self._last_signs:
                self.touch(session)
            return self._clock() - self._last_signs[session][0] > AWAY

    def favour(self, session: str, favoured: bool) -> bool:
        """Let the visitor's runs come first, or no longer; returns whether that is a change."""
        with self._lock:
            is_change = favoured != (session in self._favourites)
            if favoured:
                self._favourites[session] = True
            else:
                self._favourites.pop(session, None)
            return is_change

    def is_favoured(self, session: str) -> bool:
        """Whether the visitor's runs come first; False for a visitor who has left."""
        with self._lock:
            return session in self._favourites and not self.is_away(session)

    def add_request(self, session: str, run_id: str) -> None:
        """Note that the visitor has asked for the run, perhaps again."""
        with self._lock:
            others = [one for one in self._requests.get(session, ()) if one != run_id]
            self._requests[session] = (*others, run_id)[-REQUESTS:]

    def requests(self, session: str) -> list[str]:
        """Ids of the runs that the visitor has asked for, the latest first."""
        with self._lock:
            return [*reversed(self._requests.get(session, ()))]
