"""The cost of kernel ridge: seconds of a direct solve, n³, against Richardson's iteration, n² a step.

Both solve (K + (nλ/2) I)α = y for an RBF kernel; making K, n²d, is not timed. One core works, so that no time is spent
waiting for another, and each time is the least of the repeats, which other work on the machine disturbs least.

Streams: `seconds`, see `frames`; `residual`, at = n: residual (T + 1,), ‖(K + (nλ/2) I)α_t − y‖/‖y‖ after t = 0 .. T
steps. Result: residual (T + 1,) at the largest n.
Summary: `direct` and `richardson` (a step), each with seconds at each n and the line that counting flops gives, of the
`exponent` 3 or 2 and through the time at the largest n; `scatter`, what it misses at the sizes of at least 0.4 of the
largest, as a root mean square in log seconds; `disturbed`, whether other work on the machine spoilt the times; and,
unless it did, `at_ten_million`, that line *extrapolated* to n = 10⁷, with `range`, where the lines through the other
of those sizes lead: no measurement, and it leaves out that K would take 8·10¹⁴ bytes. `iterations` timed steps and the
residual they leave.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits

from featdash.learners.kernel_ridge import Kernel
from featdash.learners.richardson import bounded_step, richardson, solve_directly, step_length
from featdash.lessons.solvers.frames import Seconds
from featdash.lessons.solvers.recipe import EXPONENTS, SOLVERS, SolversSpec
from featdash.recipes.events import Event, Frame, Progress, Result
from featdash.tasks.streams import stream

D = 10
FITTED_SHARE = 2.5  # sizes from the largest over this on count: smaller K fit into a processor's cache
FAR = 1e7
WORKED = 0.9  # of a time's seconds, that the processor must have given to it: the rest went to other work
STEADY = 1.5  # factor up to which seconds/n^exponent agree on an idle machine from 0.4 of the largest n on


class Timing(NamedTuple):
    """Seconds that passed, and the share of them in which the processor worked for this thread."""

    seconds: float
    share: float


class Line(NamedTuple):
    """seconds = constant n^exponent; constants of other sizes lie from `low` to `high`, `scatter` is their rms log."""

    exponent: int
    constant: float
    low: float
    high: float
    scatter: float
    disturbed: bool

    def summary(self) -> dict[str, object]:
        """The line in plain numbers, extrapolated unless it is disturbed."""
        far = FAR**self.exponent
        leads = None if self.disturbed else self.constant * far
        reach = None if self.disturbed else [self.low * far, self.high * far]
        summary = {"exponent": self.exponent, "scatter": self.scatter, "disturbed": self.disturbed}
        return summary | {"at_ten_million": leads, "range": reach}


def flop_line(n: np.ndarray, seconds: np.ndarray, share: np.ndarray, exponent: int) -> Line:
    """The line of known exponent through the time at the largest n; n, seconds, share (S,), n ascending."""
    fitted = n >= n[-1] / FITTED_SHARE
    constants = seconds[fitted] / n[fitted].astype(float) ** exponent
    low, high = float(constants.min()), float(constants.max())
    scatter = float(np.sqrt(np.mean(np.log(constants / constants[-1]) ** 2)))
    disturbed = bool(high > STEADY * low or share[fitted].min() < WORKED)
    return Line(exponent, float(constants[-1]), low, high, scatter, disturbed)


def system(n: int, lam: float, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """K + (nλ/2) I (n, n) and y (n,): an RBF kernel of length √d on x ~ N(0, I_d), y the first coordinate and noise."""

    rng = stream(seed, "solvers", n)
    X = rng.standard_normal((n, D))
    K = Kernel("rbf", float(np.sqrt(D)))(X, X)
    K[np.diag_indices(n)] += n * lam / 2
    return K, X[:, 0] + rng.standard_normal(n)


def run(spec: SolversSpec, device: str = "cpu") -> Iterator[Event]:  # noqa: ARG001  it is the CPU that is timed
    """The events of the timing; see the module's docstring."""
    ladder = spec.ladder()
    best: dict[str, list[Timing]] = {name: [] for name in SOLVERS}
    work = np.cumsum(np.array(ladder, dtype=float) ** 3)
    yield Progress(0.0, f"making K for n = {ladder[0]}")
    for row, n in enumerate(ladder):
        K, y = system(n, spec.lam, spec.seed)
        for timings in best.values():
            timings.append(Timing(np.inf, 0.0))
        for repeat in range(spec.repeats):
            best["richardson"][row] = min(best["richardson"][row], time_richardson(K, y, spec))
            best["direct"][row] = min(best["direct"][row], time_direct(K.copy(), y))
            direct, step = (np.array([timing.seconds for timing in best[name]]) for name in SOLVERS)
            table = Seconds(np.array(ladder[: row + 1]), direct, step)
            yield Frame("seconds", row * spec.repeats + repeat + 1, table.to_arrays())
            before = work[row - 1] if row else 0.0
            share = before + (work[row] - before) * (repeat + 1) / spec.repeats
            yield Progress(share / work[-1], f"solving n = {n}, repeat {repeat + 1} of {spec.repeats}")
        values = residuals(K, y, spec)
        yield Frame("residual", n, {"residual": values})
    yield report(spec, best, values)


def report(spec: SolversSpec, best: dict[str, list[Timing]], residual: np.ndarray) -> Result:
    """The lines and their extrapolation."""
    n = np.array(spec.ladder())
    summary: dict[str, object] = {"n": n.tolist(), "iterations": spec.iterations}
    summary["residual"] = float(residual[-1])
    for name, timings in best.items():
        seconds, share = np.array(timings).T
        line = flop_line(n, seconds, share, EXPONENTS[name])
        summary[name] = {"seconds": seconds.tolist(), **line.summary()}
    return Result(summary, {"residual": residual})


def time_richardson(K: np.ndarray, y: np.ndarray, spec: SolversSpec) -> Timing:
    """One step: the mean of `iterations`, started once before, so that K has been touched."""

    steps = richardson(K, y, bounded_step(K))
    next(steps)
    whole = _time(lambda: [next(steps) for _ in range(spec.iterations)])
    return whole._replace(seconds=whole.seconds / spec.iterations)


def time_direct(K: np.ndarray, y: np.ndarray) -> Timing:
    """A Cholesky solve; K is overwritten."""

    return _time(lambda: solve_directly(K, y))


def residuals(K: np.ndarray, y: np.ndarray, spec: SolversSpec) -> np.ndarray:
    """The relative residual after 0, 1, ..., iterations steps of the length 0.9/s_max."""

    steps = richardson(K, y, step_length(K, stream(spec.seed, "solvers", "power")))
    iterates = [np.zeros(len(y)), *(next(steps) for _ in range(spec.iterations))]
    return np.linalg.norm(K @ np.array(iterates).T - y[:, None], axis=0) / np.linalg.norm(y)


def _time(work: Callable[[], object]) -> Timing:

    with threadpool_limits(1):
        started, processor_start = time.perf_counter(), time.thread_time()
        work()
        seconds, processor = time.perf_counter() - started, time.thread_time() - processor_start
    return Timing(seconds, min(1.0, processor / seconds))
