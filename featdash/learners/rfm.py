"""Recursive feature machine: a kernel machine that is re-weighted by the average gradient outer product of its own fit.

Radhakrishnan, Beaglehole, Pandit, Belkin, Mechanism for feature learning in neural networks and backpropagation-free
machine learning models, Science 383 (2024), Algorithm 1. Ours in what they leave open: M is scaled to trace d after
each round, and λ of a round is chosen by leaving one sample out, so that nothing but the sample makes M.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from sklearn.metrics.pairwise import euclidean_distances

from featdash.theory.ridge_path import SpectralPath

KINDS = ("laplace", "gaussian")
ROUNDS = 4
LENGTH = 3.0  # of the inputs' spread: near the source's 10 where d = 10
ROWS = 1 << 10  # of a gradient at a time: 8 n · 2¹⁰ bytes an array
COINCIDENT = 1e-7  # of the length: closer pairs, duplicates up to rounding, have no gradient in each other


@dataclass(frozen=True)
class MahalanobisKernel:
    """k_M(x, z) of r² = (x − z)ᵀ M (x − z):  laplace exp(−r/ℓ),  gaussian exp(−r²/(2ℓ²)).

    M (d, d), symmetric, no eigenvalue below 0.  length : ℓ > 0, in the units of x where M = I.
    """

    M: np.ndarray
    length: float
    kind: str = "laplace"

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kernel must be one of {', '.join(KINDS)}, got {self.kind!r}; choose one of them")
        if not self.length > 0:
            raise ValueError(f"length must be > 0, got {self.length}; None takes it from the inputs")

    @cached_property
    def root(self) -> np.ndarray:
        """A (d, d) with AAᵀ = M, so that r = ‖Aᵀ(x − z)‖."""
        values, vectors = np.linalg.eigh(self.M)
        return vectors * np.sqrt(np.maximum(values, 0.0))

    def __call__(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        """(k, n) for X (k, d) and Z (n, d)."""
        return self._of_distance(self._distances(X, Z))

    def gradients(self, X: np.ndarray, Z: np.ndarray, duals: np.ndarray) -> np.ndarray:
        """∇f (k, d) on the rows of X (k, d), f(x) = Σ_j duals_j k_M(x, z_j); a pair that coincides adds nothing."""
        blocks = [self._gradients(X[start : start + ROWS], Z, duals) for start in range(0, len(X), ROWS)]
        return np.concatenate(blocks) @ self.M

    def _gradients(self, X: np.ndarray, Z: np.ndarray, duals: np.ndarray) -> np.ndarray:
        """M⁻¹∇f, from ∇_x k = k'(r)/r · M(x − z)."""
        r = self._distances(X, Z)
        apart = r > COINCIDENT * self.length
        pull = self._of_distance(r) * duals / self.length
        pull = np.divide(pull, r, out=np.zeros_like(r), where=apart) if self.kind == "laplace" else pull / self.length
        return pull @ Z - pull.sum(axis=1)[:, None] * X

    def _distances(self, X: np.ndarray, Z: np.ndarray) -> np.ndarray:
        features = Z @ self.root
        return euclidean_distances(features if X is Z else X @ self.root, features)

    def _of_distance(self, r: np.ndarray) -> np.ndarray:
        return np.exp(-r / self.length) if self.kind == "laplace" else np.exp(-((r / self.length) ** 2) / 2)


@dataclass(frozen=True)
class KernelMachine:
    """f̂(x) = Σ_i α_i k_M(x, x_i), α = (K + (nλ/2) I)⁻¹ y: the penalty is that of every head, (λ/2)‖f̂‖²_H.

    X (n, d), duals α (n,).
    """

    kernel: MahalanobisKernel
    X: np.ndarray
    duals: np.ndarray
    lam: float

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f̂ on the rows of X, (k,)."""
        blocks = [self.kernel(X[start : start + ROWS], self.X) @ self.duals for start in range(0, len(X), ROWS)]
        return np.concatenate(blocks) if blocks else np.zeros(0)

    @property
    def M(self) -> np.ndarray:
        """(d, d), of trace d."""
        return self.kernel.M

    def gradient_outer_product(self) -> np.ndarray:
        """(d, d): the mean of ∇f̂ ∇f̂ᵀ over the sample, scaled to trace d; M itself where f̂ is flat."""
        gradients = self.kernel.gradients(self.X, self.X, self.duals)
        product = gradients.T @ gradients
        trace = float(np.trace(product))
        return product * (len(product) / trace) if trace > 0 else self.M


def rfm_rounds(
    x: ArrayLike,
    y: ArrayLike,
    rounds: int = ROUNDS,
    ridge: float | None = None,
    bandwidth: float | None = None,
    kind: str = "laplace",
) -> Iterator[KernelMachine]:
    """The machine of M = I, the fixed kernel, and then one for each round, each with the M that the last one gives.

    x (n, d), y (n,) : as they are; nothing is centred or scaled.
    ridge : λ > 0 of all rounds; None chooses one for each by leaving one sample out.
    bandwidth : ℓ > 0; None is LENGTH times the root mean squared distance of an input from their mean.

    A round costs an eigendecomposition of n³ and 8·5n² bytes, and O(n² d) for the gradients. Errors: ValueError.
    """
    X, labels = np.asarray(x, dtype=float), np.asarray(y, dtype=float)
    if rounds < 0:
        raise ValueError(f"rounds must be >= 0, got {rounds}; 0 is the fixed kernel")
    if ridge is not None and not ridge > 0:
        raise ValueError(f"ridge must be > 0, got {ridge}; None chooses it by leaving one sample out")
    length = LENGTH * _spread(X) if bandwidth is None else bandwidth
    M = np.eye(X.shape[1])
    for _ in range(rounds + 1):
        machine = fit_machine(MahalanobisKernel(M, length, kind), X, labels, ridge)
        yield machine
        M = machine.gradient_outer_product()


def fit_machine(kernel: MahalanobisKernel, X: np.ndarray, y: np.ndarray, ridge: float | None = None) -> KernelMachine:
    """Kernel ridge at λ = ridge, or at the λ of least leave-one-out error; O(n³) for all λ together."""
    n = len(X)
    values, Q = np.linalg.eigh(kernel(X, X))
    values, along = np.maximum(values, 0.0), Q.T @ y
    lam = _leave_one_out(values, Q, along) if ridge is None else ridge
    return KernelMachine(kernel, X, Q @ (along / (values + n * lam / 2)), lam)


def _leave_one_out(values: np.ndarray, Q: np.ndarray, along: np.ndarray) -> float:
    """The largest of the best λ of the path's grid: the error at a sample left out is α_i / [(K + (nλ/2)I)⁻¹]_ii."""
    n = len(values)
    lams = SpectralPath(2 / n * values, along, np.zeros(n), 1.0).default_lams()[::-1]
    shrinkage = 1 / (values[:, None] + n * lams / 2)
    errors = (Q @ (shrinkage * along[:, None])) / (Q**2 @ shrinkage)
    return float(lams[np.argmin(np.mean(errors**2, axis=0))])


def _spread(X: np.ndarray) -> float:
    """The root mean squared distance of a row from the rows' mean; 1 where all are one point."""
    return float(np.sqrt(X.var(axis=0).sum())) or 1.0
