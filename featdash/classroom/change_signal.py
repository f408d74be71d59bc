"""Phones that wait for a room's next version, and what wakes them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Iterable, Iterator

AT_ONCE = 2  # requests of one phone that may wait; the oldest is answered when another comes


class ChangeSignal:
    """Lets coroutines wait for a change that any thread announces. Thread-safe; at most AT_ONCE wait for a phone."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: dict[str, dict[str, deque[asyncio.Future[None]]]] = {}  # by room and phone

    def __call__(self, code: str) -> None:
        """Wake all who wait for that room."""
        with self._lock:
            waiting = [future for of_phone in self._waiting.get(code, {}).values() for future in of_phone]
        for loop in {future.get_loop() for future in waiting}:  # one call for all: each would wake a thread of its own
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(_wake, [future for future in waiting if future.get_loop() is loop])

    @contextlib.contextmanager
    def listening(self, code: str, phone: str) -> Iterator[asyncio.Future[None]]:
        """A future that the next change completes; no change is missed inside the block."""
        future = asyncio.get_running_loop().create_future()
        with self._lock:
            of_phone = self._waiting.setdefault(code, {}).setdefault(phone, deque())
            of_phone.append(future)
            _wake(list(of_phone)[:-AT_ONCE])
        try:
            yield future
        finally:
            with self._lock:
                of_phone.remove(future)
                if not of_phone:
                    del self._waiting[code][phone]
                if not self._waiting[code]:
                    del self._waiting[code]

    def __len__(self) -> int:
        """How many wait."""
        with self._lock:
            return sum(len(of_phone) for room in self._waiting.values() for of_phone in room.values())


def _wake(futures: Iterable[asyncio.Future[None]]) -> None:
    for future in futures:
        if not future.done():
            future.set_result(None)
