"""A run that needs more memory than it may ends with one sentence, alone."""

import gc
import os

import numpy as np
import psutil
import pytest
from cluster import PATIENCE, wait
from hand_engine import until
from toy_experiments import ToySpec, executions

from featdash.runs.dask.engine import DaskEngine
from featdash.runs.dask.worker import MARGIN, MemoryWatch, trim_heap
from featdash.runs.execution import Flags
from featdash.runs.service import RunService
from featdash.runs.store import Store

LIMIT = 2e8  # ten steps of `hoard` or `hog`, thirteen with the margin
SENTENCE = "the run needed more than 260 MB of memory, the limit is 200 MB; lower steps to 1"


@pytest.fixture(scope="module")
def service(tmp_path_factory):
    """Two workers whose runs may need 200 MB, on a machine of whose memory Dask would give each process less."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("distributed.system.MEMORY_LIMIT", int(LIMIT))
        engine = DaskEngine(None, 2, preload=("toy_experiments",), memory=LIMIT)
        service = RunService(engine, Store(tmp_path_factory.mktemp("memory")))
        yield service
        service.close()


def worker_of(log):
    return psutil.Process(int(log.read_text().split()[-1]))


def test_a_run_beyond_the_limit_fails_at_its_next_event_and_its_worker_lives(service, tmp_path):
    log = tmp_path / "log"
    other = service.submit("count", ToySpec(steps=75, pause=0.02, seed=1), "b")
    greedy = service.submit("hoard", ToySpec(steps=500, pause=0.05, log=str(log)), "a")
    view = wait(service, greedy)
    assert (view.status, view.error) == ("failed", SENTENCE)
    worker = worker_of(log)
    assert worker.memory_info().rss < LIMIT + 2e8  # it has given the memory back
    assert wait(service, other).status == "done"
    again = service.submit("hoard", ToySpec(steps=10, seed=2, log=str(log)), "a")
    assert wait(service, again).status == "done"


def test_a_run_that_hears_nothing_loses_its_worker_and_only_that(service, tmp_path):
    log = tmp_path / "log"
    other = service.submit("count", ToySpec(steps=75, pause=0.02, seed=3), "b")
    deaf = service.submit("hog", ToySpec(steps=500, pause=0.05, log=str(log)), "a")
    wait(service, deaf, lambda view: view.fraction > 0)
    worker = worker_of(log)
    view = wait(service, deaf)
    assert (view.status, view.error) == ("failed", SENTENCE)
    worker.wait(PATIENCE)
    assert executions(log) == 1
    assert wait(service, other).status == "done"
    assert wait(service, service.submit("count", ToySpec(seed=4), "a")).status == "done"


def test_a_run_within_the_limit_hears_nothing_of_it_whatever_it_reads_of_files(monkeypatch, tmp_path):
    """Of its libraries', and of this one of 100 MB."""
    flags, looks = Flags(), []
    (tmp_path / "file").write_bytes(bytes(10**8))
    mapped = np.memmap(tmp_path / "file", mode="r")
    look = MemoryWatch._resident
    monkeypatch.setattr(MemoryWatch, "_resident", lambda watch: looks.append(look(watch)) or looks[-1])
    with MemoryWatch(1e8, "lower n", flags, pytest.fail):
        assert mapped.max() == 0  # it has been read
        held = np.ones(int(1.1e8 / 8))  # above the limit, below what is allowed
        until(lambda: looks[-1] - looks[0] > 1e8)
        count = len(looks)
        until(lambda: len(looks) > count)  # it has acted on that
        flags.obey()
    assert 1e8 < held.nbytes < MARGIN * 1e8


def test_freed_blocks_leave_the_process():
    process = psutil.Process(os.getpid())
    held = [np.ones(5000) for _ in range(5000)]  # 200 MB in pieces that the heap keeps
    pins = held[::50]
    full = process.memory_info().rss
    del held
    gc.collect()
    trim_heap()
    assert full - process.memory_info().rss > 150e6
    assert len(pins) == 100
