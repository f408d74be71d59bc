"""What a ridge head is trained on: features of a sample as a linear operator Φ (n, q), and the layer that makes them.

Φ is never larger in memory than one number a neuron and sample.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, Protocol

import numpy as np
import torch

from featdash.learners.network import RELU, Activation, Network, draw_network
from featdash.theory.ridge_path import KEPT_BYTES

BLOCK_RESPONSES = 1 << 19  # neurons × rows at a time: 2 MB of floats stays in the caches
WHOLE_COLUMNS = 16  # a product with 11 columns is 2.7 times slower than one with 16, a full vector register
PANEL = 128  # columns of a Gram matrix at a time
FEW = 256  # up to so many features second moments are taken in double precision, whatever the features' own
Draw = Callable[[str, str], np.random.Generator]  # the stream of an owner and a purpose; of a seed, `of_seed(seed)`


class FeatureMap(Protocol):
    """Φ (n, q) of a fixed sample; a predictor is Φa.

    matmat : V (q, k) -> ΦV (n, k), doubles to doubles.
    rmatmat : U (n, k) -> ΦᵀU (q, k), doubles to doubles.
    moments : labels y (n,) -> (ΦᵀΦ (q, q), Φᵀy (q,)), in double.
    dtype : the precision inside a product.

    Single precision inside is the default: it halves the time, and amounts to features perturbed by 1e-7 of
    themselves, which moves singular values by 1e-7 σ_max. A path reaches down to λ = 1e-8 s_max, that is
    σ = 1e-4 σ_max, so it does not see the difference; the Krylov basis, which does, is kept in double.
    """

    device: torch.device
    dtype: torch.dtype

    @property
    def shape(self) -> tuple[int, int]: ...

    def matmat(self, V: torch.Tensor) -> torch.Tensor: ...

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor: ...

    def moments(self, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]: ...


def second_moments(features: FeatureMap, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """(ΦᵀΦ (q, q), Φᵀy (q,)) of features (n, q) and labels y (n,), with Φ formed, in double."""
    Phi = features.matmat(torch.eye(features.shape[1], dtype=torch.float64, device=features.device))
    return Phi.T @ Phi, Phi.T @ y


class Featurise(Protocol):
    """X (n, d) -> its features; `keep`, whether to hold the responses to the sample between products."""

    def __call__(self, X: np.ndarray, *, keep: bool = True) -> FeatureMap: ...


class NeuronFeatures(FeatureMap):
    """Features of a sample X (n, d) that are made of its neurons' responses, in blocks of rows.

    Of a mirrored network only the m/2 distinct neurons are worked with, and the scale √2 makes up for it: with features
    √2 φ_j, j <= m/2, the kernel ΦΦᵀ, hence every predictor, is that of all m. A kind of features says what it needs of
    the preactivations Wx + b, `_response`, and how many it has, `shape`.

    `keep` holds the responses between products when they fit KEPT_BYTES; else they are recomputed at each product.
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
        self._scale = 2**0.5 if network.mirrored else 1.0
        distinct = network.first_half() if network.mirrored else network
        weights = np.column_stack([distinct.W, distinct.b])
        self._inputs = torch.tensor(np.column_stack([X, np.ones(len(X))]), dtype=dtype, device=device)
        self._weights = torch.tensor(weights, dtype=dtype, device=device)
        self._signs = torch.tensor(np.array(distinct.a), dtype=dtype, device=device)
        self.device, self.dtype = self._inputs.device, dtype
        keep = keep and len(X) * len(weights) * self._inputs.element_size() <= KEPT_BYTES
        self._cache: dict[int, torch.Tensor] | None = {} if keep else None

    @abstractmethod
    def _response(self, z: torch.Tensor) -> torch.Tensor:
        """What the products need of the preactivations z (rows, m)."""

    def _blocks(self) -> Iterator[tuple[slice, torch.Tensor]]:
        """(rows, response of the neurons on those rows), the whole sample in order; valid until the next block.

        Blocks that are not kept share one buffer: allocated one by one, they would leave holes in the heap that what is
        kept of them fills, and the process would grow to the size of all responses together.
        """
        n, m = len(self._inputs), len(self._weights)
        count = min(n, max(1, BLOCK_RESPONSES // max(self._weights.shape)))
        buffer = self._inputs.new_empty(count if self._cache is None else 0, m)
        for start in range(0, n, count):
            rows = slice(start, min(start + count, n))
            yield rows, self._values(rows, buffer)

    def _values(self, rows: slice, buffer: torch.Tensor) -> torch.Tensor:
        if self._cache is None:
            z = torch.mm(self._inputs[rows], self._weights.T, out=buffer[: rows.stop - rows.start])
            return self._response(z)
        if rows.start not in self._cache:
            self._cache[rows.start] = self._response(self._inputs[rows] @ self._weights.T)
        return self._cache[rows.start]

    def _assemble(self, columns: int, parts: Iterator[tuple[slice, torch.Tensor]]) -> torch.Tensor:
        """The parts (rows, columns) of a product, as one matrix (n, columns) of doubles."""
        product = torch.empty(len(self._inputs), columns, dtype=torch.float64, device=self.device)
        for rows, part in parts:
            product[rows] = part
        return product

    def moments(self, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """(ΦᵀΦ (q, q), Φᵀy (q,)), for labels y (n,), in double."""
        return second_moments(self, y)


class HeadFeatures(NeuronFeatures):
    """Φ_ij = σ(w_j·x_i + b_j): what the head of a network sees; q is the number of distinct neurons."""

    activation: ClassVar[Activation]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self._inputs), len(self._weights)

    def _response(self, z: torch.Tensor) -> torch.Tensor:
        return self.activation.value(z)

    def matmat(self, V: torch.Tensor) -> torch.Tensor:
        weights = (self._scale * V).to(self.dtype)
        return self._assemble(V.shape[1], ((rows, values @ weights) for rows, values in self._blocks()))

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor:
        duals = (self._scale * U).to(self.dtype)
        products = (duals[rows].T @ values for rows, values in self._blocks())
        return sum(products, duals.new_zeros(())).T.to(torch.float64)

    def moments(self, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """As of all neurons; beyond FEW features from products of a block of rows in the features' own precision.

        In single, each entry of ΦᵀΦ is off by some 1e-7 of itself, in a direction of its own, which together come to
        1e-7 s_max / √q, and risks agree with those in double within 1e-5 of themselves.
        """
        q = self.shape[1]
        if q <= FEW:
            return super().moments(y)
        gram = torch.zeros(q, q, dtype=torch.float64, device=self.device)
        moment = gram.new_zeros(q)
        for rows, values in self._blocks():
            moment += (y[rows].to(self.dtype)[None] @ values)[0]
            for start in range(0, q, PANEL):  # above the diagonal only
                panel = slice(start, start + PANEL)
                gram[panel, start:] += values[:, panel].T @ values[:, start:]
        upper = gram.triu()
        return self._scale**2 * (upper + upper.triu(1).T), self._scale * moment


class ReluFeatures(HeadFeatures):
    """σ the ReLU; q = m, or m/2 where the network is mirrored."""

    activation = RELU

    def _response(self, z: torch.Tensor) -> torch.Tensor:
        return z.relu_()


class TangentFeatures(NeuronFeatures):
    """The gradient features ∂f/∂(a, W, b) of the network, q = m(d + 2), m/2 in place of m where it is mirrored.

    [σ(w_j·x + b_j), a_j σ'(w_j·x + b_j) x, a_j σ'(w_j·x + b_j)], ordered (a, W row by row, b).
    With S = 1[Wx + b > 0], x̃ = (x, 1) and w̃_j = (w_j, b_j), and since σ(z) = z σ'(z):
    (Φv)(x) = x̃ · Σ_j S_j(x) [v^a_j w̃_j + a_j ṽ_j], so a product is one of S (n, m) with (m, d + 1) numbers:
    O(n m d) time and O(n m) bytes, and the feature matrix is never formed.
    """

    @property
    def shape(self) -> tuple[int, int]:
        m, c = self._weights.shape
        return len(self._inputs), m * (c + 1)

    def _response(self, z: torch.Tensor) -> torch.Tensor:
        return z.gt_(0)

    def matmat(self, V: torch.Tensor) -> torch.Tensor:
        (m, c), k = self._weights.shape, V.shape[1]
        together = max(1, m // c)  # columns whose k c slopes a sample are no more than its m neurons
        if k > together:
            return torch.cat([self.matmat(part) for part in V.split(together, dim=1)], dim=1)
        V = (self._scale * V).to(self.dtype).T
        inner = torch.cat([V[:, m : m * c].reshape(k, m, c - 1), V[:, m * c :, None]], dim=2)
        effective = V[:, :m, None] * self._weights + self._signs[:, None] * inner
        effective = effective.transpose(1, 2).reshape(k * c, m)
        if k * c < WHOLE_COLUMNS:
            effective = torch.nn.functional.pad(effective, (0, 0, 0, WHOLE_COLUMNS - k * c))
        inputs = self._inputs[:, None, :]
        slopes = ((rows, (gates @ effective.T)[:, : k * c]) for rows, gates in self._blocks())
        parts = ((rows, (inputs[rows] * slope.reshape(-1, k, c)).sum(dim=2)) for rows, slope in slopes)
        return self._assemble(k, parts)

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor:
        (m, c), k = self._weights.shape, U.shape[1]
        U = (self._scale * U).to(self.dtype)
        inputs = self._inputs
        products = (
            (U[rows][:, :, None] * inputs[rows][:, None, :]).view(-1, k * c).T @ gates for rows, gates in self._blocks()
        )
        by_neuron = sum(products, U.new_zeros(())).view(k, c, m).transpose(1, 2)
        by_head = (self._weights * by_neuron).sum(dim=2)
        by_input = self._signs[:, None] * by_neuron
        return torch.cat([by_head, by_input[:, :, :-1].reshape(k, -1), by_input[:, :, -1]], dim=1).T.to(torch.float64)


@dataclass(frozen=True)
class LinearPart:
    """x ↦ α + β·x; beta (d,)."""

    alpha: float
    beta: np.ndarray

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return self.alpha + X @ self.beta


class Features(Protocol):
    """The head is to predict y − α − β·x, `linear`, from the features that `featurise` makes of a sample.

    directions (k, d) : A, of which the features are made by σ(Ax + b) or by distances of Ax; its alignment is theirs.
    """

    @property
    def linear(self) -> LinearPart: ...

    @property
    def directions(self) -> np.ndarray: ...

    def featurise(self, device: str = "cpu", dtype: torch.dtype = torch.float32) -> Featurise: ...


@dataclass(frozen=True)
class Layer:
    """The head is to predict y − α − β·x from features of `network`."""

    linear: LinearPart
    network: Network
    features: type[NeuronFeatures]

    def featurise(self, device: str = "cpu", dtype: torch.dtype = torch.float32) -> Featurise:
        """The map of a sample to its features, of that precision inside."""
        return partial(self.features, network=self.network, device=device, dtype=dtype)

    @property
    def directions(self) -> np.ndarray:
        """W (m, d)."""
        return self.network.W


def start_layer(owner: str, features: type[NeuronFeatures], width: int, d: int, draw: Draw) -> Layer:
    """A network that is never trained, b_j ~ N(0, 1): no linear part removed, that step belongs to Algorithm 1."""
    network = draw_network(width, d, draw(owner, "network"), biases=True)
    return Layer(LinearPart(0.0, np.zeros(d)), network, features)
