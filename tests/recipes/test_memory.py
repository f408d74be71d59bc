"""Estimates of memory meet the measured peak of a run in a process of its own, within a factor of 1.3 either way.

One process loads torch and forks a child for each run. The same run needs up to 15 % more or less from one process to
the next, by where the heap happens to put its arrays. So a peak that is off counts with two more: it is their median
that must be within the factor.

An estimate counts the libraries' code that the first run in a worker reads. How much of it the system has in memory by
then is chance (see `read_mapped_files` in the script below), so here all of it is there before a run begins, and what
estimates allow for it is added to what is measured.

Here is one quick run for each way in which memory is needed. Whoever changes a `cost`, or what a run holds at a time,
measures the other runs of seconds too:

    FEATDASH_MEMORY=all python -m pytest tests/recipes/test_memory.py

`tests/benchmarks/memory.py` measures the most expensive ones that a server accepts.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

import pytest

from featdash.recipes.experiment import find_experiment
from featdash.runs.dask.worker import MARGIN, thread_environment

CODE, LITTLE = 25e6, 6e6  # bytes that estimates allow for it, and where a run calls little of torch, or nothing
CALL_LITTLE = {"hessian", "mixture", "repetition", "scaling-laws", "staircase", "structure"}
ROOT = Path(__file__).resolve().parents[2]
CHOSEN = [
    # Samples, with a copy of one; then also Algorithm 1's layer; and a sample that passes by in chunks.
    ("lemma", {"n": 200_000, "width": 50, "repeats": 2}),
    ("race", {"n": 20_000, "width": 100, "methods": ["algorithm1"], "holdout": 2000, "test": 2000, "steps": 100}),
    ("transfer-column", {}),
    # Heads: Krylov bases and the neurons of a tangent kernel, a dense factorisation, and square kernels.
    ("column", {"n": [10_000], "width": 1000, "method": "ntk"}),
    ("ablation", {"n": 3000, "width": 200, "holdout": 2000, "test": 2000}),
    ("column", {"n": [300, 600], "method": "rfm", "holdout": 5000, "test": 5000}),
    ("solvers", {"largest": 3000, "sizes": 4, "repeats": 1, "iterations": 1}),
    # Gradients of many label vectors, blocks of neurons in a feature step, averages and Hessians of d × d.
    ("spectrum", {"n": 2000, "d": 60, "width": 500, "copies": 60}),
    ("emergence", {"n": 3000, "steps": 1, "test": 3000, "m": 100}),
    ("rescue", {"n": 500, "dims": [500], "repeats": 1, "target": "He4(z1)/sqrt(24)"}),
    ("hessian", {"d": 150, "many": 20, "steps": 10}),
    ("spikes", {"n": 600, "neurons": 1200, "d2": 20}),
    # Rows at a time of a large sample, and networks beside each other, without torch and with it.
    ("structure", {"ranks": [1, 2, 3], "ratios": [1, 2, 3], "repeats": 1}),
    ("repetition", {"time": 1, "squares": 1, "dims": [16], "runs": 400}),
    ("staircase", {"dims": [200], "width": 1000, "batch": 1000, "steps": 10, "repeats": 1}),
    ("mixture", {"steps": 20}),
    # Pairs of neurons, and neurons with the samples of a step.
    ("scaling-laws", {"width": 800, "d": 150, "time": 1}),
    ("scaling-laws", {"width": 800, "batch": 4096, "time": 1, "rate": 0.1}),
]
OTHERS = [
    ("spectrum", {"n": 5000, "d": 60, "width": 500, "copies": 60}),
    ("race", {"n": 3000, "width": 300, "steps": 10}),
    ("race", {"n": 1000, "methods": ["rfm"], "holdout": 4000, "test": 4000, "width": 100, "steps": 10}),
    ("degenerate", {"dims": [60], "sizes": [30_000], "width": 100, "repeats": 1}),
    ("digits", {"steps": 1}),
    ("mixture", {"steps": 10, "runs": 6, "m": 200}),
    ("rescue", {"n": 10_000, "dims": [100], "repeats": 1}),
    ("repetition", {"time": 30, "runs": 400}),
    ("dimension", {"n": 1500, "dims": [20], "repeats": 1, "methods": ["ntk"]}),
    ("dimension", {"n": 1000, "dims": [20], "repeats": 1, "methods": ["rfm"]}),
    ("dimension", {"dims": [20], "repeats": 1, "methods": ["network", "algorithm1"], "steps": 50}),
    ("smoothness", {"n": 1500, "sizes": [5, 6], "repeats": 1, "steps": 2}),
    ("rfm", {"n": 1500, "rounds": 1, "width": 100}),
    ("own-data", {"rounds": 1, "steps": 50}),
    ("more-steps", {"dims": [100, 200], "repeats": 1}),
    ("more-steps", {"dims": [10, 100], "repeats": 1}),  # the heads
    ("spikes", {"n": 1200, "neurons": 1200, "d2": 20}),
    ("structure", {"ranks": [1, 2, 3], "ratios": [1, 2, 3], "repeats": 1, "d": 25, "width": 400}),
]
RUNS = CHOSEN + OTHERS if os.environ.get("FEATDASH_MEMORY") == "all" else CHOSEN


@pytest.fixture(scope="module")
def measured_peak():
    """(name, settings) -> bytes, of a child with one thread."""
    command = [sys.executable, "tests/benchmarks/memory.py", "--asked"]
    environment = os.environ | thread_environment(1) | {"PYTHONPATH": str(ROOT)}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=ROOT, env=environment, **pipes) as process:

        def ask(name, settings):
            code = LITTLE if name in CALL_LITTLE else CODE
            print(json.dumps([name, settings]), file=process.stdin, flush=True)
            return json.loads(process.stdout.readline())["memory"] + code

        yield ask


@pytest.mark.parametrize(("name", "settings"), RUNS, ids=[f"{name}{index}" for index, (name, _) in enumerate(RUNS)])
def test_a_run_needs_what_its_estimate_says(name, settings, measured_peak):
    experiment = find_experiment(name)
    said = experiment.cost(experiment.spec.from_mapping(settings)).memory
    ratio = measured_peak(name, settings) / said
    if not 1 / MARGIN < ratio < MARGIN:
        ratio = median([ratio, *(measured_peak(name, settings) / said for _ in range(2))])
    assert 1 / MARGIN < ratio < MARGIN
