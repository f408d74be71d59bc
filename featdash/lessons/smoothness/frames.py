"""The streams of smoothness: the fits of one sample, and the rates."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class FixedCurves(NamedArrays):
    """The frame `kernel`: what stands still while the network trains.

    x (801,), truth (801,) : the interval [−1, 1], and f* on it.  X (n,), y (n,) : the sample.
    kernel (801,) : kernel ridge at the λ of the holdout.
    """

    x: np.ndarray
    truth: np.ndarray
    X: np.ndarray
    y: np.ndarray
    kernel: np.ndarray


@dataclass(frozen=True, eq=False)
class Rates(NamedArrays):
    """What a frame of `rates`, at = points so far, holds for each target: errors against the sample size.

    n (k,) : the sizes measured.  kernel (k,), network (k,) : E(f̂ − f*)², geometric mean over the repeats so far.
    """

    n: np.ndarray
    kernel: np.ndarray
    network: np.ndarray
