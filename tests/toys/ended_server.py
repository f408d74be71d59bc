"""What belongs to a running server, and that nothing of it is left once a signal has ended the server."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

import psutil
from real_server import Server

PATIENCE = 60  # seconds; ends a hanging test


def children(server: Server) -> list[psutil.Process]:
    """The worker processes of the server. Not what they start: until it is another program it bears their name."""
    started = psutil.Process(server.process.pid).children()
    return [one for one in started if any("spawn_main" in word for word in one.cmdline())]


def presences(server: Server) -> list[Path]:
    """The stores that are open in the server's home."""
    return list((Path(server.environment["FEATDASH_HOME"]) / "servers").glob("*[0-9a-f]"))


def folders_of_workers(server: Server) -> list[Path]:
    """Where Dask puts what its workers need for a while."""
    return [one for one in Path(server.environment["TMPDIR"]).glob("dask-scratch-space/*") if one.is_dir()]


@contextmanager
def nothing_left_of(server: Server):
    """For a server with a folder of its own for what is temporary, which is ended meanwhile."""
    workers = children(server)
    assert workers
    assert presences(server)
    assert folders_of_workers(server)
    yield
    assert not psutil.wait_procs(workers, PATIENCE)[1]
    assert presences(server) == []
    assert folders_of_workers(server) == []
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "leaked" not in log
