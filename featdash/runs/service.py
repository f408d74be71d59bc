"""Submit, get, stop: the interface between the pages and the runs.

Who may stop a run: those who asked for it. Equal recipes share one run, so each session that submits it becomes
an owner; an owner who stops it leaves, and the run itself stops when its last owner has left. A viewer who merely
follows a link owns nothing and stops nothing. Only a sole owner can pause: a paused run goes on when another visitor
asks for it. A pause of five minutes ends the run, because it keeps its worker from everybody else; composites, which
keep none, follow the same rule. A run that computes four times as long as the longest estimate allowed is stopped.
What waits, a run or a composite of which no cell is computed, is stopped when none of its owners has been seen for five
minutes: who closes the tab gives up the place in the queue.

A run whose worker process is lost has failed, and is not tried again by itself: what killed one worker,
most often the want of memory, would kill the next. A cell of a composite alone is tried once more, lest every machine
that leaves a cluster tear a gap into a sweep; if it takes a second worker along, the gap stays.

A composite with cells that failed is done, with its gaps. To submit it again computes those cells, and no others.
"""

from __future__ import annotations

import atexit
import logging
import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from featdash.recipes.events import Frame, Result
from featdash.recipes.experiment import Inputs, find_experiment, is_private, takes_inputs
from featdash.recipes.spec import Spec
from featdash.recipes.version import run_id
from featdash.runs.execution import Engine, InlineEngine
from featdash.runs.limits import DEVICE, Limits, count_setting, worker_count
from featdash.runs.queue import Sessions
from featdash.runs.run import Departure, Run
from featdash.runs.scheduler import Scheduler
from featdash.runs.store import Store, open_at_home

RESTARTS = 3  # a run during which the server went away this often is not tried again
SCHEDULER = re.compile(r"(tcp|tls)://[^/\s]+:\d+")
ENGINES = ("dask", "inline")

log = logging.getLogger(__name__)


