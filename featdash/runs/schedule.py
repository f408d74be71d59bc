"""The runs that have not ended: who waits, who runs, and what becomes of each event."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from featdash.experiments import find_experiment
from featdash.experiments.events import Event, Frame
from featdash.experiments.experiment import Experiment
from featdash.experiments.spec import Cost, Spec, run_id
from featdash.runs.archive import Archive
from featdash.runs.composite import Cells
from featdash.runs.deadlines import Deadlines
from featdash.runs.engine import Engine, Job
from featdash.runs.execution import PAUSE_LIMIT, Outcome, overlong_pause, settle
from featdash.runs.ledger import Ledger
from featdash.runs.live import LiveRun, owner_name
from featdash.runs.shelf import Shelf
from featdash.runs.waiting import Queue, Waiting
from featdash.runs.wire import carried

COURTESY = 3.0  # seconds between asking a run to stop and killing its worker
WRITE_EVERY = 1.0  # seconds between two notes of a run's progress in the ledger

Departure = Literal["stops", "left", "not yours"]


class Schedule:
    """Moves runs from the queue to the engine and their events to the shelf. Thread-safe.

    The lock is never held while the engine starts a job, a file is written, or a composite gathers.
    time_limit : seconds of computing after which a run is stopped, whatever its cost had promised.
    """

    def __init__(
        self, engine: Engine, shelf: Shelf, ledger: Ledger, clock: Callable[[], float], time_limit: float
    ) -> None:
        self._engine, self._shelf, self._ledger, self._clock = engine, shelf, ledger, clock
        self._time_limit = time_limit
        self._lock = threading.RLock()
        self._live: dict[str, LiveRun] = {}
        self._on_worker: set[str] = set()
        self._queue = Queue()
        self._arrivals = 0
        self._deadlines = Deadlines()
        self._pumping = self._closed = False

    def join(self, name: str, owner: str) -> bool:
        """Become an owner of a run in progress; False if there is none of that id, or it is about to stop."""
        with self._lock:
            joined = self._join(name, owner)
        self.pump()
        return joined

    def admit(
        self,
        experiment: Experiment,
        spec: Spec,
        cost: Cost,
        owners: Sequence[str],
        restarts: int = 0,
        check_queue: Callable[[int, int], None] | None = None,
    ) -> None:
        """Put a run, or a composite with all its cells, into the queue and start what can be started.

        If another thread was first with the same recipe, its run is joined. Before a run is put into the queue,
        `check_queue` is given how many runs of its first owner, and of all, wait; it may raise.
        """
        cells = Cells(experiment.cells(spec)) if experiment.cells else None
        cached = {name: self._shelf.finished(name) for name in set(cells.ids)} if cells else {}
        with self._lock:
            joined = [self._join(run_id(experiment.name, spec), owner) for owner in owners]
            if not any(joined):
                if check_queue is not None:
                    waiting = [session for status, session in self.statuses() if status == "queued"]
                    check_queue(waiting.count(owners[0]), len(waiting))
                run = self._enter(experiment, spec, cost, owners[0], owners)
                run.restarts, run.cells = restarts, cells
                for (name, cell), cell_id in zip(cells.recipes, cells.ids, strict=True) if cells else ():
                    self._enter_cell(run, find_experiment(name), cell, cell_id, cached.get(cell_id))
                self._sort()
                self._note(run)
        if not any(joined):
            self._gather(run)
        self.pump()

    def owned(self, name: str, owner: str) -> bool:
        """Whether the run is in progress and that owner asked for it."""
        with self._lock:
            run = self._live.get(name)
            return run is not None and owner in run.owners

    def leave(self, name: str, owner: str | None) -> Departure:
        """An owner no longer wants the run, or nobody may (None); the run stops with its last owner."""
        with self._lock:
            run = self._live.get(name)
            if run is None or not run.owned_by(owner):
                return "not yours"
            if run.stopping:
                return "stops"
            if owner is not None and run.owners != [owner]:
                self._release(run, owner)
                return "left"
            parents = self._give_up(run)
        self._go_on(parents)
        return "stops"

    def hold(self, name: str, owner: str | None, pause: bool) -> bool:
        """Pause or resume; False if it is not running, or not for this owner alone to say."""
        with self._lock:
            run = self._live.get(name)
            wanted = "running" if pause else "paused"
            if run is None or run.stopping or run.status != wanted:
                return False
            if owner is not None and run.owners != [owner]:
                return False
            self._hold(run, pause)
        self.pump()
        return True

    def frames(self, name: str) -> tuple[Frame, ...] | None:
        """What a run in progress has shown so far; None if it is not in progress."""
        with self._lock:
            run = self._live.get(name)
            return tuple(run.frames) if run else None

    def statuses(self) -> list[tuple[str, str]]:
        """(status, session) of each run that visitors asked for, cells left out."""
        with self._lock:
            return [(run.status, run.session) for run in self._live.values() if not run.cell]

    def close(self) -> None:
        """Let go of everything; what had not ended stays in the ledger as it is, for the next server."""
        with self._lock:
            self._closed = True
            self._deadlines.close()
        self._engine.close()

    def pump(self) -> None:
        """Start runs while there are both a worker and a run waiting. One thread at a time does so."""
        with self._lock:
            if self._pumping:
                return
            self._pumping = True
        while run := self._next():
            start = partial(self._engine.start, run.job, partial(self._on_event, run), partial(self._on_end, run))
            trouble = settle(start).error
            if trouble is not None:
                self._on_end(run, Outcome("failed", error=trouble))
            self._catch_up(run)

    def _next(self) -> LiveRun | None:
        with self._lock:
            run = None if self._closed or len(self._on_worker) >= self._engine.slots() else self._first()
            if run is None:
                self._pumping = False
                return None
            self._queue.serve(run.session)
            self._on_worker.add(run.job.key)
            run.status, run.doing = "running", "waiting for a worker"
            self._sort()
            for one in (run, *self._parents(run)):
                one.status = "running" if one.status == "queued" else one.status
                self._publish(one)
            self._ledger.write(run.row(self._clock()))
            self._deadlines.set(run.job.key, self._time_limit, partial(self._overrun, run))
            return run

    def _catch_up(self, run: LiveRun) -> None:
        """Repeat to the engine what was asked of the run before the engine knew it."""
        with self._lock:
            if run.job.key in self._on_worker:
                if run.stopping:
                    self._engine.stop(run.job)
                elif run.status == "paused":
                    self._engine.pause(run.job, True)

    def _first(self) -> LiveRun | None:
        for waiting in self._queue:
            run = self._live[waiting.run_id]
            if not run.cell or any(parent.status != "paused" for parent in self._parents(run)):
                return run
        return None

    def _join(self, name: str, owner: str) -> bool:
        """As `join`. A run that another owner had paused goes on: somebody waits for it now."""
        run = self._live.get(name)
        if run is None or run.stopping:
            return False
        run.take_in(owner)
        if run.status == "paused" and run.owners != [owner]:
            self._hold(run, False)
        self._sort()
        self._ledger.write(run.row(self._clock()))
        return True

    def _enter(
        self, experiment: Experiment, spec: Spec, cost: Cost, session: str, owners: Sequence[str], cell: bool = False
    ) -> LiveRun:
        name = run_id(experiment.name, spec)
        job = Job(f"{name}-{uuid.uuid4().hex[:8]}", experiment.name, spec)
        self._arrivals += 1
        run = LiveRun(name, experiment, spec, cost, session, self._clock(), job, list(owners), order=self._arrivals)
        run.cell = cell
        self._live[name] = run
        self._shelf.clear(name)
        return run

    def _enter_cell(
        self, parent: LiveRun, experiment: Experiment, spec: Spec, name: str, cached: Archive | None
    ) -> None:
        """Take a cell from the store, join it in progress, or queue it; the composite becomes one of its owners."""
        if cached is not None:
            self._advance(parent, [event for frame in cached.frames for event in parent.cells.forward(name, frame)])
            self._advance(parent, parent.cells.settle(name, Outcome("done", cached.result)))
        elif self._join(name, owner_name(parent.id)):
            run = self._live[name]
            if parent.id not in run.parents:
                self._advance(parent, [event for frame in run.frames for event in parent.cells.forward(name, frame)])
            run.parents.add(parent.id)
        else:
            cost, owners = experiment.cost(spec), [owner_name(parent.id)]
            self._enter(experiment, spec, cost, parent.session, owners, cell=True).parents.add(parent.id)

    def _release(self, run: LiveRun, owner: str) -> None:
        """One owner goes, others stay."""
        heirs = [parent.session for parent in self._parents(run)]
        run.release(owner, heirs[0] if heirs else run.session)
        self._sort()
        self._note(run)

    def _give_up(self, run: LiveRun) -> list[LiveRun]:
        """Begin to end a run that nobody wants; what has no worker ends at once. Returns composites to gather."""
        ending = self._wind_up(run)
        return [parent for one in ending for parent in self._take_leave(one, Outcome("stopped"), self._clock())]

    def _wind_up(self, run: LiveRun) -> list[LiveRun]:
        """Mark the run, and the cells that nobody else wants; returns those without a worker, composites first."""
        run.stopping = True
        if run.cells is not None:
            ending = [run]
            for cell in [self._live[name] for name in set(run.cells.ids) if name in self._live]:
                cell.parents.discard(run.id)
                if cell.owners == [owner_name(run.id)]:
                    ending += self._wind_up(cell) if not cell.stopping else []
                elif owner_name(run.id) in cell.owners:
                    self._release(cell, owner_name(run.id))
            return ending
        if run.job.key not in self._on_worker:
            return [run]
        run.doing = "stopping"
        self._publish(run)
        self._engine.stop(run.job)
        self._deadlines.set(run.job.key, COURTESY, partial(self._engine.kill, run.job))
        return []

    def _hold(self, run: LiveRun, pause: bool) -> None:
        run.hold(self._clock()) if pause else run.go_on(self._clock())
        self._note(run)
        if run.cells is None:  # told under the lock, so that the engine hears it in the order in which it was said
            self._engine.pause(run.job, pause)
        elif pause:
            self._deadlines.set(run.job.key, PAUSE_LIMIT, partial(self._expire, run, overlong_pause(PAUSE_LIMIT)))
        else:
            self._deadlines.cancel(run.job.key)

    def _overrun(self, run: LiveRun) -> None:
        """The time limit has passed on the wall: without pauses too, or how much is left?"""
        with self._lock:
            left = self._time_limit - run.seconds(self._clock())
            if left > 0 and run.job.key in self._on_worker and not run.stopping and not self._closed:
                self._deadlines.set(run.job.key, max(left, 1.0), partial(self._overrun, run))
                return
        rule = f"a run must end within {self._time_limit:g} s of computing, this one did not"
        self._expire(run, f"{rule}; {run.cost.remedy}")

    def _expire(self, run: LiveRun, reason: str) -> None:
        """Stop a run whose time is up, whoever wants it."""
        with self._lock:
            if self._live.get(run.id) is not run or run.stopping or self._closed:
                return
            run.reason = reason
            parents = self._give_up(run)
        self._go_on(parents)

    def _on_event(self, run: LiveRun, event: Event) -> None:
        with self._lock:
            if self._live.get(run.id) is not run or self._closed:
                return
            now = self._clock()
            run.accept(event, now)
            self._publish(run)
            for parent in self._parents(run):
                self._advance(parent, parent.cells.forward(run.id, event))
            if now - run.written >= WRITE_EVERY:
                run.written = now
                self._ledger.write(run.row(now))
            waiting = len(self._queue)
        if waiting:  # a worker may have joined the cluster
            self.pump()

    def _on_end(self, run: LiveRun, outcome: Outcome) -> None:
        """Keep the result, then tell; a result that cannot be kept as what it is makes the run a failed one."""
        now = self._clock()
        if outcome.result is not None and not self._closed:
            outcome = settle(partial(self._shelf.keep, run, outcome.result, now))
        with self._lock:
            parents = self._take_leave(run, outcome, now)
        self._go_on(parents)

    def _take_leave(self, run: LiveRun, outcome: Outcome, now: float) -> list[LiveRun]:
        """Tell everybody how a run ended, unless it was begun anew meanwhile; returns its composites."""
        self._on_worker.discard(run.job.key)
        self._deadlines.cancel(run.job.key)
        if self._live.get(run.id) is not run or self._closed:
            return []
        if outcome.status == "stopped":
            outcome = Outcome("stopped", error=run.reason or outcome.error)
        del self._live[run.id]
        run.end(outcome, now)
        self._sort()
        if outcome.status != "done":
            self._shelf.remain(run)
        self._note(run)
        parents = self._parents(run)
        for parent in parents:
            self._advance(parent, parent.cells.settle(run.id, outcome))
        return parents

    def _parents(self, run: LiveRun) -> list[LiveRun]:
        return [self._live[name] for name in run.parents if name in self._live]

    def _go_on(self, parents: list[LiveRun]) -> None:
        for parent in parents:
            self._gather(parent)
        self.pump()

    def _gather(self, run: LiveRun) -> None:
        """End a composite whose cells have all ended; a second caller finds it gone."""
        results = run.cells.results() if run.cells else None
        if results is not None:
            self._on_end(run, settle(lambda: carried(run.experiment.gather(run.spec, results))))

    def _advance(self, parent: LiveRun, events: list[Event]) -> None:
        for event in events:
            parent.accept(event, self._clock())
        if parent.status == "queued":
            parent.status = "running"
        self._publish(parent)

    def _sort(self) -> None:
        """Renew the queue, and tell those whose place has changed."""
        queued = [run for run in self._live.values() if run.status == "queued" and run.cells is None]
        waiting = [Waiting(run.id, run.session, run.cell, run.order) for run in queued if not run.stopping]
        moved = [self._live[name] for name in self._queue.renew(waiting)]
        composites = {parent.id: parent for run in moved for parent in self._parents(run)}
        for run in (*moved, *composites.values()):
            if run.status == "queued":
                self._publish(run)

    def _note(self, run: LiveRun) -> None:
        self._publish(run)
        self._ledger.write(run.row(self._clock()))

    def _publish(self, run: LiveRun) -> None:
        names = {run.id} if run.cells is None else set(run.cells.ids)
        place, length = self._queue.place(names) if run.status == "queued" else (None, None)
        self._shelf.publish(run, self._clock(), place, length)
