"""A two-layer network whose layers are trained together, each step on samples that it has never seen."""

from __future__ import annotations

import numpy as np

from featdash.learners.network import draw_network
from featdash.learners.trained_network import Parameters, loss_gradient


class OnlineNetwork:
    """f(x) = (1/m) Σ_j a_j σ(w_j·x + b_j) under plain gradient steps of all parameters, in single precision.

    Start: mirrored, so that f = 0; a_j = ±1, w_j ~ N(0, I/d), b_j = 0 or ~ N(0, 1). A step moves a, W and b by
    −η m ∇L, L the mean squared error of the batch, no ½: the factor m undoes the 1/m of the gradient, so that a neuron
    moves as far whatever the width (the mean-field scaling). What is stored for a_j is a_j/m.

    width : m, even; rate : η; biases : whether they are drawn, after all the rest.
    """

    def __init__(self, width: int, d: int, rate: float, rng: np.random.Generator, biases: bool = False) -> None:
        start = draw_network(width, d, rng, biases)
        parts = (start.a / width, start.b, start.W.ravel())
        self.parameters = Parameters(np.concatenate(parts).astype(np.float32), width)
        self.gradient = Parameters(np.empty_like(self.parameters.vector), width)
        self.rates = np.full(len(self.parameters.vector), rate * width, dtype=np.float32)
        self.rates[:width] = rate / width  # of a_j/m

    def step(self, X: np.ndarray, y: np.ndarray) -> None:
        """One step on the batch X (B, d), y (B,), both in single precision."""
        loss_gradient(self.parameters, X, y, self.gradient)
        self.gradient.vector *= self.rates
        self.parameters.vector -= self.gradient.vector

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f on the rows of X (n, d), in single precision -> (n,)."""
        z = X @ self.parameters.W.T
        z += self.parameters.b
        return np.maximum(z, 0, out=z) @ self.parameters.a
