"""An engine that leaves its jobs to the test, and what goes with it."""

from __future__ import annotations

import threading
import time

from toy_experiments import ToySpec

from featdash.recipes.events import Result
from featdash.runs.execution import Outcome

DONE = Outcome("done", Result({"total": 1}))


class HandEngine:
    """Starts jobs and leaves them to the test, which ends them by hand."""

    def __init__(self, slots: int = 1):
        self.places, self.jobs, self.calls = slots, {}, []

    def start(self, job, on_event, on_end):
        self.jobs[job.key.split("-")[0]] = (job, on_event, on_end)

    def emit(self, name, *events):
        for event in events:
            self.jobs[name][1](event)

    def end(self, name, outcome=DONE):
        self.jobs.pop(name)[2](outcome)

    def stop(self, job):
        self.calls.append(("stop", job.key.split("-")[0]))

    def pause(self, job, pause):
        self.calls.append(("pause" if pause else "resume", job.key.split("-")[0]))

    def kill(self, job):
        self.calls.append(("kill", job.key.split("-")[0]))

    def slots(self):
        return self.places

    def close(self):
        pass


def meanwhile(action):
    """Let another thread act now, unless a lock keeps it out until later; returns what to join and its answers."""
    answers = []

    def act():
        try:
            answers.append(action())
        except ValueError as error:
            answers.append(error)

    thread = threading.Thread(target=act)
    thread.start()
    thread.join(0.2)
    return thread, answers


def until(ready):
    """Wait for what another thread or process does."""
    for _ in range(6000):
        if ready():
            return
        time.sleep(0.01)
    raise TimeoutError("it did not happen within a minute")


def spec(seed: int, **settings) -> ToySpec:
    return ToySpec(seed=seed, **settings)
