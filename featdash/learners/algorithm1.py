"""Algorithm 1 of Damian, Lee, Soltanolkotabi (COLT 2022), line by line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch

from featdash.learners.feature_map import Draw, Layer, LinearPart, ReluFeatures
from featdash.learners.network import BLOCK_NUMBERS, RELU, Network, draw_network
from featdash.tasks import Labelled
from featdash.tasks.gaussian import Sample

NAME = "algorithm1"  # of its random streams

Chunks = Callable[[], Iterable[Labelled]]  # a sample piece by piece, as often as it is asked for


def remove_linear_part(X: np.ndarray, y: np.ndarray) -> LinearPart:
    """Line 1: α = mean(y), β = (1/n) Σ y_i x_i; the network learns the residual y_i − α − β·x_i.

    For x ~ N(0, I) these are the degree-0 and degree-1 Hermite coefficients, not a least-squares fit.
    """
    return linear_part([(X, y)])


def linear_part(chunks: Iterable[Labelled]) -> LinearPart:
    """As `remove_linear_part` of all chunks together."""
    n, total = 0, 0.0
    moment: np.ndarray = np.zeros(())
    for X, y in chunks:
        n, total, moment = n + len(y), total + float(np.sum(y)), moment + X.T @ y
    return LinearPart(total / n, moment / n)


def gradient_over_prefixes(
    X: np.ndarray, residual: np.ndarray, network: Network, sizes: Sequence[int], device: str = "cpu"
) -> Iterator[tuple[int, np.ndarray]]:
    """(size, ∇_W L (m, d) on the first `size` samples) for ascending sizes, each sample visited once.

    At the symmetric start f = 0, so with L = (1/n) Σ (f(x_i) − y_i)², a mean and no ½,
    ∇_{w_j} L = −2 a_j (1/n) Σ_i y_i x_i σ'(w_j·x_i + b_j).
    """
    if not network.mirrored:
        raise ValueError("network must be mirrored so that f = 0, got one that is not; use draw_network")
    half = network.first_half()
    rows = torch.tensor(np.asarray(X, dtype=float), device=device)
    labels = torch.tensor(np.asarray(residual, dtype=float), device=device)[:, None]
    W, b = (torch.tensor(part, device=device) for part in (half.W, half.b))
    block = max(1, BLOCK_NUMBERS // len(W))
    total, begin = torch.zeros_like(W), 0
    for size in sizes:
        for start in range(begin, size, block):
            part = slice(start, min(start + block, size))
            total += RELU.derivative(rows[part] @ W.T + b).T @ (labels[part] * rows[part])
        begin = size
        gradient = -2 / size * half.a[:, None] * total.cpu().numpy()
        yield size, np.concatenate([gradient, -gradient])


def first_layer_gradient(X: np.ndarray, residual: np.ndarray, network: Network, device: str = "cpu") -> np.ndarray:
    """∇_W L (m, d) at the symmetric start, on all of the sample."""
    ((_, gradient),) = gradient_over_prefixes(X, residual, network, [len(X)], device)
    return gradient


def mean_gradient(chunks: Iterable[Labelled], linear: LinearPart, network: Network, device: str = "cpu") -> np.ndarray:
    """∇_W L (m, d) at the symmetric start over all chunks, labels less their linear part.

    The loss is a mean, so the whole gradient is the mean of the chunks' weighted by their rows.
    """
    n, total = 0, np.zeros_like(network.W)
    for X, y in chunks:
        total += len(y) * first_layer_gradient(X, y - linear(X), network, device)
        n += len(y)
    return total / n


def step_size(rule: str, gradient: np.ndarray, eta: float) -> float:
    """η₁. "fixed": the given eta. "rms": what makes the rows of W¹ = −η₁ ∇_W L have root-mean-square norm 1.

    The latter is the rule in the authors' code; their theorem asks for η₁ = Õ(√d).
    """
    if rule == "fixed":
        return eta
    if rule == "rms":
        norm = np.sqrt(np.mean(np.sum(gradient**2, axis=1)))
        return float(1 / norm) if norm > 0 else 1.0
    raise ValueError(f"step_rule must be 'rms' or 'fixed', got {rule!r}; choose one of them")


def start_network(width: int, d: int, rng: np.random.Generator, biases: str = "redrawn") -> Network:
    """W⁰: the symmetric start with b = 0 ("redrawn", the paper) or b ~ N(0, 1) ("kept", the authors' code)."""
    if biases not in ("redrawn", "kept"):
        raise ValueError(f"biases must be 'redrawn' or 'kept', got {biases!r}; choose one of them")
    return draw_network(width, d, rng, biases=biases == "kept")


def step_first_layer(
    start: Network, gradient: np.ndarray, eta: float, rng: np.random.Generator, biases: str
) -> Network:
    """Lines 2 and 3: W¹ = W⁰ − η₁[∇_W L + W⁰/η₁] = −η₁ ∇_W L, then b_j ~ N(0, 1), all m anew unless "kept"."""
    b = start.b if biases == "kept" else rng.standard_normal(start.width)
    return Network(start.a, -eta * gradient, b)


@dataclass(frozen=True)
class FirstStep:
    """Lines 1 to 3 as a recipe: what is done with a sample, whatever the sample.

    width : m, even.  rule, eta : of η₁, see `step_size`.  biases : see `start_network`.
    remove_linear : line 1; False leaves the linear part in y, and all neurons collapse on it.
    """

    width: int
    rule: str = "rms"
    eta: float = 3.0
    remove_linear: bool = True
    biases: str = "redrawn"

    def linear_part(self, chunks: Iterable[Labelled], d: int) -> LinearPart:
        """Line 1, or 0 where it is left out."""
        return linear_part(chunks) if self.remove_linear else LinearPart(0.0, np.zeros(d))

    def start(self, d: int, draw: Draw) -> Network:
        """W⁰."""
        return start_network(self.width, d, draw(NAME, "start"), self.biases)

    def finish(self, start: Network, gradient: np.ndarray, draw: Draw) -> Network:
        """Lines 2 and 3 from the gradient (m, d) at the start."""
        eta = step_size(self.rule, gradient, self.eta)
        return step_first_layer(start, gradient, eta, draw(NAME, "biases"), self.biases)

    def take(self, chunks: Chunks, d: int, draw: Draw, device: str = "cpu") -> Layer:
        """Lines 1 to 3 on a sample that passes by twice and is never held as a whole."""
        linear, start = self.linear_part(chunks(), d), self.start(d, draw)
        return Layer(linear, self.finish(start, mean_gradient(chunks(), linear, start, device), draw), ReluFeatures)


def empirical_gradient(sample: Sample, size: int, start: Network, device: str) -> np.ndarray:
    """∇_W L (m/2, d) of the distinct neurons on the first `size` samples, α and β estimated from the same ones."""

    X, y = sample.X[:size], sample.y[:size]
    return first_layer_gradient(X, y - remove_linear_part(X, y)(X), start, device)[: start.width // 2]


def rms(rows: np.ndarray) -> float:
    """The root mean square of the norms of the rows."""
    return float(np.sqrt(np.mean(np.sum(rows**2, axis=1))))
