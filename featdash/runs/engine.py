"""Where runs are carried out: the protocol of an engine, and the one that needs no second process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from featdash.recipes.events import Event
from featdash.recipes.registry import find_experiment
from featdash.recipes.spec import Spec
from featdash.runs.codec import roundtrip
from featdash.runs.execution import Flags, Outcome, attempt, perform
from featdash.runs.run import Inputs


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
