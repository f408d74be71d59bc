"""A head's features factorised: step by step in the Krylov space of ridge regression and gradient descent, or densely.

Steps are taken with the features or with their moments. What has few samples or few features is solved completely:
right at every λ and t, the interpolation peak too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap
from featdash.theory.ridge_path import SpectralPath

NEGLIGIBLE = 1e-6  # of rms(y): predictions off by this much move a risk by 1e-6 of y's energy at most
ROUNDING = 1e-15  # of the largest eigenvalue: below, an eigenvalue in double precision is noise
STRENGTHS = np.logspace(-13, 6, 77)  # of s_max: λ that sliders around any tuned one reach, four a decade
STEPS = np.logspace(0, 8, 25)


@dataclass(frozen=True)
class Bidiagonal:
    """ΦV = U B after k steps: V (q, k) and U (n, k + 1) orthonormal, B (k + 1, k) lower bidiagonal.

    V spans {(ΦᵀΦ)^i Φᵀy, i < k}. That space holds the first k iterates of gradient descent from 0 and the best
    k-step approximation to the ridge solution, for every λ at once.

    norm : ‖y‖; y = norm · u_1.
    spill : α_{k+1}, how much of Φᵀu_{k+1} lies outside V; 0 when the space is exhausted and all is exact.
    """

    V: torch.Tensor
    B: np.ndarray
    norm: float
    spill: float

    @property
    def steps(self) -> int:
        return self.B.shape[1]


def bidiagonalise(features: FeatureMap, y: torch.Tensor, steps: int) -> Iterator[Bidiagonal]:
    """Golub-Kahan from y (n,), with full reorthogonalisation; yields after each of at most `steps` steps.

    Ends early when the Krylov space is exhausted (at the latest after min(n, q) steps). Yields once with
    zero steps, then nothing, where Φᵀy = 0. Each step costs one product with Φ and one with Φᵀ.
    Source: Paige, Saunders 1982 (LSQR), ACM TOMS 8(1), section 3.
    """
    n, q = features.shape
    steps = min(steps, n, q)
    U, V = y.new_zeros(steps + 1, n).T, y.new_zeros(steps + 1, q).T  # columns contiguous
    B = np.zeros((steps + 1, steps + 1))
    norm = torch.linalg.vector_norm(y).item()
    U[:, 0], _ = _normalise(y, norm)
    V[:, 0], B[0, 0] = _normalise(*_orthogonalise(features.rmatmat(U[:, :1])[:, 0], V[:, :0]))
    negligible = torch.finfo(features.dtype).eps * np.sqrt(n + q)  # of the largest entry: the rounding of a product
    if B[0, 0] <= np.finfo(float).tiny:
        yield Bidiagonal(V[:, :0], np.zeros((1, 0)), norm, 0.0)
        return
    for k in range(1, steps + 1):
        U[:, k], B[k, k - 1] = _normalise(*_orthogonalise(features.matmat(V[:, k - 1 : k])[:, 0], U[:, :k]))
        largest = np.abs(B).max()
        is_last = B[k, k - 1] <= negligible * largest
        if not is_last:
            V[:, k], B[k, k] = _normalise(*_orthogonalise(features.rmatmat(U[:, k : k + 1])[:, 0], V[:, :k]))
            is_last = B[k, k] <= negligible * largest
        yield Bidiagonal(V[:, :k], B[: k + 1, :k].copy(), norm, 0.0 if is_last else float(B[k, k]))
        if is_last:
            return


@dataclass(frozen=True)
class Tridiagonal:
    """GV = VT + spill·v eᵀ after k steps: V (q, k) orthonormal, T (k, k) tridiagonal, v a unit vector outside V.

    V is that of `Bidiagonal`, for G = ΦᵀΦ and the start Φᵀy, and T = BᵀB.

    norm : ‖Φᵀy‖.
    spill : 0 when the space is exhausted and all is exact.
    """

    V: torch.Tensor
    T: np.ndarray
    norm: float
    spill: float

    @property
    def steps(self) -> int:
        return len(self.T)


def tridiagonalise(gram: torch.Tensor, start: torch.Tensor, steps: int) -> Iterator[Tridiagonal]:
    """Lanczos on gram (q, q), symmetric, from start (q,), with full reorthogonalisation; yields after each step.

    Ends early when the Krylov space is exhausted. Yields once with zero steps, then nothing, where start = 0.
    Source: Golub, Van Loan, Matrix Computations, 4th edition, section 10.1.
    """
    q = len(start)
    steps = min(steps, q)
    V, T = gram.new_zeros(steps + 1, q).T, np.zeros((steps + 1, steps + 1))  # columns contiguous
    norm = torch.linalg.vector_norm(start).item()
    if norm <= np.finfo(float).tiny:
        yield Tridiagonal(V[:, :0], T[:0, :0], norm, 0.0)
        return
    V[:, 0] = start / norm
    negligible = torch.finfo(gram.dtype).eps * q  # of the largest entry: the rounding of a product
    for k in range(1, steps + 1):
        image = gram @ V[:, k - 1]
        T[k - 1, k - 1] = torch.dot(V[:, k - 1], image).item()
        rest, beta = _orthogonalise(image, V[:, :k])
        T[k, k - 1] = T[k - 1, k] = beta
        is_last = k == q or beta <= negligible * np.abs(T).max()
        yield Tridiagonal(V[:, :k], T[:k, :k].copy(), norm, 0.0 if is_last else beta)
        if is_last:
            return
        V[:, k] = rest / beta


def _orthogonalise(vector: torch.Tensor, basis: torch.Tensor) -> tuple[torch.Tensor, float]:
    """The part of `vector` outside the span of `basis`, and its norm.

    One pass is enough where it leaves at least half of the norm, two always are (Kahan and Parlett's rule).
    """
    norm = torch.linalg.vector_norm(vector).item()
    for _ in range(2):
        before = norm
        vector = vector - basis @ (basis.T @ vector)
        norm = torch.linalg.vector_norm(vector).item()
        if norm >= before / 2:
            break
    return vector, norm


def _normalise(vector: torch.Tensor, norm: float) -> tuple[torch.Tensor, float]:
    return (vector / norm if norm > 0 else vector), norm


def factorise_densely(features: FeatureMap, y: torch.Tensor) -> tuple[SpectralPath, torch.Tensor]:
    """(path of features (n, q) and y (n,), vectors (q, r) that lead from its coordinates to a).

    From the eigenvalues of ΦᵀΦ, or of ΦΦᵀ where that is smaller, in double precision: O(max(n, q) k² + k³) time,
    8 n q bytes, k = min(n, q). The path has k eigenvalues, but its coordinates live in the 20 to 60 dimensions that
    hold its coefficients for every λ and t, so other samples are seen through r columns only. Its root is "train".
    """
    n, q = features.shape
    identity = torch.eye(min(n, q), dtype=torch.float64, device=features.device)
    wide = q > n
    short = features.rmatmat(identity) if wide else features.matmat(identity)  # Φᵀ or Φ, with min(n, q) columns
    energies, turn = torch.linalg.eigh(short.T @ short)
    nonzero = energies > ROUNDING * max(energies[-1].item(), np.finfo(float).tiny)
    energies, turn = energies[nonzero], turn[:, nonzero]
    sigma = energies.sqrt()
    pull = sigma * (turn.T @ y) if wide else turn.T @ (short.T @ y)
    path = SpectralPath(
        ritz=(2 / n * energies).cpu().numpy(),
        pull=(2 / n * pull).cpu().numpy(),
        tail=np.zeros(len(energies)),
        level=float(torch.linalg.vector_norm(y)) / np.sqrt(n),
    )
    path = replace(path, basis=_span(path))
    basis = torch.as_tensor(path.basis, device=features.device)
    vectors = short @ (turn @ (basis / sigma[:, None])) if wide else turn @ basis
    projection = short.T @ vectors if wide else short @ vectors
    triangle = torch.linalg.qr(torch.cat([projection, y[:, None]], dim=1), mode="r").R.cpu().numpy()
    return replace(path, roots={"train": triangle / np.sqrt(n)}), vectors


def _span(path: SpectralPath) -> np.ndarray:
    """(k, r), orthonormal: what holds c(λ, t) for λ and t in STRENGTHS and STEPS, to predictions within NEGLIGIBLE.

    A unit weight vector predicts with a root mean square of at most √(s_max/2). Between the samples c moves smoothly.
    """
    lams = path.largest * STRENGTHS
    descents = path.coefficients(lams[::8, None], STEPS).reshape(-1, len(path.ritz))
    P, sigma, _ = np.linalg.svd(np.vstack([path.coefficients(lams), descents]).T, full_matrices=False)
    return P[:, sigma * np.sqrt(path.largest / 2) > NEGLIGIBLE * path.level]
