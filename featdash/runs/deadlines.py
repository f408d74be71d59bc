"""Deadlines of runs: at most one each, the latest that was set."""

from __future__ import annotations

import threading
from collections.abc import Callable

LONGEST = 86_400.0  # seconds; the work finds out what is left and sets another


class Deadlines:
    """Guarded by the lock of its owner; the work is called on a thread of its own, without that lock."""

    def __init__(self) -> None:
        self._timers: dict[str, threading.Timer] = {}

    def set(self, key: str, seconds: float, work: Callable[[], None]) -> None:
        self.cancel(key)
        timer = self._timers[key] = threading.Timer(min(seconds, LONGEST), work)
        timer.daemon = True
        timer.start()

    def cancel(self, key: str) -> None:
        if timer := self._timers.pop(key, None):
            timer.cancel()

    def close(self) -> None:
        for key in list(self._timers):
            self.cancel(key)
