"""The gradient of the first step on a sample, and its size."""

from __future__ import annotations

import numpy as np

from featdash.learners.algorithm1 import first_layer_gradient, remove_linear_part
from featdash.learners.network import Network
from featdash.tasks.gaussian import Sample


def empirical_gradient(sample: Sample, size: int, start: Network, device: str) -> np.ndarray:
    """∇_W L (m/2, d) of the distinct neurons on the first `size` samples, α and β estimated from the same ones."""

    X, y = sample.X[:size], sample.y[:size]
    return first_layer_gradient(X, y - remove_linear_part(X, y)(X), start, device)[: start.width // 2]


def rms(rows: np.ndarray) -> float:
    """The root mean square of the norms of the rows."""
    return float(np.sqrt(np.mean(np.sum(rows**2, axis=1))))
