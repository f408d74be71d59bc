"""The connection to Dask: to a scheduler inside this server, or to one that several machines share; and its threads."""

from __future__ import annotations

import contextlib
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

import dask
from distributed import Client, LocalCluster, Security

from featdash.runs.dask.worker import AT_REST, WorkerSetup, check_certificates, thread_environment
from featdash.runs.execution import attempt

ANSWER = 5.0  # seconds for a scheduler to answer, or for a worker to join it
REGISTER_EVERY = 1.0  # seconds after which a scheduler is told again what runs need; none is restarted in less
NEVER = "1000 days"
DESERTED = 60.0  # seconds without any worker after which none is expected back: one is restarted in two to ten
GOODBYE = 0.5  # seconds to tell a worker at the end
UNREACHABLE = (OSError, TimeoutError)  # what Dask raises when a scheduler or a worker does not answer
TICK = 1.0  # seconds between two checks of what no message tells
JOIN = 30.0  # seconds for both threads to come to their end

Action = Callable[[], Any]

log = logging.getLogger(__name__)


class DaskCluster:
    """A connection that is made when needed, and made anew after it was lost. Used by the engine's one thread.

    scheduler : address; None embeds a scheduler with `workers` processes on loopback.
    topic, on_message : messages that workers log on the topic go there, on Dask's event loop.
    """

    def __init__(
        self,
        scheduler: str | None,
        workers: int,
        preload: tuple[str, ...],
        topic: str,
        on_message: Callable[[tuple[float, Any]], None],
    ) -> None:
        self.scheduler, self.workers = scheduler, workers
        self._preload, self._topic, self._on_message = preload, topic, on_message
        self._local: LocalCluster | None = None
        self._client: Client | None = None
        self._refusal: tuple[float, str] = (-ANSWER, "")
        self._registered_at = -REGISTER_EVERY
        self._worker_seen = 0.0
        self._calls: list[threading.Thread] = []

    def connect(self) -> Client:
        """The client of a scheduler that has a worker. ValueError with one sentence if that cannot be had."""
        client = self._client
        if client is None or not self.running():
            self.disconnect()
            since, refusal = self._refusal
            if time.monotonic() - since < ANSWER:
                raise ValueError(refusal)
            client = self._client = self._open()
            self._worker_seen = time.monotonic()
            self._register(client)
        elif self.scheduler is not None and time.monotonic() - self._registered_at > REGISTER_EVERY:
            self._register(client)
        return client

    def running(self) -> bool:
        return self._client is not None and self._client.status == "running"

    def lost(self) -> bool:
        """Whether there was a connection that Dask has given up, or whose workers have gone for good."""
        return self._client is not None and (self._client.status == "closed" or self._deserted())

    def _deserted(self) -> bool:
        """Whether the embedded cluster has no worker any more, as where a machine without memory can start none."""
        scheduler = None if self._local is None else self._local.scheduler
        if scheduler is None or scheduler.workers:
            self._worker_seen = time.monotonic()
        return time.monotonic() - self._worker_seen > DESERTED

    def send(
        self, address: str, function: Callable, *args: Any, nanny: bool = False, then: Callable[[], None] | None = None
    ) -> None:
        """Have a worker or its nanny call a function, then call `then`; does not wait for one that is deaf."""

        def call(client: Client) -> None:
            try:
                client.run(function, *args, workers=[address], nanny=nanny, on_error="ignore")
            except (*UNREACHABLE, RuntimeError, ValueError, KeyError) as error:
                log.info("%s could not be reached: %s", address, error)
            if then is not None:
                then()

        if self._client is not None:
            thread = threading.Thread(target=call, args=(self._client,), name="featdash-call", daemon=True)
            self._calls = [one for one in self._calls if one.is_alive()] + [thread]
            thread.start()

    def disconnect(self) -> None:
        for thread in self._calls:
            thread.join(timeout=GOODBYE)
        client, self._client = self._client, None
        local, self._local = self._local, None
        for one in (client, local):
            if one is not None:
                with contextlib.suppress(*UNREACHABLE, RuntimeError):
                    one.close(timeout=ANSWER)

    def _open(self) -> Client:
        dask.config.set(
            {
                "distributed.scheduler.allowed-failures": 0,  # else a run that kills its worker is tried again
                "distributed.admin.low-level-log-length": 100,  # messages kept by the scheduler, frames among them
                # Else 15 s after a loss Dask gives up a worker that is not there, though it may just be coming back:
                # after a second loss, or on a busy machine. Nothing would take its place.
                "distributed.deploy.lost-worker-timeout": NEVER,
                "distributed.nanny.pre-spawn-environ": thread_environment(self._threads()),
            }
            | AT_REST
        )
        check_certificates(self.scheduler or "", "client")
        try:
            if self.scheduler is None:
                self._local = _local_cluster(self.workers)
            return Client(self._local or self.scheduler, timeout=ANSWER, set_as_default=False)
        except (*UNREACHABLE, RuntimeError, ValueError) as error:
            self._refuse(error)

    def _register(self, client: Client) -> None:
        """Tell the scheduler and its workers what runs need; again now and then, for it may have been started anew."""
        client.subscribe_topic(self._topic, self._on_message)
        try:
            client.register_plugin(WorkerSetup(self._threads() if self.scheduler is None else None, self._preload))
            if self.scheduler is not None:
                client.wait_for_workers(1, timeout=ANSWER)
                self.workers = len(client.nthreads())
            self._registered_at = time.monotonic()
        except ImportError as error:
            raise ValueError(
                f"workers must be able to import what runs need, got: {error}; install it there"
            ) from error
        except TimeoutError as error:
            rule = f"{self.scheduler} must have a worker, it has none after {ANSWER:g} s"
            raise ValueError(f"{rule}; start one with: python -m featdash worker {self.scheduler}") from error
        except OSError as error:
            if not self.running():
                raise
            log.info("a worker was lost while it got ready; the scheduler tells the next one (%s)", error)

    def _refuse(self, error: Exception) -> NoReturn:
        log.info("no scheduler", exc_info=True)
        if self.scheduler is None:
            sentence = f"workers could not be started on this machine ({error}); start the server again"
        else:
            rule = f"FEATDASH_SCHEDULER must answer within {ANSWER:g} s, {self.scheduler} did not"
            trust = ", see that it and this server trust one authority" if self.scheduler.startswith("tls://") else ""
            sentence = f"{rule}; start it with `dask scheduler`{trust}, or unset FEATDASH_SCHEDULER"
        self._refusal = time.monotonic(), sentence
        raise ValueError(sentence) from error

    def _threads(self) -> int:
        return max(1, (os.cpu_count() or 1) // self.workers)


def _local_cluster(workers: int) -> LocalCluster:
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        memory_limit=None,  # see `worker.run_worker`
        host="127.0.0.1",
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # its web server cannot be had without; not on port 8787
        silence_logs=logging.ERROR,
        security=_own_certificate(),
    )


