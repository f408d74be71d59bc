"""What outlives a server: the ledger of runs, and an archive for each finished one, under a cap on bytes."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
import threading
import time
from collections import OrderedDict
from pathlib import Path

from featdash.recipes.spec import Spec, spec_digest
from featdash.runs.archive import Archive, read_about, read_archive, write_archive
from featdash.runs.ledger import Ledger, Row

RECORDED = Path(__file__).resolve().parent.parent / "lessons"
LEFTOVER = 3600.0  # seconds after which a file that is being written, or was moved aside, is rubbish
LOADED_BYTES = 128 * 2**20  # archives held in memory for all viewers together
LOOKS = 20  # the folder is looked through at least each time a cap's twentieth was written: others write there too
RUN_NAME = re.compile(r"[0-9a-f]{16}")
RECORDED_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}-[0-9a-f]{16}")


class Store:
    """Runs on disk, with recorded runs of the package as a second layer that is only read.

    home : folder of the ledger and of `archives/`.
    cap : bytes of all archives together, leftovers included; the least recently used go first.
    temporary : the folder goes when the store is closed.
    Errors: OSError if the folder cannot be used.
    """

    def __init__(self, home: Path, cap: int = 2**30, recorded: Path = RECORDED, temporary: bool = False) -> None:
        self._home = home if temporary else None
        self._folder = home / "archives"
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self._folder):  # one that exists may still refuse to be written
            pass
        self._cap = cap
        self._recorded = {path.stem: path for path in recorded.rglob("*.npz")}
        self._lock = threading.Lock()
        self._loaded: OrderedDict[str, Archive] = OrderedDict()
        self._loaded_bytes = 0
        self._room = 0.0  # bytes to write before the next look through the folder
        self.ledger = Ledger(home)

    def find(self, run_id: str) -> Row | None:
        """The row of a run; a finished one counts only while its archive can be had."""
        if is_recorded(run_id):
            return self._row_of_file(run_id)
        if not RUN_NAME.fullmatch(run_id):
            return None
        row = self.ledger.read(run_id)
        if row is None or (row.status == "done" and run_id not in self._loaded):
            return self._row_of_file(run_id)
        return row

    def keep(self, run_id: str, archive: Archive) -> int:
        """Hold a finished run in memory and on disk; returns the bytes on disk.

        Errors: OSError if the disk refuses, the run is then in memory; ValueError if it is not plain.
        """
        try:
            write_archive(self._path(run_id), archive)
        except OSError:
            self._remember(run_id, archive)
            raise
        self._remember(run_id, archive)
        size = self._path(run_id).stat().st_size
        with self._lock:
            self._room -= size
            full = self._room < 0
        if full:
            self._make_room(run_id)
        return size

    def load(self, run_id: str) -> Archive | None:
        """A finished run; None if it was never kept, was evicted, or its file is damaged."""
        with self._lock:
            archive = self._loaded.get(run_id)
            if archive is not None:
                self._loaded.move_to_end(run_id)
        if archive is None:
            if not (is_recorded(run_id) or RUN_NAME.fullmatch(run_id)):
                return None
            archive = read_archive(self._path(run_id), shipped=is_recorded(run_id))
            if archive is None:
                return None
            self._remember(run_id, archive)
        if not is_recorded(run_id):
            with contextlib.suppress(OSError):
                os.utime(self._path(run_id))  # the mark of use that eviction goes by
        return archive

    def recorded(self, experiment: str, spec: Spec) -> str | None:
        """The id of the recorded run of that recipe, whatever code computed it."""
        name = f"{experiment}-{spec_digest(experiment, spec)}"
        return name if self._path(name).is_file() else None

    def close(self) -> None:
        self.ledger.close()
        if self._home is not None:
            shutil.rmtree(self._home, ignore_errors=True)

    def _path(self, run_id: str) -> Path:
        return self._recorded.get(run_id, self._folder / f"{run_id}.npz")

    def _row_of_file(self, run_id: str) -> Row | None:
        about = read_about(self._path(run_id), shipped=is_recorded(run_id))
        if about is None:
            return None
        finished = about["finished"]
        seconds = about["seconds"]
        times = {"created": finished - seconds, "started": finished - seconds, "finished": finished}
        which = run_id, about["experiment"], about["spec"]
        return Row(*which, "done", 1.0, error=about["gaps"], seconds=seconds, **times)

    def _remember(self, run_id: str, archive: Archive) -> None:
        with self._lock:
            if run_id in self._loaded:
                self._loaded_bytes -= self._loaded.pop(run_id).nbytes()
            self._loaded[run_id] = archive
            self._loaded_bytes += archive.nbytes()
            while len(self._loaded) > 1 and self._loaded_bytes > LOADED_BYTES:
                self._loaded_bytes -= self._loaded.popitem(last=False)[1].nbytes()

    def _make_room(self, newest: str) -> None:
        """Remove archives, least recently used first and never the newest, until the rest fit under the cap.

        What a broken write or damage has left goes when it is old, and counts until then.
        """
        files = self._files()
        total = sum(size for _, size, _ in files)
        old = time.time_ns() - int(LEFTOVER * 1e9)
        for used, size, path in files:
            archive = path.suffix == ".npz"
            goes = total > self._cap and path.stem != newest if archive else used < old
            if goes:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
                    total -= size
                if archive:
                    self.ledger.forget(path.stem)
        with self._lock:
            self._room = min(self._cap - total, self._cap / LOOKS)

    def _files(self) -> list[tuple[int, int, Path]]:
        """(last use in ns, bytes, path) of all files in the folder: leftovers first, then by last use."""
        found = []
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another server's eviction
                found.append((path.stat().st_mtime_ns, path.stat().st_size, path))
        return sorted(found, key=lambda one: (one[2].suffix == ".npz", one))


def is_recorded(run_id: str) -> bool:
    """Whether the id names a recorded run: "<experiment>-<digest of the recipe>"."""
    return RECORDED_NAME.fullmatch(run_id) is not None
