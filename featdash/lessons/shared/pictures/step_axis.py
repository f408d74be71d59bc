"""Step axes that show the first steps as well as thousands: their places, ticks and numbers."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from featdash.figures.text import number

TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)


def step_places(steps: Sequence[float]) -> np.ndarray:
    """Where steps stand on an axis: log₁₀(1 + t), so that the untrained layer at t = 0 has a place too."""
    return np.log10(1 + np.asarray(steps, dtype=float))


def step_axis(title: str, last: float, apart: float = 0.08) -> dict:
    """An axis over steps 0 to `last`, for `update_xaxes`; ticks are at least `apart`, a share of the axis, apart."""
    ticks = [tick for tick in TICKS if tick <= last]
    least = apart * math.log10(1 + last)
    kept = [0]
    for tick in ticks[1:]:
        if math.log10(1 + tick) - math.log10(1 + kept[-1]) >= least:
            kept.append(tick)
    end = math.log10(1 + max(last, 1))
    texts = [number(tick) for tick in kept]
    return {
        "title_text": title,
        "range": [-0.03 * end, 1.04 * end],
        "tickangle": 0,
        "tickvals": step_places(kept).tolist(),
        "ticktext": texts,
    }