def _own_certificate() -> Security | None:
    """A certificate in the memory of this server and its workers alone, to which no other user of the machine gets.

    Loopback alone keeps out other machines, but a scheduler runs the code of whoever reaches its port.
    """
    try:
        return Security.temporary()
    except ImportError:
        log.warning("other users of this machine can reach the workers; pip install cryptography to keep them out")
        return None


class EventLoop:
    """What is given to `put` is done in that order on one thread, so that nothing of a run happens twice at a time.

    act : carries out an action on behalf of the job of that key; never raises.
    watch : done once a second; finish : done last, when closed.
    """

    def __init__(self, act: Callable[[Action, str], None], watch: Action, finish: Action) -> None:
        self._act, self._watch, self._on_close = act, watch, finish
        self._inbox: queue.SimpleQueue[tuple[Action, str] | None] = queue.SimpleQueue()
        self._ends: queue.SimpleQueue[Action | None] = queue.SimpleQueue()
        self._threads = [threading.Thread(target=loop, daemon=True) for loop in (self._act_in_turn, self._call_back)]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def put(self, action: Action, key: str = "") -> None:
        self._inbox.put((action, key))

    def put_end(self, end: Action) -> None:
        """Leave it to the second thread: results are then written, and a disk may be slow."""
        self._ends.put(end)

    def close(self) -> None:
        self._inbox.put(None)
        for thread in self._threads:
            thread.join(timeout=JOIN)

    def _act_in_turn(self) -> None:
        last_watch = time.monotonic()
        while True:
            try:
                work = self._inbox.get(timeout=TICK)
            except queue.Empty:
                work = (self._watch, "")
            if work is None:
                break
            self._act(*work)
            if time.monotonic() - last_watch > TICK:  # messages never stop where runs are busy
                last_watch = time.monotonic()
                self._act(self._watch, "")
        self._on_close()
        self._ends.put(None)

    def _call_back(self) -> None:
        while (end := self._ends.get()) is not None:
            attempt(end)  # for the sake of the runs that end after this one
