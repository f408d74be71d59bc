"""The tangent-kernel head for 30 λs, against scikit-learn's KernelRidge on the precomputed kernel; run by hand.

    python tests/benchmarks/tangent_kernel_against_sklearn.py [--n 10000 --width 1000]

Both solve the same ridge problem on the same network and data, Figure 1's target in d = 10 with unit noise, and
predict 20 000 holdout points. Ours is timed from the raw sample to 30 holdout risks. The peer is given both kernel
matrices free of charge; it is timed on three of the λs (smallest, tuned, largest) and scaled by the count.
Memory is the peak of a process that only loads the libraries and runs ours.
"""

import argparse
import multiprocessing
import resource
import time

import numpy as np
import torch
from sklearn.kernel_ridge import KernelRidge

from featdash.learners.feature_map import TangentFeatures
from featdash.learners.head import solve_head
from featdash.learners.network import draw_network

D, HOLDOUT, LAMBDAS = 10, 20_000, 30
STEPS = 100  # the learners stop at 60, where the tuned λ has converged; the smallest of these λs has not


def problem(n: int, width: int):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n + HOLDOUT, D))
    z = X[:, 0]
    y = (z**2 - 1) / 2 + (z**4 - 6 * z**2 + 3) / (4 * np.sqrt(3)) + rng.standard_normal(len(X))
    return draw_network(width, D, rng, biases=True), (X[:n], y[:n]), (X[n:], y[n:])


def ours(n: int, width: int) -> dict:
    network, (X, y), (X_held, y_held) = problem(n, width)
    idle = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    held = TangentFeatures(X_held, network, keep=False)
    path = solve_head(TangentFeatures(X, network), y, {"holdout": (held, y_held)}, steps=STEPS).path
    lams = path.largest * np.logspace(-5, 1, LAMBDAS)
    risks = path.risk("holdout", lams)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    steps, gaps = len(path.ritz), path.gap(lams)
    return {"seconds": seconds, "lams": lams, "risks": risks, "gaps": gaps, "steps": steps, "peak": peak, "idle": idle}


def kernel(network, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
    """Σ_j σ_j(x)σ_j(z) + (1 + x·z) Σ_j σ'_j(x)σ'_j(z) over all neurons, from the formula."""
    half = network.first_half()
    at_x, at_z = (torch.tensor(points @ half.W.T + half.b) for points in (X, Z))
    by_head = torch.relu(at_x) @ torch.relu(at_z).T
    gates = (at_x > 0).double() @ (at_z > 0).double().T
    inner = torch.tensor(X) @ torch.tensor(Z).T
    return (2 * (by_head + (1 + inner) * gates)).numpy()


def peer(n: int, width: int, lams: np.ndarray) -> tuple[float, list[float]]:
    network, (X, y), (X_held, y_held) = problem(n, width)
    K, K_held = kernel(network, X, X), kernel(network, X_held, X)
    risks, start = [], time.perf_counter()
    for lam in lams:
        model = KernelRidge(alpha=n * lam / 2, kernel="precomputed").fit(K, y)
        risks.append(float(np.mean((model.predict(K_held) - y_held) ** 2)))
    return (time.perf_counter() - start) / len(lams), risks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--width", type=int, default=1000)
    options = parser.parse_args()
    with multiprocessing.get_context("spawn").Pool(1) as fresh:  # first, while this process is still small
        fresh.apply(ours, (500, options.width))  # warm-up: libraries, threads
        found = fresh.apply(ours, (options.n, options.width))
    chosen = [0, int(np.argmin(found["risks"])), LAMBDAS - 1]
    each, risks = peer(options.n, options.width, found["lams"][chosen])
    print(f"n = {options.n}, m = {options.width}, d = {D}, {torch.get_num_threads()} threads")
    print(f"ours: {LAMBDAS} λs in {found['seconds']:.2f} s, {found['steps']} Lanczos steps")
    print(f"KernelRidge: {each:.2f} s a λ (mean of 3), {each * LAMBDAS:.1f} s for {LAMBDAS} (scaled by the count)")
    print(f"ratio: {each * LAMBDAS / found['seconds']:.0f}×")
    for index, risk in zip(chosen, risks, strict=True):
        mine, gap = found["risks"][index], found["gaps"][index]
        print(
            f"λ = {found['lams'][index]:.4g}: ours {mine:.8f}, theirs {risk:.8f}, {mine / risk - 1:+.1e}; gap {gap:.0e}"
        )
    print(
        f"peak memory of ours: {found['peak'] / 1024:.0f} MB, of which {found['idle'] / 1024:.0f} MB before it starts"
    )


if __name__ == "__main__":
    main()
