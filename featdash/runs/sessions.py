"""What is known of each visitor: when last seen, from which network address, and the runs that were asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable

from cachetools import LRUCache

REMEMBERED = 4000  # visitors; the one seen longest ago is forgotten first
REQUESTS = 10  # runs remembered of each
AWAY = 300.0  # seconds unseen after which a visitor has left; a tab in the background speaks once a minute
FAVOURED = 50  # visitors whose runs come first: as many as there are rooms of classes
UNWATCHED = (
    f"none of those who asked for it has been here for {AWAY:.0f} s while it waited; press Run to ask for it again"
)


class Sessions:
    """Thread-safe. `clock` : seconds, steady."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._lock = threading.RLock()
        self._seen: LRUCache[str, tuple[float, str]] = LRUCache(REMEMBERED)
        self._requests: LRUCache[str, tuple[str, ...]] = LRUCache(REMEMBERED)
        self._favoured: LRUCache[str, bool] = LRUCache(FAVOURED)

    def touch(self, session: str, address: str = "") -> None:
        """The visitor is there now; address : "" if nobody knows."""
        with self._lock:
            self._seen[session] = (self._clock(), address or self.address(session))

    def address(self, session: str) -> str:
        """The network address that the visitor was last seen at, else ""."""
        with self._lock:
            return self._seen.get(session, (0.0, ""))[1]

    def is_away(self, session: str) -> bool:
        """Whether the visitor has left; one who was never seen counts from now."""
        with self._lock:
            if session not in self._seen:
                self.touch(session)
            return self._clock() - self._seen[session][0] > AWAY

    def favour(self, session: str, favoured: bool) -> bool:
        """Let the visitor's runs come first, or no longer; whether that is a change."""
        with self._lock:
            changed = favoured != (session in self._favoured)
            if favoured:
                self._favoured[session] = True
            else:
                self._favoured.pop(session, None)
            return changed

    def is_favoured(self, session: str) -> bool:
        """Whether the visitor's runs come first: not of one who has left."""
        with self._lock:
            return session in self._favoured and not self.is_away(session)

    def add_request(self, session: str, run_id: str) -> None:
        """The visitor has asked for the run, perhaps again."""
        with self._lock:
            known = [one for one in self._requests.get(session, ()) if one != run_id]
            self._requests[session] = (*known, run_id)[-REQUESTS:]

    def requests(self, session: str) -> list[str]:
        """Ids of the runs that the visitor has asked for, the latest first."""
        with self._lock:
            return [*reversed(self._requests.get(session, ()))]
