"""Lines 1 and 2 of Algorithm 1 on a sample that is never held as a whole."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from featdash.learners.algorithm1 import LinearPart, first_layer_gradient
from featdash.learners.network import Network

Rows = tuple[np.ndarray, np.ndarray]  # X (rows, d), y (rows,)


def streamed_linear_part(chunks: Iterable[Rows]) -> LinearPart:
    """α = mean(y) and β = (1/n) Σ y_i x_i over all chunks; as `remove_linear_part` of the whole."""
    n, total, moment = 0, 0.0, 0.0
    for X, y in chunks:
        n, total, moment = n + len(y), total + float(np.sum(y)), moment + X.T @ y
    return LinearPart(total / n, moment / n)


def streamed_gradient(chunks: Iterable[Rows], linear: LinearPart, network: Network, device: str = "cpu") -> np.ndarray:
    """∇_W L (m, d) at the symmetric start over all chunks, labels less their linear part.

    The loss is a mean, so the whole gradient is the mean of the chunks' weighted by their rows.
    """
    n, total = 0, np.zeros_like(network.W)
    for X, y in chunks:
        total += len(y) * first_layer_gradient(X, y - linear(X), network, device)
        n += len(y)
    return total / n
