"""Features of a sample as a linear operator Φ (n, q), never larger in memory than one number a neuron and sample."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Protocol

import numpy as np
import torch

from featdash.learners.activation import RELU
from featdash.learners.network import Network

BLOCK_NUMBERS = 1 << 19  # neurons × rows at a time: 2 MB of floats stays in the caches
WHOLE_COLUMNS = 16  # a product with 11 columns is 2.7 times slower than one with 16, a full vector register
KEPT_BYTES = 1 << 28  # up to here the neurons' values are kept between products, beyond they are recomputed

Response = Callable[[torch.Tensor], torch.Tensor]  # of preactivations, elementwise


class FeatureMap(Protocol):
    """Φ (n, q) of a fixed sample; a predictor is Φa.

    matmat : V (q, k) -> ΦV (n, k), doubles to doubles.
    rmatmat : U (n, k) -> ΦᵀU (q, k), doubles to doubles.
    dtype : the precision inside a product.

    Single precision inside is the default: it halves the time, and amounts to features perturbed by 1e-7 of
    themselves, which moves singular values by 1e-7 σ_max. A path reaches down to λ = 1e-8 s_max, that is
    σ = 1e-4 σ_max, so it does not see the difference; the Krylov basis, which does, is kept in double.
    """

    shape: tuple[int, int]
    device: torch.device
    dtype: torch.dtype

    def matmat(self, V: torch.Tensor) -> torch.Tensor: ...

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor: ...


class Neurons:
    """A network's neurons on a sample, in blocks of rows: σ(Wx + b) or σ'(Wx + b), (rows, m).

    Of a mirrored network only the m/2 distinct neurons are worked with, and `scale` = √2 makes up for
    it: with features √2 φ_j, j <= m/2, the kernel ΦΦᵀ, hence every predictor, is that of all m.
    """

    def __init__(
        self, X: np.ndarray, network: Network, response: Response, device: str, dtype: torch.dtype, keep: bool
    ) -> None:
        self.scale = 2**0.5 if network.mirrored else 1.0
        distinct = network.first_half() if network.mirrored else network
        weights = np.column_stack([distinct.W, distinct.b])
        self.inputs = torch.tensor(np.column_stack([X, np.ones(len(X))]), dtype=dtype, device=device)
        self.weights = torch.tensor(weights, dtype=dtype, device=device)
        self.signs = torch.tensor(np.array(distinct.a), dtype=dtype, device=device)
        self._response = response
        keep = keep and len(X) * len(weights) * self.inputs.element_size() <= KEPT_BYTES
        self._kept: dict[int, torch.Tensor] | None = {} if keep else None

    def blocks(self) -> Iterator[tuple[slice, torch.Tensor]]:
        """(rows, response of the neurons on those rows), the whole sample in order."""
        count = max(1, BLOCK_NUMBERS // max(self.weights.shape))
        for start in range(0, len(self.inputs), count):
            rows = slice(start, min(start + count, len(self.inputs)))
            yield rows, self._values(rows)

    def _values(self, rows: slice) -> torch.Tensor:
        if self._kept is not None and rows.start in self._kept:
            return self._kept[rows.start]
        values = self._response(self.inputs[rows] @ self.weights.T)
        if self._kept is not None:
            self._kept[rows.start] = values
        return values


class ReluFeatures:
    """Φ_ij = σ(w_j·x_i + b_j): what the head of a network sees; q = m, or m/2 where it is mirrored (see Neurons).

    X (n, d). `keep` holds the n q numbers between products when they fit KEPT_BYTES; without it they are
    recomputed, in blocks, at each product.
    """

    def __init__(
        self,
        X: np.ndarray,
        network: Network,
        *,
        device: str = "cpu",
        dtype: torch.dtype = torch.float32,
        keep: bool = True,
    ) -> None:
        self._neurons = Neurons(X, network, RELU.value, device, dtype, keep)
        self.shape = (len(X), len(self._neurons.weights))
        self.device, self.dtype = self._neurons.inputs.device, dtype

    def matmat(self, V: torch.Tensor) -> torch.Tensor:
        weights = (self._neurons.scale * V).to(self.dtype)
        return torch.cat([values @ weights for _, values in self._neurons.blocks()]).to(torch.float64)

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor:
        duals = (self._neurons.scale * U).to(self.dtype)
        return sum(duals[rows].T @ values for rows, values in self._neurons.blocks()).T.to(torch.float64)


class TangentFeatures:
    """The gradient features ∂f/∂(a, W, b) at the network's start, q = m(d + 2), m/2 in place of m where it is mirrored.

    [σ(w_j·x + b_j), a_j σ'(w_j·x + b_j) x, a_j σ'(w_j·x + b_j)], ordered (a, W row by row, b).
    With S = 1[Wx + b > 0], x̃ = (x, 1) and w̃_j = (w_j, b_j), and since σ(z) = z σ'(z):
    (Φv)(x) = x̃ · Σ_j S_j(x) [v^a_j w̃_j + a_j ṽ_j], so a product is one of S (n, m) with (m, d + 1) numbers:
    O(n m d) time and O(n m) bytes, and the feature matrix is never formed.
    """

    def __init__(
        self,
        X: np.ndarray,
        network: Network,
        *,
        device: str = "cpu",
        dtype: torch.dtype = torch.float32,
        keep: bool = True,
    ) -> None:
        self._neurons = Neurons(X, network, RELU.derivative, device, dtype, keep)
        m, c = self._neurons.weights.shape
        self.shape = (len(X), m * (c + 1))
        self.device, self.dtype = self._neurons.inputs.device, dtype

    def matmat(self, V: torch.Tensor) -> torch.Tensor:
        (m, c), k = self._neurons.weights.shape, V.shape[1]
        together = max(1, m // c)  # columns whose k c slopes a sample are no more than its m neurons
        if k > together:
            return torch.cat([self.matmat(part) for part in V.split(together, dim=1)], dim=1)
        V = (self._neurons.scale * V).to(self.dtype).T
        moved = torch.cat([V[:, m : m * c].reshape(k, m, c - 1), V[:, m * c :, None]], dim=2)
        effective = V[:, :m, None] * self._neurons.weights + self._neurons.signs[:, None] * moved
        effective = effective.transpose(1, 2).reshape(k * c, m)
        if k * c < WHOLE_COLUMNS:
            effective = torch.nn.functional.pad(effective, (0, 0, 0, WHOLE_COLUMNS - k * c))
        inputs = self._neurons.inputs[:, None, :]
        slopes = ((rows, (gates @ effective.T)[:, : k * c]) for rows, gates in self._neurons.blocks())
        parts = [(inputs[rows] * slope.reshape(-1, k, c)).sum(dim=2) for rows, slope in slopes]
        return torch.cat(parts).to(torch.float64)

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor:
        (m, c), k = self._neurons.weights.shape, U.shape[1]
        U = (self._neurons.scale * U).to(self.dtype)
        inputs = self._neurons.inputs
        pulled = (
            sum(
                (U[rows][:, :, None] * inputs[rows][:, None, :]).view(-1, k * c).T @ gates
                for rows, gates in self._neurons.blocks()
            )
            .view(k, c, m)
            .transpose(1, 2)
        )
        by_head = (self._neurons.weights * pulled).sum(dim=2)
        moved = self._neurons.signs[:, None] * pulled
        return torch.cat([by_head, moved[:, :, :-1].reshape(k, -1), moved[:, :, -1]], dim=1).T.to(torch.float64)
