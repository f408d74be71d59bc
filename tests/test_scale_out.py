"""A sweep on a cluster of Dask's own processes: same numbers, and workers may come and go."""

import logging
import os
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from conftest import free_port
from distributed import Client

from featdash.experiments import sweep
from featdash.experiments.sweep import SweepSpec
from featdash.runs.dask_engine import LOST, DaskEngine
from featdash.runs.execution import Flags, perform
from featdash.runs.service import RunService
from featdash.runs.store import Store

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 90.0  # far beyond what anything here takes; ends a hanging test
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
SHORT = {"n": (30, 200), "widths": (20,), "holdout": 300, "test": 300}
LONG = {"n": (30, 3000), "widths": (200,), "holdout": 20_000, "test": 20_000}  # about half a second a cell


@pytest.fixture(autouse=True)
def _quiet():
    """Dask reports lost workers and schedulers as errors; here they are lost on purpose."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)


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
    """A scheduler on loopback, workers that join, and services that send their runs there."""

    def __init__(self) -> None:
        super().__init__()
        self.address = f"tcp://127.0.0.1:{free_port()}"
        where = ("--host", "127.0.0.1", "--port", self.address.rpartition(":")[2], "--no-dashboard")
        self.scheduler = self.enter_context(process("scheduler", *where))
        self.workers: list[subprocess.Popen] = []

    def join(self) -> None:
        """Start one more worker."""
        options = ("--nworkers", "1", "--nthreads", "1", "--host", "127.0.0.1", "--no-dashboard")
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
    def serve(self, home: Path):
        service = RunService(DaskEngine(self.address, 2), Store(home))
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


@pytest.fixture(scope="module")
def cluster():
    with Cluster() as one:
        yield one


def wait(service, name, ready=lambda view: not view.active):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        view = service.look(name)
        if ready(view):
            return view
        time.sleep(0.02)
    raise TimeoutError(f"still {view}")


def points_seen(service, name):
    return sum(frame.stream.endswith("/points") for frame in service.frames(name))


def test_a_cluster_gives_the_numbers_of_this_machine(cluster, tmp_path):
    workers = cluster.have(2)
    spec = SweepSpec(seeds=(0, 1), **SHORT)
    with cluster.serve(tmp_path) as service:
        name = service.submit("sweep", spec, "a")
        assert wait(service, name).status == "done"
        there = service.result(name).summary
    here = perform(sweep.EXPERIMENT, spec, [].append, Flags(), "cpu").result.summary
    assert there["gaps"] == here["gaps"] == []
    for mine, theirs in zip(here["points"], there["points"], strict=True):
        assert all(mine[key] == theirs[key] for key in ("method", "width", "n", "seed"))
        # another number of threads sums single-precision products in another order
        assert theirs["excess_risk"] == pytest.approx(mine["excess_risk"], rel=1e-5)
    assert cluster.busy() >= workers


def test_a_sweep_outlives_one_of_its_workers(cluster, tmp_path):
    cluster.have(2)
    with cluster.serve(tmp_path) as service:
        name = service.submit("sweep", SweepSpec(seeds=(0, 1, 2), **LONG), "a")
        wait(service, name, lambda view: points_seen(service, name) > 1 or not view.active)
        kill(cluster.workers.pop(0))
        assert wait(service, name).status == "done"
        summary = service.result(name).summary
    assert {gap["reason"] for gap in summary["gaps"]} <= {LOST}
    assert len(summary["gaps"]) <= 1  # what that worker was at
    assert len(summary["points"]) + 2 * len(summary["gaps"]) == 18


def test_a_worker_that_joins_midway_is_used(cluster, tmp_path):
    first = cluster.have(1)
    with cluster.serve(tmp_path) as service:
        name = service.submit("sweep", SweepSpec(seeds=tuple(range(8)), **LONG), "a")
        wait(service, name, lambda view: points_seen(service, name) > 0 or not view.active)
        (joined,) = cluster.have(2) - first
        assert wait(service, name).status == "done"
    assert joined in cluster.busy()


def test_a_lost_scheduler_is_one_sentence(cluster, tmp_path):
    """The last test of this cluster. What was finished stays, what was not tells why."""
    cluster.have(1)
    with cluster.serve(tmp_path) as service:
        name = service.submit("sweep", SweepSpec(seeds=(0, 1, 2), **LONG), "a")
        wait(service, name, lambda view: points_seen(service, name) > 2 or not view.active)
        kill(cluster.scheduler)
        assert wait(service, name).status == "done"
        gaps = service.result(name).summary["gaps"]
        assert gaps
        for gap in gaps:
            assert cluster.address in gap["reason"]
            assert "; " in gap["reason"]
        assert service.result(name).summary["points"]
