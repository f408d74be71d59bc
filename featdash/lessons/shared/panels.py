"""What the panels of several lessons say and read alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from featdash.lessons.shared.dimension_frames import ErrorCurve
from featdash.recipes.events import Result
from featdash.theory.predictions import Mark, sample_marks
from featdash.theory.target import PolynomialTarget

FAIR = "Same data ✓ λ, length scale and stopping time from the same holdout ✓ all that is compared is n samples"

# method -> its errors so far
Errors = Annotated[Mapping[str, ErrorCurve] | None, "errors"]
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


def complete(curves: Mapping[str, ErrorCurve], dims: tuple[int, ...]) -> dict[str, ErrorCurve]:
    """The curves that have every dimension."""
    return {method: curve for method, curve in curves.items() if len(curve.d) == len(dims)}


def dimension_by_method(result: Result | None) -> dict[str, float | None]:
    """method -> d where its error rises through the level; empty before the end."""
    return {name: one["reach"] for name, one in result.summary["methods"].items()} if result else {}


def dimensions_between(dims: tuple[int, ...], count: int = 80) -> np.ndarray:
    """Dimensions for a line of theory, evenly in log d."""
    return np.geomspace(min(dims), max(dims), count)


def marks_of(target: PolynomialTarget) -> tuple[Mark, ...]:
    """d, d² and d^p."""
    return (Mark("d", target.d), *sample_marks(target.d, target.degree))
