"""What runs need against what their cost says: peak memory above a process with torch loaded, and seconds of one core.

    python tests/benchmarks/memory.py [NAME ...] [--seconds 240]

Each line is a run in a process of its own, forked from one with torch loaded, at settings that the default limits
accept: the most expensive ones that an experiment has, one group after the other. Runs whose estimate exceeds --seconds
are left out. Composites have their cells here (`column`, `transfer-column`): each of these is a run in a worker.

    MB      measured peak without the libraries' code, estimate (with some 30 MB of it), measured/estimate
    s       of one core: measured, estimate, measured/estimate
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import re
import resource
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from featdash.recipes.events import Result
from featdash.recipes.experiment import find_experiment
from featdash.runs.dask.worker import thread_environment
from featdash.runs.limits import Limits, TooLarge

MAPPED = re.compile(r"([0-9a-f]+)-([0-9a-f]+) r\S+ (?:\S+ ){3} *(/.*)")  # a part of a file, of those in /proc/PID/maps
POPULATE_READ = 22  # of madvise(2), MADV_POPULATE_READ of Linux
BIG = {"holdout": 200_000, "test": 200_000}
FULL_COLUMN = "10^0..5 by 1/2"
RUNS: list[tuple[str, dict[str, Any]]] = [
    ("race", {}),
    ("race", {"n": 200_000, "width": 4000, "methods": ["algorithm1"], "holdout": 10, "test": 10}),
    ("race", {"n": 20_000, "width": 4000, "methods": ["algorithm1"], **BIG}),
    ("race", {"n": 100_000, "width": 4000, "methods": ["algorithm1"]}),
    (
        "race",
        {"n": 200_000, "width": 300, "methods": ["algorithm1", "random_features"], "holdout": 10, "test": 200_000},
    ),
    ("race", {"n": 100, "width": 4000, "d": 200, "methods": ["ntk"]}),
    ("race", {"n": 3000, "width": 4000, "d": 200, "methods": ["ntk"], "holdout": 1000, "test": 1000}),
    ("race", {"n": 16_000, "width": 4000, "d": 200, "methods": ["ntk"], "holdout": 1000, "test": 1000}),
    ("race", {"n": 60_000, "width": 300, "methods": ["algorithm1", "ntk_after_step"], "holdout": 1000, "test": 1000}),
    ("race", {"n": 1000, "width": 1000}),
    ("race", {"n": 3500, "methods": ["rfm"]}),
    ("race", {"n": 100_000, "width": 100, "fresh_data": True, "methods": ["algorithm1"]}),
    ("race", {"n": 100_000, "width": 100, "d": 100, "methods": ["algorithm1"]}),
    ("column", {"n": FULL_COLUMN, "width": 1000}),
    ("column", {"n": FULL_COLUMN, "width": 1000, "method": "random_features"}),
    ("column", {"n": FULL_COLUMN, "width": 100, "method": "ntk"}),
    ("column", {"n": [10_000], "width": 1000, "method": "ntk"}),
    ("column", {"n": [200_000], "width": 4000, "holdout": 10, "test": 10}),
    ("column", {"n": [200_000], "width": 4000, "method": "random_features", **BIG}),
    ("column", {"n": [9000], "width": 4000, "d": 200, "method": "ntk", "holdout": 1000, "test": 1000}),
    ("column", {"n": [100, 1000, 3000], "width": 2000, "d": 100, "method": "ntk", "holdout": 1000, "test": 1000}),
    ("transfer-column", {}),
    ("transfer-column", {"n": 2_000_000, "width": 1000, "N": [10_000]}),
    ("transfer-column", {"n": 10_000, "width": 4000, "N": [100, 1000, 200_000], **BIG}),
    ("transfer-column", {"n": 65_536, "width": 1000, "d": 200, "N": [100, 50_000]}),
    ("degenerate", {}),
    ("degenerate", {"dims": [60], "sizes": [121], "methods": ["ntk"], "width": 2000, "repeats": 1}),
    ("degenerate", {"dims": [60], "sizes": [50_000], "methods": ["algorithm1"], "width": 2000, "repeats": 1}),
    ("ablation", {}),
    ("ablation", {"n": 10_000, "width": 1500}),
    ("ablation", {"n": 20_000, "width": 2000}),
    ("ablation", {"n": 100_000, "width": 300, "holdout": 10_000, "test": 10_000}),
    ("rescue", {}),
    ("rescue", {"n": 50_000, "d": 100, "width": 2000, "dims": [100]}),
    ("rescue", {"n": 100, "dims": [500], "target": "He4(z1)/sqrt(24)"}),
    ("repetition", {}),
    ("lemma", {}),
    ("lemma", {"n": 400_000, "d": 60, "width": 100, "repeats": 2}),
    ("spectrum", {}),
    ("spectrum", {"n": 200_000, "d": 20, "width": 300, "copies": 100}),
    ("spectrum", {"n": 20_000, "d": 100, "width": 2000, "copies": 40}),
    ("emergence", {}),
    ("emergence", {"n": 50_000, "holdout": 50_000, "test": 50_000, "D": 50, "m": 300, "steps": 20}),
    ("emergence", {"n": 10_000, "m": 1000, "D": 200, "test": 10_000, "steps": 5}),
    ("digits", {}),
    ("digits", {"m": 500, "steps": 200}),
    ("mixture", {}),
    ("mixture", {"steps": 10, "runs": 20, "m": 200}),
    ("smoothness", {"n": 1500, "sizes": [5, 6], "repeats": 1, "steps": 10}),
    ("recovery", {}),
    ("rfm", {}),
    ("rfm", {"n": 3500, "rounds": 1}),
    ("own-data", {"rows": 2500, "dataset": "digits", "rounds": 2}),
    ("more-steps", {}),
    ("hessian", {}),
    ("spikes", {}),
    ("spikes", {"n": 3000, "d": 1000, "neurons": 1500}),
    ("spikes", {"n": 50, "d": 10, "neurons": 1500, "d2": 150}),
    ("structure", {}),
    ("structure", {"d": 100, "width": 400, "repeats": 2}),
    ("scaling-laws", {}),
    ("scaling-laws", {"width": 800, "d": 150, "tasks": 100}),
    ("staircase", {}),
    ("staircase", {"dims": [200], "width": 1000, "batch": 1000, "steps": 2000}),
    ("recovery", {"n": 20_000, "d": 64, "width": 50, "steps": 100}),
    ("recovery", {"steps": 5000, "width": 300}),
    ("recovery", {"n": 20_000, "width": 100, "steps": 300}),
    ("dimension", {}),
    ("dimension", {"n": 2000, "dims": [20], "repeats": 1, "methods": ["rbf", "ntk"]}),
    ("dimension", {"n": 2000, "dims": [100], "repeats": 1, "methods": ["network", "algorithm1"], "width": 1000}),
    ("support", {}),
    ("support", {"n": 2000, "dims": [300], "repeats": 1}),
    ("latent", {}),
    ("latent", {"n": 2000, "dims": [100], "repeats": 1, "methods": ["algorithm1", "ntk", "laplace"]}),
    ("smoothness", {}),
    ("smoothness", {"n": 2000, "kernel": "ntk", "sizes": [5, 6], "repeats": 1, "steps": 100}),
    ("smoothness", {"n": 2000, "kernel": "rbf", "sizes": [5, 2000], "repeats": 1}),
    ("solvers", {"largest": 7000, "sizes": 4, "repeats": 1}),
    ("solvers", {}),
]


def measure(name: str, settings: dict[str, Any]) -> dict[str, float]:
    """Peak bytes above a process with torch loaded, and seconds of the run: in a child, whose peak begins at its fork.

    ChildProcessError if the child ends without an answer; the process must have one thread, as `ready` leaves it.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        status = 1
        try:
            os.write(writer, json.dumps(_run(name, settings)).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader, "rb") as answer:
        written = answer.read()
    os.waitpid(child, 0)
    if not written:
        raise ChildProcessError(f"{name} {json.dumps(settings)} ended without a result")
    return json.loads(written)


