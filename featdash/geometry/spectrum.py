"""Spikes and bulk: the singular values of a first-layer gradient, and where the bulk of pure noise ends. NumPy only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

BLOCK_GATES = 1 << 22  # gates held at a time

Residual = Callable[[np.ndarray, np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class NullDistribution:
    """Singular values of gradients whose labels carry no signal: values (R, min(m, d)), each row descending."""

    values: np.ndarray

    @property
    def edge(self) -> float:
        """The largest of all: of R + 1 exchangeable gradients, one without signal exceeds it with chance 1/(R + 1)."""
        return float(self.values.max())


def permuted_labels(
    X: np.ndarray, y: np.ndarray, residual: Residual, copies: int, rng: np.random.Generator
) -> np.ndarray:
    """Labels shuffled over the rows, each treated as the true ones are: (n, copies).

    X (n, d), y (n,). residual(X, y) -> (n,) : what line 1 of Algorithm 1 leaves of labels. It is applied anew to each
    copy: a chance linear part moves all neurons together, and would look like a spike.
    The null says that y is independent of x. Noise that is larger where f* is large is not in it.
    """
    return np.column_stack([residual(X, rng.permutation(y)) for _ in range(_check_copies(copies))])


def sign_flipped_labels(
    X: np.ndarray, y: np.ndarray, residual: Residual, copies: int, rng: np.random.Generator
) -> np.ndarray:
    """What line 1 leaves of y, with fair random signs, and line 1 again: (n, copies); arguments as above.

    The null says only that the sign of the residual is independent of x: its size stays with its x, so that noise
    which is larger where f* is large is kept (the wild bootstrap: Wu 1986, Liu 1988).
    """
    rest = residual(X, y)
    signs = (rng.choice([-1.0, 1.0], size=len(y)) for _ in range(_check_copies(copies)))
    return np.column_stack([residual(X, rest * sign) for sign in signs])


def gradients_of_labels(X: np.ndarray, labels: np.ndarray, W: np.ndarray, a: np.ndarray) -> np.ndarray:
    """-(2/n) a_j Σ_i y_i x_i 1{w_j·x_i > 0} for several label vectors at once: (R, m, d).

    X (n, d), labels (n, R), W (m, d), a (m,); the bias is 0. The gates are shared by all the labels, and products are
    in single precision block by block, summed in double: relative errors of 1e-6, where noise is 1e-2.
    """
    (n, d), R, m = X.shape, labels.shape[1], len(W)
    rows, weights, labels = X.astype(np.float32), W.T.astype(np.float32), labels.astype(np.float32)
    total = np.zeros((m, R * d))
    block = max(1, BLOCK_GATES // max(m, R * d))
    for start in range(0, n, block):
        part = slice(start, start + block)
        gates = (rows[part] @ weights > 0).astype(np.float32)
        moments = labels[part][:, :, None] * rows[part][:, None, :]
        total += gates.T @ moments.reshape(len(gates), R * d)
    return -2 / n * a[:, None] * total.reshape(m, R, d).transpose(1, 0, 2)


def singular_values(gradients: np.ndarray) -> np.ndarray:
    """Those of each matrix (..., m, d), descending: (..., min(m, d))."""
    return np.linalg.svd(gradients, compute_uv=False)


def _check_copies(copies: int) -> int:
    if copies < 1:
        raise ValueError(f"copies must be at least 1, got {copies}; 20 give an edge that noise passes once in 21 times")
    return copies
