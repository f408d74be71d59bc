"""The numbers that the page Recovery promises, over seeds 0-2: python tests/benchmarks/recovery_numbers.py [--seeds 3]

d = 16, r = 3, m = 100, signs + − +. For each case and seed: loss and mass-weighted cosine after stage 2 and at the end,
cancelling pairs at the end, the loss where one stops after Algorithm 1, the median |cos| of the first step with one
direction, and seconds.
"""

import argparse
import time

from featdash.lessons.recovery.recipe import RecoverySpec
from featdash.lessons.recovery.run import run

CASES = {
    "default": {},
    "no weight decay": {"weight_decay": False},
    "m = 3": {"width": 3},
    "keep the linear part": {"keep_linear": True},
}


def measure(case: dict, seed: int) -> str:
    started = time.perf_counter()
    *_, result = run(RecoverySpec(seed=seed, **case))
    head, end = result.summary["stages"][-2:]
    return (
        f"{seed:>4}   stage 2 {head['loss']:.2e} {head['mass_weighted_cosine']:.3f}   end {end['loss']:.2e} "
        f"{end['mass_weighted_cosine']:.4f} {end['cancelling']:>5} pairs   stop {result.summary['stop']['loss']:.2e}   "
        f"first step {result.summary['first_step']['one_direction']:.3f}   {time.perf_counter() - started:.1f} s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    seeds = range(parser.parse_args().seeds)
    for title, case in CASES.items():
        print(title)
        for seed in seeds:
            print(measure(case, seed), flush=True)


if __name__ == "__main__":
    main()
