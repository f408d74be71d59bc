"""What theory predicts before any run: plateaus, sample-size scales, and whether one step sees the subspace.

Exponents are theorems, constants are not. The verdict on one step is Assumption 2 in words, and what is left where it
fails. A part of f* of Hermite degree k enters the population gradient with the ReLU's coefficient c_k(b) along its own
directions (and with c_{k+2}(b) along w). At b = 0 those of odd k >= 3 are exactly 0, so that only even degrees show
theirs; with biases from before the step, c_3(b) = -b φ(b), every degree does. The degree 2 is the leading term, seen
from n ≳ d² samples, the degree k from n ≳ d^k inside the subspace.
"""

from __future__ import annotations

from dataclasses import dataclass
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


def width_plateau(energy_by_degree: ArrayLike, d: int, n: int, neurons: int, tangent: bool) -> float:
    """The excess risk at which fixed features of so many distinct neurons stall: neurons and samples both set a degree.

    With infinitely many samples random features of d^k < neurons < d^{k+1} fit the degrees up to k, tangent features,
    which have d numbers a neuron, those up to k + 1; with infinitely many neurons n samples set it, as in
    `kernel_plateau`. The smaller of the two degrees is taken; that both limits may be taken so is our reading.
    Source: Ghorbani, Mei, Misiakiewicz, Montanari, "Linearized two-layers neural networks in high dimension" (2021),
    on the sphere for d -> inf, with neurons and n between powers of d by a factor d^δ.
    """
    energy = np.asarray(energy_by_degree, dtype=float)
    most = len(energy) - 1
    by_width = learned_degree(d, neurons, most) + (1 if tangent else 0)
    return float(energy[min(by_width, learned_degree(d, n, most)) + 1 :].sum())


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


LEADING = "to leading order, at n ≍ d² samples,"


@dataclass(frozen=True)
class OneStepVerdict:
    """What one gradient step can see, judged after Algorithm 1 has fitted the linear part.

    kind : "full", "partial", "faint" (only terms beyond the leading one are left) or "none" (none is).
    hessian_rank : rank of E ∇² f*; rank : the latent dimension r.
    """

    kind: str
    hessian_rank: int
    rank: int
    sentence: str


def one_step_verdict(
    hessian_rank: int, rank: int, bent_rank: int, shown_rank: int, biases: str = "redrawn"
) -> OneStepVerdict:
    """The verdict.

    bent_rank : the directions that f* minus its linear part depends on. A direction in which f* is only linear has no
        curvature, so Assumption 2 fails as written, yet nothing is lost: line 1 of Algorithm 1 fits it apart.
    shown_rank : those along which any term of the population gradient points, the leading one included.
    biases : "redrawn", b = 0 in the step, or "kept", drawn before it.
    """
    says = f"E∇²f* has rank {hessian_rank} of r = {rank}"
    if bent_rank == 0:
        kind, sentence = "none", f"{says}: f* is linear, so there is nothing for the first step to find."
    elif hessian_rank == rank:
        kind, sentence = "full", f"{says}: one step can see the whole principal subspace."
    elif hessian_rank == bent_rank:
        kind = "full"
        sentence = f"{says}, and the rest is linear, which is fitted apart: one step can see all that bends."
    else:
        kind = "partial" if hessian_rank else "faint" if shown_rank else "none"
        sentence = f"{says}: {_partly(hessian_rank, bent_rank, shown_rank, biases)}"
    return OneStepVerdict(kind, hessian_rank, rank, sentence)


def _partly(hessian_rank: int, bent_rank: int, shown_rank: int, biases: str) -> str:
    """Where Assumption 2 fails: what the leading term misses, and what the terms beyond it show."""
    misses, later = bent_rank - hessian_rank, shown_rank - hessian_rank
    if not shown_rank:
        return (
            "every term of the expected gradient is exactly 0 at b = 0, so that one step follows the noise of the "
            "sample alone."
        )
    visible = (
        f"one step sees {hessian_rank} of the {bent_rank} directions that bend and misses {misses}"
        if hessian_rank
        else "one step sees nothing of the principal subspace"
    )
    why = "even degrees from 4 on" if biases == "redrawn" else "biases drawn before the step let every degree through"
    further = (
        f"the smaller terms beyond ({why}) show {later} more, from more samples."
        if later
        else f"no term of the expected gradient points along {'it' if misses == 1 else 'them'} at b = 0."
    )
    return f"{LEADING} {visible}; {further}"
