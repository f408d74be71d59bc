"""What a summary says of its target."""

from __future__ import annotations

from typing import Any

from featdash.theory.target import PolynomialTarget


def describe(target: PolynomialTarget) -> dict[str, Any]:
    """What a summary says of its target."""
    return {
        "degree": target.degree,
        "rank": target.rank,
        "hessian_rank": target.hessian_rank,
        "condition_number": target.condition_number,
        "information_exponent": target.information_exponent,
        "energy_by_degree": target.energy_by_degree.tolist(),
    }
