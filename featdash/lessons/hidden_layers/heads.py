"""A ridge head on given features, its λ tuned on the holdout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from featdash.lessons.hidden_layers.recipe import CHUNK, LAMS

Features = Callable[[np.ndarray], np.ndarray]  # (k, ...) -> (k, q)
Labelled = tuple[np.ndarray, np.ndarray]  # inputs and labels


@dataclass(eq=False)
class Moments:
    """Of the features φ(x) (q,) and y over the rows so far: Σφφᵀ, Σφ, Σyφ, Σy and their number."""

    features: Features
    gram: np.ndarray | float = 0.0
    total: np.ndarray | float = 0.0
    pull: np.ndarray | float = 0.0
    labels: float = 0.0
    rows: int = field(default=0)

    def extend(self, X: np.ndarray, y: np.ndarray) -> None:
        """Add rows."""
        for rows, labels in chunks((X, y)):
            F = self.features(rows)
            self.gram = self.gram + F.T @ F
            self.total, self.pull = self.total + F.sum(axis=0, dtype=float), self.pull + F.T @ labels
            self.labels, self.rows = self.labels + float(labels.sum()), self.rows + len(labels)

    def error(self, holdout: Labelled, test: Labelled) -> float:
        """Of the head with the λ that is best on the holdout: its squared error on the test set over its variance."""
        n, centre = self.rows, np.asarray(self.total) / self.rows
        level = self.labels / n
        G = np.asarray(self.gram, float) / n - np.outer(centre, centre)
        b = np.asarray(self.pull) / n - level * centre
        unit = float(np.trace(G)) / len(G) or 1.0
        heads = [cho_solve(cho_factor(G + lam * unit * np.eye(len(G)), overwrite_a=True), b) for lam in LAMS]
        C = np.column_stack(heads)
        bias = level - centre @ C
        best = int(np.argmin(self._squares(holdout, C, bias)))
        return float(self._squares(test, C[:, [best]], bias[[best]])[0] / np.var(test[1]))

    def _squares(self, sample: Labelled, C: np.ndarray, bias: np.ndarray) -> np.ndarray:
        """Mean squared errors (k,) of the heads C (q, k)."""
        sums = [((self.features(X) @ C + bias - y[:, None]) ** 2).sum(axis=0) for X, y in chunks(sample)]
        return np.sum(sums, axis=0) / len(sample[1])


def chunks(sample: Labelled) -> Iterator[Labelled]:
    """Of CHUNK rows."""
    X, y = sample
    for start in range(0, len(y), CHUNK):
        yield X[start : start + CHUNK], y[start : start + CHUNK]


def random_neurons(rng: np.random.Generator, inputs: int, count: int, spread: float = 1.0) -> Features:
    """ReLU(w·x + b), w ~ N(0, I/inputs), b ~ N(0, spread²)."""
    W = rng.standard_normal((inputs, count)) / np.sqrt(inputs)
    b = spread * rng.standard_normal(count)
    return lambda X: np.maximum(X @ W + b, 0)


def products_of(d: int) -> Features:
    """x_k x_l for k ≤ l, squares over √2 so that all variances are 1; in single precision."""
    left, right = np.triu_indices(d)
    scale = np.where(left == right, np.sqrt(0.5), 1.0).astype(np.float32)

    def products(X: np.ndarray) -> np.ndarray:
        thin = X.astype(np.float32)
        return thin[:, left] * thin[:, right] * scale - (left == right) * scale

    return products
