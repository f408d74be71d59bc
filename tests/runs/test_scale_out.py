"""A sweep on a cluster of Dask's own processes: same numbers, workers and servers may come and go, and TLS."""

import logging
import shutil
import subprocess

import dask
import pytest
from cluster import Cluster, kill, wait
from toy_experiments import ToySpec, computed

from featdash.__main__ import main
from featdash.lessons.sweep import recipe as sweep_recipe
from featdash.lessons.sweep.recipe import SweepSpec
from featdash.recipes.experiment import find_experiment
from featdash.recipes.version import run_id
from featdash.runs.dask.worker import PRELOAD
from featdash.runs.execution import Flags, perform

SHORT = {"n": (30, 200), "widths": (20,), "holdout": 300, "test": 300}
LONG = {"n": (30, 3000), "widths": (200,), "holdout": 20_000, "test": 20_000}  # about half a second a cell


@pytest.fixture(autouse=True)
def _quiet():
    """Dask reports lost workers and schedulers as errors; here they are lost on purpose."""
    logging.getLogger("distributed").setLevel(logging.CRITICAL)


@pytest.fixture(scope="module")
def cluster():
    """One for all tests of this file, in their order: workers once there are used by the next one."""
    with Cluster() as one:
        yield one


def points_seen(service, name):
    return [(frame.stream, frame.at) for frame in service.frames(name) if frame.stream.endswith("/points")]


def processes(log):
    """Which have computed something, from the log of toy runs."""
    return {line.split()[-1] for line in log.read_text().splitlines()} if log.exists() else set()


def cells_of(recipe):
    """The ids of the cells of those tallies."""
    return [run_id(*cell) for cell in find_experiment("tallies").cells(recipe)]


def test_a_worker_that_joins_midway_is_used(cluster, tmp_path):
    log = tmp_path / "log"
    cluster.have(1)
    with cluster.serve(tmp_path / "home") as service:
        name = service.submit("tallies", ToySpec(steps=800, pause=0.05, log=str(log)), "a")
        wait(service, name, lambda _: len(processes(log)) == 1)
        cluster.have(2)
        wait(service, name, lambda _: len(processes(log)) == 2)
        service.stop(name)


def test_a_sweep_goes_on_when_its_server_comes_back_and_no_cell_is_finished_twice(cluster, tmp_path):
    cluster.have(2)
    log = tmp_path / "log"
    recipe = ToySpec(steps=8, pause=0.2, log=str(log))
    cells = cells_of(recipe)
    with cluster.serve(tmp_path / "home") as service:
        name = service.submit("tallies", recipe, "a")
        wait(service, name, lambda _: sum(service.get(cell).status == "done" for cell in cells) >= 3)
        views = {cell: service.get(cell) for cell in cells}
        finished = {cell: view.finished for cell, view in views.items() if view.status == "done"}
        assert 3 <= len(finished) < len(cells)
    with cluster.serve(tmp_path / "home") as service:
        assert wait(service, name).status == "done"
        assert service.result(name).summary["totals"] == [0] * 8
        assert {cell: service.get(cell).finished for cell in finished} == finished
    times = [computed(log)[1, seed] for seed in range(8)]
    assert [count for cell, count in zip(cells, times, strict=True) if cell in finished] == [1] * len(finished)
    assert sum(times) <= len(cells) + 2  # those that the first server left undone


def test_a_cluster_gives_the_numbers_of_this_machine(cluster, tmp_path):
    workers = cluster.have(2)
    spec = SweepSpec(seeds=(0, 1), **SHORT)
    with cluster.serve(tmp_path, PRELOAD) as service:
        name = service.submit("sweep", spec, "a")
        assert wait(service, name).status == "done"
        there = service.result(name).summary
    here = perform(sweep_recipe.EXPERIMENT, spec, [].append, Flags(), "cpu").result.summary
    assert there["gaps"] == here["gaps"] == []
    for mine, theirs in zip(here["points"], there["points"], strict=True):
        assert all(mine[key] == theirs[key] for key in ("method", "width", "n", "seed"))
        # another number of threads sums single-precision products in another order
        assert theirs["excess_risk"] == pytest.approx(mine["excess_risk"], rel=1e-5)
    assert cluster.busy() >= workers


