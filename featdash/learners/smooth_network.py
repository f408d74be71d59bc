"""Few smooth neurons under full-batch gradient descent: their gradient and their Hessian, in closed form.

f(x) = Σ_j a_j (σ(w_j·x) − σ(0)), σ(z) = log(1 + eᶻ) (softplus), L = (1/2n) Σ_i (f(x_i) − y_i)². W (m, d) is trained, a
is not. With s = σ'(W x) and r = f(x) − y,

    ∇_j L = (1/n) Σ r a_j s_j x,    ∇²_jk L = (1/n) Σ (a_j s_j a_k s_k + 1{j = k} r a_j σ''(w_j·x)) x xᵀ.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SmoothNetwork:
    """a (m,), W (m, d)."""

    a: np.ndarray
    W: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f on the rows of X (n, d) -> (n,)."""
        return (np.logaddexp(0, X @ self.W.T) - np.log(2)) @ self.a

    def slopes(self, X: np.ndarray) -> np.ndarray:
        """σ'(W x) (n, m), the logistic function."""
        return 0.5 * (1 + np.tanh(0.5 * (X @ self.W.T)))

    def gradient(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """∇_W L (m, d)."""
        residual = self(X) - y
        return (residual[:, None] * self.slopes(X) * self.a).T @ X / len(X)

    def hessian(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """∇² L (md, md), the weights neuron by neuron."""
        (m, d), n, residual, s = self.W.shape, len(X), self(X) - y, self.slopes(X)
        hessian = np.empty((m, d, m, d))
        for j in range(m):
            for k in range(j, m):
                weight = self.a[j] * self.a[k] * s[:, j] * s[:, k]
                if j == k:
                    weight += residual * self.a[j] * s[:, j] * (1 - s[:, j])
                hessian[j, :, k] = X.T @ (weight[:, None] * X) / n
                hessian[k, :, j] = hessian[j, :, k].T
        return hessian.reshape(m * d, m * d)

    def descend(self, X: np.ndarray, y: np.ndarray, rate: float) -> SmoothNetwork:
        """The network after W ← W − rate ∇L."""
        return SmoothNetwork(self.a, self.W - rate * self.gradient(X, y))
