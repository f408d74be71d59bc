"""Runs in real worker processes: complete and in order, stopped, killed, and lost without harm to the rest."""

import asyncio
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from contextlib import ExitStack
from pathlib import Path
from types import SimpleNamespace

import dask
import numpy as np
import psutil
import pytest
from cluster import PATIENCE, wait
from distributed.client import FutureCancelledError
from distributed.utils import LoopRunner
from hand_engine import until
from toy_experiments import ToySpec, computed, executions

from featdash.recipes.events import Frame
from featdash.recipes.experiment import find_experiment
from featdash.recipes.version import package_version
from featdash.runs.codec import decode
from featdash.runs.dask import worker as dask_worker
from featdash.runs.dask.engine import LOST, DaskEngine
from featdash.runs.execution import Job
from featdash.runs.limits import Limits
from featdash.runs.service import RunService
from featdash.runs.store import Store

TOYS = ("toy_experiments",)  # in place of torch


@pytest.fixture(scope="module")
def engine():
    """One embedded cluster of two workers for all tests of this file."""
    return DaskEngine(None, 2, preload=TOYS)


@pytest.fixture(scope="module")
def service(engine, tmp_path_factory):
    service = RunService(engine, Store(tmp_path_factory.mktemp("dask")))
    yield service
    service.close()


@pytest.fixture
def impatient(engine, tmp_path):
    """A service of the same workers, which kills a run that has not stopped a tenth of a second after it was asked."""
    store = Store(tmp_path / "impatient")
    yield RunService(engine, store, Limits(grace=0.1))
    store.close()  # and not the service, which would close the engine


@pytest.fixture(scope="module")
def single():
    """An embedded cluster of one worker, for which Dask by itself would hardly wait while it is away."""
    with dask.config.set({"distributed.deploy.lost-worker-timeout": "10ms"}):
        engine = DaskEngine(None, 1, preload=TOYS)  # it starts its cluster with the first run
        yield engine
        engine.close()


@pytest.fixture
def single_service(single, tmp_path):
    store = Store(tmp_path / "single")
    yield RunService(single, store)
    store.close()  # and not the service, which would close the engine


