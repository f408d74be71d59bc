"""What each visitor has asked for lately, so that it can be found again from any page."""

from __future__ import annotations

import threading
from collections import OrderedDict

SESSIONS = 2000  # visitors remembered
EACH = 10  # runs remembered of each


class Requests:
    """Ids of runs by visitor, the latest first; the visitors who asked longest ago are forgotten first. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._asked: OrderedDict[str, OrderedDict[str, None]] = OrderedDict()

    def note(self, session: str, run_id: str) -> None:
        """The visitor has asked for the run, perhaps again."""
        with self._lock:
            runs = self._asked.setdefault(session, OrderedDict())
            self._asked.move_to_end(session)
            runs[run_id] = None
            runs.move_to_end(run_id)
            if len(runs) > EACH:
                runs.popitem(last=False)
            if len(self._asked) > SESSIONS:
                self._asked.popitem(last=False)

    def of(self, session: str) -> list[str]:
        with self._lock:
            return list(reversed(self._asked.get(session, ())))
