"""The history of runs: one SQLite row for each run, in WAL mode, so that several processes may read and write it."""

from __future__ import annotations

import contextlib
import json
import logging
import re
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from featdash.recipes.experiment import experiments
from featdash.recipes.spec import Spec
from featdash.runs.codec import set_aside
from featdash.runs.run import Run

PATIENCE = 5.0  # seconds to wait for another process's write
SERVER = re.compile(r"[0-9a-f]{32}")  # the name of a server's file
ENDED_ROWS, EACH = 10_000, 1000  # failed and stopped runs that are kept, the newest; commits between two looks at them
NEW = 60.0  # seconds in which a server has locked its file
UNUSABLE = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM)
COLUMNS = (  # `bytes` is no longer written: servers of older code on the same folder begin anew without the column
    *("id TEXT PRIMARY KEY", "experiment TEXT", "spec TEXT", "status TEXT", "progress REAL", "doing TEXT"),
    *("created REAL", "started REAL", "finished REAL", "error TEXT", "session TEXT", "seconds REAL", "bytes INTEGER"),
    *("server TEXT", "restarts INTEGER", "owners TEXT"),
)
# Of runs that have no archive, with which their rows would go.
OLD_ROWS = """
DELETE FROM runs WHERE id IN (
  SELECT id FROM runs WHERE status IN ('failed', 'stopped') ORDER BY finished DESC LIMIT -1 OFFSET ?)
"""

T = TypeVar("T")

log = logging.getLogger(__name__)