@pytest.fixture(autouse=True)
def _quiet():
    """Dask reports each lost worker as an error; here they are lost on purpose."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)


def begun(view):
    return view.fraction > 0


def worker_of(log: Path) -> int:
    return int(log.read_text().split()[-1])


def test_events_are_complete_and_in_order(service):
    for seed in range(5):  # a worker this fast is done before its events are here
        name = service.submit("count", ToySpec(steps=300, seed=seed), "a")
        view = wait(service, name)
        assert (view.status, view.fraction) == ("done", 1.0)
        assert [frame.at for frame in service.frames(name)] == list(range(300))
        assert [int(frame.arrays["square"]) for frame in service.frames(name)] == [n * n for n in range(300)]
        assert service.result(name).summary["total"] == sum(n * n for n in range(300))


def test_a_large_result_arrives_whole(service):
    name = service.submit("bulky", ToySpec(steps=30), "a")
    assert wait(service, name).status == "done"
    np.testing.assert_array_equal(service.result(name).arrays["block"], np.arange(30 * 125_000.0))


def test_equal_recipes_are_computed_once(service, tmp_path):
    recipe = ToySpec(steps=5, pause=0.02, log=str(tmp_path / "log"))
    names = {service.submit("count", recipe, session) for session in "abcdef"}
    assert len(names) == 1
    wait(service, *names)
    service.submit("count", recipe, "g")
    assert executions(tmp_path / "log") == 1


def test_workers_are_polite_and_share_the_cores(service, tmp_path):
    name = service.submit("count", ToySpec(steps=1, log=str(tmp_path / "log")), "a")
    wait(service, name)
    worker = psutil.Process(worker_of(tmp_path / "log"))
    assert worker.pid != os.getpid()
    assert worker.nice() == 10
    assert worker.environ()["OMP_NUM_THREADS"] == str(max(1, os.cpu_count() // 2))


def test_a_worker_at_rest_hardly_wakes(engine, service):
    wait(service, service.submit("count", ToySpec(steps=1), "a"))
    client = engine._cluster.connect()
    client.wait_for_workers(2, timeout=PATIENCE)
    pauses = client.run(
        lambda dask_worker: {name: one.callback_time for name, one in dask_worker.periodic_callbacks.items()}
    )
    assert len(pauses) == 2
    for milliseconds in pauses.values():
        assert sum(1000 / one for one in milliseconds.values()) < 50, f"times a second, between them: {milliseconds}"


@pytest.mark.parametrize(
    ("experiment", "part"), [("crash", "KeyError"), ("refuse", "steps must be even, got 3; add one")]
)
def test_a_failure_crosses_over_as_one_sentence(service, experiment, part):
    view = wait(service, service.submit(experiment, ToySpec(), "a"))
    assert view.status == "failed"
    assert part in view.error
    assert "\n" not in view.error


def test_a_running_run_stops_when_asked_and_its_worker_lives(service, tmp_path):
    log = tmp_path / "log"
    name = service.submit("count", ToySpec(steps=100_000, pause=0.01, log=str(log)), "a")
    wait(service, name, begun)
    worker = psutil.Process(worker_of(log))
    assert service.stop(name, "a") == "stops"
    view = wait(service, name)
    assert (view.status, view.error) == ("stopped", None)
    assert worker.is_running()
    assert len(service.frames(name)) > 0


def test_a_deaf_run_is_killed_and_only_that(service, impatient, tmp_path):
    log = tmp_path / "log"
    deaf = impatient.submit("deaf", ToySpec(pause=90, log=str(log)), "a")
    other = service.submit("count", ToySpec(steps=60, pause=0.02, seed=8), "b")
    wait(impatient, deaf, begun)
    wait(service, other, begun)
    worker = psutil.Process(worker_of(log))
    assert impatient.stop(deaf, "a") == "stops"
    assert wait(impatient, deaf).status == "stopped"
    worker.wait(PATIENCE)
    view = wait(service, other)
    assert view.status == "done"
    assert len(service.frames(other)) == 60


def test_a_queued_run_is_dropped_without_ever_beginning(service, tmp_path):
    busy = [service.submit("deaf", ToySpec(pause=0.5, seed=seed), "a") for seed in (20, 21)]
    queued = service.submit("count", ToySpec(log=str(tmp_path / "log")), "a")
    assert service.get(queued).place == 1
    assert service.stop(queued, "a") == "stops"
    assert service.get(queued).status == "stopped"
    assert [wait(service, name).status for name in busy] == ["done", "done"]
    assert executions(tmp_path / "log") == 0


def test_kill_minus_nine_fails_one_run_and_the_next_one_succeeds(service, tmp_path):
    log = tmp_path / "log"
    name = service.submit("count", ToySpec(steps=100_000, pause=0.01, log=str(log)), "a")
    other = service.submit("count", ToySpec(steps=100, pause=0.01, seed=9), "b")
    wait(service, name, begun)
    os.kill(worker_of(log), signal.SIGKILL)
    view = wait(service, name)
    assert (view.status, view.error) == ("failed", LOST)
    assert wait(service, other).status == "done"
    assert executions(log) == 1
    assert wait(service, service.submit("count", ToySpec(seed=10), "a")).status == "done"


def test_a_run_that_takes_its_worker_along_is_not_tried_again(service, tmp_path):
    log = tmp_path / "log"
    view = wait(service, service.submit("vanish", ToySpec(log=str(log)), "a"))
    assert (view.status, view.error) == ("failed", LOST)
    assert executions(log) == 1
    after = [service.submit("count", ToySpec(seed=seed), "a") for seed in (30, 31, 32)]
    assert [wait(service, name).status for name in after] == ["done"] * 3


def test_a_message_that_cannot_be_read_fails_its_run_and_no_other(service, monkeypatch):
    def decode_but_one(body):
        event = decode(body)
        if isinstance(event, Frame) and event.at == 70:
            raise LookupError("no such dtype")
        return event

    monkeypatch.setattr("featdash.runs.dask.engine.decode", decode_but_one)
    other = service.submit("deaf", ToySpec(pause=0.5, seed=50), "b")
    wait(service, other, begun)
    view = wait(service, service.submit("count", ToySpec(steps=80, seed=50), "a"))
    assert view.status == "failed"
    assert "LookupError: no such dtype" in view.error
    assert wait(service, other).status == "done"


def test_a_nanny_that_does_not_answer_holds_no_run_up(impatient, engine, monkeypatch):
    cluster = engine._cluster
    send = cluster.send
    monkeypatch.setattr("featdash.runs.dask.engine.KILL", 0.1)
    monkeypatch.setattr("featdash.runs.dask.cluster.TICK", 0.1)
    monkeypatch.setattr(cluster, "send", lambda *args, nanny=False, **rest: nanny or send(*args, **rest))
    name = impatient.submit("deaf", ToySpec(pause=1.2, seed=51), "a")
    wait(impatient, name, begun)
    assert impatient.stop(name, "a") == "stops"
    assert wait(impatient, name).status == "stopped"


def test_a_slow_disk_holds_up_no_events(engine):
    heard, told, waits = threading.Event(), threading.Event(), []

    def end_slowly(_):
        waits.append(heard.wait(20))
        told.set()

    spec = ToySpec(steps=1, seed=52)
    first, second = Job("slow", "count", spec), Job("next", "count", spec)
    engine.start(first, lambda _: None, end_slowly)
    until(lambda: first.key not in engine._tasks)
    engine.start(second, lambda _: heard.set(), lambda _: None)
    assert told.wait(PATIENCE)
    assert waits == [True]


@pytest.fixture
def sent(monkeypatch):
    """What a busy scheduler has heard of a worker in this process: after a while, confirmed or not."""
    said = []

    async def confirm(**message):
        await asyncio.sleep(0.1)
        said.append(message["msg"])

    runner = LoopRunner()
    runner.start()
    scheduler = SimpleNamespace(log_event=confirm)
    worker = SimpleNamespace(address="tcp://worker", loop=runner.loop, scheduler=scheduler)
    worker.log_event = lambda _, message: runner.loop.add_callback(confirm, msg=message)
    monkeypatch.setattr(dask_worker, "get_worker", lambda: worker)
    yield said
    runner.stop()


def test_a_worker_forgets_a_job_however_it_ends(sent):
    with pytest.raises(ValueError, match="steps must be"):
        dask_worker.run_job("key", "topic", "count", {"steps": -1}, "cpu", package_version())
    assert sent == [["key", "tcp://worker", b""]]
    assert dask_worker._flags == {}


def test_a_run_begins_once_the_scheduler_knows_of_it(sent, monkeypatch):
    """Else one that takes its process along at once would be taken for one that never began, and tried again."""
    known = []
    monkeypatch.setattr(dask_worker, "find_experiment", lambda name: known.append(list(sent)) or find_experiment(name))
    dask_worker.run_job("key", "topic", "count", {"steps": 1}, "cpu", package_version())
    assert known == [[["key", "tcp://worker", b""]]]


@pytest.mark.usefixtures("sent")
def test_a_scheduler_that_does_not_answer_keeps_no_swollen_run_alive(monkeypatch):
    killed = threading.Event()
    monkeypatch.setattr(dask_worker, "CONFIRM", 0.01)
    monkeypatch.setattr(os, "kill", lambda *_: killed.set())
    dask_worker.run_job("key", "topic", "count", {"steps": 1000, "pause": 0.01}, "cpu", package_version(), -1.0)
    assert killed.is_set()


def test_a_paused_run_stands_still_until_resumed(service):
    name = service.submit("count", ToySpec(steps=60, pause=0.01), "a")
    wait(service, name, begun)
    assert service.pause(name, "a")
    wait(service, _other(service, 1))  # by then what was on its way is there
    held = len(service.frames(name))
    assert held < 60
    wait(service, _other(service, 2))
    assert len(service.frames(name)) == held
    assert service.get(name).status == "paused"
    assert service.resume(name, "a")
    assert wait(service, name).status == "done"
    assert [frame.at for frame in service.frames(name)] == list(range(60))


def _other(service, seed):
    """A run on the other worker, of as many steps as the one that is paused has left at most."""
    return service.submit("count", ToySpec(steps=60, pause=0.01, seed=seed), "b")


def test_a_sweep_runs_its_cells_on_all_workers(service, tmp_path):
    log = tmp_path / "log"
    name = service.submit("counts", ToySpec(steps=5, pause=0.02, log=str(log)), "a")
    view = wait(service, name)
    assert view.status == "done"
    assert service.result(name).summary["totals"] == [0, None, 1, 5, 14, 30]
    assert len({line.split()[-1] for line in log.read_text().splitlines()}) == 2


@pytest.mark.parametrize("losses", [1, 2])
def test_a_cell_that_loses_its_worker_is_tried_once_more(service, tmp_path, losses):
    log = tmp_path / "log"
    recipe = ToySpec(failures=losses, pause=0.1, log=str(log), seed=60)
    name = service.submit("stumbles", recipe, "a")
    view = wait(service, name)
    assert view.status == "done"
    gap = f"1 of 3 cells failed because {LOST.rpartition('; ')[0]}; press Run to compute it again"
    assert view.error == (gap if losses == 2 else None)
    assert service.result(name).summary["totals"] == [1, None if losses == 2 else 1, 5]
    assert service.result(name).summary["errors"] == ([LOST] if losses == 2 else [])
    assert computed(log) == {(2, 60): 1, (1, 60): 2, (3, 60): 1}
    seen = sorted((frame.stream, frame.at) for frame in service.frames(name))
    around = [(f"cell/{index}/squares", at) for index, steps in ((0, 2), (2, 3)) for at in range(steps)]
    assert seen == sorted([*around, ("cell/1/squares", 0)])


def test_another_version_of_the_code_is_refused(service, monkeypatch):
    monkeypatch.setattr("featdash.runs.dask.engine.package_version", lambda: "0" * 12)
    view = wait(service, service.submit("count", ToySpec(seed=40), "a"))
    assert view.status == "failed"
    assert "server and worker must run the same code" in view.error


def test_a_worker_that_takes_long_to_come_back_is_waited_for(single_service, tmp_path):
    """Where Dask's own patience has an end, it gives such a worker up for good, and its next run waits for ever."""
    service = single_service
    assert wait(service, service.submit("vanish", ToySpec(log=str(tmp_path / "log")), "a")).error == LOST
    for seed in (1, 2):  # the first of them begins as the worker is back, and would be lost with it
        name = service.submit("count", ToySpec(steps=30, pause=0.01, seed=seed), "a")
        assert wait(service, name).status == "done"


