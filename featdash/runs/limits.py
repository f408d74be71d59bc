"""What one server takes on: memory and time of a run, and the lengths of its queues."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from featdash.experiments.experiment import Experiment
from featdash.experiments.spec import Cost, Spec

MANY_CORES = 8  # a worker takes 0.4 GB before its first run
MOST_WORKERS = 256  # on one machine; a mistyped number else takes it down
UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


class QueueFull(ValueError):
    """The queue, or this visitor's share of it, is full."""


class TooLarge(ValueError):
    """The run would need more memory or time than this server gives one run."""


@dataclass(frozen=True)
class Limits:
    """memory in bytes and seconds of one run; queued runs of one session, and of all together.

    Runs in progress do not count as queued; a composite counts as one run, whatever its cells.
    """

    memory: float = 1e9
    seconds: float = 900.0
    session_queue: int = 3
    queue: int = 30

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Limits:
        return cls(
            memory=number_setting(environment, "FEATDASH_MEMORY_LIMIT", cls.memory),
            seconds=number_setting(environment, "FEATDASH_TIME_LIMIT", cls.seconds),
            session_queue=count_setting(environment, "FEATDASH_SESSION_QUEUE", cls.session_queue),
            queue=count_setting(environment, "FEATDASH_QUEUE", cls.queue),
        )

    def check_cost(self, experiment: Experiment, spec: Spec) -> Cost:
        """The cost of the run, if this server takes it on; TooLarge if not."""
        cost = experiment.cost(spec)
        if cost.memory > self.memory:
            need, limit = shown_bytes(cost.memory), shown_bytes(self.memory)
            raise TooLarge(f"{experiment.name} needs {need} of memory, the limit is {limit}; {cost.remedy}")
        if cost.seconds > self.seconds:
            need = f"about {cost.seconds:.0f} s"
            raise TooLarge(f"{experiment.name} needs {need}, the limit is {self.seconds:.0f} s; {cost.remedy}")
        return cost

    def check_queue(self, of_session: int, of_all: int) -> None:
        """Room for one more waiting run, or QueueFull."""
        if of_session >= self.session_queue:
            raise QueueFull(
                f"you have {of_session} runs in the queue, the limit is {self.session_queue}; "
                "wait for one to begin, or stop one"
            )
        if of_all >= self.queue:
            raise QueueFull(f"the queue holds {of_all} runs, the limit is {self.queue}; try again in a minute")


def number_setting(environment: Mapping[str, str], name: str, default: float) -> float:
    """A positive number from the environment; ValueError with name, rule, value and remedy."""
    text = environment.get(name, "").strip()
    if not text:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise ValueError(f"{name} must be a number above 0, got {text[:60]!r}; set it to {default:g} or unset it")
    return value


def count_setting(environment: Mapping[str, str], name: str, default: int, most: int | None = None) -> int:
    """A whole number from 1 to `most`, in any way that a number is written; ValueError as of `number_setting`."""
    value = number_setting(environment, name, default)
    if value != int(value) or not 1 <= value <= (most or value):
        rule = f"a whole number from 1 to {most}" if most else "a whole number above 0"
        got = environment[name].strip()[:60]
        raise ValueError(f"{name} must be {rule}, got {got!r}; set it to {default} or unset it")
    return int(value)


def shown_bytes(count: float) -> str:
    """Bytes in decimal units with two digits: 2.1 GB."""
    for size, unit in UNITS:
        if count >= size:
            return f"{count / size:.2g} {unit}" if count < 100 * size else f"{count / size:.0f} {unit}"
    return f"{count:.0f} B"


def worker_count(environment: Mapping[str, str]) -> int:
    """FEATDASH_WORKERS; by default one a core up to eight, and half the cores where these are more.

    A run's products are small: on a second core they gain nothing, where another run, or another cell of the same
    sweep, takes half as long.
    """
    cores = os.cpu_count() or 2
    default = max(min(cores, MANY_CORES), cores // 2)
    return count_setting(environment, "FEATDASH_WORKERS", default, max(MOST_WORKERS, default))
