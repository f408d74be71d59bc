"""The runs that have not ended, and the places of those that wait."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Sequence

from featdash.recipes.events import Event
from featdash.recipes.experiment import Entry
from featdash.recipes.spec import Cost, Spec
from featdash.recipes.version import run_id
from featdash.runs.engine import Job
from featdash.runs.ledger import Ledger
from featdash.runs.live import LiveRun
from featdash.runs.queue import Queue, Waiting
from featdash.runs.shelf import Shelf

WRITE_EVERY = 1.0  # seconds between two notes of a run's progress in the ledger


class Roster:
    """What the schedule and the endings share. Whoever calls a method, or touches a run, holds the lock.

    live : the runs by id; queue : those that wait for a worker; on_worker : keys of the jobs that the engine has.
    closed : the server goes away, nothing is told any more.
    """

    def __init__(self, shelf: Shelf, ledger: Ledger, clock: Callable[[], float]) -> None:
        self.lock = threading.RLock()
        self.clock = clock
        self.live: dict[str, LiveRun] = {}
        self.queue = Queue()
        self.on_worker: set[str] = set()
        self.closed = False
        self._shelf, self._ledger = shelf, ledger
        self._arrivals = 0

    def enter(
        self, experiment: Entry, spec: Spec, cost: Cost, session: str, owners: Sequence[str], cell: bool = False
    ) -> LiveRun:
        """A new run, not yet in the queue."""
        self._arrivals += 1
        name = run_id(experiment.name, spec)
        job = new_job(name, experiment, spec)
        run = LiveRun(name, experiment, spec, cost, session, self.clock(), job, list(owners), order=self._arrivals)
        run.cell, run.epoch = cell, time.time() - run.created
        self.live[name] = run
        self._shelf.clear(name)
        return run

    def enter_again(self, run: LiveRun) -> LiveRun:
        """The same run from its beginning, in its old place, as a new job."""
        fresh = run.again(new_job(run.id, run.experiment, run.spec))
        self.live[run.id] = fresh
        self.sort(fresh)
        self.note(fresh)
        return fresh

    def holds(self, run: LiveRun) -> bool:
        """Whether that run is still in progress: it has neither ended nor been begun anew, and the server is there."""
        return self.live.get(run.id) is run and not self.closed

    def parents(self, run: LiveRun) -> list[LiveRun]:
        """The composites in progress that the run is a cell of."""
        return [self.live[name] for name in run.parents if name in self.live]

    def advance(self, parent: LiveRun, events: Sequence[Event]) -> None:
        """Tell a composite what has come of its cells."""
        for event in events:
            parent.accept(event, self.clock())
        self.begin(parent)
        self.publish(parent)
        self.write_now_and_then(parent)

    def begin(self, parent: LiveRun) -> None:
        """A composite runs from the first of its cells on."""
        if parent.status == "queued":
            parent.status = "running"
            self.write(parent)

    def sort(self, *changed: LiveRun) -> None:
        """Put these runs into the queue or take them out, as they are now; tell whose place is another by that."""
        for run in changed:
            waits = self.live.get(run.id) is run and run.status == "queued" and run.cells is None and not run.stopping
            if waits:
                self.queue.put(Waiting(run.id, run.session, run.cell, run.order))
            elif self.live.get(run.id, run) is run:
                self.queue.drop(run.id)
        queued = [run for run in self.live.values() if run.status == "queued" and not run.cell]
        for run, place in zip(queued, self._places(queued), strict=True):
            if place != run.place:
                self._publish(run, place)

    def note(self, run: LiveRun) -> None:
        """Tell viewers and the ledger how the run stands."""
        self.publish(run)
        self.write(run)

    def publish(self, run: LiveRun) -> None:
        self.publish_all([run])

    def publish_all(self, runs: Sequence[LiveRun]) -> None:
        """As `publish`; the queue is worked out once for all of them."""
        for run, place in zip(runs, self._places(runs), strict=True):
            self._publish(run, place)

    def write(self, run: LiveRun) -> None:
        run.written = self.clock()
        self._ledger.write(run.row(run.written))

    def write_now_and_then(self, run: LiveRun) -> None:
        """Note the progress of a run in the ledger, at most once in WRITE_EVERY."""
        if self.clock() - run.written >= WRITE_EVERY:
            self.write(run)

    def waits(self, run: LiveRun) -> bool:
        """Whether the run, or a cell of it, is in the queue."""
        return run.status == "queued" or (run.cells is not None and any(name in self.queue for name in run.cells.names))

    def on_workers(self, run: LiveRun) -> bool:
        """Whether the engine has the run, or a cell of it."""
        names = [run.id] if run.cells is None else run.cells.names
        return any(self.live[name].job.key in self.on_worker for name in names if name in self.live)

    def _publish(self, run: LiveRun, place: tuple[int | None, int | None]) -> None:
        run.place = place
        self._shelf.publish(run, self.clock(), *place)

    def _places(self, runs: Sequence[LiveRun]) -> list[tuple[int | None, int | None]]:
        """(place, length of the queue) of each; 1 is next, (None, None) of one that does not wait.

        A composite stands where its first cell does. The queue is worked out as far as need be.
        """
        sought, found = {run.id for run in runs if run.status == "queued"}, {}
        for place, waiting in enumerate(self.queue if sought else (), 1):
            for name in sought & {waiting.run_id, *self.live[waiting.run_id].parents}:
                found[name] = place, len(self.queue)
                sought.remove(name)
            if not sought:
                break
        return [found.get(run.id, (None, None)) for run in runs]


def new_job(name: str, experiment: Entry, spec: Spec) -> Job:
    """One attempt at the run of that name."""
    return Job(f"{name}-{uuid.uuid4().hex[:8]}", experiment.name, spec)