def test_a_result_that_is_lost_on_its_way_is_one_sentence(service, monkeypatch):
    def fetch(future):  # the scheduler went away after the run's end
        raise FutureCancelledError(future.key, "scheduler-connection-lost")

    with monkeypatch.context() as patch:
        patch.setattr("featdash.runs.dask.engine._fetch", fetch)
        view = wait(service, service.submit("count", ToySpec(seed=41), "a"))
    assert view.status == "failed"
    assert view.error.startswith("the connection to the scheduler of this server was lost")
    assert wait(service, service.submit("count", ToySpec(seed=42), "a")).status == "done"


def test_a_run_that_no_worker_is_left_for_fails_and_the_next_one_has_a_new_worker(single, single_service, monkeypatch):
    service = single_service
    assert wait(service, service.submit("count", ToySpec(), "a")).status == "done"
    local = single._cluster._local
    local.sync(next(iter(local.workers.values())).close)  # as where a process could not be started anew
    name = service.submit("count", ToySpec(seed=1), "a")
    until(lambda: any(task.future for task in single._tasks.values()))
    monkeypatch.setattr("featdash.runs.dask.cluster.DESERTED", 0.1)
    view = wait(service, name)
    assert view.status == "failed"
    assert view.error.startswith("the connection to the scheduler of this server was lost")
    assert wait(service, service.submit("count", ToySpec(seed=2), "a")).status == "done"


