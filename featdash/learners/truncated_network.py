"""The network of Shi, Wei, Liang (2022): truncated ReLU neurons, a mirrored start, the hinge loss."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import torch

from featdash.learners.network import Activation, Network
from featdash.learners.solver_plan import STEP_BLOCK

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