class History:
    """Runs by id. OSError if the folder cannot be used; after that it never raises: a damaged file is moved aside
    and begun anew, a damaged row dropped, a failed write logged.

    `write` and `forget` return at once: one thread takes the latest state of each run to the file, in order.
    `read` knows it at once, other processes a moment later.
    """

    def __init__(self, home: Path) -> None:
        self._path = home / "runs.sqlite"
        self._lock = threading.Lock()
        self._presence = Presence(home / "servers")
        try:
            self._connection = self._open()
        except OSError:
            self._presence.leave()
            raise
        self._change = threading.Condition()
        self._pending: dict[str, Run | None] = {}  # None: to be deleted
        self._commits = 0
        self._closed = False
        self._writer = threading.Thread(target=self._write_pending, name="featdash-history", daemon=True)
        self._writer.start()

    def write(self, run: Run) -> None:
        self._put(run.id, run)

    def read(self, run_id: str) -> Run | None:
        with self._change:
            if run_id in self._pending:
                return self._pending[run_id]
        rows = self._use(lambda file: file.execute("SELECT * FROM runs WHERE id = ?", (run_id,)).fetchall())
        return next(self._valid(rows or ()), None)

    def forget(self, run_id: str) -> None:
        self._put(run_id, None)

    def unfinished_runs(self) -> list[Run]:
        """Runs that were queued, running or paused in a server that no longer runs, oldest first."""
        self.flush()
        query = "SELECT * FROM runs WHERE status IN ('queued', 'running', 'paused') ORDER BY created"
        rows = self._use(lambda file: file.execute(query).fetchall()) or []
        return [run for run in self._valid(rows) if not self._presence.alive(run.server)]

    def flush(self) -> None:
        """Wait until the file holds all that was written so far."""
        with self._change:
            self._change.wait_for(lambda: not self._pending)

    def close(self) -> None:
        """Wait until all writes are in the file; later ones are lost. May be called twice."""
        with self._change:
            self._closed = True
            self._change.notify_all()
        self._writer.join()
        with self._lock:
            self._connection.close()
            self._presence.leave()

    def _valid(self, rows: Iterable[sqlite3.Row]) -> Iterator[Run]:
        """The valid rows; the others are dropped, and their runs will be computed again when somebody asks for them."""
        for row in rows:
            try:
                run = _from_row(row)
            except (ValueError, TypeError, RecursionError) as damage:
                log.warning("a row of the history of runs is damaged (%s) and was dropped: %.60r", damage, row["id"])
                self.forget(row["id"])
            else:
                yield run

    def _put(self, run_id: str, run: Run | None) -> None:
        with self._change:
            if self._closed:
                log.info("the history of runs is closed")  # a worker's last message
                return
            self._pending.pop(run_id, None)
            self._pending[run_id] = run
            self._change.notify_all()

    def _write_pending(self) -> None:
        """The writer's loop: all pending writes in one transaction, until the history is closed."""
        while True:
            with self._change:
                self._change.wait_for(lambda: self._pending or self._closed)
                batch = dict(self._pending)
            if not batch:
                return
            self._use(partial(self._commit, batch))
            with self._change:
                for run_id, run in batch.items():
                    if self._pending.get(run_id, self) is run:  # else it has changed again
                        del self._pending[run_id]
                self._change.notify_all()

    def _commit(self, batch: Mapping[str, Run | None], file: sqlite3.Connection) -> None:
        with file:
            file.execute("BEGIN IMMEDIATE")
            for run_id, run in batch.items():
                if run is None:
                    file.execute("DELETE FROM runs WHERE id = ?", (run_id,))
                    continue
                values = _to_row(run) | {"server": self._presence.name}
                marks = ", ".join(f":{name}" for name in values)
                file.execute(f"INSERT OR REPLACE INTO runs ({', '.join(values)}) VALUES ({marks})", values)
            if self._commits % EACH == 0:
                file.execute(OLD_ROWS, (ENDED_ROWS,))
            self._commits += 1

    def _use(self, action: Callable[[sqlite3.Connection], T]) -> T | None:
        """What the action returns; None if the file cannot be used."""
        with self._lock:
            try:
                return action(self._connection)
            except sqlite3.OperationalError as error:  # locked for too long, disk full, read-only
                log.warning("the history of runs could not be used: %s; runs go on, history may miss some", error)
            except sqlite3.ProgrammingError:  # a viewer's last look after close()
                log.info("the history of runs is closed")
            except sqlite3.DatabaseError as damage:
                self._begin_anew(damage)
            except (sqlite3.InterfaceError, ValueError, TypeError, OverflowError) as error:
                log.warning("the history of runs could not hold a row: %s; history may miss some runs", error)
            return None

    def _open(self) -> sqlite3.Connection:
        """The file, mended if need be; in memory where it cannot be used. OSError if it is none, such as a folder."""
        try:
            connection = self._connect()
        except sqlite3.OperationalError as error:
            raise OSError(f"{self._path.name}: {error}") from error
        try:
            connection.execute("PRAGMA quick_check(1)")
            return self._prepare(connection)
        except sqlite3.OperationalError as error:
            log.warning("the history of runs could not be opened: %s; history is kept in memory only", error)
            connection.close()
            return self._in_memory()
        except sqlite3.DatabaseError as damage:
            connection.close()
            self._set_aside(damage)
            return self._prepare(self._connect())

    def _in_memory(self) -> sqlite3.Connection:
        return self._prepare(self._connect(":memory:"))

    def _connect(self, path: str | Path | None = None) -> sqlite3.Connection:
        connection = sqlite3.connect(path or self._path, PATIENCE, isolation_level=None, check_same_thread=False)
        connection.row_factory = sqlite3.Row
        connection.text_factory = lambda text: text.decode(errors="replace")  # one damaged row is not all of them
        return connection

    def _prepare(self, connection: sqlite3.Connection) -> sqlite3.Connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute(f"CREATE TABLE IF NOT EXISTS runs ({', '.join(COLUMNS)})")
        names = [column["name"] for column in connection.execute("PRAGMA table_info(runs)")]
        if names != [column.split()[0] for column in COLUMNS]:
            raise sqlite3.DatabaseError(f"its columns are {', '.join(names)}")
        return connection

    def _begin_anew(self, damage: sqlite3.DatabaseError) -> None:
        self._connection.close()
        self._set_aside(damage)
        try:
            self._connection = self._open()
        except OSError as error:
            log.warning("the history of runs could not be opened: %s; history is kept in memory only", error)
            self._connection = self._in_memory()

    def _set_aside(self, damage: sqlite3.DatabaseError) -> None:
        for suffix in ("-wal", "-shm"):
            with contextlib.suppress(OSError):
                self._path.with_name(self._path.name + suffix).unlink()
        set_aside(self._path, damage)


