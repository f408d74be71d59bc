"""How long the default race takes: PYTHONPATH=. python tests/benchmarks/race_speed.py [--repeats 5]

On a warm process (torch imported, one small race before), as in a worker: seconds to the first frame, to the end of the
first layer, to the end, and the share of each method. The clock is this machine's: compare ratios, not absolute times.
"""

import argparse
import statistics
import time

from featdash.experiments.events import Frame, Result
from featdash.experiments.race import RaceSpec, cost, run


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    once(RaceSpec(n=200, width=50, holdout=500, test=500))
    times = [once(RaceSpec()) for _ in range(repeats)]
    estimate = cost(RaceSpec())
    print(f"estimated: {estimate.seconds:.1f} s, {estimate.memory / 1e6:.0f} MB")
    for name in times[0]:
        values = sorted(one[name] for one in times)
        print(f"{name:>16}: median {statistics.median(values):6.2f} s, from {values[0]:.2f} to {values[-1]:.2f}")


if __name__ == "__main__":
    main()