def ready() -> None:
    """Load torch for all children, with one thread."""
    import torch

    torch.set_num_threads(1)


def _run(name: str, settings: dict[str, Any]) -> dict[str, float]:
    experiment = find_experiment(name)
    spec = experiment.spec.from_mapping(settings)
    read_mapped_files()
    base, started = _peak(), time.process_time()
    for event in experiment.run(spec, "cpu"):
        if isinstance(event, Result):
            break
    return {"memory": _peak() - base, "seconds": time.process_time() - started}


def read_mapped_files() -> None:
    """Have all pages of the libraries' files in this process: a child begins without those of the process it is from.

    How many come along with one that is needed is chance: the same run had 20 MB of them where one installer had
    written the files, 80 where another had, by the size of the pieces in which they lie in the system's cache.
    """
    maps = Path("/proc/self/maps")
    if not maps.exists():
        return
    advise = ctypes.CDLL(None).madvise
    for line in maps.read_text().splitlines():
        if part := MAPPED.match(line):
            start, end = (int(part[place], 16) for place in (1, 2))
            advise(ctypes.c_void_p(start), ctypes.c_size_t(end - start), POPULATE_READ)


def _peak() -> float:
    """Bytes of this program's largest resident set; on Linux without that of the process that started it."""
    status = Path("/proc/self/status")
    if status.exists():  # ru_maxrss is handed on to a child; this one begins with what it has
        return 1024.0 * int(re.search(r"VmHWM:\s*(\d+)", status.read_text())[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def affordable(names: list[str], seconds: float) -> Iterator[tuple[str, dict[str, Any]]]:
    """The runs to measure; says of the others why not."""
    for name, settings in RUNS:
        if names and name not in names:
            continue
        experiment = find_experiment(name)
        try:
            cost = Limits().check_cost(experiment, experiment.spec.from_mapping(settings))
        except TooLarge as refusal:
            print(f"refused  {name} {json.dumps(settings)}: {refusal}", flush=True)
            continue
        if cost.seconds > seconds:
            print(f"left out {name} {json.dumps(settings)}: {cost.seconds:.0f} s", flush=True)
            continue
        yield name, settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="experiments; all by default")
    parser.add_argument("--seconds", type=float, default=240.0, help="the longest estimate to measure")
    parser.add_argument("--asked", action="store_true", help="answer each line [NAME, SETTINGS] of stdin with a line")
    options = parser.parse_args()
    os.environ.update(thread_environment(1))
    ready()
    if options.asked:
        for line in sys.stdin:
            print(json.dumps(measure(*json.loads(line))), flush=True)
        return
    print(f"{'peak MB':>8} {'said':>6} {'ratio':>6} {'s':>7} {'said':>6} {'ratio':>6}  run", flush=True)
    for name, settings in affordable(options.names, options.seconds):
        try:
            found = measure(name, settings)
        except ChildProcessError as error:
            print(f"failed   {error}", flush=True)
            continue
        experiment = find_experiment(name)
        cost = experiment.cost(experiment.spec.from_mapping(settings))
        memory, seconds = found["memory"] / cost.memory, found["seconds"] / cost.seconds
        figures = f"{found['memory'] / 1e6:8.0f} {cost.memory / 1e6:6.0f} {memory:6.2f}"
        figures += f" {found['seconds']:7.1f} {cost.seconds:6.1f} {seconds:6.2f}"
        print(f"{figures}  {name} {json.dumps(settings)}", flush=True)


if __name__ == "__main__":
    main()
