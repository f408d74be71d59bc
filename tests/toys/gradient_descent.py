"""The head of Algorithm 1, trained step by step as it is printed: an oracle for the ways that are faster."""

from __future__ import annotations

from collections.abc import Iterator

import torch


def train_head_by_gradient_descent(
    features: torch.Tensor, y: torch.Tensor, lam: float, eta: float, steps: int
) -> Iterator[torch.Tensor]:
    """Line 4, literally: a ← a − η[∇_a L + λa] from a = 0; yields a (q,) after each step.

    features (n, q), y (n,); ∇_a L = (2/n)Φᵀ(Φa − y). The spectral path gives the same iterates at once.
    """
    a = torch.zeros(features.shape[1], dtype=features.dtype, device=features.device)
    for _ in range(steps):
        gradient = 2 / len(y) * features.T @ (features @ a - y)
        a = a - eta * (gradient + lam * a)
        yield a
