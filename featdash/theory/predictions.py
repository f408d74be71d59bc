"""What theory predicts before any run: plateaus and sample-size scales. Exponents are theorems, constants are not."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class Mark(NamedTuple):
    """A sample size worth a tick: its label, such as d², and its value."""

    label: str
    n: int


def learned_degree(d: int, n: int, most: int) -> int:
    """The largest k <= most with d^k < n, at least 0: what a kernel has learned from n samples.

    At n = d^k exactly the degree k counts as not yet learned.
    """
    k = 0
    while k < most and d ** (k + 1) < n:
        k += 1
    return k


def kernel_plateau(energy_by_degree: ArrayLike, d: int, n: int) -> float:
    """The excess risk at which a rotation-invariant kernel stalls: the energy of degrees above k, d^k < n <= d^{k+1}.

    energy_by_degree : (p + 1,), E f_k² of the degree-k part of the target.

    For n <= d all but the mean stays. For d < n <= d² the linear part is learned too; where the target has neither mean
    nor linear part, as in Figure 1, that is the zero predictor with risk E f². At n = d⁴, Figure 1's target leaves ½.
    Source: Damian, Lee, Soltanolkotabi (2022), section 1; Ghorbani et al. (2021). The boundary n = d^k is our choice.
    """
    energy = np.asarray(energy_by_degree, dtype=float)
    return float(energy[learned_degree(d, n, len(energy) - 1) + 1 :].sum())


def kernel_scale(d: int, p: int) -> float:
    """The order of samples that a kernel needs for degree p: d^p."""
    return float(d**p)


def csq_scale(d: int, p: int) -> float:
    """The paper's heuristic for correlational queries where Assumption 2 fails: n ≳ d^{p/2}.

    Theorem 2 bounds the tolerance of such queries, τ <= log^{p/4}(qd) / d^{p/4}; τ ≈ n^{-1/2} makes samples of it. No
    bound on samples for every learner: the noise of a sample is random, not adversarial.
    Source: Damian, Lee, Soltanolkotabi (2022), Theorem 2 and below it, for He_p(u.x) / √p!, p >= 3.
    """
    return float(d) ** (p / 2)


def lipschitz_error(n: int, d: ArrayLike) -> np.ndarray:
    """The order of the least possible E(f̂ − f*)² for a bare Lipschitz function of d variables, n^{−2/(2+d)}.

    Source: Stone (1982), smoothness 1; without its constant, and attained by no method in particular.
    """
    return float(n) ** (-2 / (2 + np.asarray(d, dtype=float)))


def lipschitz_samples(error: float, d: ArrayLike) -> np.ndarray:
    """The n at which `lipschitz_error` is `error`, error^{−(2+d)/2}: exponential in d."""
    return float(error) ** (-(2 + np.asarray(d, dtype=float)) / 2)


def lipschitz_reach(n: int, error: float) -> float:
    """The d at which `lipschitz_error` is `error`, 2 log n / log(1/error) − 2: what n samples reach."""
    return float(2 * np.log(n) / -np.log(error) - 2)


def sample_marks(d: int, p: int) -> tuple[Mark, ...]:
    """The ticks of a sample-size control, ascending: d² (the first-layer step) and d^p (a kernel)."""
    return tuple(Mark(f"d{str(power).translate(SUPERSCRIPTS)}", d**power) for power in sorted({2, p}) if power > 1)
