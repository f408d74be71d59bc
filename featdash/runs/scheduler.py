"""Who wants which run, when it begins, and how it ends: the one lock, and the state machine under it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from featdash.recipes.events import Event, Frame
from featdash.recipes.experiment import Entry, Inputs, find_experiment
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Cost, Spec
from featdash.recipes.version import run_id
from featdash.runs.codec import Archive
from featdash.runs.composite import Cells
from featdash.runs.execution import Engine, Outcome, attempt, gather_cells, pause_too_long
from featdash.runs.limits import Limits
from featdash.runs.queue import UNWATCHED, Sessions
from featdash.runs.run import Departure, LiveRun, is_run, owner_name
from featdash.runs.run_table import RunTable
from featdash.runs.store import Store

ATTEMPTS = 2  # jobs for a cell whose worker is lost


class Scheduler:
    """Moves runs from the queue to the engine, and their events and results to the store. Thread-safe.

    The lock is never held while the engine starts a job, a file is written, or a composite gathers. The engine is told
    to stop and to pause under the lock, so that it hears this in the order in which it was said.
    """

    def __init__(
        self, engine: Engine, store: Store, sessions: Sessions, limits: Limits, clock: Callable[[], float]
    ) -> None:
        self._engine, self._store, self._sessions, self._limits = engine, store, sessions, limits
        self._clock, self._lock = clock, threading.RLock()
        self._table = RunTable(store, clock, sessions.is_favoured)
        self._pumping = False
        self._closed = False

    def join(self, name: str, owner: str) -> bool:
        """Become an owner of a run in progress; False if there is no such run, or it is about to stop."""
        with self._lock:
            is_joined = self._join(name, owner)
        self._pump()
        return is_joined

    def admit(
        self,
        experiment: Entry,
        spec: Spec,
        cost: Cost,
        owners: Sequence[str],
        restarts: int = 0,
        inputs: Inputs | None = None,
    ) -> None:
        """Put a run, or a composite with all its cells, into the queue and start what can be started.

        If another thread was first with the same recipe, its run is joined. QueueFull if there is no room, but for a
        run that a server left unfinished, of which `restarts` are known. A run on inputs is joined with no other.
        """
        cells = Cells(experiment, spec) if isinstance(experiment, Grid) else None
        cells_of_run = dict(zip(cells.ids, cells.recipes, strict=True)) if cells else {}
        archives = {name: self._store.load_run_of(*recipe) for name, recipe in cells_of_run.items()}
        with self._lock:
            name = run_id(experiment.name, spec)
            joins = [] if inputs else [self._join(name, owner) for owner in owners]
            if not any(joins):
                if not restarts:
                    self._check_room(owners[0])
                live = self._table.add(experiment, spec, cost, owners, owners[0], inputs)
                live.update(restarts=restarts)
                new_cells = self._add_cells(live, cells, archives) if cells else []
                self._table.requeue(live, *new_cells)
                self._table.publish(*new_cells)
                self._table.save(live)
        self._gather([] if any(joins) else [live])

    def is_owner(self, name: str, owner: str, alone: bool = False) -> bool:
        """Whether the run is in progress and that owner asked for it; `alone` : and whether nobody else did."""
        with self._lock:
            live = self._table.get(name)
            return live is not None and (live.run.owners == (owner,) if alone else owner in live.run.owners)

    def leave(self, name: str, owner: str | None) -> Departure:
        """An owner no longer wants the run, or nobody may (None); the run stops with its last owner."""
        with self._lock:
            live = self._table.get(name)
            if live is None or (owner is not None and owner not in live.run.owners):
                return "not yours"
            if live.stopping:
                return "stops"
            if owner is not None and live.run.owners != (owner,):
                self._table.remove_owner(live, owner)
                return "left"
            parents = self._cancel(live)
        self._gather(parents)
        return "stops"

    def pause(self, name: str, owner: str | None, pause: bool) -> bool:
        """Pause or resume; False if there is nothing to do, or the run has other owners as well."""
        with self._lock:
            live = self._table.get(name)
            if live is None or live.stopping or (owner is not None and live.run.owners != (owner,)):
                return False
            if live.status == "queued" and live.run.holds != pause:
                self._hold(live, pause)
                return True
            if live.status != ("running" if pause else "paused"):
                return False
            self._pause(live, pause)
        self._pump()
        return True

    def frames(self, name: str) -> tuple[Frame, ...] | None:
        """The frames of a run in progress so far; None if it is not in progress."""
        with self._lock:
            live = self._table.get(name)
            return tuple(live.frames) if live else None

    def forget(self, name: str) -> None:
        """Drop everything of a private run: now or, if it is still stopping, at its end."""
        with self._lock:
            live = self._table.get(name)
            if live is None:
                self._store.forget(name)
            else:
                live.forgotten = True

    def workers(self) -> tuple[int, int]:
        """How many runs could begin at once, and how many can go on side by side."""
        with self._lock:
            slots = self._engine.slots()
            return max(0, slots - self._table.jobs), slots

    def refresh(self) -> None:
        """Put the waiting runs into the order that visitors now have."""
        with self._lock:
            self._table.requeue(*self._table.requested_runs())

    def close(self) -> None:
        """Let go of everything; unfinished runs stay in the history as they are, for the next server."""
        with self._lock:
            self._closed = True
            self._table.close()
        self._engine.close()

    def _join(self, name: str, owner: str) -> bool:
        """As `join`. A run that another owner had paused goes on: somebody waits for it now."""
        live = self._table.get(name)
        if live is None or live.stopping:
            return False
        live.add_owner(owner)
        if live.run.owners != (owner,):
            if live.status == "paused":
                self._pause(live, False)
            self._hold(live, False)
        self._table.requeue(live)
        self._table.save(live)
        return True

    def _check_room(self, session: str) -> None:
        """QueueFull if too many runs wait that visitors asked for: of this one, of all, of this one's address."""
        self._drop_unwatched()
        waiting = [live.run.session for live in self._table.requested_runs() if self._table.is_waiting(live)]
        first = self._sessions.is_favoured(session)  # whom the runs of others never keep out
        address = "" if first else self._sessions.address(session)
        neighbours = [one for one in waiting if address and self._sessions.address(one) == address]
        self._limits.check_queue(waiting.count(session), 0 if first else len(waiting), len(neighbours))

    def _drop_unwatched(self) -> None:
        """End waiting runs all of whose owners have left; a composite only while none of its cells is computed."""
        for live in [] if self._closed else self._table.requested_runs():
            is_wanted = any(is_run(owner) or not self._sessions.is_away(owner) for owner in live.run.owners)
            if not is_wanted and self._table.is_waiting(live) and not self._table.on_worker(live):
                live.reason = UNWATCHED
                self._cancel(live)

    def _add_cells(self, parent: LiveRun, cells: Cells, archives: Mapping[str, Archive | None]) -> list[LiveRun]:
        """Take cells from the store, become an owner of those in progress, add the rest; returns these."""
        new_cells, owner = [], owner_name(parent.id)
        parent.cells = cells
        for (name, spec), cell_id in zip(cells.recipes, cells.ids, strict=True):
            archive = archives.get(cell_id)
            if archive is not None:
                self._table.advance(parent, cells.replay(cell_id, archive.frames))
                self._table.advance(parent, cells.finish(cell_id, archive.result))
                continue
            if not self._join(cell_id, owner):
                experiment = find_experiment(name)
                new_cells.append(self._table.add(experiment, spec, experiment.cost(spec), [owner], parent.run.session))
            cell = self._table.get(cell_id)
            if cell is not None and parent.id not in cell.parents:
                cell.parents.add(parent.id)
                if cell.status != "queued":
                    self._table.advance(parent, cells.replay(cell_id, cell.frames))
        return new_cells

    def _pump(self) -> None:
        """Start runs while there are both a worker and a run waiting. One thread at a time does so."""
        with self._lock:
            if self._pumping:
                return
            self._pumping = True
        try:
            while begun := self._next():
                self._start(*begun)
        except BaseException:  # else nothing would begin any more
            with self._lock:
                self._pumping = False
            raise

    def _start(self, live: LiveRun, failure: Outcome | None) -> None:
        """Give a run to the engine; one that cannot begin, or could not be timed, has failed."""
        on_event, on_end = partial(self._on_event, live), partial(self._on_end, live)
        failure = failure or attempt(partial(self._engine.start, live.job, on_event, on_end))
        if failure is not None:
            self._on_end(live, failure)
        with self._lock:  # what was asked of the run before the engine knew it
            if self._table.on_worker(live):
                if live.stopping:
                    self._engine.stop(live.job)
                elif live.status == "paused":
                    self._engine.pause(live.job, True)

    def _next(self) -> tuple[LiveRun, Outcome | None] | None:
        """The run to start now, already taken out of the queue, and why it cannot; without one the pump rests."""
        with self._lock:
            self._drop_unwatched()
            full = self._closed or self._table.jobs >= self._engine.slots()
            live = None if full else self._table.next_waiting()
            if live is None:
                self._pumping = False
                return None
            self._table.start(live)
            overrun = partial(self._on_overrun, live)
            failure = attempt(partial(self._table.set_timer, live, self._limits.computing, overrun))  # it is a thread
            if live.run.holds:  # the engine hears of it when it has the run
                live.pause(self._clock())
                self._table.save(live)
            for parent in self._table.parents(live):
                if parent.run.holds:
                    self._pause(parent, True)
            return live, failure

    def _on_event(self, live: LiveRun, event: Event) -> None:
        with self._lock:
            if not self._is_current(live):
                return
            live.accept(event, self._clock())
            self._table.publish(live)
            self._table.forward(live, event)
            self._table.save_progress(live)
        if self._table.queue_length:  # a worker may have joined the cluster
            self._pump()

    def _pause(self, live: LiveRun, pause: bool) -> None:
        (live.pause if pause else live.resume)(self._clock())
        self._table.save(live)
        if live.cells is None:
            self._engine.pause(live.job, pause)
        elif pause:
            reason = pause_too_long(self._limits.pause)
            self._table.set_timer(live, self._limits.pause, partial(self._expire, live, reason))
        else:
            self._table.cancel_timer(live)

    def _hold(self, live: LiveRun, hold: bool) -> None:
        """Let a waiting run pause before its first step once it has its turn, or not."""
        if live.run.holds != hold:
            live.update(holds=hold)
            self._table.publish(live)

    def _is_current(self, live: LiveRun) -> bool:
        """Whether that run is in progress: it has not ended or begun again, and the server is not closing."""
        return self._table.get(live.id) is live and not self._closed

    def _on_end(self, live: LiveRun, outcome: Outcome) -> None:
        """Store the result, then publish the end; a result that no archive can hold makes the run a failed one."""
        if outcome.lost and self._retry(live):
            self._pump()
            return
        now, note = self._clock(), None
        if outcome.result is not None and not self._closed:
            archive = live.archive(outcome.result, outcome.error, now)
            trouble = attempt(partial(self._store.keep, live.id, archive))
            outcome, note = (trouble, None) if isinstance(trouble, Outcome) else (outcome, trouble)
        with self._lock:
            parents = self._end(live, outcome, now, note)
        self._gather(parents)

    def _gather(self, composites: Sequence[LiveRun]) -> None:
        """End composites whose cells have all ended, then start what can start; a second caller finds nothing to do."""
        for live in composites:
            if live.cells is not None and live.cells.ended:
                self._on_end(live, gather_cells(live.cells))
        self._pump()

    def _retry(self, live: LiveRun) -> bool:
        """Queue again a cell whose worker was lost; False if it is no cell, or has been tried often enough."""
        with self._lock:
            if not self._table.parents(live) or live.stopping or live.attempt >= ATTEMPTS or not self._is_current(live):
                return False
            self._table.restart(live)
            return True

    def _cancel(self, live: LiveRun) -> list[LiveRun]:
        """Begin to end a run that nobody wants; without a worker it ends at once. Returns composites to gather."""
        stopping_runs, now = self._table.mark_stopping(live), self._clock()
        parents: list[LiveRun] = []
        for one in stopping_runs:
            if one.cells is None and self._table.on_worker(one):
                self._engine.stop(one.job)
                self._table.set_timer(one, self._limits.grace, partial(self._engine.kill, one.job))
            else:
                parents += self._end(one, Outcome("stopped"), now)
        return parents

    def _on_overrun(self, live: LiveRun) -> None:
        """The time limit has passed on the wall: without pauses too, or how much is left?"""
        with self._lock:
            seconds_left = self._limits.computing - live.stopwatch.seconds(self._clock())
            if seconds_left > 0 and self._table.on_worker(live) and not live.stopping and not self._closed:
                self._table.set_timer(live, max(seconds_left, 1.0), partial(self._on_overrun, live))
                return
        rule = f"a run must end within {self._limits.computing:g} s of computing, this one did not"
        self._expire(live, f"{rule}; {live.cost.remedy}")

    def _expire(self, live: LiveRun, reason: str) -> None:
        """Stop a run whose time is up, whoever wants it."""
        with self._lock:
            if live.stopping or not self._is_current(live):
                return
            live.reason = reason
            parents = self._cancel(live)
        self._gather(parents)

    def _end(self, live: LiveRun, outcome: Outcome, now: float, note: str | None = None) -> list[LiveRun]:
        """Publish how a run ended, unless it has begun again meanwhile; returns its composites."""
        self._table.release(live)
        if not self._is_current(live):
            return []
        if outcome.status == "stopped":
            outcome = Outcome("stopped", error=live.reason or outcome.error)
        live.end(outcome, now, note)
        self._table.remove(live)
        if live.forgotten:
            self._store.forget(live.id)
        return self._table.finish_cell(live, outcome)
