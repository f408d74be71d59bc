"""What viewers can read: the latest snapshot of every run, and the archives of finished runs, under a cap."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar

from cachetools import LRUCache
from platformdirs import user_cache_dir

from featdash.recipes.events import Frame
from featdash.recipes.experiment import experiments, is_private
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Spec, spec_digest
from featdash.recipes.version import run_id as id_of
from featdash.runs.codec import Archive, read_about, read_archive, write_archive
from featdash.runs.composite import cell_frame
from featdash.runs.history import History, valid_spec
from featdash.runs.run import Run

RECORDED = Path(__file__).resolve().parent.parent / "lessons"
LEFTOVER = 3600.0  # seconds after which a file that is being written, or was moved aside, is rubbish
LOADED_BYTES = 128 * 2**20  # archives held in memory for all viewers together
SCANS = 20  # the folder is read at least each time a cap's twentieth was written: others write there too
RUN_NAME = re.compile(r"[0-9a-f]{16}")
RECORDED_NAME = re.compile(r"[A-Za-z0-9_-]{1,60}-[0-9a-f]{16}")

T = TypeVar("T")

log = logging.getLogger(__name__)


class Store:
    """Snapshots in memory; history and archives on disk, with the recorded runs of the package, which are only read.

    home : folder of the history and of `archives/`.
    cap : bytes of all archives together, leftovers included; the least recently used go first.
    temporary : the folder goes when the store is closed.
    snapshots, unfinished_frames : how many ended runs have their snapshot in memory, and failed and stopped ones their
        frames.
    Errors: OSError if the folder cannot be used. Thread-safe.
    """

    def __init__(
        self,
        home: Path,
        cap: int = 2**30,
        recorded: Path = RECORDED,
        temporary: bool = False,
        snapshots: int = 4000,
        unfinished_frames: int = 16,
    ) -> None:
        self._temporary = home if temporary else None
        self._folder = home / "archives"
        self._folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=self._folder):  # one that exists may still refuse to be written
            pass
        self._cap = cap
        self._recorded = {path.stem: path for path in recorded.rglob("*.npz")}
        self._lock = threading.Lock()
        self._active: dict[str, Run] = {}
        self._ended_runs: LRUCache[str, Run] = LRUCache(snapshots)
        self._unfinished_frames: LRUCache[str, tuple[Frame, ...]] = LRUCache(unfinished_frames)
        self._private: dict[str, Archive] = {}  # of runs on inputs, until they are forgotten
        self._archives: LRUCache[str, Archive] = LRUCache(LOADED_BYTES, lambda one: min(one.nbytes(), LOADED_BYTES))
        self._room = 0.0  # bytes to write before the folder is read again
        self.history = History(home)

    def get(self, run_id: str) -> Run | None:
        """The latest snapshot of a run; if this server has had none lately, the one on disk."""
        with self._lock:
            live = self._snapshot(run_id)
        if live is not None:
            return live
        run_on_disk = self.find(run_id)
        with self._lock:
            live = self._snapshot(run_id)  # it may have been submitted meanwhile
            if live is None and run_on_disk is not None and not run_on_disk.active:
                self._ended_runs[run_id] = run_on_disk
        return live or run_on_disk

    def put(self, run: Run) -> None:
        """Replace the latest snapshot of a run."""
        with self._lock:
            self._active.pop(run.id, None)
            self._ended_runs.pop(run.id, None)
            (self._active if run.active else self._ended_runs)[run.id] = run

    def find(self, run_id: str) -> Run | None:
        """The run as it is on disk; a finished one counts only while its archive is there."""
        if is_recorded(run_id):
            return self._read_snapshot(run_id)
        if not RUN_NAME.fullmatch(run_id):
            return None
        run = self.history.read(run_id)
        if run is None or (run.status == "done" and run_id not in self._archives):
            return self._read_snapshot(run_id)
        return run

    def keep(self, run_id: str, archive: Archive) -> str | None:
        """Hold a finished run in memory and on disk; if the disk refuses, one sentence on why.

        A private run is held in memory alone.
        Errors: ValueError if the run is not plain.
        """
        if is_private(run_id):
            with self._lock:
                self._private[run_id] = archive
            return None
        note = None
        try:
            write_archive(self._path(run_id), archive)
            self._count(run_id)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            log.warning("run %s could not be kept on disk: %s", run_id, reason)
            rule = f"the result could not be kept on disk ({reason}) and goes when the server stops"
            note = f"{rule}; free some space"
        with self._lock:
            self._archives[run_id] = archive
        return note

    def load(self, run_id: str) -> Archive | None:
        """A finished run; None if it was never stored, was evicted, or is damaged: then its snapshot goes as well."""
        with self._lock:
            archive = self._private.get(run_id) or self._archives.get(run_id)
        if archive is None and (is_recorded(run_id) or RUN_NAME.fullmatch(run_id)):
            archive = read_archive(self._path(run_id), shipped=is_recorded(run_id))
            if archive is not None:
                with self._lock:
                    self._archives[run_id] = archive
        if archive is None:
            with self._lock:
                if run_id in self._ended_runs and self._ended_runs[run_id].status == "done":
                    del self._ended_runs[run_id]
        elif RUN_NAME.fullmatch(run_id):
            with contextlib.suppress(OSError):
                os.utime(self._path(run_id))  # the mark of use that eviction goes by
        return archive

    def is_complete(self, experiment: str, spec: Spec) -> bool:
        """Whether the run of these settings is finished, and no cell of it failed."""
        archive = self.load_run_of(experiment, spec)
        return archive is not None and archive.gaps is None

    def load_run_of(self, experiment: str, spec: Spec) -> Archive | None:
        """The finished run of these settings; None if there is none."""
        archive = self.load(id_of(experiment, spec))
        return archive if archive is not None and _is_of(archive, spec) else None

    def frames(self, run_id: str) -> tuple[Frame, ...]:
        """The frames of a run that has ended; those of a composite come from its cells, if they are still stored."""
        with self._lock:
            frames = self._unfinished_frames.get(run_id)
        if frames is not None:
            return frames
        archive = self.load(run_id)
        if archive is None:
            return ()
        return archive.frames or tuple(self._frames_of_cells(archive))

    def keep_frames(self, run_id: str, frames: tuple[Frame, ...]) -> None:
        """Hold the frames of a failed or stopped run for a while."""
        with self._lock:
            self._unfinished_frames[run_id] = frames

    def drop_frames(self, run_id: str) -> None:
        """Drop the frames of a failed run, because the run begins again."""
        with self._lock:
            self._unfinished_frames.pop(run_id, None)

    def forget(self, run_id: str) -> None:
        """Drop everything of a private run that has ended."""
        with self._lock:
            for table in (self._private, self._unfinished_frames, self._ended_runs):
                table.pop(run_id, None)

    def find_recorded(self, experiment: str, spec: Spec) -> str | None:
        """The id of the recorded run of that recipe, whatever code computed it."""
        name = f"{experiment}-{spec_digest(experiment, spec)}"
        return name if self._path(name).is_file() else None

    def close(self) -> None:
        """Write what is pending, and leave the runs to other servers."""
        self.history.close()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def _snapshot(self, run_id: str) -> Run | None:
        return self._active.get(run_id) or self._ended_runs.get(run_id)

    def _path(self, run_id: str) -> Path:
        return self._recorded.get(run_id, self._folder / f"{run_id}.npz")

    def _read_snapshot(self, run_id: str) -> Run | None:
        """The snapshot of a finished run, from its archive."""
        about = read_about(self._path(run_id), shipped=is_recorded(run_id))
        if about is None:
            return None
        name, seconds, finished = about["experiment"], about["seconds"], about["finished"]
        return Run(
            *(run_id, name, valid_spec(name, about["spec"]), "done", 1.0),
            error=about["gaps"],
            recorded=is_recorded(run_id),
            created=finished - seconds,
            started=finished - seconds,
            finished=finished,
            seconds=seconds,
        )

    def _frames_of_cells(self, archive: Archive) -> Iterator[Frame]:
        experiment = experiments().get(archive.experiment)
        cells = experiment.cells(experiment.recipe(archive.spec)) if isinstance(experiment, Grid) else ()
        for index, (name, spec) in enumerate(cells):
            yield from (cell_frame(index, frame) for frame in self.frames(id_of(name, spec)))

    def _count(self, newest: str) -> None:
        """Count a new file, and evict old ones if it is time to."""
        size = self._path(newest).stat().st_size
        with self._lock:
            self._room -= size
            full = self._room < 0
        if full:
            self._make_room(newest)

    def _make_room(self, newest: str) -> None:
        """Remove archives, least recently used first and never the newest, until the rest fit under the cap.

        What a broken write or damage has left goes when it is old, and counts until then.
        """
        files = self._files()
        total = sum(size for _, size, _ in files)
        old = time.time_ns() - int(LEFTOVER * 1e9)
        for last_use, size, path in files:
            is_archive = path.suffix == ".npz"
            if (total > self._cap and path.stem != newest) if is_archive else last_use < old:
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
                    total -= size
                if is_archive:
                    self.history.forget(path.stem)
        with self._lock:
            self._room = min(self._cap - total, self._cap / SCANS)

    def _files(self) -> list[tuple[int, int, Path]]:
        """(last use in ns, bytes, path) of all files in the folder: leftovers first, then by last use."""
        files = []
        for path in self._folder.iterdir():
            with contextlib.suppress(FileNotFoundError):  # another server's eviction
                files.append((path.stat().st_mtime_ns, path.stat().st_size, path))
        return sorted(files, key=lambda one: (one[2].suffix == ".npz", one))


def _is_of(archive: Archive, spec: Spec) -> bool:
    """Whether the archive is of these settings; a setting that it does not know had its default then.

    An id tells only what differs from the defaults: of a recipe whose defaults have changed it is another run's.
    """
    settings = valid_spec(archive.experiment, archive.spec)
    return settings is not None and settings.identity_json() == spec.identity_json()


def is_recorded(run_id: str) -> bool:
    """Whether the id names a recorded run: "<experiment>-<digest of the recipe>"."""
    return RECORDED_NAME.fullmatch(run_id) is not None


def open_at_home(environment: Mapping[str, str], open_in: Callable[[Path, bool], T]) -> T:
    """What `open_in(folder, is_temporary)` opens in the home folder, or in one of its own where that cannot be used.

    Errors: ValueError as of `home_folder`.
    """
    home = home_folder(environment)
    try:
        return open_in(home, False)
    except OSError as error:
        other = tempfile.mkdtemp(prefix="featdash-")
        log.warning("FEATDASH_HOME must be a folder that can be written, got %s (%s); using %s", home, error, other)
        return open_in(Path(other), True)


def home_folder(environment: Mapping[str, str]) -> Path:
    """FEATDASH_HOME, else the user's cache folder; ValueError if it cannot be the name of a folder."""
    home = environment.get("FEATDASH_HOME") or user_cache_dir("featdash", appauthor=False)
    try:
        return Path(home).expanduser()
    except RuntimeError as error:  # of a user who does not exist, or has no home
        raise ValueError(f"FEATDASH_HOME must be a folder, got {home[:60]!r}; set it to an absolute path") from error
