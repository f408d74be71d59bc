"""Experiments that cost nothing, for tests of the runs; importing this file adds them to the registry.

Each notes its executions in a file, so that a test can count them across processes.
"""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from featdash.lessons import EXPERIMENTS
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.recipes.experiment import Entry, Experiment
from featdash.recipes.grid import Cell, CellResults, Grid, Place
from featdash.recipes.spec import Cost, Number, Spec, Text, setting

ARRIVAL = 0.5  # seconds in which a worker's messages reach a busy server


@dataclass(frozen=True)
class ToySpec(Spec):
    """steps events, `pause` seconds apart; `log` is a file that gains a line with each execution.

    The line: "steps seed process". A run that fails at first fails `failures` times.
    """

    steps: int = setting(3, Number(0, 100_000, whole=True), "Steps")
    pause: float = setting(0.0, Number(0, 100), "Seconds between steps")
    seed: int = setting(0, Number(0, 1e9, whole=True), "Seed")
    log: str = setting("", Text(300), "Log")
    failures: int = setting(0, Number(0, 9, whole=True), "Failures before it succeeds")
    memory: float = setting(1e6, Number(0, 1e15), "Bytes it says it needs")
    seconds: float = setting(1.0, Number(0, 1e9), "Seconds it says it needs")


def executions(log: Path | str) -> int:
    """How many times a run with that log has begun."""
    return len(Path(log).read_text().splitlines()) if Path(log).exists() else 0


def computed(log: Path | str) -> Counter[tuple[int, int]]:
    """How many times each run with that log has begun, by (steps, seed)."""
    lines = Path(log).read_text().splitlines() if Path(log).exists() else []
    return Counter((int(steps), int(seed)) for steps, seed, _ in map(str.split, lines))


def cost(spec: ToySpec) -> Cost:
    return Cost(int(spec.memory), spec.seconds, "lower steps to 1")


def begin(spec: ToySpec) -> None:
    if spec.log:
        with open(spec.log, "a") as file:
            file.write(f"{spec.steps} {spec.seed} {os.getpid()}\n")


