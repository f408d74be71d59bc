"""How long the default race takes: PYTHONPATH=. python tests/benchmarks/race_speed.py [--repeats 5]

On a warm process (torch imported, one small race before), with the threads of a worker: seconds to the first frame, to
the end of the first layer, to the end, and the share of each method. Then the same through the queue, a Dask worker and
the store, as a page asks for it. The clock is this machine's: compare ratios, not absolute times.
"""

import argparse
import os
import statistics
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import torch

from featdash.lessons.race.recipe import RaceSpec, cost
from featdash.lessons.race.run import run
from featdash.recipes.events import Frame, Result
from featdash.runs.dask.engine import DaskEngine
from featdash.runs.dask.worker import PRELOAD
from featdash.runs.limits import worker_count
from featdash.runs.service import RunService
from featdash.runs.store import Store

SMALL = RaceSpec(n=200, width=50, holdout=500, test=500)


def once(spec: RaceSpec) -> dict[str, float]:
    """Seconds from the start to the first frame, the last frame of the first layer, and the end."""
    started, marks = time.perf_counter(), {}
    for event in run(spec):
        now = time.perf_counter() - started
        if isinstance(event, Frame):
            marks.setdefault("first frame", now)
            if event.stream == "neurons":
                marks["first layer"] = now
        if isinstance(event, Result):
            methods = event.summary["methods"]
    marks["end"] = time.perf_counter() - started
    return marks | {name: method["seconds"] for name, method in methods.items()}


def asked(service: RunService, spec: RaceSpec) -> dict[str, float]:
    """Seconds from Run to the first frame that a page can show, and to the end."""
    started, marks = time.perf_counter(), {}
    name = service.submit("race", spec, "benchmark")
    while service.get(name).active:
        if "Run to frame" not in marks and service.frames(name):
            marks["Run to frame"] = time.perf_counter() - started
        time.sleep(0.005)
    assert service.get(name).status == "done", service.get(name).error
    return marks | {"Run to end": time.perf_counter() - started}


def show(times: list[dict[str, float]]) -> None:
    """Median and range of each mark."""
    for name in times[0]:
        values = sorted(one[name] for one in times)
        print(f"{name:>16}: median {statistics.median(values):6.2f} s, from {values[0]:.2f} to {values[-1]:.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    workers = worker_count({})
    torch.set_num_threads(max(1, os.cpu_count() // workers))
    estimate = cost(RaceSpec())
    print(f"estimated: {estimate.seconds:.1f} s, {estimate.memory / 1e6:.0f} MB")
    once(SMALL)
    show([once(RaceSpec()) for _ in range(repeats)])
    with tempfile.TemporaryDirectory() as home:
        service = RunService(DaskEngine(None, workers, preload=PRELOAD), Store(Path(home)))
        for seed in range(workers):  # Dask gives each to another worker
            asked(service, replace(SMALL, seed=seed))
        others = [replace(RaceSpec(), steps=RaceSpec().steps + more) for more in range(repeats)]  # none is in the store
        show([asked(service, spec) for spec in others])
        service.close()


if __name__ == "__main__":
    main()
