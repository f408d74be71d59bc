"""One column of Figure 1, three methods over the grid of n, against two yardsticks; run by hand.

    python tests/benchmarks/sweep.py [--width 1000 --largest 10000 --judges 20000 --threads 1]

All on as many threads as the worker has that computes a cell: one, unless there are fewer workers than cores.

(a) The same loop over scikit-learn: Ridge for Algorithm 1 and random features, KernelRidge for the tangent kernel, a
fit and a holdout prediction for each λ, a test prediction for the best. The peer gets its features and kernels free of
charge, and is timed on three λs (the tuned one, a thousandth and a thousand times it), scaled to the grid's 41.
(b) The matrix products that no way around is known to: preactivations of all samples once a network, 40 products with
Φ and Φᵀ a head (or one Gram matrix where that is fewer flops), 20 dimensions of ridge curve on the holdout, one on the
test sample. Once as flops at the measured rate of a large single-precision product, once as these products run alone,
in their own, narrow shapes. Ours is the median of three, each beside the rate of its moment.
"""

import argparse
import time
from functools import partial

import numpy as np
import torch
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge
from threadpoolctl import threadpool_limits

from featdash.learners.network import draw_network
from featdash.lessons.race.recipe import PAPER_METHODS
from featdash.lessons.shared.fixed_points import first_rows
from featdash.lessons.shared.gaussian_race import layer_of
from featdash.lessons.shared.gaussian_recipe import task_of
from featdash.lessons.sweep.column_recipe import HALF_POWERS, ColumnSpec
from featdash.lessons.sweep.run import run
from featdash.tasks.streams import stream

LAMBDAS, STEPS, CURVE, BLOCK = 41, 40, 20, 1 << 20


def ours(spec: ColumnSpec) -> tuple[float, list[dict]]:
    start = time.perf_counter()
    *_, result = run(spec)
    return time.perf_counter() - start, result.summary["points"]


def relu_features(network, X):
    return np.maximum(X @ network.W.T + network.b, 0)


def tangent_kernel(network, X, Z):
    half = network.first_half()
    at_x, at_z = X @ half.W.T + half.b, Z @ half.W.T + half.b
    gates = (at_x > 0).astype(float) @ (at_z > 0).astype(float).T
    return 2 * (np.maximum(at_x, 0) @ np.maximum(at_z, 0).T + (1 + X @ Z.T) * gates)


def timed(action):
    start = time.perf_counter()
    value = action()
    return time.perf_counter() - start, value


def given(spec: ColumnSpec, samples: list) -> tuple[list, list]:
    """Features or kernels of the train, holdout and test samples, and the labels that the head should predict."""
    if spec.method == "algorithm1":
        layer = layer_of(spec.method, spec, samples[0], "cpu")
        linear, network = layer.linear, layer.network
    else:
        network = draw_network(spec.width, spec.d, stream(spec.seed, spec.method, "network"), biases=True)
    if spec.method == "ntk":
        inputs = [tangent_kernel(network, one.X, samples[0].X) for one in samples]
    else:
        inputs = [relu_features(network, one.X) for one in samples]
    labels = [samples[0].y, samples[1].y, samples[2].clean]
    if spec.method == "algorithm1":
        labels = [label - linear(one.X) for label, one in zip(labels, samples, strict=True)]
    return inputs, labels


def risk(model, X, labels) -> float:
    return float(np.mean((model.predict(X) - labels) ** 2))


def peer(spec: ColumnSpec, points: list[dict]) -> tuple[float, float]:
    """Seconds of the peer for 41 λs, and the largest relative difference of the two excess risks."""
    task = task_of(spec.target, spec, spec.seed)
    train, held, test = (
        task.sample(n, which) for which, n in (("train", spec.n[-1]), ("holdout", spec.holdout), ("test", spec.test))
    )
    make = partial(KernelRidge, kernel="precomputed") if spec.method == "ntk" else partial(Ridge, fit_intercept=False)
    seconds, apart = 0.0, 0.0
    for n, point in zip(spec.n, points, strict=True):
        inputs, labels = given(spec, [first_rows(train, n), held, test])
        for factor in (1e-3, 1.0, 1e3):
            model = make(alpha=n * point["lam"] * factor / 2)
            fitting, _ = timed(partial(model.fit, inputs[0], labels[0]))
            judging, _ = timed(partial(risk, model, inputs[1], labels[1]))
            seconds += (fitting + judging) * LAMBDAS / 3
            if factor == 1:
                testing, theirs = timed(partial(risk, model, inputs[2], labels[2]))
                seconds, apart = seconds + testing, max(apart, abs(theirs / point["excess_risk"] - 1))
    return seconds, apart