def count(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """A frame and a progress a step; the result is the sum of the steps' squares."""
    begin(spec)
    for step in range(spec.steps):
        if spec.pause:
            time.sleep(spec.pause)
        yield Frame("squares", step, {"square": np.array(step**2), "names/x": np.array(["a", "bc"])})
        yield Progress((step + 1) / spec.steps, f"step {step}")
    total = sum(step**2 for step in range(spec.steps))
    yield Result({"total": total, "device": device}, {"squares": np.arange(spec.steps) ** 2})


def deaf(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """Says one word and then hears nothing for `pause` seconds: only killing ends it sooner."""
    begin(spec)
    yield Progress(0.1, f"deaf on {device}")
    time.sleep(spec.pause)
    yield Result({"total": 0})


def crash(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    begin(spec)
    yield Frame("squares", 0, {"square": np.array(0)})
    raise KeyError(f"no such thing on {device}")


def refuse(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    begin(spec)
    yield Progress(0.5, f"about to refuse on {device}")
    raise ValueError(f"steps must be even, got {spec.steps}; add one")


def forget(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """Ends without a result."""
    yield Progress(1.0, f"{spec.steps} steps on {device}")


def vanish(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """Takes its process with it, as the kernel's out-of-memory killer does."""
    begin(spec)
    yield Progress(0.5, f"about to vanish from {device}")
    os._exit(9)


def falter(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """Shows a frame, and then refuses, until it has done so often enough."""
    yield from fail_at_first(spec, device)
    if fails_still(spec):
        raise ValueError("the line was cut; mend it")
    yield Result({"total": spec.steps})


def stumble(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """As `falter`, but it takes its process with it."""
    yield from fail_at_first(spec, device)
    if fails_still(spec):
        time.sleep(ARRIVAL)  # else the run counts as not begun, and the engine submits it anew by itself
        os._exit(9)
    yield Result({"total": spec.steps})


def fail_at_first(spec: ToySpec, device: str) -> Iterator[Event]:
    begin(spec)
    yield Frame("squares", 0, {"square": np.array(0)})
    yield Progress(0.5, f"half done on {device}")
    time.sleep(spec.pause)  # for these to arrive


def fails_still(spec: ToySpec) -> bool:
    return computed(spec.log)[spec.steps, spec.seed] <= spec.failures


def hoard(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """Takes 20 MB a step and gives none back; the longer it pauses, the sooner it can be stopped."""
    begin(spec)
    held = []
    for step in range(spec.steps):
        held.append(np.ones(2_500_000))
        yield Progress((step + 1) / spec.steps, f"{len(held)} blocks on {device}")
        time.sleep(spec.pause)
    yield Result({"total": len(held)})


def hog(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """As `hoard`, without a word in between: nothing but the end of its process stops it."""
    begin(spec)
    yield Progress(0.1, f"a hog on {device}")
    held = []
    for _ in range(spec.steps):
        held.append(np.ones(2_500_000))
        time.sleep(spec.pause)
    yield Result({"total": len(held)})


def bulky(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """A result of `steps` megabytes of a known pattern."""
    begin(spec)
    yield Progress(0.5, f"bulky on {device}")
    yield Result({"total": spec.steps}, {"block": np.arange(spec.steps * 125_000, dtype=np.float64)})


def opaque(spec: ToySpec, device: str = "cpu") -> Iterator[Event]:
    """A result that no file can hold."""
    begin(spec)
    yield Progress(0.5, f"opaque on {device}")
    yield opaque_result()


def opaque_result(*_: object) -> Result:
    return Result({"total": object()})


def sizes(spec: ToySpec) -> dict[str, Sequence[int]]:
    """A place for each of `steps` cells, and in second place one for a cell that crashes."""
    first, *rest = range(1, spec.steps + 1)
    return {"size": (first, 0, *rest)}


def counting_cell(spec: ToySpec, place: Place) -> Cell:
    """A cell that counts to its size; of no size, it crashes."""
    if not place["size"]:
        return "crash", ToySpec(seed=spec.seed)
    size = place["size"]
    return "count", ToySpec(steps=size, pause=spec.pause, seed=spec.seed, log=spec.log, seconds=size)


def tally(spec: ToySpec, results: CellResults) -> Result:
    totals = [summary and summary["total"] for _, summary in results.cells]
    errors = [gap["reason"] for gap in results.gaps]
    return Result({"totals": totals, "errors": errors, "seed": spec.seed})


def cell_around(spec: ToySpec, place: Place) -> Cell:
    """In the middle a cell of one step, that fails at first; beside it two that count."""
    kept = {"pause": spec.pause, "log": spec.log, "seed": spec.seed}
    name, steps = place["cell"]
    return name, ToySpec(steps=steps, failures=0 if name == "count" else spec.failures, **kept)


def cells_of_one_step(spec: ToySpec) -> dict[str, Sequence[int]]:
    """`steps` of them, all as short as `pause`."""
    return {"seed": range(spec.steps)}


def cell_of_one_step(spec: ToySpec, place: Place) -> Cell:
    """One that is not said to take longer is the same cell in sweeps of all sizes."""
    about = {} if spec.seconds == ToySpec().seconds else {"seconds": spec.seconds / spec.steps}
    return "count", ToySpec(steps=1, pause=spec.pause, log=spec.log, **about, **place)


def _toy(name: str, **parts: object) -> Experiment:
    return Experiment(name=name, title=name.capitalize(), spec=ToySpec, cost=cost, **parts)


def _grid(name: str, **parts: object) -> Grid:
    return Grid(name=name, title=name.capitalize(), spec=ToySpec, remedy="lower steps to 1", **parts)


RUNS = (count, deaf, crash, refuse, forget, vanish, falter, stumble, hoard, hog, bulky, opaque)
TOYS: list[Entry] = [_toy(run.__name__, run=run) for run in RUNS]
COUNTED = ("count", "crash")
TOYS.append(_grid("counts", axes=sizes, cell=counting_cell, summary=tally, cell_experiments=COUNTED))
TOYS += [
    _grid(
        f"{name}s",
        axes=lambda _, name=name: {"cell": (("count", 2), (name, 1), ("count", 3))},
        cell=cell_around,
        summary=tally,
        cell_experiments=("count", name),
    )
    for name in ("falter", "stumble")
]
TOYS.append(_grid("tallies", axes=cells_of_one_step, cell=cell_of_one_step, summary=tally, cell_experiments=("count",)))
TOYS.append(_grid("opaques", axes=sizes, cell=counting_cell, summary=opaque_result, cell_experiments=COUNTED))
EXPERIMENTS.update({toy.name: toy for toy in TOYS})
