"""The server's file handles: as many as the system lets it have, none for connections that ask for nothing.

A viewer takes four, a session that Streamlit keeps after its tab is closed three, and 1024 is the usual limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import socket
import stat
import struct
import sys
import time
from collections.abc import Iterable
from typing import Any

if sys.platform != "win32":  # whose handles have no such limit
    import resource

SPENT = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
SILENCE = 20.0  # seconds in which a connection must send its first byte; a browser opens a spare one now and then
REMINDER = 60.0  # seconds between two words in the log about spent handles
_WAITED, _RECEIVED = 52, 128  # in Linux's struct tcp_info: milliseconds since data came (u32), bytes in all (u64)

log = logging.getLogger(__name__)


def raise_limit() -> None:
    """Let this process, and the workers that it starts, open as many files as the system's hard limit allows."""
    if sys.platform == "win32":
        return
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with contextlib.suppress(ValueError, OSError):  # macOS has a lower limit of its own, and says so like this
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def limit() -> int | None:
    """Files that this process may open; None where the system sets no limit."""
    return None if sys.platform == "win32" else resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class HandleAlarm:
    """An event loop's exception handler that tells of spent file handles once a minute.

    asyncio would write a traceback for each of the two thousand connections that it tries to take, every second.
    """

    def __init__(self) -> None:
        self._told = -REMINDER

    def __call__(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        trouble = context.get("exception")
        if not (isinstance(trouble, OSError) and trouble.errno in SPENT and "accept" in context.get("message", "")):
            loop.default_exception_handler(context)
            return
        if time.monotonic() - self._told >= REMINDER:
            self._told = time.monotonic()
            log.error(
                "file handles must suffice for all visitors, the limit of %s is reached (%s): no new visitor is let in "
                "until others leave; raise it with LimitNOFILE of systemd, or ulimit -n",
                limit(),
                trouble.strerror,
            )


async def end_silent(ports: set[int], silence: float = SILENCE) -> None:
    """End connections to these ports that have sent nothing for `silence` seconds, for as long as the server runs.

    Every request begins with bytes of the client, so none is lost. On the event loop, where no connection can end,
    nor its handle be given to another, between the look and the end.
    """
    while ports and sys.platform == "linux":
        await asyncio.sleep(silence / 4)
        for handle in handles():
            with contextlib.suppress(OSError):  # no socket, or none of ours
                _end_if_silent(handle, ports, silence)


def handles() -> Iterable[int]:
    """This process's file handles. To list them takes one; where none is left, all below the limit are in use."""
    try:
        return [int(name) for name in os.listdir("/proc/self/fd")]
    except OSError:
        return range(limit() or 0)


def _end_if_silent(handle: int, ports: set[int], silence: float) -> None:
    if not stat.S_ISSOCK(os.fstat(handle).st_mode):
        return
    connection = socket.socket(fileno=handle)
    try:
        if connection.family in (socket.AF_INET, socket.AF_INET6) and connection.getsockname()[1] in ports:
            about = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _RECEIVED + 8)
            received, waited = (
                struct.unpack_from("=Q", about, _RECEIVED)[0],
                struct.unpack_from("=I", about, _WAITED)[0],
            )
            if received == 0 and waited > 1000 * silence:
                connection.shutdown(socket.SHUT_RDWR)
    finally:
        connection.detach()  # the handle is the server's, not ours to close
