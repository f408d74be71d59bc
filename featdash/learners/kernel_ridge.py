"""Kernel ridge regression by a dense factorisation: every λ at once, the best one chosen on the holdout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from sklearn.metrics.pairwise import euclidean_distances, polynomial_kernel, rbf_kernel

from featdash.tasks import Labelled
from featdash.theory.kernels import tangent_kernel
from featdash.theory.ridge_path import SpectralPath

KINDS = ("rbf", "laplace", "polynomial", "ntk")


@dataclass(frozen=True)
class Kernel:
    """k(x, y) = k₁(x/ℓ, y/ℓ) for one of the kinds

    rbf         exp(−‖x − y‖²/2)
    laplace     exp(−‖x − y‖), the Euclidean norm, so that no axis is preferred (scikit-learn's `laplacian_kernel`
                has the sum of absolute values; in one dimension they agree)
    polynomial  (1 + x·y)^degree
    ntk         the infinite-width ReLU tangent kernel with biases b ~ N(0, 1), per neuron

    length : ℓ > 0.  degree : of the polynomial kernel only.
    """

    kind: str
    length: float = 1.0
    degree: int = 3

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"kernel must be one of {', '.join(KINDS)}, got {self.kind!r}; choose one of them")
        if not self.length > 0:
            raise ValueError(f"length must be > 0, got {self.length}; use 1 for inputs as they are")

    def __call__(self, X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        """(n, k) for X (n, d) and Y (k, d)."""
        X, Y = X / self.length, Y / self.length
        if self.kind == "rbf":
            return rbf_kernel(X, Y, gamma=0.5)
        if self.kind == "laplace":
            return np.exp(-euclidean_distances(X, Y))
        if self.kind == "polynomial":
            return polynomial_kernel(X, Y, degree=self.degree, gamma=1.0, coef0=1.0)
        return tangent_kernel(X, Y)


@dataclass(frozen=True)
class KernelFit:
    """f̂(x) = Σ_i α_i k(x, x_i), with α = (K + (nλ/2) I)⁻¹ y at the λ of least risk on the holdout.

    X (n, d), duals α (n,). The penalty is that of every head: (1/n)‖f̂ − y‖² + (λ/2)‖f̂‖²_H.
    """

    kernel: Kernel
    X: np.ndarray
    duals: np.ndarray
    lam: float
    holdout_risk: float

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f̂ on the rows of X, (k,)."""
        return self.kernel(X, self.X) @ self.duals


@dataclass(frozen=True)
class FactoredKernel:
    """K = ΦΦᵀ with Φ = QS^½ from the eigenvectors of K: kernel ridge as the head of n features.

    back (n, k) : QS^{−½}, from the path's coordinates to duals; an eigenvalue below rounding is no feature.
    """

    path: SpectralPath
    back: np.ndarray

    def duals(self, lam: float) -> np.ndarray:
        """α (n,) = (K + (nλ/2) I)⁻¹ y on the span of the features."""
        return self.back @ self.path.coefficients(lam)


def factor_kernel(K: np.ndarray, y: np.ndarray, holdout: Labelled) -> FactoredKernel:
    """The spectral path of K (n, n) and y (n,), O(n³) once; holdout = (K_h (n_h, n), y_h) is a risk of it."""
    n = len(K)
    values, vectors = np.linalg.eigh(K)
    nonzero = np.flatnonzero(values > n * np.finfo(float).eps * values[-1])[::-1]
    sigma, Q = np.sqrt(values[nonzero]), vectors[:, nonzero]
    along, back = Q.T @ y, Q / sigma
    root = np.column_stack([holdout[0] @ back, holdout[1]]) / np.sqrt(len(holdout[1]))
    level = float(np.sqrt(np.mean(y**2)))
    path = SpectralPath(2 / n * sigma**2, 2 / n * sigma * along, np.zeros(len(nonzero)), level, {"holdout": root})
    return FactoredKernel(path, back)


def fit_kernel(kernels: Kernel | Sequence[Kernel], train: Labelled, holdout: Labelled) -> KernelFit:
    """Kernel ridge, λ chosen on the holdout (X_h, y_h) from the path's grid, and the kernel too if there are several.

    train : (X (n, d), y (n,)). Time O(n³) a kernel, memory a few n².
    """
    kernels = [kernels] if isinstance(kernels, Kernel) else kernels
    return min((_fit(kernel, train, holdout) for kernel in kernels), key=lambda fit: fit.holdout_risk)


def _fit(kernel: Kernel, train: Labelled, holdout: Labelled) -> KernelFit:
    (X, y), (X_held, y_held) = train, holdout
    factors = factor_kernel(kernel(X, X), y, (kernel(X_held, X), y_held))
    lam = factors.path.tune("holdout")
    return KernelFit(kernel, X, factors.duals(lam), lam, float(factors.path.risk("holdout", lam)))