def products(spec: ColumnSpec) -> list[tuple[int, int, int]]:
    """(rows, inner, columns) of each unavoidable product."""
    q = spec.width if spec.method == "algorithm1" else spec.width // 2
    slopes = spec.d + 1 if spec.method == "ntk" else 1
    inputs, judged, found = spec.d + 1, spec.holdout + spec.test, []
    for index, n in enumerate(spec.n):
        steps = min(n, q * slopes, STEPS)
        if spec.method == "algorithm1":
            found += [(n, inputs, q // 2), (q // 2, n, spec.d)]  # gates, gradient
        if spec.method == "algorithm1" or index == 0:
            found += [(judged, inputs, q), (spec.n[-1] if index == 0 else n, inputs, q)]
        training = [(n, q, slopes)] * 2 * steps
        found += training if slopes > 1 or 2 * steps < q else [(q, n, q)]
        found += [(spec.holdout, q, min(steps, CURVE) * slopes), (spec.test, q, slopes)]
    return found


def alone(shapes: list[tuple[int, int, int]]) -> float:
    """Seconds for the products in blocks of rows, on operands that are already there."""
    seconds = 0.0
    for shape in set(shapes):
        rows, inner, columns = shape
        block = min(rows, max(1, BLOCK // max(inner, columns)))
        A, B = torch.randn(block, inner), torch.randn(inner, columns)
        torch.mm(A, B)
        once = min(timed(partial(torch.mm, A, B))[0] for _ in range(3))
        seconds += once * rows / block * shapes.count(shape)
    return seconds


def gemm_rate() -> float:
    """Flops a second of a 2000 × 2000 product in single precision, the best of five."""
    A = torch.randn(2000, 2000)
    return 2 * 2000**3 / min(timed(partial(torch.mm, A, A))[0] for _ in range(5))


def in_products(timing: tuple[float, list[dict], float]) -> float:
    """How many flops of a large product, at its rate just then, fit into a run of ours."""
    seconds, _, rate = timing
    return seconds * rate


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--width", type=int, default=1000)
    parser.add_argument("--largest", type=int, default=10_000)
    parser.add_argument("--judges", type=int, default=20_000)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    threadpool_limits(options.threads)
    sizes = tuple(n for n in HALF_POWERS if n <= options.largest)
    total = np.zeros(4)
    print(f"width {options.width}, n = {sizes}, holdout and test {options.judges}, {torch.get_num_threads()} threads")
    print(f"large product: {gemm_rate() / 1e9:.0f} Gflop/s in single precision")
    ours(ColumnSpec(n=(10, 200), width=20))  # libraries, threads
    for method in PAPER_METHODS:
        spec = ColumnSpec(method=method, width=options.width, n=sizes, holdout=options.judges, test=options.judges)
        seconds, points, rate = sorted(((*ours(spec), gemm_rate()) for _ in range(3)), key=in_products)[1]
        shapes = products(spec)
        flops = sum(2 * rows * inner * columns for rows, inner, columns in shapes)
        theirs, apart = peer(spec, points)
        row = np.array([seconds, theirs, flops / rate, alone(shapes)])
        total += row
        show(method, row, f"; excess risks within {apart:.0e} of each other")
    show("all three", total)


def show(name: str, row: np.ndarray, ending: str = "") -> None:
    seconds, theirs, at_rate, by_shape = row
    print(f"{name}: ours {seconds:.2f} s; scikit-learn {theirs:.1f} s (scaled), {theirs / seconds:.0f}×; "
          f"products {by_shape:.2f} s alone, ours {seconds / by_shape:.1f}×, or {at_rate:.2f} s at the large product's "
          f"rate, ours {seconds / at_rate:.1f}×{ending}", flush=True)  # fmt: skip


if __name__ == "__main__":
    main()
