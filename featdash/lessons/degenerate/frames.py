"""The table of a failure, as far as it is filled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class Rescue(NamedArrays):
    """Algorithm 1 on the rescue: its excess risk and alignment (R, D, S)."""

    risk: np.ndarray
    alignment: np.ndarray


@dataclass(frozen=True, eq=False)
class FailureTable(NamedArrays):
    """A number for each of R repeats, D dimensions and S sample sizes (R, D, S); NaN where not yet measured.

    d (D,), n (S,) : the dimensions and the sizes, ascending.
    risk : method -> excess risk at its tuned λ.
    alignment, noise_alignment : mean squared share of a neuron's norm inside the subspace, after the first step on the
        labels and on labels of random sign.
    gradient_noise : RMS norm over neurons of empirical - population gradient.
    rescue : None where there is none.
    """

    d: np.ndarray
    n: np.ndarray
    risk: Mapping[str, np.ndarray]
    alignment: np.ndarray
    noise_alignment: np.ndarray
    gradient_noise: np.ndarray
    rescue: Rescue | None = None
