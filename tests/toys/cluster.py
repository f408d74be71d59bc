"""A Dask cluster of its own processes on loopback: a scheduler, and workers that come and go."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

from distributed import Client
from real_server import free_port

from featdash.runs.dask.engine import DaskEngine
from featdash.runs.service import RunService
from featdash.runs.store import Store

PATIENCE = 90.0  # far beyond what anything here takes; ends a hanging test
TESTS = Path(__file__).resolve().parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join([str(TESTS.parents[1]), str(TESTS)])}
ENVIRONMENT |= {"OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}


@contextmanager
def process(*command: str):
    """`dask <command>` in a process group of its own, ended with all its children."""
    started = subprocess.Popen(
        [sys.executable, "-m", "dask", *command],
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield started
    finally:
        kill(started)


def kill(started: subprocess.Popen) -> None:
    """kill -9 of a scheduler, or of a worker with its nanny."""
    if started.poll() is None:
        os.killpg(started.pid, signal.SIGKILL)
    started.wait(PATIENCE)


class Cluster(ExitStack):
    """A scheduler on loopback, workers that join, and services that send their runs there.

    certificates : options of both commands, with which they speak TLS.
    """

    def __init__(self, *certificates: str) -> None:
        super().__init__()
        self.address = f"{'tls' if certificates else 'tcp'}://127.0.0.1:{free_port()}"
        self._options = ("--host", "127.0.0.1", "--no-dashboard", *certificates)
        protocol, _, port = self.address.split(":")
        where = ("--protocol", protocol, "--port", port)
        self.scheduler = self.enter_context(process("scheduler", *where, *self._options))
        self.workers: list[subprocess.Popen] = []

    def join(self) -> None:
        """Start one more worker."""
        options = ("--nworkers", "1", "--nthreads", "1", *self._options)
        self.workers.append(self.enter_context(process("worker", self.address, *options)))

    def have(self, count: int) -> set[str]:
        """Start or kill workers until so many are left; their addresses."""
        while len(self.workers) > count:
            kill(self.workers.pop())
        while len(self.workers) < count:
            self.join()
        with self._client() as client:
            client.wait_for_workers(count, timeout=PATIENCE)
            while len(workers := client.scheduler_info(n_workers=-1)["workers"]) > count:
                time.sleep(0.05)
        return set(workers)

    @contextmanager
    def serve(self, home: Path, preload: tuple[str, ...] = ("toy_experiments",)):
        """A service whose runs are computed here."""
        service = RunService(DaskEngine(self.address, 2, preload=preload), Store(home))
        try:
            yield service
        finally:
            service.close()

    def busy(self) -> set[str]:
        """Addresses of the workers that have sent messages of runs."""
        with self._client() as client:
            topics = {name: events for name, events in client.get_events().items() if name.startswith("featdash-")}
        return {message[1] for events in topics.values() for _, message in events}

    def _client(self) -> Client:
        return Client(self.address, timeout=PATIENCE, set_as_default=False)


def wait(service: RunService, name: str, ready=lambda view: not view.active):
    """The first view of the run that is `ready`, by default the one of its end."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        view = service.get(name)
        if ready(view):
            return view
        time.sleep(0.01)
    raise TimeoutError(f"still {view}")
