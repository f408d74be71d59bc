"""What a visitor feels, of another commit and of the present tree in one run, as ratios.

    python tests/benchmarks/side_by_side.py BASE [--rounds 3] [--minutes 8] [--only live race] [--out FILE.json]

BASE is checked out into a temporary worktree of git. Each figure comes from a script in this folder, and each tree runs
its own copy of it, on its own server, since pages and messages differ between commits; the figures are read from what
the copies print, which has kept its form. What the base has no script for, because it did not have the page, is «–».
The two trees take turns: base, now, then now, base, and so on, so that neither always has the warmer machine.

    race     race_speed.py     seconds from Run to the first frame and to the end, through queue, worker and store
    paint    first_paint.py    seconds to the first and to all pictures of the Lab in a cold browser, on a warm server
    story    story_speed.py    from «Show me» to the answer, and from «Next» to the scene, in a browser
    live     live_viewers.py   100 viewers of a live run: 95th percentile of a look, cores of the server, KB a look
    class    class_load.py     300 phones: 95th percentiles of an answer, and of the reveal to a phone and to the wall
    crowd    story_viewers.py  30 visitors of a story: 95th percentile of a scene

Every script runs once for each tree; then, while the minutes suffice, again, the least repeated first. The table has
the median over a tree's rounds (within one round, over the script's own repeats). Run it on a quiet machine: the ratio
of two figures bears some noise from elsewhere, a figure alone does not.
"""

import argparse
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NUMBER = r"([\d.]+)"
P95 = rf"p95 {NUMBER} ms"
TREES = ("base", "now")
PATIENCE = 240.0  # seconds in which a script must have ended
TROUBLE = (rf"{NUMBER} in trouble", rf"{NUMBER} of them lost")  # counts that must be 0


@dataclass(frozen=True)
class Figure:
    """A number that a script prints: its name and unit, and the pattern that finds it."""

    name: str
    unit: str
    pattern: str


@dataclass(frozen=True)
class Benchmark:
    """A script with its arguments, the seconds that it takes about, and the figures in what it prints."""

    name: str
    command: tuple[str, ...]
    seconds: float
    figures: tuple[Figure, ...]


BENCHMARKS = (
    Benchmark(
        "race",
        ("race_speed.py", "--repeats", "2"),
        25,
        (
            Figure("race, Run to first frame", "s", rf"Run to frame: median +{NUMBER}"),
            Figure("race, Run to its end", "s", rf"Run to end: median +{NUMBER}"),
        ),
    ),
    Benchmark(
        "paint",
        ("first_paint.py", "--loads", "3"),
        30,
        (
            Figure("first picture, cold browser", "s", rf"first picture: median +{NUMBER}"),
            Figure("all pictures, cold browser", "s", rf"all \d+ pictures: median +{NUMBER}"),
        ),
    ),
    Benchmark(
        "story",
        ("story_speed.py", "--rounds", "3"),
        20,
        (
            Figure("story, Show me to the answer", "ms", rf"Show me to the answer: median {NUMBER}"),
            Figure("story, Next to the scene", "ms", rf"Next to the scene: median {NUMBER}"),
        ),
    ),
    Benchmark(
        "live",
        ("live_viewers.py", "--seconds", "15"),
        45,
        (
            Figure("100 viewers, p95 of a look", "ms", rf"once all have opened the page: .*{P95}"),
            Figure("100 viewers, server", "cores", rf"server: {NUMBER} cores"),
            Figure("100 viewers, a look", "KB", rf"{NUMBER} KB a look"),
        ),
    ),
    Benchmark(
        "class",
        ("class_load.py", "--questions", "2"),
        70,
        (
            Figure("300 phones, p95 of an answer", "ms", rf"an answer in a burst .*{P95}"),
            Figure("300 phones, p95 reveal to phone", "ms", rf"from reveal to phone.*{P95}"),
            Figure("300 phones, p95 reveal to wall", "ms", rf"from reveal to the numbers .*{P95}"),
            Figure("300 phones, server while asked", "cores", rf"{NUMBER} cores while they are asked"),
        ),
    ),
    Benchmark(
        "crowd",
        ("story_viewers.py", "--seconds", "20"),
        30,
        (Figure("30 story visitors, p95 of a scene", "ms", rf"scenes: .*{P95}"),),
    ),
)


