"""The numbers that the Lab promises, over seeds 0-2: PYTHONPATH=. python tests/benchmarks/race_numbers.py [--seeds 3]

d = 10, noise 1, holdout and test 2·10⁴; prints each seed, the mean, and the published value where there is one.
"""

import argparse

import numpy as np

from featdash.lessons.race.recipe import PAPER_METHODS, RaceSpec
from featdash.lessons.race.run import run
from featdash.recipes.events import Result

CASES = {
    "Figure 1's target, n = 10⁴, width 1000 (published 0.064, 0.538, 0.477)": {},
    "Figure 1's target, n = 100, width 1000": {"n": 100},
    "Figure 1's target, n = 10⁴, width 100 (published 0.089, 0.780, 0.616)": {"width": 100},
    "He3/√6 (no expected curvature), n = 10⁴, width 1000": {"target": "transfer"},
    "He2/2 + He3/√12, n = 10⁴, width 1000": {"target": "He2(z1)/2 + He3(z1)/sqrt(12)"},
    "Figure 1's target, η₁ = √d in place of RMS rows": {"step_rule": "fixed", "eta": 10**0.5},
}


def measure(case: dict, seed: int) -> list[float]:
    """[risk of each method, alignment before, alignment after]."""
    summary = next(e for e in run(RaceSpec(seed=seed, **case)) if isinstance(e, Result)).summary
    risks = [summary["methods"][name]["excess_risk"] for name in PAPER_METHODS]
    return [*risks, summary["alignment"]["before"], summary["alignment"]["after"]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    seeds = range(parser.parse_args().seeds)
    print(f"{'':8}{'algorithm1':>12}{'random f.':>12}{'ntk':>12}{'before':>12}{'after':>12}")
    for title, case in CASES.items():
        print(title)
        rows = np.array([measure(case, seed) for seed in seeds])
        for label, row in [*zip(seeds, rows, strict=True), ("mean", rows.mean(axis=0)), ("std", rows.std(axis=0))]:
            print(f"{label:>8}" + "".join(f"{value:12.3f}" for value in row))


if __name__ == "__main__":
    main()
