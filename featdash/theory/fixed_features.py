"""What no fixed features can do: the lower bound of Shi, Wei, Liang (2022), Theorem 2."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def bound_is_stated(k: int, patterns: int, labels: str) -> bool:
    """Whether Theorem 2 is stated for these sizes: labels by parity, k odd, 3 < k <= D/16; D is `patterns`."""
    return labels == "parity" and k % 2 == 1 and 3 < k <= patterns / 16


def fixed_feature_bound(p0: float, k: int, features: ArrayLike, norm: ArrayLike) -> np.ndarray:
    """p₀(1 − √(2N) B / 2^k): a hinge loss that linear models on N fixed features in [−1, 1], of norm <= B, stay above.

    The theorem says that *some* law with structure makes them stay above it, not that each does, so a measured loss
    below it on another law is no contradiction. At 0 or below it says nothing: a hinge loss is never negative. For
    which labels and sizes it is stated, `bound_is_stated` tells.
    features : N; norm : B; they broadcast.
    """
    return p0 * (1 - np.sqrt(2 * np.asarray(features, dtype=float)) * np.asarray(norm, dtype=float) / 2.0**k)
