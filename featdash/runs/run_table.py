"""The runs in progress: the queue of those that wait, the jobs that the engine has, and when their time is up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from featdash.recipes.events import Event
from featdash.recipes.experiment import Entry, Inputs
from featdash.recipes.spec import Cost, Spec
from featdash.recipes.version import run_id
from featdash.runs.composite import Cells
from featdash.runs.execution import Outcome
from featdash.runs.queue import Queue, Waiting
from featdash.runs.run import LiveRun, Run, new_job, owner_name
from featdash.runs.store import Store

SAVE_EVERY = 1.0  # seconds between two writes of a run's progress to the history
LONGEST_TIMER = 86_400.0  # seconds; at its end the work checks what time is left, and may set another

Place = tuple[int | None, int | None]


class RunTable:
    """Runs in progress by id. Guarded by the lock of the scheduler, whose private data it is."""

    def __init__(self, store: Store, clock: Callable[[], float], is_favoured: Callable[[str], bool]) -> None:
        self._store, self._clock = store, clock
        self._runs: dict[str, LiveRun] = {}
        self._is_favoured, self._queue = is_favoured, Queue(is_favoured)
        self._jobs: set[str] = set()  # keys of those that the engine has
        self._timers: dict[str, threading.Timer] = {}
        self._arrivals = 0

    def get(self, name: str) -> LiveRun | None:
        return self._runs.get(name)

    def add(
        self,
        experiment: Entry,
        spec: Spec,
        cost: Cost,
        owners: Sequence[str],
        session: str,
        inputs: Inputs | None = None,
    ) -> LiveRun:
        """A new run, not yet in the queue; inputs : of a recipe that takes some."""
        self._arrivals += 1
        name, created = inputs.run_id if inputs else run_id(experiment.name, spec), time.time()
        run = Run(name, experiment.name, spec, "queued", doing="waiting", created=created, session=session)
        run = replace(run, private=inputs is not None)
        job, epoch = new_job(name, experiment.name, spec, inputs), created - self._clock()
        live = self._runs[name] = LiveRun(run, spec, experiment, cost, epoch, self._arrivals, job)
        live.set_owners(owners)
        self._store.drop_frames(name)
        return live

    def restart(self, live: LiveRun) -> None:
        """Put the run back to its beginning and into its old place, as a new job; its composites begin it anew too."""
        self.release(live)
        fresh = self._runs[live.id] = live.fresh_copy()
        self.requeue(fresh)
        self.save(fresh)
        for parent in self.parents(fresh):
            parent.reset_cell(fresh.id)
            self.publish(parent)

    def remove(self, live: LiveRun) -> None:
        """The run has ended; composites that it is a cell of are told by `advance`."""
        del self._runs[live.id]
        self.requeue(live)
        if live.status != "done" and (live.parents or not live.is_cell) and live.frames:  # else its composite has them
            self._store.keep_frames(live.id, tuple(live.frames))
        self.save(live)

    def parents(self, live: LiveRun) -> list[LiveRun]:
        """The composites in progress that the run is a cell of."""
        return [self._runs[name] for name in live.parents if name in self._runs]

    def cells(self, live: LiveRun) -> list[LiveRun]:
        """The cells in progress of a composite; of another run none."""
        return [self._runs[name] for name in (live.cells.names if live.cells else ()) if name in self._runs]

    def advance(self, parent: LiveRun, events: Sequence[Event]) -> None:
        """Give a composite the events that come from its cells."""
        for event in events:
            parent.accept(event, self._clock())
        self.begin(parent)
        self.publish(parent)
        self.save_progress(parent)

    def forward(self, cell: LiveRun, event: Event) -> None:
        """Pass an event of a cell on to its composites."""
        for parent in self.parents(cell):
            self.advance(parent, _cells(parent).forward(cell.id, event))

    def finish_cell(self, cell: LiveRun, outcome: Outcome) -> list[LiveRun]:
        """Tell the composites of a run how it has ended; returns them."""
        parents = self.parents(cell)
        for parent in parents:
            self.advance(parent, _cells(parent).finish(cell.id, outcome.result, outcome.error))
        return parents

    def remove_owner(self, live: LiveRun, owner: str) -> None:
        """Remove one owner; others stay."""
        heirs = [parent.run.session for parent in self.parents(live)]
        live.remove_owner(owner, heirs[0] if heirs else live.run.session)
        self.requeue(live)
        self.save(live)

    def mark_stopping(self, live: LiveRun) -> list[LiveRun]:
        """Mark the run, and the cells that nobody else wants; returns them, a composite before its cells."""
        live.stopping, stopping_runs, owner = True, [live], owner_name(live.id)
        if live.cells is None and self.on_worker(live):
            live.update(doing="stopping")
            self.publish(live)
        for cell in self.cells(live):
            cell.parents.discard(live.id)
            if cell.run.owners == (owner,):
                stopping_runs += [] if cell.stopping else self.mark_stopping(cell)
            elif owner in cell.run.owners:
                self.remove_owner(cell, owner)
        return stopping_runs

    def begin(self, parent: LiveRun) -> None:
        """A composite runs from the first of its cells on."""
        if parent.status == "queued":
            parent.update(status="running")
            self._write(parent)

    # -- the queue and the jobs

    def requeue(self, *runs: LiveRun) -> None:
        """Put these runs into the queue or take them out, as they are now; publish whose place is another by that."""
        for live in runs:
            current = self._runs.get(live.id)
            if current is live and live.status == "queued" and live.cells is None and not live.stopping:
                first = (owner for owner in live.run.visitors if self._is_favoured(owner))
                self._queue.put(Waiting(live.id, next(first, live.run.session), live.is_cell, live.order))
            elif current is None or current is live:
                self._queue.drop(live.id)
        waiting = [live for live in self._runs.values() if live.status == "queued" and not live.is_cell]
        for live, place in zip(waiting, self._places(waiting), strict=True):
            if place != (live.run.place, live.run.queue_length):
                self._publish(live, place)

    def next_waiting(self) -> LiveRun | None:
        """The first in the queue that is not a cell of paused composites only."""
        for waiting in self._queue:
            live = self._runs[waiting.run_id]
            if not live.is_cell or any(parent.status != "paused" for parent in self.parents(live)):
                return live
        return None

    def start(self, live: LiveRun) -> None:
        """Take the run out of the queue, for the engine."""
        self._queue.serve(live.run.session)
        self._jobs.add(live.job.key)
        live.update(status="running", doing="waiting for a worker")
        self.requeue(live)
        for parent in self.parents(live):
            self.begin(parent)
            self.publish(parent)
        self.save(live)

    def release(self, live: LiveRun) -> None:
        """Note that the run's job is over: its worker is free, and its timer goes."""
        self._jobs.discard(live.job.key)
        self.cancel_timer(live)

    @property
    def jobs(self) -> int:
        """How many runs the engine has."""
        return len(self._jobs)

    @property
    def queue_length(self) -> int:
        """How many runs wait, each cell counted."""
        return len(self._queue)

    def is_waiting(self, live: LiveRun) -> bool:
        """Whether the run, or a cell of it, is in the queue."""
        return live.status == "queued" or any(name in self._queue for name in (live.cells.names if live.cells else ()))

    def on_worker(self, live: LiveRun) -> bool:
        """Whether the engine has the run, or a cell of it."""
        return any(one.job.key in self._jobs for one in (live, *self.cells(live)))

    def requested_runs(self) -> list[LiveRun]:
        """The runs in progress that visitors asked for, without those that are about to stop."""
        return [live for live in self._runs.values() if not (live.is_cell or live.stopping)]

    # -- the time limits

    def set_timer(self, live: LiveRun, seconds: float, work: Callable[[], None]) -> None:
        """Call `work` on a thread of its own, without the lock, unless the job is over by then. One at a time a run."""
        self.cancel_timer(live)
        timer = threading.Timer(min(seconds, LONGEST_TIMER), work)
        timer.daemon = True
        timer.start()
        self._timers[live.job.key] = timer

    def cancel_timer(self, live: LiveRun) -> None:
        if timer := self._timers.pop(live.job.key, None):
            timer.cancel()

    def close(self) -> None:
        """Cancel all timers."""
        for timer in self._timers.values():
            timer.cancel()

    # -- viewers and the history

    def publish(self, *runs: LiveRun) -> None:
        """Publish the runs' snapshots to viewers; the queue is sorted once for all of them."""
        for live, place in zip(runs, self._places(runs), strict=True):
            self._publish(live, place)

    def save(self, live: LiveRun) -> None:
        """Publish the run's snapshot to viewers and write it to the history."""
        self.publish(live)
        self._write(live)

    def save_progress(self, live: LiveRun) -> None:
        """Write a run's progress to the history, at most once in SAVE_EVERY."""
        if self._clock() - live.last_write >= SAVE_EVERY:
            self._write(live)

    def _write(self, live: LiveRun) -> None:
        live.last_write = self._clock()
        if not live.run.private:
            self._store.history.write(live.snapshot(live.last_write))

    def _publish(self, live: LiveRun, place: Place) -> None:
        live.update(place=place[0], queue_length=place[1])
        self._store.put(live.snapshot(self._clock()))

    def _places(self, runs: Sequence[LiveRun]) -> list[Place]:
        """(place, length of the queue) of each; 1 is next, (None, None) of one that does not wait.

        A composite stands where its first cell does. The queue is worked out as far as need be.
        """
        missing = {live.id for live in runs if live.status == "queued"}
        places: dict[str, Place] = {}
        for place, waiting in enumerate(self._queue if missing else (), 1):
            for name in missing & {waiting.run_id, *self._runs[waiting.run_id].parents}:
                places[name] = place, len(self._queue)
                missing.remove(name)
            if not missing:
                break
        return [places.get(live.id, (None, None)) for live in runs]


def _cells(composite: LiveRun) -> Cells:
    assert composite.cells is not None
    return composite.cells