def test_an_unreachable_scheduler_is_one_sentence_and_close_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("featdash.runs.dask.cluster.ANSWER", 0.5)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{probe.getsockname()[1]}"
    service = RunService(DaskEngine(address, 1, preload=TOYS), Store(tmp_path))
    view = wait(service, service.submit("count", ToySpec(), "a"))
    assert view.status == "failed"
    assert view.error.startswith(f"FEATDASH_SCHEDULER must answer within 0.5 s, {address} did not; ")
    service.close()
    service.close()


SCRIPT = """
import sys
from pathlib import Path

def main():
    from toy_experiments import ToySpec
    from featdash.runs.dask.engine import DaskEngine
    from featdash.runs.service import RunService
    from featdash.runs.store import Store
    service = RunService(DaskEngine(None, 1, preload=("toy_experiments",)), Store(Path(sys.argv[1])))
    service.submit("deaf", ToySpec(pause=90, log=sys.argv[2]), "a")
    sys.stdin.read()
    service.close()

with open(sys.argv[2] + ".names", "a") as file:
    file.write(__name__ + "\\n")
if __name__ == "__main__":
    main()
"""


def test_no_worker_outlives_its_server(tmp_path):
    farewells = {"close": lambda server: server.stdin.close(), "kill -9": lambda server: server.kill()}
    (tmp_path / "server.py").write_text(SCRIPT)
    tests = Path(__file__).resolve().parents[1]
    environment = {**os.environ, "PYTHONPATH": f"{tests.parent}{os.pathsep}{tests / 'toys'}"}
    with ExitStack() as ends:
        servers = []
        for name in farewells:
            command = [sys.executable, str(tmp_path / "server.py"), str(tmp_path / name), str(tmp_path / f"{name}.log")]
            pipes = {"stdin": subprocess.PIPE, "stderr": subprocess.DEVNULL}
            servers.append((name, ends.enter_context(subprocess.Popen(command, env=environment, **pipes))))
        workers = []
        for name, server in servers:
            workers.append(_worker_once_there(tmp_path / f"{name}.log"))
            farewells[name](server)
        for worker in workers:
            worker.wait(PATIENCE)
            assert not worker.is_running()
    for name in farewells:  # the worker imported the script, and its guard held
        assert (tmp_path / f"{name}.log.names").read_text().split() == ["__main__", "__mp_main__"]


def _worker_once_there(log):
    until(lambda: executions(log))
    return psutil.Process(worker_of(log))
