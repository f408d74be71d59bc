"""The two-layer network f(x) = aᵀ σ(Wx + b), its symmetric start and its activation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch


@dataclass(frozen=True)
class Activation:
    """σ and σ', elementwise on tensors of any shape and float type.

    At a kink the derivative is the one from the left.
    """

    name: str
    value: Callable[[torch.Tensor], torch.Tensor]
    derivative: Callable[[torch.Tensor], torch.Tensor]


RELU = Activation("relu", torch.relu, lambda z: (z > 0).to(z.dtype))


BLOCK_NUMBERS = 1 << 19  # neurons × rows at a time: 4 MB of doubles


@dataclass(frozen=True)
class Network:
    """f(x) = Σ_j a_j σ(w_j·x + b_j), σ the ReLU; no 1/m, no 1/√m.

    a (m,), W (m, d), b (m,).
    """

    a: np.ndarray
    W: np.ndarray
    b: np.ndarray

    @property
    def width(self) -> int:
        return len(self.a)

    @property
    def mirrored(self) -> bool:
        """Whether the second half repeats the first with a negated, so that f = 0 everywhere."""
        half = self.width // 2
        return (
            self.width == 2 * half
            and np.array_equal(self.a[half:], -self.a[:half])
            and np.array_equal(self.W[half:], self.W[:half])
            and np.array_equal(self.b[half:], self.b[:half])
        )

    def first_half(self) -> Network:
        """The first m/2 neurons: all the distinct ones of a mirrored network."""
        half = self.width // 2
        return Network(self.a[:half], self.W[:half], self.b[:half])


def check_width(width: int) -> None:
    """ValueError unless width is an even integer of at least 2."""
    whole = isinstance(width, int | np.integer) and not isinstance(width, bool)
    if not whole or width < 2 or width % 2:
        raise ValueError(
            f"width must be an even whole number >= 2, got {width!r}; the start mirrors half of the neurons"
        )


def draw_network(width: int, d: int, rng: np.random.Generator, biases: bool = False) -> Network:
    """The symmetric start: w_j ~ N(0, I_d/d), a_j = ±1 fairly, b_j ~ N(0, 1) if `biases` else 0.

    The second half copies w_j and b_j of the first and negates a_j: f = 0, while each neuron has its gradient.
    Biases are drawn last: with the same stream, W and a are the same with and without them.
    Source: Damian, Lee, Soltanolkotabi 2022, section 3 (there b = 0).
    """
    check_width(width)
    half = width // 2
    W = rng.standard_normal((half, d)) / np.sqrt(d)
    a = rng.choice([-1.0, 1.0], size=half)
    b = rng.standard_normal(half) if biases else np.zeros(half)
    return Network(np.concatenate([a, -a]), np.concatenate([W, W]), np.concatenate([b, b]))


def forward(network: Network, X: np.ndarray) -> np.ndarray:
    """f on the rows of X (n, d) -> (n,)."""
    a, W, b, rows = (torch.as_tensor(np.array(part, dtype=float)) for part in (network.a, network.W, network.b, X))
    outputs, count = torch.empty(len(rows), dtype=a.dtype), max(1, BLOCK_NUMBERS // len(W))
    for start in range(0, len(rows), count):
        part = slice(start, start + count)
        outputs[part] = RELU.value(rows[part] @ W.T + b) @ a
    return outputs.numpy()
