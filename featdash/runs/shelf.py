"""What viewers can take: the latest view of every run, and the frames and results of those that have ended."""

from __future__ import annotations

import itertools
import logging
import threading
from collections import OrderedDict
from collections.abc import Iterator

from featdash.recipes.composite import cells_of
from featdash.recipes.events import Frame, Result
from featdash.recipes.registry import experiments
from featdash.recipes.spec import Spec
from featdash.recipes.version import run_id
from featdash.runs.archive import Archive
from featdash.runs.composite import cell_frame
from featdash.runs.ledger import Row
from featdash.runs.live import LiveRun
from featdash.runs.store import Store, is_recorded
from featdash.runs.view import RunView

VIEWS = 4000  # views in memory
REMAINS = 16  # failed and stopped runs whose frames stay in memory

log = logging.getLogger(__name__)


class Shelf:
    """`look` is one dictionary lookup without a lock for every run this server has seen lately."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._versions = itertools.count(1)
        self._views: OrderedDict[str, RunView] = OrderedDict()
        self._ended: OrderedDict[str, None] = OrderedDict()  # the views that may go, in the same order
        self._remains: OrderedDict[str, tuple[Frame, ...]] = OrderedDict()

    def publish(self, run: LiveRun, now: float, place: int | None = None, length: int | None = None) -> None:
        self._put(run.view(now, next(self._versions), place, length))

    def look(self, run_id: str) -> RunView | None:
        return self._views.get(run_id) or self._find(run_id)

    def frames(self, run_id: str) -> tuple[Frame, ...]:
        """The frames of an ended run; those of a composite come from its cells, as far as they are still there."""
        if run_id in self._remains:
            return self._remains[run_id]
        archive = self.finished(run_id)
        if archive is None:
            return ()
        return archive.frames or tuple(self._frames_of_cells(archive))

    def _frames_of_cells(self, archive: Archive) -> Iterator[Frame]:
        experiment = experiments().get(archive.experiment)
        recipes = cells_of(experiment, experiment.recipe(archive.spec)) if experiment else None
        for index, (name, spec) in enumerate(recipes or ()):
            yield from (cell_frame(index, frame) for frame in self.frames(run_id(name, spec)))

    def finished(self, run_id: str) -> Archive | None:
        """A finished run, from memory or disk; if it has gone from both, its view goes too."""
        archive = self._store.load(run_id)
        if archive is None:
            with self._lock:
                if run_id in self._views and self._views[run_id].status == "done":
                    del self._views[run_id]
                    self._ended.pop(run_id, None)
        return archive

    def complete(self, run_id: str) -> bool:
        """Whether the run is finished and lacks nothing: no cell of it failed."""
        archive = self.finished(run_id)
        return archive is not None and archive.gaps is None

    def keep(self, run: LiveRun, result: Result, gaps: str | None, now: float) -> Result:
        """Store a finished run and return its result; if the disk refuses, the run has a note and is kept in memory.

        gaps : as in its archive. Errors: ValueError if the result is not plain.
        """
        spec = run.spec.to_mapping()
        frames = tuple(run.frames) if run.cells is None else ()  # the cells keep theirs
        archive = Archive(run.experiment.name, spec, frames, result, run.seconds(now), now + run.epoch, gaps)
        try:
            run.kept = self._store.keep(run.id, archive)
        except OSError as error:
            reason = error.strerror or type(error).__name__
            log.warning("run %s could not be kept on disk: %s", run.id, reason)
            run.note = (
                f"the result could not be kept on disk ({reason}) and goes when the server stops; free some space"
            )
        return result

    def remain(self, run: LiveRun) -> None:
        """Let the frames of a failed or stopped run, if it has any, be seen for a while."""
        if not run.frames:
            return
        with self._lock:
            self._remains[run.id] = tuple(run.frames)
            while len(self._remains) > REMAINS:
                self._remains.popitem(last=False)

    def clear(self, run_id: str) -> None:
        """The run begins anew: what remained of it goes."""
        with self._lock:
            self._remains.pop(run_id, None)

    def _put(self, view: RunView, over: bool = True) -> RunView:
        """Show the view; one from the disk does not cover what a run in progress has published meanwhile."""
        with self._lock:
            if not over and view.id in self._views:
                return self._views[view.id]
            self._views[view.id] = view
            self._views.move_to_end(view.id)
            self._ended.pop(view.id, None)
            if not view.active:
                self._ended[view.id] = None
            if len(self._views) > VIEWS and self._ended:
                del self._views[self._ended.popitem(last=False)[0]]
        return view

    def _find(self, run_id: str) -> RunView | None:
        row = self._store.find(run_id)
        if row is None:
            return self._views.get(run_id)
        view = _stored_view(row, next(self._versions))
        return self._put(view, over=False) if not view.active else self._views.get(run_id, view)


def _stored_view(row: Row, version: int) -> RunView:
    return RunView(
        id=row.id,
        experiment=row.experiment,
        spec=stored_spec(row),
        status=row.status,
        fraction=row.progress,
        doing=row.doing,
        error=row.error,
        version=version,
        recorded=is_recorded(row.id),
        created=row.created,
        started=row.started,
        finished=row.finished,
        seconds=row.seconds or 0.0,
    )


def stored_spec(row: Row) -> Spec | None:
    """The recipe of a stored run; None if this code no longer knows the experiment or accepts the values."""
    try:
        return experiments()[row.experiment].recipe(row.spec)
    except (KeyError, ValueError):
        return None
