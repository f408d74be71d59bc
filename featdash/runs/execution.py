"""Carrying out a run, the same for the command line, the server and its workers; and what carries runs out, an engine.

The only place of the project that turns any failure into one stored sentence.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from typing import Protocol, TypeVar, cast

from featdash.recipes.events import Event, Result
from featdash.recipes.experiment import Entry, Experiment, InputExperiment, Inputs, find_experiment
from featdash.recipes.grid import Grid
from featdash.recipes.spec import Spec
from featdash.runs.codec import roundtrip
from featdash.runs.composite import Cells
from featdash.runs.limits import PAUSE_LIMIT

T = TypeVar("T")

log = logging.getLogger(__name__)


class Stopped(Exception):
    """The run was asked to stop, or was paused for too long; its text, if any, says why."""


@dataclass(frozen=True)
class Outcome:
    """How a run ended.

    status : "done", "failed" or "stopped".
    result : of a run that is done.
    error : one sentence on why a run failed, why one that nobody stopped was stopped, or which cells of a composite
        that is done are missing.
    lost : it failed because its worker process went away.
    """

    status: str
    result: Result | None = None
    error: str | None = None
    lost: bool = False


class Flags:
    """Requests to a run in progress, obeyed between two events; set from any thread."""

    def __init__(self, pause_limit: float = PAUSE_LIMIT) -> None:
        self._change = threading.Condition()
        self._stop = False
        self._failure = ""
        self._pause = False
        self._pause_limit = pause_limit

    def stop(self) -> None:
        with self._change:
            self._stop = True
            self._change.notify_all()

    def fail(self, reason: str) -> None:
        """Stop the run, which then has failed for that reason, one sentence."""
        with self._change:
            self._failure = reason
            self._change.notify_all()

    def pause(self, pause: bool) -> None:
        with self._change:
            self._pause = pause
            self._change.notify_all()

    def obey(self) -> None:
        """Return when the run may go on; raise Stopped, or ValueError with the reason to fail, when it may not."""
        with self._change:
            in_time = self._change.wait_for(self._is_due, timeout=self._pause_limit)
            if self._stop:
                raise Stopped
            if self._failure:
                raise ValueError(self._failure)
            if not in_time:
                raise Stopped(pause_too_long(self._pause_limit))

    def _is_due(self) -> bool:
        return bool(self._stop or self._failure or not self._pause)


def pause_too_long(limit: float) -> str:
    """Why a run was stopped that nobody resumed within `limit` seconds."""
    return f"the run was paused for too long, the limit is {limit:g} s; press Run to start it again"


def perform(
    experiment: Entry,
    spec: Spec,
    emit: Callable[[Event], None],
    flags: Flags,
    device: str,
    inputs: Inputs | None = None,
) -> Outcome:
    """Run to the end, or until `flags` stop it; events go to `emit`, the result into the outcome.

    A composite's cells run one after the other; their frames come as streams "cell/<index>/<stream>".
    inputs : of a recipe that takes some.
    """
    match experiment:
        case Grid():
            return attempt(partial(_perform_cells, experiment, spec, emit, flags, device))
        case InputExperiment() if inputs is not None:
            events = partial(experiment.run, spec, device, inputs.arrays)
        case Experiment() if inputs is None:
            events = partial(experiment.run, spec, device)
        case _:
            raise TypeError(f"{experiment.name} must take inputs to be given some, it is a {type(experiment).__name__}")
    return attempt(partial(_perform_one, experiment.name, events, emit, flags))


def gather_cells(cells: Cells) -> Outcome:
    """How a composite ends, all of whose cells have ended; its result is plain, as one from a worker."""
    result = attempt(lambda: roundtrip(cells.gather()))
    return result if isinstance(result, Outcome) else Outcome("done", result, cells.gaps())


def attempt(work: Callable[[], T]) -> T | Outcome:
    """What `work` returns; if it fails, the outcome with the one sentence that a visitor reads in its place."""
    try:
        return work()
    except Stopped as reason:
        return Outcome("stopped", error=str(reason) or None)
    except ValueError as error:
        log.info("run refused: %s", error, exc_info=True)
        return Outcome("failed", error=str(error))
    except MemoryError:
        log.exception("run out of memory")
        return Outcome("failed", error="the run needs more memory than the worker has; lower its largest number")
    except Exception as error:
        log.exception("run failed")
        kind, text = type(error).__name__, " ".join(str(error).split())[:200]
        cause = f"{kind}: {text}" if text else kind
        return Outcome("failed", error=f"the run broke off with {cause}; change a setting, or report it with its link")


def _perform_one(name: str, run: Callable[[], Iterator[Event]], emit: Callable[[Event], None], flags: Flags) -> Outcome:
    flags.obey()
    generator = cast(Generator[Event, None, None], run())
    with closing(generator) as events:
        for event in events:
            if isinstance(event, Result):
                return Outcome("done", event)
            emit(event)
            flags.obey()
    raise RuntimeError(f"experiment {name} ended without a Result")


def _perform_cells(grid: Grid, spec: Spec, emit: Callable[[Event], None], flags: Flags, device: str) -> Outcome:
    cells = Cells(grid, spec)
    for cell_id, (name, recipe) in dict(zip(cells.ids, cells.recipes, strict=True)).items():

        def forward(event: Event, cell_id: str = cell_id) -> None:
            for one in cells.forward(cell_id, event):
                emit(one)

        outcome = perform(find_experiment(name), recipe, forward, flags, device)
        if outcome.status == "stopped":
            return outcome
        for event in cells.finish(cell_id, outcome.result, outcome.error):
            emit(event)
    return gather_cells(cells)


@dataclass(frozen=True)
class Job:
    """One attempt at a run: `key` differs between two attempts at the same run.

    inputs : of a recipe that takes some.
    """

    key: str
    experiment: str
    spec: Spec
    inputs: Inputs | None = None


class Engine(Protocol):
    """Carries out jobs. Every started job ends with exactly one `on_end`, after its last `on_event`.

    Both are called from a thread of the engine's choice, one at a time for a job. Stop, pause and kill
    of a job that has ended, or never was, do nothing.
    """

    def start(self, job: Job, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> None:
        """Begin as soon as a worker is free; never raises for what happens inside the run."""

    def stop(self, job: Job) -> None:
        """Ask the run to stop at its next event; one that has not begun ends at once."""

    def pause(self, job: Job, pause: bool) -> None:
        """Hold the run before its next event, or let it go on."""

    def kill(self, job: Job) -> None:
        """End the run now, with its worker process if need be; its outcome is "stopped"."""

    def slots(self) -> int:
        """How many jobs can run at once."""

    def close(self) -> None:
        """Stop what runs and leave no process behind; may be called twice."""


class InlineEngine:
    """Runs each job to its end inside `start`: for tests, and for pages under `AppTest`.

    Events pass through bytes as they do on their way from a worker.
    """

    def __init__(self, device: str = "cpu") -> None:
        self._device = device
        self._flags: dict[str, Flags] = {}

    def start(self, job: Job, on_event: Callable[[Event], None], on_end: Callable[[Outcome], None]) -> None:
        flags = self._flags[job.key] = Flags(pause_limit=0.0)  # nobody else could ever resume it

        def emit(event: Event) -> None:
            on_event(roundtrip(event))

        try:
            outcome = perform(find_experiment(job.experiment), job.spec, emit, flags, self._device, job.inputs)
        finally:
            del self._flags[job.key]
        if outcome.result is not None:
            result = attempt(partial(roundtrip, outcome.result))
            outcome = result if isinstance(result, Outcome) else Outcome("done", result)
        on_end(outcome)

    def stop(self, job: Job) -> None:
        if job.key in self._flags:
            self._flags[job.key].stop()

    def pause(self, job: Job, pause: bool) -> None:
        if job.key in self._flags:
            self._flags[job.key].pause(pause)

    def kill(self, job: Job) -> None:
        self.stop(job)

    def slots(self) -> int:
        return 1

    def close(self) -> None:
        for flags in self._flags.values():
            flags.stop()
