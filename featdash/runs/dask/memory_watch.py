"""The memory limit of a run, kept inside its worker: a run that needs more is asked to stop, or its worker ends."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

import psutil

from featdash.runs.execution import Flags
from featdash.runs.limits import format_bytes

MARGIN = 1.3  # a run may need so much more than the limit that its estimate kept: estimates are within this factor
FAR_TOO_MUCH = 2.0  # times what a run may need: no time is left to wait for its next event
INTERVAL = 0.05  # seconds between two measurements of the process
GRACE = 3.0  # seconds between asking a run to stop and ending its worker
FLUSH = 0.2  # seconds for the reason to leave the process before it ends


class MemoryWatch:
    """While entered, compares what this process has grown by with `limit` bytes times MARGIN.

    Beyond that the run is failed at its next event; if it goes on all the same, or grows to FAR_TOO_MUCH, `on_kill` is
    given the reason and the process is killed. The process as it is on entering counts as the worker's own.

    remedy : what to lower, for the sentence.
    """

    def __init__(self, limit: float, remedy: str, flags: Flags, on_kill: Callable[[str], None]) -> None:
        self._allowed = MARGIN * limit
        rule = f"the run needed more than {format_bytes(self._allowed)} of memory, the limit is {format_bytes(limit)}"
        self._reason = f"{rule}; {remedy}"
        self._flags, self._on_kill = flags, on_kill
        self._process = psutil.Process()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="featdash-memory", daemon=True)

    def __enter__(self) -> Self:
        self._own = self._resident()
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._left.set()
        self._thread.join()
        trim_heap()

    def _resident(self) -> int:
        return self._process.memory_info().rss

    def _watch(self) -> None:
        asked = None
        while not self._left.wait(INTERVAL):
            grown = self._resident() - self._own
            if grown <= self._allowed:
                continue
            if asked is None:
                asked = time.monotonic()
                self._flags.fail(self._reason)
            if grown > FAR_TOO_MUCH * self._allowed or time.monotonic() - asked > GRACE:
                self._on_kill(self._reason)
                self._left.wait(FLUSH)
                os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def trim_heap() -> None:
    """Give back what a run has freed: else glibc keeps it, and the next run would begin in a swollen process."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)
