"""Minibatch steps on the hinge loss: of a whole truncated network, or of the head on fixed features."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap
from featdash.learners.network import Network
from featdash.learners.truncated_network import TRUNCATED_RELU


@dataclass(frozen=True, eq=False)
class NetworkGradient:
    """∂L/∂a (2m,), ∂L/∂W (2m, d), ∂L/∂b (2m,) of the mean hinge loss L."""

    a: np.ndarray
    W: np.ndarray
    b: np.ndarray


def network_gradient(X: np.ndarray, y: np.ndarray, network: Network) -> NetworkGradient:
    """The gradient in all parameters on the batch X (n, d), y (n,), held in memory at once.

    With u = y 1{y g < 1}/n, S = σ(Z), R = σ'(Z), Z = XWᵀ + b: ∂_a = −Sᵀu, ∂_b = −(R ⊙ u aᵀ)ᵀ1, ∂_W = −(R ⊙ u aᵀ)ᵀX.
    """
    a, W, b, rows, labels = (
        torch.tensor(np.asarray(part, dtype=float)) for part in (network.a, network.W, network.b, X, y)
    )
    z = rows @ W.T + b
    values = TRUNCATED_RELU.value(z)
    u = _pull(labels, values @ a)
    through = TRUNCATED_RELU.derivative(z) * (u[:, None] * a)
    return NetworkGradient(*(-part.numpy() for part in (values.T @ u, through.T @ rows, through.sum(dim=0))))


def step_network(X: np.ndarray, y: np.ndarray, network: Network, eta: float) -> Network:
    """All parameters ← parameters − η ∂L, no weight decay."""
    gradient = network_gradient(X, y, network)
    return Network(network.a - eta * gradient.a, network.W - eta * gradient.W, network.b - eta * gradient.b)


def step_weights(features: FeatureMap, y: np.ndarray, weights: torch.Tensor, eta: float) -> torch.Tensor:
    """θ ← θ − η ∂L for the predictor Φθ (q,), L the mean hinge loss on the batch, no weight decay."""
    labels = torch.tensor(np.asarray(y, dtype=float), device=weights.device)
    outputs = features.matmat(weights[:, None])[:, 0]
    return weights + eta * features.rmatmat(_pull(labels, outputs)[:, None])[:, 0]


def _pull(y: torch.Tensor, outputs: torch.Tensor) -> torch.Tensor:
    """−∂L/∂g: y/n on the samples within the margin, y g < 1; a sample on its edge is left alone."""
    return torch.where(y * outputs < 1, y, 0.0) / len(y)
