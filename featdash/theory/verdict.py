"""Will one gradient step see the principal subspace? Assumption 2 in words, and what is left where it fails.

A part of f* of Hermite degree k enters the population gradient with the ReLU's coefficient c_k(b) along its own
directions (and with c_{k+2}(b) along w). At b = 0 those of odd k >= 3 are exactly 0, so that only even degrees show
theirs; with biases from before the step, c_3(b) = -b φ(b), every degree does. The degree 2 is the leading term, seen
from n ≳ d² samples, the degree k from n ≳ d^k inside the subspace.
"""

from __future__ import annotations

from dataclasses import dataclass

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
    missed, later = bent_rank - hessian_rank, shown_rank - hessian_rank
    if not shown_rank:
        return (
            "every term of the expected gradient is exactly 0 at b = 0, so that one step follows the noise of the "
            "sample alone."
        )
    seen = (
        f"one step sees {hessian_rank} of the {bent_rank} directions that bend and misses {missed}"
        if hessian_rank
        else "one step sees nothing of the principal subspace"
    )
    why = "even degrees from 4 on" if biases == "redrawn" else "biases drawn before the step let every degree through"
    left = (
        f"the smaller terms beyond ({why}) show {later} more, from more samples."
        if later
        else f"no term of the expected gradient points along {'it' if missed == 1 else 'them'} at b = 0."
    )
    return f"{LEADING} {seen}; {left}"
