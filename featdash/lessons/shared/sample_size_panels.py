"""What the pictures over sample sizes say alike."""

from __future__ import annotations

from featdash.theory.predictions import Mark, sample_marks
from featdash.theory.target import PolynomialTarget


def marks_of(target: PolynomialTarget) -> tuple[Mark, ...]:
    """d, d² and d^p."""
    return (Mark("d", target.d), *sample_marks(target.d, target.degree))
