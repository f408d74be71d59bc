"""Random streams: one a purpose, so that adding a method or a sample changes no other number."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import partial

import numpy as np


def stream(seed: int, *purpose: str | int) -> np.random.Generator:
    """The generator of (seed, purpose); distinct purposes give independent streams.

    Samples are drawn row by row, so the first n rows of a longer draw are the draw of n rows:
    a sweep over n uses nested samples, and each of its cells equals the same run made alone.
    """
    keys = [zlib.crc32(part.encode()) if isinstance(part, str) else part for part in purpose]
    return np.random.default_rng(np.random.SeedSequence([seed, *keys]))


def of_seed(seed: int) -> Callable[..., np.random.Generator]:
    """purpose -> the generator of (seed, purpose)."""
    return partial(stream, seed)
