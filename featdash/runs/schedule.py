"""Who wants which run, and when it begins; how runs end is told in `endings`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Literal

from featdash.recipes.composite import cells_of
from featdash.recipes.events import Event, Frame
from featdash.recipes.experiment import Entry
from featdash.recipes.registry import find_experiment
from featdash.recipes.spec import Cost, Spec
from featdash.recipes.version import run_id
from featdash.runs.archive import Archive
from featdash.runs.composite import Cells
from featdash.runs.endings import Endings
from featdash.runs.engine import Engine
from featdash.runs.execution import Outcome, settle
from featdash.runs.ledger import Ledger
from featdash.runs.live import LiveRun, is_run, owner_name
from featdash.runs.roster import Roster
from featdash.runs.shelf import Shelf
from featdash.runs.visitors import AWAY, Visitors

UNWATCHED = "none of those who asked for it has been here for {:.0f} s while it waited; press Run to ask for it again"

Departure = Literal["stops", "left", "not yours"]


class Schedule:
    """Moves runs from the queue to the engine and their events to the shelf. Thread-safe.

    The lock is never held while the engine starts a job, a file is written, or a composite gathers.
    time_limit : seconds of computing after which a run is stopped, whatever its cost had promised.
    """

    def __init__(
        self, engine: Engine, shelf: Shelf, ledger: Ledger, clock: Callable[[], float], time_limit: float
    ) -> None:
        self._engine, self._shelf = engine, shelf
        self._roster = Roster(shelf, ledger, clock)
        self._lock = self._roster.lock
        self._visitors = Visitors(clock)
        self._endings = Endings(self._roster, engine, shelf, time_limit, self.pump)
        self._pumping = False

    def join(self, name: str, owner: str) -> bool:
        """Become an owner of a run in progress; False if there is none of that id, or it is about to stop."""
        with self._lock:
            self._visitors.see(owner)
            joined = self._join(name, owner)
        self.pump()
        return joined

    def admit(
        self,
        experiment: Entry,
        spec: Spec,
        cost: Cost,
        owners: Sequence[str],
        restarts: int = 0,
        check_queue: Callable[[int, int, int], None] | None = None,
    ) -> None:
        """Put a run, or a composite with all its cells, into the queue and start what can be started.

        If another thread was first with the same recipe, its run is joined. Before a run is put into the queue,
        `check_queue` is given how many runs of its first owner, of all, and of that owner's address wait; it may raise.
        """
        recipes = cells_of(experiment, spec)
        cells = None if recipes is None else Cells(recipes)
        cached = {name: self._shelf.finished(name) for name in cells.names} if cells else {}
        with self._lock:
            joined = [self._join(run_id(experiment.name, spec), owner) for owner in owners]
            if not any(joined):
                if check_queue is not None:
                    self._drop_unwatched()
                    check_queue(*self._demand(owners[0]))
                run = self._roster.enter(experiment, spec, cost, owners[0], owners)
                run.restarts, run.cells = restarts, cells
                entered = self._enter_cells(run, cached) if cells else []
                self._roster.sort(run, *entered)
                self._roster.publish_all(entered)
                self._roster.note(run)
        self._endings.gather([] if any(joined) else [run])

    def owned(self, name: str, owner: str, alone: bool = False) -> bool:
        """Whether the run is in progress and that owner asked for it; `alone` : and nobody else did."""
        with self._lock:
            run = self._roster.live.get(name)
            return run is not None and (run.owners == [owner] if alone else owner in run.owners)

    def leave(self, name: str, owner: str | None) -> Departure:
        """An owner no longer wants the run, or nobody may (None); the run stops with its last owner."""
        with self._lock:
            run = self._roster.live.get(name)
            if run is None or not run.owned_by(owner):
                return "not yours"
            if run.stopping:
                return "stops"
            if owner is not None and run.owners != [owner]:
                self._endings.release(run, owner)
                return "left"
            parents = self._endings.give_up(run)
        self._endings.gather(parents)
        return "stops"

    def hold(self, name: str, owner: str | None, pause: bool) -> bool:
        """Pause or resume; False if it is not running, or not for this owner alone to say."""
        with self._lock:
            run = self._roster.live.get(name)
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
            run = self._roster.live.get(name)
            return tuple(run.frames) if run else None

    def see(self, session: str, address: str) -> None:
        """The visitor is there, at that network address if it is known."""
        with self._lock:
            self._visitors.see(session, address)

    def close(self) -> None:
        """Let go of everything; what had not ended stays in the ledger as it is, for the next server."""
        with self._lock:
            self._roster.closed = True
            self._endings.close()
        self._engine.close()

    def pump(self) -> None:
        """Start runs while there are both a worker and a run waiting. One thread at a time does so."""
        with self._lock:
            if self._pumping:
                return
            self._pumping = True
        while run := self._next():
            ended = partial(self._endings.end, run)
            trouble = settle(partial(self._engine.start, run.job, partial(self._on_event, run), ended)).error
            if trouble is not None:
                ended(Outcome("failed", error=trouble))
            self._catch_up(run)

    def _demand(self, session: str) -> tuple[int, int, int]:
        """How many runs wait that visitors asked for: of this visitor, of all, and of the visitor's address."""
        waiting = [run for run in self._roster.live.values() if not run.cell and self._roster.waits(run)]
        address = self._visitors.address(session)
        neighbours = [run for run in waiting if address and self._visitors.address(run.session) == address]
        return sum(run.session == session for run in waiting), len(waiting), len(neighbours)

    def _drop_unwatched(self) -> None:
        """End what waits, all of whose owners have left; a composite while no cell of it is computed."""
        roster = self._roster
        asked = [] if roster.closed else [run for run in roster.live.values() if not (run.cell or run.stopping)]
        for run in asked:
            watched = any(is_run(owner) or not self._visitors.away(owner) for owner in run.owners)
            if not watched and roster.waits(run) and not roster.on_workers(run):
                run.reason = UNWATCHED.format(AWAY)
                self._endings.give_up(run)

    def _next(self) -> LiveRun | None:
        """The run to start now, already taken out of the queue; without one the pump rests."""
        roster = self._roster
        with self._lock:
            self._drop_unwatched()
            run = None if roster.closed or len(roster.on_worker) >= self._engine.slots() else self._first()
            if run is None:
                self._pumping = False
                return None
            roster.queue.serve(run.session)
            roster.on_worker.add(run.job.key)
            run.status, run.doing = "running", "waiting for a worker"
            roster.sort(run)
            for one in (run, *roster.parents(run)):
                roster.begin(one)
                roster.publish(one)
            roster.write(run)
            self._endings.limit(run)
            return run

    def _catch_up(self, run: LiveRun) -> None:
        """Repeat to the engine what was asked of the run before the engine knew it."""
        with self._lock:
            if run.job.key in self._roster.on_worker:
                if run.stopping:
                    self._engine.stop(run.job)
                elif run.status == "paused":
                    self._engine.pause(run.job, True)

    def _first(self) -> LiveRun | None:
        for waiting in self._roster.queue:
            run = self._roster.live[waiting.run_id]
            if not run.cell or any(parent.status != "paused" for parent in self._roster.parents(run)):
                return run
        return None

    def _join(self, name: str, owner: str) -> bool:
        """As `join`. A run that another owner had paused goes on: somebody waits for it now."""
        run = self._roster.live.get(name)
        if run is None or run.stopping:
            return False
        run.take_in(owner)
        if run.status == "paused" and run.owners != [owner]:
            self._hold(run, False)
        self._roster.sort(run)
        self._roster.write(run)
        return True

    def _enter_cells(self, parent: LiveRun, cached: dict[str, Archive | None]) -> list[LiveRun]:
        """Take cells from the store, join those in progress, enter the rest; returns the new ones, to be queued.

        The composite becomes one of the owners of each.
        """
        entered, cells, owner = [], parent.cells, owner_name(parent.id)
        for (name, spec), cell_id in zip(cells.recipes, cells.ids, strict=True):
            archive = cached.get(cell_id)
            if archive is not None:
                self._roster.advance(parent, cells.replay(cell_id, archive.frames))
                self._roster.advance(parent, cells.settle(cell_id, archive.result))
                continue
            if not self._join(cell_id, owner):
                experiment = find_experiment(name)
                cost = experiment.cost(spec)
                entered.append(self._roster.enter(experiment, spec, cost, parent.session, [owner], cell=True))
            cell = self._roster.live[cell_id]
            if parent.id not in cell.parents:
                cell.parents.add(parent.id)
                if cell.status != "queued":
                    self._roster.advance(parent, cells.replay(cell_id, cell.frames))
        return entered

    def _hold(self, run: LiveRun, pause: bool) -> None:
        run.hold(self._roster.clock()) if pause else run.go_on(self._roster.clock())
        self._roster.note(run)
        if run.cells is None:  # told under the lock, so that the engine hears it in the order in which it was said
            self._engine.pause(run.job, pause)
        elif pause:
            self._endings.limit_pause(run)
        else:
            self._endings.lift_limit(run)

    def _on_event(self, run: LiveRun, event: Event) -> None:
        roster = self._roster
        with self._lock:
            if not roster.holds(run):
                return
            now = roster.clock()
            run.accept(event, now)
            roster.publish(run)
            for parent in roster.parents(run):
                roster.advance(parent, parent.cells.forward(run.id, event))
            roster.write_now_and_then(run)
            waiting = len(roster.queue)
        if waiting:  # a worker may have joined the cluster
            self.pump()
