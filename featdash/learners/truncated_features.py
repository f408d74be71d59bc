"""Feature maps of the truncated network: its neurons, its tangent features, and the bare input.

Each is single precision inside, and knows its energy, which scales gradient steps.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap, HeadFeatures, NeuronFeatures, second_moments
from featdash.learners.truncated_network import TRUNCATED_RELU


class ScaledFeatures(FeatureMap, Protocol):
    """A feature map that knows the mean squared norm of a row of Φ."""

    def energy(self) -> float: ...


class LinearFeatures:
    """Φ = X (n, d): the linear model without a constant, as the network has none."""

    def __init__(self, X: np.ndarray, *, device: str = "cpu", dtype: torch.dtype = torch.float32) -> None:
        self._inputs = torch.tensor(X, dtype=dtype, device=device)
        self.shape = X.shape[0], X.shape[1]
        self.device, self.dtype = self._inputs.device, dtype

    def energy(self) -> float:
        """E‖x‖² on the sample."""
        return self._inputs.square().sum(dim=1).mean().item()

    def matmat(self, V: torch.Tensor) -> torch.Tensor:
        return (self._inputs @ V.to(self.dtype)).to(torch.float64)

    def moments(self, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return second_moments(self, y)

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor:
        return (self._inputs.T @ U.to(self.dtype)).to(torch.float64)


class TruncatedFeatures(HeadFeatures):
    """σ the truncated ReLU; q = 2m, or m where the network is mirrored."""

    activation = TRUNCATED_RELU

    def energy(self) -> float:
        """The mean squared norm of a row of Φ: the mean diagonal of the kernel ΦΦᵀ."""
        squares = sum(values.square().sum().item() for _, values in self._blocks())
        return self._scale**2 * squares / self.shape[0]


class TruncatedTangentFeatures(NeuronFeatures):
    """∂g/∂(a, W, b) at the network's start, q = 2m(d + 2), m in place of 2m where it is mirrored.

    [σ(z_j), a_j σ'(z_j) x, a_j σ'(z_j)], z_j = w_j·x + b_j, ordered (a, W row by row, b). With S = σ'(z) (n, m) and
    x̃ = (x, 1), (Φv)(x) = Σ_j σ(z_j) v^a_j + x̃ · Σ_j S_j(x) a_j ṽ_j: products of S with (m, d + 1) numbers,
    O(n m d) time and 2nm kept numbers, σ(z) and σ'(z); the feature matrix is never formed.
    """

    @property
    def shape(self) -> tuple[int, int]:
        m, c = self._weights.shape
        return len(self._inputs), m * (c + 1)

    def _response(self, z: torch.Tensor) -> torch.Tensor:
        """(2, n, m): σ(z) and σ'(z)."""
        return torch.stack([TRUNCATED_RELU.value(z), TRUNCATED_RELU.derivative(z)])

    def energy(self) -> float:
        """The mean squared norm of a row of Φ: the mean diagonal of the tangent kernel."""
        lengths, weights = self._inputs.square().sum(dim=1), self._signs.square()
        parts = (
            values.square().sum() + (slopes @ weights) @ lengths[rows] for rows, (values, slopes) in self._blocks()
        )
        return self._scale**2 * sum(part.item() for part in parts) / self.shape[0]

    def matmat(self, V: torch.Tensor) -> torch.Tensor:
        m, c = self._weights.shape
        V = (self._scale * V).to(self.dtype)
        moves = torch.cat([V[m : m * c].view(m, c - 1, -1), V[m * c :, None]], dim=1)
        moves = moves * self._signs[:, None, None]
        product = V.new_empty(self.shape[0], V.shape[1])
        for rows, (values, slopes) in self._blocks():
            product[rows] = values @ V[:m]
            for column in range(V.shape[1]):
                product[rows, column] += (self._inputs[rows] * (slopes @ moves[:, :, column])).sum(dim=1)
        return product.to(torch.float64)

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor:
        return torch.stack([self._pulled(column) for column in U.T], dim=1).to(torch.float64)

    def _pulled(self, u: torch.Tensor) -> torch.Tensor:
        m, c = self._weights.shape
        u = (self._scale * u).to(self.dtype)
        by_head, moves = u.new_zeros(m), u.new_zeros(m, c)
        for rows, (values, slopes) in self._blocks():
            by_head += values.T @ u[rows]
            moves += slopes.T @ (u[rows][:, None] * self._inputs[rows])
        moves = moves * self._signs[:, None]
        return torch.cat([by_head, moves[:, :-1].reshape(-1), moves[:, -1]])
