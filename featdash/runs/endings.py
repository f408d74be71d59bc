"""How runs end: given up, out of time, lost with their worker, or done; and what that is to their composites."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from featdash.runs.codec import carried
from featdash.runs.deadlines import Deadlines
from featdash.runs.engine import Engine
from featdash.runs.execution import PAUSE_LIMIT, Outcome, overlong_pause, settle
from featdash.runs.live import LiveRun, owner_name
from featdash.runs.roster import Roster
from featdash.runs.shelf import Shelf

COURTESY = 3.0  # seconds between asking a run to stop and killing its worker
ATTEMPTS = 2  # jobs for a cell whose worker is lost


class Endings:
    """Takes runs off the roster, tells everybody, and calls `go_on` for those that wait for a worker. Thread-safe.

    time_limit : seconds of computing after which a run is stopped, whatever its cost had promised.
    """

    def __init__(
        self, roster: Roster, engine: Engine, shelf: Shelf, time_limit: float, go_on: Callable[[], None]
    ) -> None:
        self._roster, self._engine, self._shelf = roster, engine, shelf
        self._time_limit, self._go_on = time_limit, go_on
        self._deadlines = Deadlines()

    def end(self, run: LiveRun, outcome: Outcome) -> None:
        """Keep the result, then tell; a result that cannot be kept as what it is makes the run a failed one."""
        if outcome.lost and self._try_again(run):
            self._go_on()
            return
        now = self._roster.clock()
        if outcome.result is not None and not self._roster.closed:
            kept = settle(partial(self._shelf.keep, run, outcome.result, outcome.error, now))
            outcome = outcome if kept.result is not None else kept
        with self._roster.lock:
            parents = self._take_leave(run, outcome, now)
        self.gather(parents)

    def give_up(self, run: LiveRun) -> list[LiveRun]:
        """Begin to end a run that nobody wants; what has no worker ends at once. Returns composites to gather."""
        ending, now = self._wind_up(run), self._roster.clock()
        return [parent for one in ending for parent in self._take_leave(one, Outcome("stopped"), now)]

    def release(self, run: LiveRun, owner: str) -> None:
        """One owner goes, others stay."""
        heirs = [parent.session for parent in self._roster.parents(run)]
        run.release(owner, heirs[0] if heirs else run.session)
        self._roster.sort(run)
        self._roster.note(run)

    def gather(self, composites: list[LiveRun]) -> None:
        """End those whose cells have all ended, and let others begin; a second caller finds them gone."""
        for run in composites:
            results = run.cells.results() if run.cells else None
            if results is not None:
                outcome = settle(lambda run=run, results=results: carried(run.experiment.gather(run.spec, results)))
                self.end(run, replace(outcome, error=outcome.error or run.cells.gaps()))
        self._go_on()

    def limit(self, run: LiveRun) -> None:
        """From now on the run has the time limit; its computing counts, its pauses do not."""
        self._deadlines.set(run.job.key, self._time_limit, partial(self._overrun, run))

    def limit_pause(self, run: LiveRun) -> None:
        """A composite that nobody lets go on ends as a run does."""
        reason = overlong_pause(PAUSE_LIMIT)
        self._deadlines.set(run.job.key, PAUSE_LIMIT, partial(self._expire, run, reason))

    def lift_limit(self, run: LiveRun) -> None:
        self._deadlines.cancel(run.job.key)

    def close(self) -> None:
        self._deadlines.close()

    def _try_again(self, run: LiveRun) -> bool:
        """Queue a cell once more whose worker was lost; False if it is none, or has been tried often enough."""
        with self._roster.lock:
            parents = self._roster.parents(run)
            if not parents or run.stopping or run.attempt >= ATTEMPTS or not self._roster.holds(run):
                return False
            self._let_go(run)
            self._roster.enter_again(run)
            for parent in parents:
                parent.take_back(run.id)
                self._roster.publish(parent)
            return True

    def _wind_up(self, run: LiveRun) -> list[LiveRun]:
        """Mark the run, and the cells that nobody else wants; returns those without a worker, composites first."""
        run.stopping = True
        if run.cells is not None:
            return [run, *self._wind_up_cells(run)]
        if run.job.key not in self._roster.on_worker:
            return [run]
        run.doing = "stopping"
        self._roster.publish(run)
        self._engine.stop(run.job)
        self._deadlines.set(run.job.key, COURTESY, partial(self._engine.kill, run.job))
        return []

    def _wind_up_cells(self, run: LiveRun) -> list[LiveRun]:
        ending, owner = [], owner_name(run.id)
        for cell in [self._roster.live[name] for name in run.cells.names if name in self._roster.live]:
            cell.parents.discard(run.id)
            if cell.owners == [owner]:
                ending += self._wind_up(cell) if not cell.stopping else []
            elif owner in cell.owners:
                self.release(cell, owner)
        return ending

    def _overrun(self, run: LiveRun) -> None:
        """The time limit has passed on the wall: without pauses too, or how much is left?"""
        with self._roster.lock:
            left = self._time_limit - run.seconds(self._roster.clock())
            on_worker = run.job.key in self._roster.on_worker
            if left > 0 and on_worker and not run.stopping and not self._roster.closed:
                self._deadlines.set(run.job.key, max(left, 1.0), partial(self._overrun, run))
                return
        rule = f"a run must end within {self._time_limit:g} s of computing, this one did not"
        self._expire(run, f"{rule}; {run.cost.remedy}")

    def _expire(self, run: LiveRun, reason: str) -> None:
        """Stop a run whose time is up, whoever wants it."""
        with self._roster.lock:
            if run.stopping or not self._roster.holds(run):
                return
            run.reason = reason
            parents = self.give_up(run)
        self.gather(parents)

    def _take_leave(self, run: LiveRun, outcome: Outcome, now: float) -> list[LiveRun]:
        """Tell everybody how a run ended, unless it was begun anew meanwhile; returns its composites."""
        self._let_go(run)
        if not self._roster.holds(run):
            return []
        if outcome.status == "stopped":
            outcome = Outcome("stopped", error=run.reason or outcome.error)
        del self._roster.live[run.id]
        run.end(outcome, now)
        self._roster.sort(run)
        if outcome.status != "done" and (run.parents or not run.cell):  # else its composite has its frames
            self._shelf.remain(run)
        self._roster.note(run)
        parents = self._roster.parents(run)
        for parent in parents:
            self._roster.advance(parent, parent.cells.settle(run.id, outcome.result, outcome.error))
        return parents

    def _let_go(self, run: LiveRun) -> None:
        """Its job is over: the worker is free, and no deadline is left."""
        self._roster.on_worker.discard(run.job.key)
        self._deadlines.cancel(run.job.key)
