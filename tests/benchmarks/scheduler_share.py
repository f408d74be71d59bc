"""What Dask and our own service cost a cell of a sweep: PYTHONPATH=. python tests/benchmarks/scheduler_share.py

Starts a real `dask scheduler` and `dask worker`s on loopback and sends them, through the service,
(a) one composite of many tiny cells: wall seconds a cell, and processor seconds of each process;
(b) with --columns, the columns of one seed of Figure 1 at paper scale, on one worker of one thread: seconds each.
Then the projection: all seeds of that figure on a hundred workers, each column as long as in (b), or else as
`experiments/column.py` estimates it, handed out one after the other at the cost measured in (a).
"""

import argparse
import heapq
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import psutil

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "toys"))
from cluster import Cluster
from toy_experiments import ToySpec

from featdash.lessons.sweep.column_recipe import ColumnSpec
from featdash.lessons.sweep.column_recipe import cost as column_cost
from featdash.lessons.sweep.recipe import EXPERIMENT, PRESETS
from featdash.recipes.spec import Spec
from featdash.recipes.version import run_id
from featdash.runs.dask.engine import DaskEngine
from featdash.runs.dask.worker import PRELOAD
from featdash.runs.limits import Limits
from featdash.runs.service import RunService
from featdash.runs.store import Store

NO_LIMIT = Limits(seconds=1e6)
PAPER = PRESETS["figure1-paper"]


@dataclass(frozen=True)
class Share:
    """Seconds a cell: on the wall, and of processor time by process; `idle` is a worker's loss between two cells."""

    wall: float
    idle: float
    processor: dict[str, float]

    def dispatch(self) -> float:
        """Seconds between two cells begun: the busier of the two processes that see every cell."""
        return max(self.processor["server"], self.processor["scheduler"])


def compute(service: RunService, experiment: str, spec: Spec) -> float:
    """Wall seconds of a composite, from submit to done."""
    began = time.perf_counter()
    name = service.submit(experiment, spec, "benchmark")
    while (view := service.get(name)).active:
        time.sleep(0.02)
    assert (view.status, view.error) == ("done", None), view.error
    return time.perf_counter() - began


def measure_share(count: int, work: float, workers: int, home: Path) -> Share:
    """Of `count` cells that sleep for `work` seconds each."""
    with Cluster() as cluster:
        cluster.have(workers)
        service = RunService(DaskEngine(cluster.address, workers, preload=("toy_experiments",)), Store(home), NO_LIMIT)
        compute(service, "tallies", ToySpec(steps=10, pause=work, memory=1e6 + 1))  # connections and imports
        nannies = [psutil.Process(one.pid) for one in cluster.workers]
        parts = {
            "scheduler": [psutil.Process(cluster.scheduler.pid)],
            "server": [psutil.Process()],
            "workers": [child for nanny in nannies for child in nanny.children(recursive=True)],
            "nannies": nannies,
        }
        before = {name: processor(part) for name, part in parts.items()}
        wall = compute(service, "tallies", ToySpec(steps=count, pause=work)) / count
        used = {name: (processor(part) - before[name]) / count for name, part in parts.items()}
        service.close()
    return Share(wall, wall * workers - work, used)


def processor(processes: list[psutil.Process]) -> float:
    """Processor seconds of these processes so far."""
    return sum(times.user + times.system for times in (process.cpu_times() for process in processes))


def measure_columns(home: Path) -> dict[tuple[str, int], float]:
    """Seconds of each column of the first seed, by (method, width)."""
    spec = replace(PAPER, seeds=PAPER.seeds[:1])
    with Cluster() as cluster:
        cluster.have(1)
        service = RunService(DaskEngine(cluster.address, 1, preload=PRELOAD), Store(home), NO_LIMIT)
        compute(service, "sweep", spec)
        found = {kind(cell): service.get(run_id(name, cell)).seconds for name, cell in EXPERIMENT.cells(spec)}
        service.close()
    return found


def kind(cell: ColumnSpec) -> tuple[str, int]:
    return cell.method, cell.width


def project(seconds: list[float], workers: int, dispatch: float, idle: float) -> float:
    """Wall seconds of these cells, in their order: each to the worker that is free first, one every `dispatch`."""
    free = [0.0] * workers
    for index, one in enumerate(seconds):
        heapq.heappush(free, max(heapq.heappop(free), index * dispatch) + one + idle)
    return max(free)


def report(share: Share, length: Callable[[ColumnSpec], float], workers: int) -> None:
    """The measured share, and the projection with the part that bounds it."""
    print(f"{'wall':10} {1e3 * share.wall:6.1f} ms a cell, {1e3 * share.idle:.1f} ms of each worker beside its work")
    for name, seconds in share.processor.items():
        print(f"{name:10} {1e3 * seconds:6.1f} ms of processor time a cell")
    seconds = [length(cell) for _, cell in EXPERIMENT.cells(PAPER)]
    wall = project(seconds, workers, share.dispatch(), share.idle)
    parts = {
        "the longest cell": max(seconds),
        "all cells over all workers": sum(seconds) / workers,
        "handing the cells out one by one": len(seconds) * share.dispatch(),
    }
    print(f"figure1-paper: {len(seconds)} cells, {sum(seconds):.0f} s in all, on {workers} workers {wall:.1f} s")
    for name, part in sorted(parts.items(), key=lambda item: -item[1]):
        print(f"  {part:6.2f} s  {name}")
    print(f"{workers} workers are kept busy by cells of at least {workers * share.dispatch():.2f} s")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--cells", type=int, default=1000)
    parser.add_argument("--work", type=float, default=0.001, help="seconds of each tiny cell")
    parser.add_argument("--workers", type=int, default=2, help="on this machine, for the tiny cells")
    parser.add_argument("--columns", action="store_true", help="measure the columns of one seed, some minutes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        share = measure_share(options.cells, options.work, options.workers, Path(home))
        columns = measure_columns(Path(home)) if options.columns else {}
    for (method, width), seconds in columns.items():
        print(f"{method:16} width {width:5}: {seconds:5.1f} s on one thread")
    report(share, lambda cell: columns.get(kind(cell)) or column_cost(cell).seconds, workers=100)


if __name__ == "__main__":
    main()