def test_a_sweep_outlives_one_of_its_workers_without_a_gap(cluster, tmp_path):
    cluster.have(2)
    with cluster.serve(tmp_path, PRELOAD) as service:
        name = service.submit("sweep", SweepSpec(seeds=(0, 1, 2), **LONG), "a")
        wait(service, name, lambda view: len(points_seen(service, name)) > 1 or not view.active)
        kill(cluster.workers.pop(0))
        view = wait(service, name)
        assert (view.status, view.error) == ("done", None)
        summary, seen = service.result(name).summary, points_seen(service, name)
    assert summary["gaps"] == []
    assert len(summary["points"]) == len(seen) == len(set(seen)) == 18


def test_a_lost_scheduler_is_one_sentence(cluster, tmp_path, monkeypatch):
    """The last test of this cluster. What was finished stays, what was not tells why."""
    monkeypatch.setattr("featdash.runs.dask.cluster.ANSWER", 1.0)
    cluster.have(1)
    with cluster.serve(tmp_path) as service:
        recipe = ToySpec(steps=8, pause=0.2)
        name = service.submit("tallies", recipe, "a")
        wait(service, name, lambda _: any(service.get(cell).status == "done" for cell in cells_of(recipe)))
        kill(cluster.scheduler)
        view = wait(service, name)
        assert view.status == "done"
        summary = service.result(name).summary
        assert 0 < len(summary["errors"]) < 8
        assert summary["totals"].count(0) == 8 - len(summary["errors"])
        for error in summary["errors"]:
            assert cluster.address in error
            assert "; " in error
        assert view.error.startswith(f"{len(summary['errors'])} of 8 cells failed")


@pytest.fixture(scope="module")
def certificates(tmp_path_factory):
    """Files of an authority made here, and of one certificate that it has signed."""
    if shutil.which("openssl") is None:
        pytest.skip("no openssl on the PATH; install it (Debian: apt-get install openssl) to run the TLS test")
    folder = tmp_path_factory.mktemp("certificates")
    new, quiet = ("-newkey", "rsa:2048", "-nodes"), {"cwd": folder, "check": True, "capture_output": True}
    request = ["openssl", "req", *new, "-subj"]
    subprocess.run([*request, "/CN=authority", "-x509", "-keyout", "ca.key", "-out", "ca.pem"], **quiet)
    subprocess.run([*request, "/CN=featdash", "-keyout", "key.pem", "-out", "request.pem"], **quiet)
    sign = ["openssl", "x509", "-req", "-in", "request.pem", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"]
    subprocess.run([*sign, "-out", "cert.pem"], **quiet)
    return {name: str(folder / f"{name}.pem") for name in ("ca", "cert", "key")}


def test_a_cluster_that_speaks_tls_computes_for_those_with_a_certificate(certificates, tmp_path, capsys):
    files = [f"--tls-ca-file={certificates['ca']}"] + [f"--tls-{name}={certificates[name]}" for name in ("cert", "key")]
    with Cluster(*files) as cluster:
        tls = {"ca-file": "ca", "client.cert": "cert", "client.key": "key"}
        mine = {f"distributed.comm.tls.{name}": certificates[file] for name, file in tls.items()}
        with dask.config.set({**mine, "distributed.comm.require-encryption": True}):
            cluster.have(1)
            with cluster.serve(tmp_path / "home") as service:
                assert wait(service, service.submit("count", ToySpec(), "a")).status == "done"
        with cluster.serve(tmp_path / "stranger") as service:
            view = wait(service, service.submit("count", ToySpec(), "a"))
        rule = f"distributed.comm.tls must name ca-file, client.cert and client.key to reach {cluster.address}"
        remedy = "set them to PEM files in Dask's configuration"
        assert (view.status, view.error) == ("failed", f"{rule}, got: they are not set; {remedy}")
        assert main(["worker", cluster.address]) == 2
        assert rule in capsys.readouterr().err
