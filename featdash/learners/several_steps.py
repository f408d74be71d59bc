"""Several steps of the first layer on one sample, each as long as the rule "rms" of Algorithm 1 has it.

    w_j ← η a_j g_j,    g_j = (1/n) Σ_i (y_i − f(x_i)) σ'(w_j·x_i) x_i,    a_j = ±1, b = 0

A step is line 2 of Algorithm 1, W ← −η ∇L, with the one η that gives the rows of W root-mean-square norm 1. In the
first step f = 0, as at its symmetric start, whose mirror copies are left out here. Later f depends on the loss: the
correlation loss −(1/n) Σ y_i f(x_i) keeps f = 0, the squared loss has f(x) = c Σ_j a_j σ(w_j·x), with c = 1/m or 1/√m.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch

from featdash.learners.network import BLOCK_NUMBERS, RELU, Activation

# σ(z) = log cosh z: σ'(0) = 0 and σ''(0) = 1, as Zhang, Wang, Fu, Lee 2026 assume of σ.
LOG_COSH = Activation("log_cosh", lambda z: torch.logaddexp(z, -z) - float(np.log(2)), torch.tanh)
ACTIVATIONS = {one.name: one for one in (RELU, LOG_COSH)}


class SteppedLayer:
    """A first layer of m neurons that takes one step after the other on the sample X (n, d), residual (n,).

    W (m, d) : the start.  a (m,) : ±1.  scale : c of the output, 0 for the correlation loss.
    Single precision. After a step `output` is the root mean square of the f that the step has taken off the labels.
    """

    def __init__(
        self, X: torch.Tensor, residual: torch.Tensor, W: torch.Tensor, a: torch.Tensor, activation: str, scale: float
    ) -> None:
        self._X, self._residual, self._a = X, residual, a
        self._activation, self._scale = ACTIVATIONS[activation], scale
        self.W, self.output, self.steps = W, 0.0, 0

    def step(self) -> None:
        """One step on the whole sample, a block of rows at a time."""
        total, energy = torch.zeros_like(self.W), 0.0
        with_output = bool(self._scale) and self.steps > 0
        rows = max(1, BLOCK_NUMBERS // len(self.W))
        for X, labels in zip(self._X.split(rows), self._residual.split(rows), strict=True):
            z = X @ self.W.T
            if with_output:
                f = self._scale * (self._activation.value(z) @ self._a)
                energy += float(f.square().sum())
                labels = labels - f
            total += self._activation.derivative(z).mul_(labels[:, None]).T @ X
        norm = torch.linalg.vector_norm(total) / np.sqrt(len(total))
        self.W = self._a[:, None] * total / norm.clamp_min(torch.finfo(total.dtype).tiny)
        self.output, self.steps = float(np.sqrt(energy / len(self._X))), self.steps + 1


def trajectory(
    X: torch.Tensor, residual: torch.Tensor, W: torch.Tensor, a: torch.Tensor, activation: str, steps: int
) -> Iterator[torch.Tensor]:
    """W after 1, 2, ... steps of the correlation loss."""
    layer = SteppedLayer(X, residual, W, a, activation, scale=0.0)
    for _ in range(steps):
        layer.step()
        yield layer.W
