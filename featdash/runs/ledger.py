"""The ledger of runs: one SQLite row a run, in WAL mode, so that several processes may read and write it."""

from __future__ import annotations

import contextlib
import json
import logging
import sqlite3
import threading
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from featdash.runs.archive import set_aside

PATIENCE = 5.0  # seconds to wait for another process's write
COLUMNS = """
    id TEXT PRIMARY KEY, experiment TEXT, spec TEXT, status TEXT, progress REAL, doing TEXT, created REAL,
    started REAL, finished REAL, error TEXT, session TEXT, seconds REAL, bytes INTEGER, server TEXT, restarts INTEGER,
    owners TEXT
"""

T = TypeVar("T")

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Row:
    """One run as it stands in the ledger; times are seconds since 1970.

    session : in whose turn it waits; owners : all who asked for it.
    server : which server process carries it out; restarts : how many servers went away during it.
    """

    id: str
    experiment: str
    spec: Mapping[str, Any]
    status: str
    progress: float = 0.0
    doing: str = ""
    created: float = 0.0
    started: float | None = None
    finished: float | None = None
    error: str | None = None
    session: str = ""
    seconds: float | None = None
    bytes: int = 0
    server: str = ""
    restarts: int = 0
    owners: tuple[str, ...] = ()


class Ledger:
    """Rows by run id. Never raises: a damaged file is moved aside and begun anew, a failed write is logged.

    `write` and `forget` return at once: one thread carries the latest word on each run to the file, in order.
    `read` knows them at once, other processes a moment later.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / "runs.sqlite"
        self._lock = threading.Lock()
        self._presence = Presence(home / "servers")
        self._connection = self._open()
        self._news = threading.Condition()
        self._pending: dict[str, Row | None] = {}  # None: forget it
        self._closed = False
        self._writer = threading.Thread(target=self._carry, name="featdash-ledger", daemon=True)
        self._writer.start()

    def write(self, row: Row) -> None:
        self._tell(row.id, row)

    def read(self, run_id: str) -> Row | None:
        with self._news:
            if run_id in self._pending:
                return self._pending[run_id]
        rows = self._use(lambda file: file.execute("SELECT * FROM runs WHERE id = ?", (run_id,)).fetchall())
        return _row(rows[0]) if rows else None

    def forget(self, run_id: str) -> None:
        self._tell(run_id, None)

    def abandoned(self) -> list[Row]:
        """Runs that were queued, running or paused in a server that is no longer there, oldest first."""
        self.flush()
        query = "SELECT * FROM runs WHERE status IN ('queued', 'running', 'paused') ORDER BY created"
        rows = self._use(lambda file: file.execute(query).fetchall()) or []
        return [row for row in map(_row, rows) if not self._presence.alive(row.server)]

    def flush(self) -> None:
        """Wait until the file holds every word so far."""
        with self._news:
            self._news.wait_for(lambda: not self._pending)

    def close(self) -> None:
        """What was written is in the file after this; what is written later is lost. May be called twice."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._writer.join()
        with self._lock:
            self._connection.close()
            self._presence.leave()

    def _tell(self, run_id: str, row: Row | None) -> None:
        with self._news:
            if self._closed:
                log.info("the ledger of runs is closed")  # a worker's last word
                return
            self._pending.pop(run_id, None)
            self._pending[run_id] = row
            self._news.notify_all()

    def _carry(self) -> None:
        """The writer: all pending words in one transaction, until closed."""
        while True:
            with self._news:
                self._news.wait_for(lambda: self._pending or self._closed)
                batch = dict(self._pending)
            if not batch:
                return
            self._use(partial(self._commit, batch))
            with self._news:
                for run_id, row in batch.items():
                    if self._pending.get(run_id, self) is row:  # else there is later word
                        del self._pending[run_id]
                self._news.notify_all()

    def _commit(self, batch: Mapping[str, Row | None], file: sqlite3.Connection) -> None:
        with file:
            file.execute("BEGIN IMMEDIATE")
            for run_id, row in batch.items():
                if row is None:
                    file.execute("DELETE FROM runs WHERE id = ?", (run_id,))
                    continue
                plain = {"spec": json.dumps(row.spec, sort_keys=True), "owners": json.dumps(row.owners)}
                values = vars(row) | plain | {"server": self._presence.name}
                marks = ", ".join(f":{name}" for name in values)
                file.execute(f"INSERT OR REPLACE INTO runs ({', '.join(values)}) VALUES ({marks})", values)

    def _use(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """What the action returns, None if the file could not be used."""
        with self._lock:
            try:
                return action(self._connection)
            except sqlite3.OperationalError as error:  # locked for too long, disk full, read-only
                log.warning("the ledger of runs could not be used: %s; runs go on, history may miss some", error)
            except sqlite3.ProgrammingError:  # a viewer's last look after close()
                log.info("the ledger of runs is closed")
            except sqlite3.DatabaseError as damage:
                self._begin_anew(damage)
            except (sqlite3.InterfaceError, ValueError, TypeError, OverflowError) as error:
                log.warning("the ledger of runs could not hold a row: %s; history may miss some runs", error)
            return None

    def _open(self) -> sqlite3.Connection:
        connection = self._connect()
        try:
            connection.execute("PRAGMA quick_check(1)")
            return self._prepare(connection)
        except sqlite3.OperationalError as error:
            log.warning("the ledger of runs could not be opened: %s; history is kept in memory only", error)
            connection.close()
            return self._prepare(self._connect(":memory:"))
        except sqlite3.DatabaseError as damage:
            connection.close()
            self._set_aside(damage)
            return self._prepare(self._connect())

    def _connect(self, path: str | Path | None = None) -> sqlite3.Connection:
        connection = sqlite3.connect(path or self._path, PATIENCE, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"CREATE TABLE IF NOT EXISTS runs ({COLUMNS})")
        names = [column["name"] for column in connection.execute("PRAGMA table_info(runs)")]
        if names != [field.name for field in fields(Row)]:
            raise sqlite3.DatabaseError(f"its columns are {', '.join(names)}")
        return connection

    def _begin_anew(self, damage: sqlite3.DatabaseError) -> None:
        self._connection.close()
        self._set_aside(damage)
        self._connection = self._open()

    def _set_aside(self, damage: sqlite3.DatabaseError) -> None:
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink()
        set_aside(self._path, damage)


class Presence:
    """Tells other processes that this server is there, for exactly as long as it is: a lock that dies with it."""

    def __init__(self, folder: Path) -> None:
        self.name = uuid.uuid4().hex
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = self._locked(self.name)

    def alive(self, name: str) -> bool:
        if name == self.name:
            return True
        if not name or not (self._folder / name).exists():
            return False
        lock = self._locked(name)
        if lock is None:
            return True
        lock.close()
        (self._folder / name).unlink(missing_ok=True)
        return False

    def leave(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None
            (self._folder / self.name).unlink(missing_ok=True)

    def _locked(self, name: str) -> sqlite3.Connection | None:
        connection = sqlite3.connect(self._folder / name, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("BEGIN EXCLUSIVE")
            return connection
        except sqlite3.OperationalError:
            connection.close()
            return None


def _row(found: sqlite3.Row) -> Row:
    return Row(**{**dict(found), "spec": json.loads(found["spec"]), "owners": tuple(json.loads(found["owners"]))})