class Presence:
    """Tells other processes that this server is there, for exactly as long as it is: a lock that dies with it.

    The files of servers that were killed are removed by the next that comes.
    Errors: OSError if the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.name = uuid.uuid4().hex
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._lock = self._try_lock(self.name)
        self._sweep()

    def alive(self, name: str) -> bool:
        if name == self.name:
            return True
        if not name or not (self._folder / name).exists():
            return False
        try:
            lock = self._try_lock(name)
        except OSError:  # nobody can tell
            lock = None
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

    def _sweep(self) -> None:
        """Remove the files of servers that are gone; one that has just come may be about to lock its own."""
        with contextlib.suppress(OSError):
            now = (self._folder / self.name).stat().st_mtime
            for path in self._folder.iterdir():
                if SERVER.fullmatch(path.name) and path.stat().st_mtime < now - NEW:
                    self.alive(path.name)

    def _try_lock(self, name: str) -> sqlite3.Connection | None:
        """The lock; None if another process has it."""
        try:
            connection = sqlite3.connect(self._folder / name, timeout=0, isolation_level=None, check_same_thread=False)
        except sqlite3.OperationalError as error:
            raise OSError(f"{self._folder.name}: {error}") from error
        try:
            connection.execute("BEGIN EXCLUSIVE")
            return connection
        except sqlite3.OperationalError as error:
            connection.close()
            if error.sqlite_errorcode & 0xFF in UNUSABLE:
                raise OSError(f"{self._folder.name}: {error}") from error
            return None


def _to_row(run: Run) -> dict[str, Any]:
    same = ("id", "experiment", "status", "doing", "started", "finished", "error", "session", "seconds", "restarts")
    settings = run.spec.to_mapping() if run.spec else {}
    texts = {"spec": json.dumps(settings, sort_keys=True), "owners": json.dumps(run.owners)}
    return {name: getattr(run, name) for name in same} | texts | {"progress": run.fraction, "created": run.created or 0}


def _from_row(row: sqlite3.Row) -> Run:
    """The run of a row; ValueError, TypeError or RecursionError if it cannot be read."""
    settings, owners = json.loads(row["spec"]), tuple(json.loads(row["owners"]))
    texts = {name: row[name] for name in ("id", "experiment", "status", "doing", "session", "server")}
    numbers = {name: row[name] for name in ("created", "restarts")} | {"fraction": row["progress"]}
    optional = {name: row[name] for name in ("started", "finished")}
    if not isinstance(settings, dict) or not all(isinstance(text, str) for text in (*texts.values(), *owners)):
        raise TypeError("a name or the recipe is missing")
    seconds = row["seconds"] or 0.0
    some = (*numbers.values(), seconds, *(one for one in optional.values() if one is not None))
    if not all(isinstance(number, int | float) for number in some):
        raise TypeError("a number is missing")
    fields = {**texts, **numbers, **optional, "seconds": seconds, "owners": owners, "error": row["error"]}
    return Run(spec=valid_spec(texts["experiment"], settings), **fields)


def valid_spec(experiment: str, settings: Mapping[str, Any]) -> Spec | None:
    """The recipe of these settings; None if this code no longer knows the experiment or accepts the values."""
    try:
        return experiments()[experiment].recipe(settings)
    except (KeyError, ValueError):
        return None
