"""What an experiment says while it runs: progress, frames, and one result at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Progress:
    """How far the run is, and what it is doing.

    fraction : share of the whole run, in [0, 1], never decreasing.
    doing : the step in words a visitor reads, e.g. "first-layer step".
    """

    fraction: float
    doing: str


@dataclass(frozen=True)
class Frame:
    """One picture of a stream: small named arrays (numeric or fixed-width strings, no objects).

    stream : which picture this is a frame of, e.g. "neurons" or "heads".
    at : position on the stream's own axis (sample size, step, ...), increasing within a stream.
    """

    stream: str
    at: float
    arrays: Mapping[str, np.ndarray]


@dataclass(frozen=True)
class Result:
    """The end of a run.

    summary : plain JSON numbers, strings, lists and dicts; what the command line prints.
    arrays : what the finished pictures and sliders need.
    """

    summary: Mapping[str, Any]
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)


Event = Progress | Frame | Result
