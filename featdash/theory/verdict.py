"""Will one gradient step see the principal subspace? Assumption 2 in words."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OneStepVerdict:
    """What one gradient step can see, judged after Algorithm 1 has fitted the linear part.

    kind : "full", "partial" or "none".
    hessian_rank : rank of E ∇² f*; rank : the latent dimension r.
    """

    kind: str
    hessian_rank: int
    rank: int
    sentence: str


def one_step_verdict(hessian_rank: int, rank: int, bent_rank: int) -> OneStepVerdict:
    """The verdict; bent_rank counts the directions that f* minus its linear part depends on.

    A direction in which f* is only linear has no curvature, so Assumption 2 fails as written, yet nothing is lost:
    line 1 of Algorithm 1 fits it apart.
    """
    says = f"E∇²f* has rank {hessian_rank} of r = {rank}"
    if bent_rank == 0:
        kind, sentence = "none", f"{says}: f* is linear, so there is nothing for the first step to find."
    elif hessian_rank == rank:
        kind, sentence = "full", f"{says}: one step can see the whole principal subspace."
    elif hessian_rank == bent_rank:
        kind, sentence = (
            "full",
            f"{says}, and the rest is linear, which is fitted apart: one step can see all that bends.",
        )
    elif hessian_rank == 0:
        kind, sentence = "none", f"{says}: one step sees nothing of the principal subspace."
    else:
        missed = bent_rank - hessian_rank
        kind = "partial"
        sentence = f"{says}: one step sees {hessian_rank} of the {bent_rank} directions that bend and misses {missed}."
    return OneStepVerdict(kind, hessian_rank, rank, sentence)
