"""What the panels of errors against the dimension read and say alike."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated

import numpy as np

from featdash.figures.text import number
from featdash.lessons.shared.frames import ErrorCurve
from featdash.recipes.events import Result
from featdash.ui.stage.phases import Phase

FAIR = "Same data ✓ λ, length scale and stopping time from the same holdout ✓ all that is compared is n samples"
PHASE = Phase("from few inputs to many", ("errors",), lambda d: f"d up to {number(d)}", lambda spec: sorted(spec.dims))

# method -> its errors so far
Errors = Annotated[Mapping[str, ErrorCurve] | None, "errors"]


def complete(curves: Mapping[str, ErrorCurve], dims: tuple[int, ...]) -> dict[str, ErrorCurve]:
    """The curves that have every dimension."""
    return {method: curve for method, curve in curves.items() if len(curve.d) == len(dims)}


def dimension_by_method(result: Result | None) -> dict[str, float | None]:
    """method -> d where its error rises through the level; empty before the end."""
    return {name: one["reach"] for name, one in result.summary["methods"].items()} if result else {}


def dimensions_between(dims: tuple[int, ...], count: int = 80) -> np.ndarray:
    """Dimensions for a line of theory, evenly in log d."""
    return np.geomspace(min(dims), max(dims), count)
