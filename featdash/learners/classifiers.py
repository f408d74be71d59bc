"""Several small classifiers trained side by side, each on samples of its own: one more axis, in front, of every array.

f(x) = A max(Wx + b, 0) + c with m neurons and K outputs; the loss is the mean cross-entropy of softmax(f).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class Classifiers:
    """R networks W (R, q, m), b (R, 1, m), A (R, m, K), c (R, 1, K), and the momentum of each parameter.

    Start: W ~ N(0, 2/q), A ~ N(0, 1/m), b = c = 0.
    """

    def __init__(self, q: int, m: int, outputs: int, rngs: Sequence[np.random.Generator]) -> None:
        weights = [(r.standard_normal((q, m)), r.standard_normal((m, outputs))) for r in rngs]
        W = np.sqrt(2 / q) * np.stack([one for one, _ in weights])
        A = np.stack([one for _, one in weights]) / np.sqrt(m)
        self.parameters = [W, np.zeros((len(W), 1, m)), A, np.zeros((len(W), 1, outputs))]
        self._velocity = [np.zeros_like(one) for one in self.parameters]

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """Outputs (R, n, K) of inputs (R, n, q)."""
        W, b, A, c = self.parameters
        return np.maximum(X @ W + b, 0) @ A + c

    def classes(self, X: np.ndarray) -> np.ndarray:
        """The class of the largest output, (R, n)."""
        return self(X).argmax(axis=2)

    def gradients(self, X: np.ndarray, y: np.ndarray) -> list[np.ndarray]:
        """Of the mean cross-entropy in W, b, A, c; X (R, n, q), classes y (R, n)."""
        W, b, A, c = self.parameters
        hidden = np.maximum(X @ W + b, 0)
        scores = hidden @ A + c
        odds = np.exp(scores - scores.max(axis=2, keepdims=True))
        pull = odds / odds.sum(axis=2, keepdims=True)
        np.put_along_axis(pull, y[:, :, None], np.take_along_axis(pull, y[:, :, None], 2) - 1, 2)
        pull /= y.shape[1]
        back = (pull @ A.swapaxes(1, 2)) * (hidden > 0)
        return [
            X.swapaxes(1, 2) @ back,
            back.sum(axis=1, keepdims=True),
            hidden.swapaxes(1, 2) @ pull,
            pull.sum(axis=1, keepdims=True),
        ]

    def step(self, X: np.ndarray, y: np.ndarray, rate: float, momentum: float) -> None:
        """v ← momentum v + gradient; parameters ← parameters − rate v."""
        for parameter, velocity, gradient in zip(self.parameters, self._velocity, self.gradients(X, y), strict=True):
            velocity *= momentum
            velocity += gradient
            parameter -= rate * velocity