@dataclass
class Measurements:
    """What was measured: figure -> tree -> its number in each round; and the sentences of what went wrong."""

    numbers: dict[Figure, dict[str, list[float]]] = field(default_factory=dict)
    trouble: list[str] = field(default_factory=list)

    def take(self, benchmark: Benchmark, tree: str, output: str) -> None:
        """Add a round: the figures in what the script has printed."""
        for figure in benchmark.figures:
            found = re.search(figure.pattern, output)
            rounds = self.numbers.setdefault(figure, {one: [] for one in TREES})[tree]
            if found:
                rounds.append(float(found[1]))
            else:
                self.trouble.append(f"{tree}, {benchmark.name}: no «{figure.name}» in what it printed")
        counts = [re.search(pattern, output) for pattern in TROUBLE]
        self.trouble += [f"{tree}, {benchmark.name}: {one[0]}" for one in counts if one and float(one[1])]

    def rows(self) -> list[dict]:
        """A row a figure: medians of both trees, now / base, and the rounds; None where a tree has no number."""
        rows = []
        for figure, rounds in self.numbers.items():
            base, now = (statistics.median(rounds[tree]) if rounds[tree] else None for tree in TREES)
            ratio = now / base if base and now is not None else None
            rows.append(
                {"figure": figure.name, "unit": figure.unit, "base": base, "now": now, "ratio": ratio, "rounds": rounds}
            )
        return rows


Run = Callable[[Benchmark, str], str | None]


def measure(
    benchmarks: Sequence[Benchmark], run: Run, most: int, seconds: float, clock: Callable[[], float] = time.monotonic
) -> Measurements:
    """Run each of them for both trees, then again while the time suffices.

    run : gives what the script prints for a tree, or None if that tree has none.
    most : rounds; seconds : after which no further round begins that would not be over by then.
    """
    taken, began = Measurements(), clock()
    cost = {one: 2 * one.seconds for one in benchmarks}
    rounds = dict.fromkeys(benchmarks, 0)
    while True:
        left = seconds - (clock() - began)
        waiting = [one for one in benchmarks if rounds[one] < most and cost[one] <= left]
        if not waiting:
            break
        one = min(waiting, key=lambda benchmark: rounds[benchmark])
        started = clock()
        for tree in TREES if rounds[one] % 2 == 0 else reversed(TREES):
            output = run(one, tree)
            if output is not None:
                taken.take(one, tree, output)
        rounds[one] += 1
        cost[one] = clock() - started
    taken.trouble += [f"{one.name}: not measured, the time was up" for one in benchmarks if not rounds[one]]
    return taken


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """The files of a commit, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "base"
        git = ("git", "-C", str(ROOT), "worktree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(path), commit], check=True)
        try:
            yield path
        finally:
            subprocess.run([*git, "remove", "--force", str(path)], check=True)


def printed(benchmark: Benchmark, tree: Path) -> str | None:
    """What the tree's own copy of the script prints; None if it has none, "" if it does not end."""
    script = tree / "tests" / "benchmarks" / benchmark.command[0]
    if not script.exists():
        return None
    environment = os.environ | {"PYTHONPATH": str(tree), "OMP_WAIT_POLICY": "passive", "PYTHONDONTWRITEBYTECODE": "1"}
    process = subprocess.Popen(
        [sys.executable, str(script), *benchmark.command[1:]],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        return process.communicate(timeout=PATIENCE)[0]
    except subprocess.TimeoutExpired:
        return ""
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)  # the script then ends its server
            process.wait()


def table(rows: Sequence[dict]) -> str:
    """The rows in columns."""
    lines = [f"{'':34}{'base':>9}{'now':>9}{'ratio':>8}  rounds"]
    for row in rows:
        base, now = (short(row[tree]) for tree in TREES)
        ratio = "–" if row["ratio"] is None else f"{row['ratio']:.2f}"
        each = " | ".join(" ".join(map(short, row["rounds"][tree])) or "–" for tree in TREES)
        lines.append(f"{row['figure']:34}{base:>9}{now:>9}{ratio:>8}  {row['unit']}: {each}")
    return "\n".join(lines)


def short(number: float | None) -> str:
    return "–" if number is None else f"{number:.4g}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="a commit, such as HEAD~1")
    parser.add_argument("--rounds", type=int, default=3, help="of each script at most")
    parser.add_argument("--minutes", type=float, default=8)
    parser.add_argument("--only", nargs="+", choices=[one.name for one in BENCHMARKS], help="these scripts alone")
    parser.add_argument("--out", type=Path, help="write the table as JSON too")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the script in progress, and the worktree, then end as well
    chosen = [one for one in BENCHMARKS if not options.only or one.name in options.only]
    with worktree(options.base) as base:
        trees = {"base": base, "now": ROOT}

        def run(benchmark: Benchmark, tree: str) -> str | None:
            started = time.monotonic()
            output = printed(benchmark, trees[tree])
            print(f"{benchmark.name}, {tree}: {time.monotonic() - started:.0f} s", file=sys.stderr, flush=True)
            return output

        taken = measure(chosen, run, options.rounds, 60 * options.minutes)
    rows = taken.rows()
    print(table(rows))
    for sentence in taken.trouble:
        print(sentence)
    if options.out:
        options.out.write_text(json.dumps({"base": options.base, "rows": rows, "trouble": taken.trouble}, indent=1))


if __name__ == "__main__":
    main()
