"""The engine's own threads: one acts, action by action, a second one calls back at the ends of runs."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from typing import Any

from featdash.runs.execution import attempt

TICK = 1.0  # seconds between two checks of what no message tells
JOIN = 30.0  # seconds for both threads to come to their end

Action = Callable[[], Any]


class EventLoop:
    """What is given to `put` is done in that order on one thread, so that nothing of a run happens twice at a time.

    act : carries out an action on behalf of the job of that key; never raises.
    watch : done once a second; finish : done last, when closed.
    """

    def __init__(self, act: Callable[[Action, str], None], watch: Action, finish: Action) -> None:
        self._act, self._watch, self._on_close = act, watch, finish
        self._inbox: queue.SimpleQueue[tuple[Action, str] | None] = queue.SimpleQueue()
        self._ends: queue.SimpleQueue[Action | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in (self._act_in_turn, self._call_back)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def put(self, action: Action, key: str = "") -> None:
        self._inbox.put((action, key))

    def put_end(self, end: Action) -> None:
        """Leave it to the second thread: results are then written, and a disk may be slow."""
        self._ends.put(end)

    def close(self) -> None:
        self._inbox.put(None)
        for thread in self._threads:
            thread.join(timeout=JOIN)

    def _act_in_turn(self) -> None:
        watched = time.monotonic()
        while True:
            try:
                work = self._inbox.get(timeout=TICK)
            except queue.Empty:
                work = (self._watch, "")
            if work is None:
                break
            self._act(*work)
            if time.monotonic() - watched > TICK:  # messages never stop where runs are busy
                watched = time.monotonic()
                self._act(self._watch, "")
        self._on_close()
        self._ends.put(None)

    def _call_back(self) -> None:
        while (end := self._ends.get()) is not None:
            attempt(end)  # for the sake of the runs that end after this one