class RunService:
    """Thread-safe. Runs left unfinished by a server that is gone are queued again as soon as the service is made.

    A session is any string that names a visitor; None in its place means "whoever", for the operator's use.
    clock : seconds that nobody sets, for durations; dates are those of the calendar at a run's beginning.
    """

    def __init__(
        self, engine: Engine, store: Store, limits: Limits | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._limits = limits or Limits()
        self._sessions = Sessions(clock)
        self._scheduler = Scheduler(engine, store, self._sessions, self._limits, clock)
        for run in store.history.unfinished_runs():
            self._restore(run)

    def submit_private(self, experiment_name: str, spec: Spec, session: str, inputs: Inputs) -> str:
        """Ask for a run on a visitor's own arrays: computed in its turn, kept in memory until `forget`, in no list.

        Errors: as of `submit`.
        """
        experiment = find_experiment(experiment_name)
        self._sessions.touch(session)
        self._scheduler.admit(experiment, spec, self._limits.check_cost(experiment, spec), [session], inputs=inputs)
        return inputs.run_id

    def forget(self, run_id: str) -> None:
        """Stop a private run and drop everything of it; other runs are not touched."""
        if is_private(run_id):
            self._scheduler.leave(run_id, None)
            self._scheduler.forget(run_id)

    def submit(self, experiment_name: str, spec: Spec, session: str) -> str:
        """Ask for a run; returns its id at once.

        A run in progress is joined, a finished one is found in the store, a failed or stopped one begins anew; of a
        composite with gaps only what is missing.
        Errors: TooLarge, QueueFull, or ValueError for an unknown experiment, a recipe without cells or one that takes
            inputs; one sentence.
        """
        experiment = find_experiment(experiment_name)
        if takes_inputs(experiment, spec):
            raise ValueError(
                f"{experiment_name} with these settings must have a table, got none; upload one on its page"
            )
        name = run_id(experiment_name, spec)
        self._sessions.touch(session)
        if not (self._scheduler.join(name, session) or self._store.is_complete(experiment_name, spec)):
            cost = self._limits.check_cost(experiment, spec)
            self._scheduler.admit(experiment, spec, cost, [session])
        self._sessions.add_request(session, name)
        return name

    def touch(self, session: str, address: str = "") -> None:
        """Note that the visitor is there, at that network address if it is known; pages call this once a minute."""
        self._sessions.touch(session, address)

    def favour(self, session: str, favoured: bool = True) -> None:
        """Let the visitor's runs, sweeps too, begin before those of others, and no full queue of theirs refuse them.

        Cheap, and the same when said again. What computes already is left to end. It rests while the visitor is away.
        """
        if favoured:
            self._sessions.touch(session)
        if self._sessions.favour(session, favoured):
            self._scheduler.refresh()

    def get(self, run_id: str) -> Run | None:
        """The run as it is now; None for an unknown id. One that is not in memory is looked for on disk."""
        return self._store.get(run_id)

    def frames(self, run_id: str, stream: str | None = None) -> tuple[Frame, ...]:
        """The frames so far, in order of arrival, of one stream or of all; empty for an unknown run."""
        frames = self._scheduler.frames(run_id)
        if frames is None:
            frames = self._store.frames(run_id)
        return frames if stream is None else tuple(frame for frame in frames if frame.stream == stream)

    def result(self, run_id: str) -> Result | None:
        """The result of a finished run; None if it is not finished, or no longer stored."""
        archive = None if self._scheduler.frames(run_id) is not None else self._store.load(run_id)
        return archive.result if archive else None

    def owns(self, run_id: str, session: str, alone: bool = False) -> bool:
        """Whether the run is in progress and the session asked for it; `alone` : and whether nobody else did."""
        return self._scheduler.is_owner(run_id, session, alone)

    def recent(self, session: str) -> list[Run]:
        """The runs that the session has asked for lately, as far as they are still known, the latest first."""
        return [view for name in self._sessions.requests(session) if (view := self.get(name))]

    def stop(self, run_id: str, session: str | None = None) -> Departure:
        """The session no longer wants the run: it "stops", or the session has "left" it to its other owners.

        "not yours" if the session did not ask for it, or it is no longer in progress. One that waits ends at once.
        One that runs is asked to stop at its next event, and killed after three seconds.
        """
        return self._scheduler.leave(run_id, session)

    def pause(self, run_id: str, session: str | None = None) -> bool:
        """Hold a run before its next event, one that waits before its first; a composite begins no further cells.

        False if it is held already or has ended, or if the session is not its only owner.
        """
        return self._scheduler.pause(run_id, session, pause=True)

    def resume(self, run_id: str, session: str | None = None) -> bool:
        """Let a paused run go on; False if it is not paused, or if the session is not its only owner."""
        return self._scheduler.pause(run_id, session, pause=False)

    def find_recorded(self, experiment_name: str, spec: Spec) -> str | None:
        """The id of the run of that recipe that is shipped with the package; None if there is none."""
        return self._store.find_recorded(experiment_name, spec)

    def find_stored(self, experiment_name: str, spec: Spec) -> str | None:
        """The id of a complete run of that recipe, stored here or else recorded; None if there is none."""
        name = run_id(experiment_name, spec)
        if self._scheduler.frames(name) is None and self._store.is_complete(experiment_name, spec):
            return name
        return self.find_recorded(experiment_name, spec)

    def workers(self) -> tuple[int, int]:
        """How many workers are free, and how many there are."""
        return self._scheduler.workers()

    def close(self) -> None:
        """End the workers; unfinished runs are queued again by the next server. May be called twice."""
        self._scheduler.close()
        self._store.close()

    def _restore(self, run: Run) -> None:
        """Queue again a run that another server left unfinished; cells come back with their composites."""
        self._store.history.forget(run.id)
        if run.spec is None or not run.visitors:
            return
        name, experiment = run_id(run.experiment, run.spec), find_experiment(run.experiment)
        if run.restarts >= RESTARTS:
            error = f"the server went away {run.restarts} times during this run, the limit is {RESTARTS}; press Run"
            self._store.history.write(replace(run, id=name, status="failed", error=error))
        elif not self._store.is_complete(run.experiment, run.spec):
            log.info("run %s of %s is queued again", name, run.experiment)
            cost = experiment.cost(run.spec)
            self._scheduler.admit(experiment, run.spec, cost, run.visitors, run.restarts + 1)
            for owner in run.visitors:
                self._sessions.add_request(owner, name)


def open_service(environment: Mapping[str, str] = os.environ) -> RunService:
    """A running service as the environment variables ask for it; closed at interpreter exit.

    FEATDASH_ENGINE         dask (default); inline computes in this process, for tests
    FEATDASH_SCHEDULER      address of a Dask scheduler, tcp://host:8786; without it, workers on this machine
    FEATDASH_WORKERS        worker processes on this machine; default one a core, half of them beyond 8
    FEATDASH_DEVICE         cpu (default), cuda, or one of several as cuda:1
    FEATDASH_HOME           folder of the store; default the user's cache folder, on Linux ~/.cache/featdash
    FEATDASH_CACHE_BYTES    bytes of finished runs kept there; default 1 GiB
    FEATDASH_MEMORY_LIMIT, FEATDASH_TIME_LIMIT     bytes and seconds that one run may need; 1 GB, 900 s
    FEATDASH_SESSION_QUEUE, FEATDASH_QUEUE         waiting runs of one visitor, and of all; 3, 30

    Errors: ValueError, one sentence, for a variable that makes no sense. All are checked before anything is opened:
    whoever asks again after a refusal opens nothing again.
    """
    limits, cap = Limits.from_environment(environment), count_setting(environment, "FEATDASH_CACHE_BYTES", 2**30)
    engine = _checked_engine(environment, limits.memory)
    store = open_at_home(environment, lambda home, temporary: Store(home, cap, temporary=temporary))
    service = RunService(engine(), store, limits)
    atexit.register(service.close)
    return service


def _checked_engine(environment: Mapping[str, str], memory: float) -> Callable[[], Engine]:
    """A function that opens the engine; its variables are checked here, before it is called."""
    name = environment.get("FEATDASH_ENGINE") or "dask"
    if name not in ENGINES:
        raise ValueError(f"FEATDASH_ENGINE must be one of {', '.join(ENGINES)}, got {name[:60]!r}; choose one of them")
    device = environment.get("FEATDASH_DEVICE") or "cpu"
    if not DEVICE.fullmatch(device):
        raise ValueError(f"FEATDASH_DEVICE must be cpu, cuda or cuda:N, got {device[:60]!r}; choose one of them")
    if name == "inline":
        return partial(InlineEngine, device)
    scheduler = environment.get("FEATDASH_SCHEDULER") or None
    if scheduler and not SCHEDULER.fullmatch(scheduler):
        rule = "FEATDASH_SCHEDULER must be tcp://host:port or tls://host:port"
        raise ValueError(f"{rule}, got {scheduler[:60]!r}; see what `dask scheduler` prints, or unset it")
    workers = worker_count(environment)
    from featdash.runs.dask.engine import DaskEngine  # here: tests that compute inline do not load Dask

    return partial(DaskEngine, scheduler, workers, device, memory=memory)
