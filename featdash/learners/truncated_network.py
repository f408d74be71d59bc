"""The network of Shi, Wei, Liang (2022): truncated ReLU neurons, a mirrored start, the hinge loss; its feature maps.

These are its neurons, its tangent features, and the bare input. Each map is single precision inside, and knows its
energy, which scales gradient steps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Protocol

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap, HeadFeatures, NeuronFeatures, second_moments
from featdash.learners.network import Activation, Network
from featdash.theory.ridge_path import STEP_BLOCK

TRUNCATED_RELU = Activation(
    "truncated relu", lambda z: z.clamp(0, 1), lambda z: ((z > 0) & (z <= 1)).to(z.dtype)
)  # σ(z) = min(1, max(z, 0))


def smoothed_activation(deviation: float) -> Activation:
    """z ↦ E σ(z + ξ), ξ ~ N(0, σ_ξ²), σ the truncated ReLU, exactly: the noise is integrated, not sampled.

    E σ(z + ξ) = σ_ξ [H(z/σ_ξ) − H((z − 1)/σ_ξ)], H(u) = uΦ(u) + φ(u), since σ(z) = max(z, 0) − max(z − 1, 0);
    its derivative is Pr[0 < z + ξ < 1] = Φ(z/σ_ξ) − Φ((z − 1)/σ_ξ). With σ_ξ = 0 it is σ itself.
    """
    if deviation == 0:
        return TRUNCATED_RELU

    def ramp(u: torch.Tensor) -> torch.Tensor:
        return u * torch.special.ndtr(u) + torch.exp(-(u**2) / 2) / math.sqrt(2 * math.pi)

    return Activation(
        f"truncated relu, smoothed by {deviation:g}",
        lambda z: deviation * (ramp(z / deviation) - ramp((z - 1) / deviation)),
        lambda z: torch.special.ndtr(z / deviation) - torch.special.ndtr((z - 1) / deviation),
    )


def draw_mirrored_network(m: int, d: int, rng: np.random.Generator, deviations: tuple[float, float, float]) -> Network:
    """2m neurons, w_i ~ N(0, σ_w² I_d), b_i ~ N(0, σ_b²), a_i ~ N(0, σ_a²), i <= m, then again with −a_i: g = 0.

    deviations : (σ_w, σ_b, σ_a). The activation is not part of a Network: here it is the truncated ReLU, not the ReLU.
    """
    shapes: tuple[tuple[int, ...], ...] = ((m, d), (m,), (m,))
    W, b, a = (sigma * rng.standard_normal(shape) for sigma, shape in zip(deviations, shapes, strict=True))
    return Network(np.concatenate([a, -a]), np.concatenate([W, W]), np.concatenate([b, b]))


def preactivations(X: np.ndarray, network: Network, device: str = "cpu") -> Iterator[tuple[slice, torch.Tensor]]:
    """(rows, W x + b on those rows (rows, 2m)), all of X (n, d) in blocks that bound the memory."""
    weights, biases = (torch.tensor(part, device=device) for part in (network.W, network.b))
    count = max(1, STEP_BLOCK // network.width)
    for start in range(0, len(X), count):
        rows = slice(start, min(start + count, len(X)))
        yield rows, torch.tensor(X[rows], dtype=torch.float64, device=device) @ weights.T + biases


def output(X: np.ndarray, network: Network, activation: Activation = TRUNCATED_RELU, device: str = "cpu") -> np.ndarray:
    """g(x) = Σ_i a_i σ(w_i·x + b_i) on the rows of X: (n,); of a mirrored network 0, without rounding."""
    if network.mirrored:
        return np.zeros(len(X))
    a = torch.tensor(network.a, device=device)
    return np.concatenate([(activation.value(z) @ a).cpu().numpy() for _, z in preactivations(X, network, device)])


def hinge_loss(y: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """The mean of max(0, 1 − y g) over the last axis; 1 where g = 0."""
    return np.maximum(0, 1 - y * outputs).mean(axis=-1)


def accuracy(y: np.ndarray, outputs: np.ndarray) -> np.ndarray:
    """The share of samples with the sign of y right, over the last axis; an output of exactly 0 counts one half."""
    return (0.5 * (1 + np.sign(y * outputs))).mean(axis=-1)


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
        return torch.stack([self._rmatvec(column) for column in U.T], dim=1).to(torch.float64)

    def _rmatvec(self, u: torch.Tensor) -> torch.Tensor:
        m, c = self._weights.shape
        u = (self._scale * u).to(self.dtype)
        by_head, moves = u.new_zeros(m), u.new_zeros(m, c)
        for rows, (values, slopes) in self._blocks():
            by_head += values.T @ u[rows]
            moves += slopes.T @ (u[rows][:, None] * self._inputs[rows])
        moves = moves * self._signs[:, None]
        return torch.cat([by_head, moves[:, :-1].reshape(-1), moves[:, -1]])
