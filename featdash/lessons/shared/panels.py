"""What the panels of several lessons say and read alike."""

from __future__ import annotations

from featdash.theory.predictions import Mark, sample_marks
from featdash.theory.target import PolynomialTarget

# How the pages call the choices of a run on Gaussian inputs, and the functions of one input.
GAUSSIAN_WORDS = {
    "rms": "rows of W¹ at RMS norm 1",
    "fixed": "fixed",
    "redrawn": "drawn after the step",
    "kept": "drawn before the step",
    "half": "m/2, mirrored",
    "all": "m, as in Algorithm 1",
}
INPUT_WORDS = {"heaviside": "jump", "smooth": "smooth"}


def marks_of(target: PolynomialTarget) -> tuple[Mark, ...]:
    """d, d² and d^p."""
    return (Mark("d", target.d), *sample_marks(target.d, target.degree))
