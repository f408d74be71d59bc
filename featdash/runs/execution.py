"""Carrying out a run: one loop for the command line, the inline engine and the workers.

The only place of the project that turns any failure into one stored sentence.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace

from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.recipes.experiment import Experiment
from featdash.recipes.registry import find_experiment
from featdash.recipes.spec import Spec

PAUSE_LIMIT = 300.0  # seconds; a paused run keeps its worker from everybody else

log = logging.getLogger(__name__)


class Stopped(Exception):
    """The run was asked to stop, or was paused for too long; its text, if any, says why."""


class CellFailed(Exception):
    """A failed cell of a composite, with the sentence of its run; what `gather` finds in its place."""


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
        self._changed = threading.Condition()
        self._stop = False
        self._failure = ""
        self._pause = False
        self._pause_limit = pause_limit

    def stop(self) -> None:
        with self._changed:
            self._stop = True
            self._changed.notify_all()

    def fail(self, reason: str) -> None:
        """Stop the run, which then has failed for that reason, one sentence."""
        with self._changed:
            self._failure = reason
            self._changed.notify_all()

    def pause(self, pause: bool) -> None:
        with self._changed:
            self._pause = pause
            self._changed.notify_all()

    def obey(self) -> None:
        """Return when the run may go on; raise Stopped, or ValueError with the reason to fail, when it may not."""
        with self._changed:
            in_time = self._changed.wait_for(self._to_be_told, timeout=self._pause_limit)
            if self._stop:
                raise Stopped
            if self._failure:
                raise ValueError(self._failure)
            if not in_time:
                raise Stopped(overlong_pause(self._pause_limit))

    def _to_be_told(self) -> bool:
        return bool(self._stop or self._failure or not self._pause)


def overlong_pause(limit: float) -> str:
    """Why a run was stopped that nobody resumed within `limit` seconds."""
    return f"the run was paused for too long, the limit is {limit:g} s; press Run to start it again"


def perform(experiment: Experiment, spec: Spec, emit: Callable[[Event], None], flags: Flags, device: str) -> Outcome:
    """Run to the end, or until `flags` stop it; events go to `emit`, the result into the outcome.

    A composite's cells run one after the other; their frames come as streams "cell/<index>/<stream>".
    """
    if experiment.cells is None:
        return settle(lambda: _iterate(experiment, spec, emit, flags, device))
    return settle(lambda: _iterate_cells(experiment, spec, emit, flags, device))


def settle(work: Callable[[], Result | None]) -> Outcome:
    """The outcome of `work`: its result, or the one sentence that a visitor reads in its place."""
    try:
        return Outcome("done", result=work())
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
        reason = f"{kind}: {text}" if text else kind
        return Outcome("failed", error=f"the run broke off with {reason}; change a setting, or report it with its link")


def _iterate(experiment: Experiment, spec: Spec, emit: Callable[[Event], None], flags: Flags, device: str) -> Result:
    flags.obey()
    with closing(experiment.run(spec, device)) as events:
        for event in events:
            if isinstance(event, Result):
                return event
            emit(event)
            flags.obey()
    raise RuntimeError(f"experiment {experiment.name} ended without a Result")


def _iterate_cells(
    experiment: Experiment, spec: Spec, emit: Callable[[Event], None], flags: Flags, device: str
) -> Result:
    cells = list(experiment.cells(spec))
    shares = cell_shares(cells)
    results: list[Result | Exception] = []
    for index, (name, cell) in enumerate(cells):
        done = sum(shares[:index])

        def forward(event: Event, index: int = index, done: float = done) -> None:
            if isinstance(event, Frame):
                emit(cell_frame(index, event))
            elif isinstance(event, Progress):
                emit(
                    Progress(
                        min(1.0, done + shares[index] * event.fraction), cell_doing(index, len(cells), event.doing)
                    )
                )

        outcome = perform(find_experiment(name), cell, forward, flags, device)
        if outcome.status == "stopped":
            raise Stopped(outcome.error or "")
        results.append(outcome.result or CellFailed(outcome.error))
    return experiment.gather(spec, results)


def cell_shares(cells: list[tuple[str, Spec]]) -> list[float]:
    """Each cell's share of a composite's expected time; they sum to 1."""
    seconds = [max(find_experiment(name).cost(spec).seconds, 1e-3) for name, spec in cells]
    total = sum(seconds)
    return [one / total for one in seconds]


def cell_frame(index: int, frame: Frame) -> Frame:
    """The frame of a cell as its composite shows it; the arrays are shared, not copied."""
    return replace(frame, stream=cell_stream(index, frame.stream))


def cell_stream(index: int, stream: str) -> str:
    return f"cell/{index}/{stream}"


def cell_doing(index: int, count: int, doing: str) -> str:
    return f"{doing} (cell {index + 1} of {count})"
