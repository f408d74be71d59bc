"""The authors' demo setting: He2/√2, d = 100, n = 10⁴, m = 1000, unit noise, 100 λs; run by hand.

    python tests/benchmarks/authors_demo.py [--seeds 3]

Times Algorithm1Regressor.fit from the raw sample, with 100 λs tried on a holdout of 20 000, and
prints the squared excess risk on 20 000 noise-free test points.
"""

import argparse
import time

import numpy as np
import torch

from featdash.learners import Algorithm1Regressor

D, N, WIDTH, HELD = 100, 10_000, 1000, 20_000


def target(X: np.ndarray) -> np.ndarray:
    return (X[:, 0] ** 2 - 1) / np.sqrt(2)


def race(seed: int) -> tuple[float, float]:
    """(seconds of the fit, squared excess risk)."""
    rng = np.random.default_rng(seed)
    X, X_held, X_test = (rng.standard_normal((size, D)) for size in (N, HELD, HELD))
    y, y_held = (target(Z) + rng.standard_normal(len(Z)) for Z in (X, X_held))
    start = time.perf_counter()
    model = Algorithm1Regressor(width=WIDTH, lams=np.logspace(-6, 4, 100), random_state=seed)
    model.fit(X, y, holdout=(X_held, y_held))
    seconds = time.perf_counter() - start
    return seconds, float(np.mean((model.predict(X_test) - target(X_test)) ** 2))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3)
    race(0)  # warm-up: libraries, threads
    print(f"{torch.get_num_threads()} threads")
    for seed in range(parser.parse_args().seeds):
        seconds, risk = race(seed)
        print(f"seed {seed}: {seconds:.2f} s, excess risk {risk:.4f}")


if __name__ == "__main__":
    main()
