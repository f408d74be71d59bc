"""What one server takes on: memory and time of a run, and the lengths of its queues."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from featdash.recipes.experiment import Entry
from featdash.recipes.spec import Cost, Spec

DEVICE = re.compile(r"cpu|cuda(:\d+)?")
MANY_CORES = 8  # a worker takes 0.4 GB before its first run
MOST_WORKERS = 256  # on one machine, so that a mistyped number does not take it down
UNITS = ((1e9, "GB"), (1e6, "MB"), (1e3, "kB"))
PAUSE_LIMIT = 300.0  # seconds; a paused run keeps its worker from everybody else
OVERRUN = 4.0  # estimates are for two idle cores; a run that takes this many times the time limit is stuck
ADDRESS_SHARE = 2 / 3  # of the queue for one network address: much for a class behind it, and never all


class QueueFull(ValueError):
    """The queue, or this visitor's share of it, is full."""


class TooLarge(ValueError):
    """The run would need more memory or time than this server gives one run."""


@dataclass(frozen=True)
class Limits:
    """The limits of a server.

    memory, seconds : of one run, as estimated, memory in bytes; session_queue, queue : queued runs of one session, and
    of all together. Runs in progress do not count as queued. A composite counts as one run, however many cells it has,
    for as long as one of them waits.
    grace : seconds between asking a run to stop and killing its worker; pause : seconds after which a paused
    composite ends.
    """

    memory: float = 1e9
    seconds: float = 900.0
    session_queue: int = 3
    queue: int = 30
    grace: float = 3.0
    pause: float = PAUSE_LIMIT

    @property
    def computing(self) -> float:
        """Seconds of computing after which a run is stopped, whatever its estimate was."""
        return OVERRUN * self.seconds

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> Limits:
        return cls(
            memory=number_setting(environment, "FEATDASH_MEMORY_LIMIT", cls.memory),
            seconds=number_setting(environment, "FEATDASH_TIME_LIMIT", cls.seconds),
            session_queue=count_setting(environment, "FEATDASH_SESSION_QUEUE", cls.session_queue),
            queue=count_setting(environment, "FEATDASH_QUEUE", cls.queue),
        )

    def check_cost(self, experiment: Entry, spec: Spec) -> Cost:
        """The cost of the run, if this server takes it on; TooLarge if not."""
        cost = experiment.cost(spec)
        if cost.memory > self.memory:
            need, limit = format_apart(format_bytes, cost.memory, self.memory)
            raise TooLarge(f"{experiment.name} needs {need} of memory, the limit is {limit}; {cost.remedy}")
        if cost.seconds > self.seconds:
            need, limit = format_apart(format_seconds, cost.seconds, self.seconds)
            raise TooLarge(f"{experiment.name} needs about {need}, the limit is {limit}; {cost.remedy}")
        return cost

    def check_queue(self, of_session: int, of_all: int, of_address: int = 0) -> None:
        """QueueFull if there is no room for one more run. of_address : queued runs of the visitor's network address."""
        if of_session >= self.session_queue:
            raise QueueFull(
                f"you have {of_session} runs in the queue, the limit is {self.session_queue}; "
                "stop one, or wait until one has left it, which a sweep does with its last cell"
            )
        if of_all >= self.queue:
            raise QueueFull(f"the queue holds {of_all} runs, the limit is {self.queue}; try again when one has left it")
        of_one = math.ceil(ADDRESS_SHARE * self.queue)
        if of_address >= of_one:
            sentence = f"the queue holds {of_address} runs from your network address"
            raise QueueFull(f"{sentence}, the limit is {of_one}; try again when one has left it")


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
    """A whole number from 1 to `most`, in any notation; ValueError as in `number_setting`."""
    value = number_setting(environment, name, default)
    if value != int(value) or not 1 <= value <= (most or value):
        rule = f"a whole number from 1 to {most}" if most else "a whole number above 0"
        text = environment[name].strip()[:60]
        raise ValueError(f"{name} must be {rule}, got {text!r}; set it to {default} or unset it")
    return int(value)


def format_bytes(count: float, more: int = 0) -> str:
    """Bytes in decimal units, with two digits or so many `more`: 2.1 GB."""
    for size, unit in UNITS:
        if count >= size:
            value = count / size
            digits = f"{value:.{more}f}" if value >= 100 else f"{value:#.{2 + more}g}" if more else f"{value:.2g}"
            return f"{digits} {unit}"
    return f"{count:.{more}f} B"


def format_seconds(seconds: float, more: int = 0) -> str:
    """Whole seconds, or so many `more` digits."""
    return f"{seconds:.{more}f} s"


def format_apart(form: Callable[[float, int], str], need: float, limit: float) -> tuple[str, str]:
    """Two different numbers as texts, with as many digits as it takes for the texts to differ."""
    for more in range(15):
        texts = form(need, more), form(limit, more)
        if texts[0] != texts[1]:
            break
    return texts


def worker_count(environment: Mapping[str, str]) -> int:
    """FEATDASH_WORKERS; by default one for each core up to eight, or half the cores if that is more.

    The matrix products of a run are too small to gain from a second core, on which another run, or another cell of the
    same sweep, can go on instead.
    """
    cores = os.cpu_count() or 2
    default = max(min(cores, MANY_CORES), cores // 2)
    return count_setting(environment, "FEATDASH_WORKERS", default, max(MOST_WORKERS, default))
