"""The worker's side of a run on Dask: the environment of a worker process, one job in it, and its memory limit."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import itertools
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from types import TracebackType
from typing import Any, Self

import dask
import psutil
from distributed import Client, Nanny, Security, Worker, get_worker
from distributed.diagnostics.plugin import WorkerPlugin
from distributed.utils import sync

from featdash.recipes.events import Event
from featdash.recipes.experiment import Inputs, find_experiment
from featdash.recipes.version import package_version
from featdash.runs.codec import encode
from featdash.runs.execution import Flags, Outcome, perform
from featdash.runs.limits import format_bytes, worker_count

NICENESS = 10  # the server and its visitors go first
UNANSWERED = "Failed to communicate with scheduler during heartbeat."  # what `Worker.heartbeat` logs, with a traceback
PRELOAD = ("torch",)  # 1 to 2 s that the first run would otherwise wait for
# Dask's configuration. Else each process wakes up to 150 times a second, idle, for a profile that nobody looks at.
AT_REST = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "500 ms"}
MARGIN = 1.3  # a run may need so much more than the limit that its estimate kept: estimates are within this factor
FAR_TOO_MUCH = 2.0  # times what a run may need: no time is left to wait for its next event
INTERVAL = 0.05  # seconds between two measurements of the process
GRACE = 3.0  # seconds between asking a run to stop and ending its worker
CONFIRM = 2.0  # seconds for the scheduler to have the reason before the process ends all the same

log = logging.getLogger(__name__)

# Both live as long as the worker process, which holds one run at a time even where Dask gave it several threads.
_flags: dict[str, Flags] = {}
_turn = threading.Lock()


class WorkerSetup(WorkerPlugin):
    """Makes any Dask worker fit for runs: low priority, the right number of BLAS threads, heavy imports done.

    threads : for the embedded cluster; None takes what `run_worker` chose, else the threads of `dask worker`.
    preload : modules to import before the first run.
    """

    name = "featdash"
    idempotent = True

    def __init__(self, threads: int | None = None, preload: tuple[str, ...] = PRELOAD) -> None:
        self.threads = threads
        self.preload = preload

    def setup(self, worker: Worker) -> None:
        if self.threads is not None:
            logging.getLogger("distributed.worker").addFilter(is_news)
        if hasattr(os, "nice"):
            os.nice(max(0, NICENESS - os.nice(0)))
        for module in self.preload:
            importlib.import_module(module)
        package_version()  # 0.1 s that the first run would otherwise wait for
        own = int(os.environ.get("FEATDASH_THREADS", 0)) or worker.state.nthreads
        _limit_threads(self.threads or own)


def is_news(record: logging.LogRecord) -> bool:
    """False of a heartbeat that was not answered: an embedded scheduler is silent only when its server ends, and the
    worker with it."""
    return record.msg != UNANSWERED


def run_job(
    key: str,
    topic: str,
    experiment: str,
    spec: Mapping[str, Any],
    device: str,
    code: str,
    memory: float = float("inf"),
    inputs: Inputs | None = None,
) -> tuple:
    """A job, inside a worker. Messages on `topic` are (key, address, body): an empty body first, then events.

    memory : bytes that the run may need. Where it needs more and does not stop, a last message has a fourth part, the
    sentence, and the process ends. inputs : arrays that a visitor brought to it.
    Returns (number of messages, status, result as bytes, error): the client waits for all messages before it
    tells anybody that the run has ended, because they may arrive later than this.
    """
    worker = get_worker()
    numbers = itertools.count()

    def send(event: Event) -> None:
        next(numbers)
        worker.log_event(topic, [key, worker.address, encode(event)])

    def confirm(*reason: str, timeout: float | None = None) -> None:
        """Return once the scheduler has the message: one that is only sent is lost with the process."""
        next(numbers)
        message = [key, worker.address, b"", *reason]
        sync(worker.loop, worker.scheduler.log_event, topic=topic, msg=message, callback_timeout=timeout)

    with _turn:
        flags = _flags[key] = Flags()
        try:
            confirm()
            watch = partial(MemoryWatch, memory, flags=flags, on_kill=partial(confirm, timeout=CONFIRM))
            work = partial(perform, emit=send, flags=flags, device=device, inputs=inputs)
            outcome = _perform(experiment, spec, work, code, watch)
        finally:
            del _flags[key]
    return (next(numbers), *_encode(outcome))


def stop_job(key: str) -> None:
    if key in _flags:
        _flags[key].stop()


def pause_job(key: str, pause: bool) -> None:
    if key in _flags:
        _flags[key].pause(pause)


async def kill_worker(dask_worker: Nanny) -> None:
    """Run on a nanny: end its worker process at once; the nanny then starts another."""
    if dask_worker.process is not None and dask_worker.process.process is not None:
        await dask_worker.process.process.kill()


def _perform(
    experiment: str,
    spec: Mapping[str, Any],
    work: Callable[..., Outcome],
    code: str,
    watch: Callable[..., MemoryWatch],
) -> Outcome:
    if code != package_version():
        versions = f"this worker has {package_version()}, the server has {code}"
        return Outcome("failed", error=f"server and worker must run the same code, {versions}; restart both")
    entry = find_experiment(experiment)
    recipe = entry.spec.from_mapping(spec)
    with watch(entry.cost(recipe).remedy):
        return work(entry, recipe)


def _encode(outcome: Outcome) -> tuple[str, bytes, str | None]:
    try:
        return outcome.status, encode(outcome.result) if outcome.result else b"", outcome.error
    except (ValueError, TypeError, MemoryError) as error:
        return "failed", b"", f"the result could not be sent: {error or type(error).__name__}"


def _limit_threads(threads: int) -> None:
    from threadpoolctl import threadpool_limits  # here, so that the server does not load it

    threadpool_limits(threads)  # not as a context: for the life of the process
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(threads)


def thread_environment(threads: int) -> dict[str, str]:
    """What a process must find in its environment before it loads NumPy or torch.

    Waiting threads sleep: by default they spin, and where others want the same cores a race takes twice as long.
    """
    names = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "FEATDASH_THREADS")
    return dict.fromkeys(names, str(threads)) | {"OMP_WAIT_POLICY": "passive"}


def check_certificates(address: str, role: str) -> None:
    """ValueError, one sentence, if a tls:// scheduler is to be reached as "client" or "worker" without certificates.

    Dask reads them from its own configuration. Whether the scheduler trusts them is for the scheduler to say.
    """
    if not address.startswith("tls://"):
        return
    try:
        reason = "they are not set" if Security().get_connection_args(role)["ssl_context"] is None else ""
    except OSError as error:  # no such file, or no certificate in it
        reason = error.strerror or type(error).__name__
    if reason:
        rule = f"distributed.comm.tls must name ca-file, {role}.cert and {role}.key to reach {address}"
        raise ValueError(f"{rule}, got: {reason}; set them to PEM files in Dask's configuration")


def run_worker(address: str, environment: Mapping[str, str] = os.environ) -> int:
    """Serve runs for the scheduler at `address` until told to stop; returns the exit code.

    Errors: ValueError for a tls:// address without certificates.
    FEATDASH_WORKERS processes (see `worker_count`), one run each, with the cores divided among them. Dask's own limit
    of memory is off, the machine's divided by its cores: on 8 cores with 8 GB it would end a run of 0.6 GB that this
    server takes on, and say nothing. `MemoryWatch` is the limit.
    """
    from distributed.cli.dask_worker import main  # here: a command line, which neither server nor workers need

    for role in ("client", "worker"):
        check_certificates(address, role)
    try:
        Client(address, timeout=5, set_as_default=False).close()
    except (OSError, TimeoutError, ValueError):
        print(
            f"the scheduler must answer within 5 s, {address} did not; start it with: dask scheduler", file=sys.stderr
        )
        return 1
    workers = worker_count(environment)
    threads = max(1, (os.cpu_count() or 1) // workers)
    dask.config.set({"distributed.nanny.pre-spawn-environ": thread_environment(threads)} | AT_REST)
    preload = [option for module in PRELOAD for option in ("--preload", module)]
    options = ("--nworkers", str(workers), "--nthreads", "1", "--memory-limit", "0", "--no-dashboard")
    main([address, *options, *preload], standalone_mode=False)
    return 0


class MemoryWatch:
    """While entered, compares what this process has grown by with `limit` bytes times MARGIN.

    Beyond that the run is failed at its next event; if it goes on all the same, or grows to FAR_TOO_MUCH, `on_kill` is
    given the reason and the process is killed. The process as it is on entering counts as the worker's own.

    remedy : what to lower, for the sentence.
    """

    def __init__(self, limit: float, remedy: str, flags: Flags, on_kill: Callable[[str], None]) -> None:
        self._most = MARGIN * limit
        rule = f"the run needed more than {format_bytes(self._most)} of memory, the limit is {format_bytes(limit)}"
        self._reason = f"{rule}; {remedy}"
        self._flags, self._on_kill = flags, on_kill
        self._process = psutil.Process()
        self._leaving = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="featdash-memory", daemon=True)

    def __enter__(self) -> Self:
        self._own = self._resident()
        self._thread.start()
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._leaving.set()
        self._thread.join()
        trim_heap()

    def _resident(self) -> int:
        """Bytes without those of files: how much of the libraries' code is there with what was needed is chance."""
        memory = self._process.memory_info()
        return memory.rss - getattr(memory, "shared", 0)  # which psutil knows on Linux alone

    def _watch(self) -> None:
        since = None
        while not self._leaving.wait(INTERVAL):
            growth = self._resident() - self._own
            if growth <= self._most:
                continue
            if since is None:
                since = time.monotonic()
                self._flags.fail(self._reason)
            if growth > FAR_TOO_MUCH * self._most or time.monotonic() - since > GRACE:
                with contextlib.suppress(OSError):  # not heard in time, or nobody is there to hear it
                    self._on_kill(self._reason)
                os.kill(os.getpid(), signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)


def trim_heap() -> None:
    """Give back what a run has freed: else glibc keeps it, and the next run would begin in a swollen process."""
    with contextlib.suppress(OSError, AttributeError, TypeError):  # not glibc
        ctypes.CDLL(None).malloc_trim(0)
