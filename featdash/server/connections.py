"""The server's file handles: as many as the system allows, and none for connections that ask for nothing.

A viewer takes four handles, a session that Streamlit keeps after its tab is closed three; 1024 is the usual limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import sys
import threading
import time
from typing import Any
from weakref import WeakKeyDictionary

from uvicorn.protocols.http.auto import AutoHTTPProtocol

from featdash.server import budget

if sys.platform != "win32":  # Windows has no such limit
    import resource

SPENT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
REMINDER = 60.0  # seconds between two lines in the log about spent handles
BRAKE = 0.1  # seconds between two tries of Dask's loop while they are spent
LOGGERS = ("asyncio", "tornado.application")
_CONNECTION_MADE, _DATA_RECEIVED = AutoHTTPProtocol.connection_made, AutoHTTPProtocol.data_received

log = logging.getLogger(__name__)


def raise_limit() -> None:
    """Let this process, and the workers that it starts, open as many files as the system's hard limit allows."""
    if sys.platform == "win32":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has a lower limit of its own, and says so like this
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def limit() -> int | None:
    """How many files this process may open; None if the system sets no limit."""
    return None if sys.platform == "win32" else resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class HandleAlarm(logging.Filter):
    """Reduces what event loops log about spent file handles to one line a minute; for LOGGERS.

    asyncio would write a traceback for each of the two thousand connections that it tries to accept, every second, and
    Dask's loop, which tries again at once, a hundred thousand a minute; so that loop also waits a moment each time.
    """

    def __init__(self) -> None:
        super().__init__()
        self._last_report = -REMINDER

    def filter(self, record: logging.LogRecord) -> bool:
        trouble = record.exc_info[1] if record.exc_info else None
        if not (isinstance(trouble, OSError) and trouble.errno in SPENT):
            return True
        if time.monotonic() - self._last_report >= REMINDER:
            self._last_report = time.monotonic()
            log.error(
                "file handles must suffice for all visitors, the limit of %s is reached (%s): no new visitor is let in "
                "until others leave; raise it with LimitNOFILE of systemd, or ulimit -n",
                limit(),
                trouble.strerror,
            )
        if threading.current_thread() is not threading.main_thread():  # where the server's own loop is
            time.sleep(BRAKE)
        return False


def sound_alarm() -> None:
    """Add the alarm to all loggers to which event loops write their errors."""
    alarm = HandleAlarm()
    for name in LOGGERS:
        logger = logging.getLogger(name)
        for one in [one for one in logger.filters if isinstance(one, HandleAlarm)]:
            logger.removeFilter(one)
        logger.addFilter(alarm)


def end_without_request() -> None:
    """End each connection, from now on, on which the head of a request does not arrive whole within `budget.HEAD`.

    uvicorn has a deadline for the next request of a connection and none for the first, nor for the rest of one that has
    begun. Its class of connections is the only place where one can be had; checked on 0.54, see
    tests/server/test_server_faults.py. For a body see `budget.WholeRequests`.
    """
    timers: WeakKeyDictionary[Any, asyncio.TimerHandle] = WeakKeyDictionary()

    def watch(connection: Any) -> None:
        timer = timers.get(connection)
        if _waits(connection) and timer is None:
            timers[connection] = connection.loop.call_later(budget.HEAD, end, connection)
        elif timer is not None and not _waits(connection):
            timers.pop(connection).cancel()

    def end(connection: Any) -> None:
        timers.pop(connection, None)
        if _waits(connection):
            connection.transport.abort()

    def connection_made(self: Any, transport: asyncio.Transport) -> None:
        _CONNECTION_MADE(self, transport)
        watch(self)

    def data_received(self: Any, data: bytes) -> None:
        _DATA_RECEIVED(self, data)
        watch(self)

    for method in (connection_made, data_received):
        setattr(AutoHTTPProtocol, method.__name__, method)


def _waits(connection: Any) -> bool:
    """Whether a connection of uvicorn carries no request now, and still speaks HTTP."""
    carries = connection.cycle is not None and not connection.cycle.response_complete
    return not carries and connection.transport.get_protocol() is connection
