"""Heads over one feature map, trained on nested samples, tuned and tested on the same ones.

Where features are fewer than the samples, their second moments are enough, and the sample may grow. All λ of a head are
judged at once: as λ moves, the ridge solution moves along a curve in few dimensions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike

from featdash.learners.factorisation import NEGLIGIBLE, Tridiagonal, tridiagonalise
from featdash.learners.feature_map import FeatureMap, Featurise, HeadFeatures
from featdash.learners.head import CONVERGED, Head, grow_head
from featdash.theory.ridge_path import COMPLETE, KEPT_BYTES, LANCZOS_STEPS, SpectralPath, least_samples_for_moments

EARLY = 40  # steps after which a head is tuned for the first time, and done if it is CLEARLY converged
CLEARLY = CONVERGED / 10
KEPT_NUMBERS = KEPT_BYTES // 4  # responses of training neurons held at a time, all samples together
ROWS = 1 << 14  # added to normal equations at a time
CHUNK_NUMBERS = 1 << 21  # predictions held at a time, 17 MB of doubles
FeaturesOf = Callable[[np.ndarray], FeatureMap]


class SharedHeads:
    """What `grow_head` does for one head and its whole Krylov space, for many heads along their ridge curves.

    neurons : responses a sample has.
    """

    def __init__(self, featurise: Featurise, neurons: int) -> None:
        self._featurise = featurise
        self._neurons = neurons
        self._heads: list[Head] = []
        self._growing: list[Iterator[Head]] = []

    def train(self, X: np.ndarray, y: np.ndarray, sizes: Sequence[int]) -> Iterator[int]:
        """Solve a head on the first n rows for each n of `sizes`, ascending, as far as is usually enough; yields n."""
        like = self._featurise(X[:1], keep=False)
        q = like.shape[1]
        least = least_samples_for_moments(q, isinstance(like, HeadFeatures))
        by_moments = [n for n in sizes if n >= least]
        equations = NormalEquations(q if by_moments else 0, like.device)
        keep = sum(set(sizes).difference(by_moments)) * self._neurons <= KEPT_NUMBERS
        begin = 0
        for n in sizes:
            if n in by_moments:
                for start in range(begin, n, ROWS):
                    rows = slice(start, min(start + ROWS, n))
                    equations.extend(self._featurise(X[rows], keep=False), y[rows])
                begin = n
                self._enter(iter([equations.head()]) if q <= COMPLETE else equations.grow((LANCZOS_STEPS, COMPLETE)))
            else:
                self._enter(self._grow(X[:n], y[:n], keep))
            yield n

    def _grow(self, X: np.ndarray, y: np.ndarray, keep: bool) -> Iterator[Head]:
        features = self._featurise(X, keep=keep)
        complete = min(features.shape) <= COMPLETE
        if complete:
            return grow_head(features, y, checkpoints=())
        return grow_head(features, y, steps=COMPLETE, checkpoints=(EARLY, LANCZOS_STEPS))

    def _enter(self, growing: Iterator[Head]) -> None:
        self._heads.append(next(growing))
        self._growing.append(growing)

    def tune(self, X: np.ndarray, labels: np.ndarray) -> list[float]:
        """λ of each head, best on this holdout; a head not converged at its λ is solved further and tuned again."""
        lams = tune_heads(self._features_of, X, labels, self._heads)
        rough = [index for index in range(len(lams)) if self._is_rough(index, lams[index])]
        while rough:
            candidates = {index: next(self._growing[index], None) for index in rough}
            further = {index: head for index, head in candidates.items() if head is not None}
            rough = list(further)
            for index, head in further.items():
                self._heads[index] = head
            if rough:
                again = tune_heads(self._features_of, X, labels, [self._heads[index] for index in rough])
                for index, lam in zip(rough, again, strict=True):
                    lams[index] = lam
                rough = [index for index in rough if self._is_rough(index, lams[index])]
        self._growing = []
        return lams

    def _is_rough(self, index: int, lam: float) -> bool:
        path = self._heads[index].path
        return bool(path.gap(lam) > (CLEARLY if len(path.ritz) < LANCZOS_STEPS else CONVERGED))

    def test(self, X: np.ndarray, labels: np.ndarray, lams: Sequence[float]) -> list[Risk]:
        """The risk of each head at its λ, arrays of one entry."""
        curves = [ridge_curve(head, lam) for head, lam in zip(self._heads, lams, strict=True)]
        return risks_along(self._features_of, X, labels, curves)

    def _features_of(self, X: np.ndarray) -> FeatureMap:
        return self._featurise(X, keep=False)


class NormalEquations:
    """G = ΦᵀΦ (q, q), Φᵀy (q,) and ‖y‖² of the rows so far, summed in double precision.

    One pass over Φ, O(nq²); what follows is O(q²) a Lanczos step where Φ itself would take O(nq), and the sums of the
    first n rows are a part of those of more. Squaring Φ costs nothing here: the rounding of G is 1e-16 s_max, a path's
    smallest λ 1e-8 s_max.
    """

    def __init__(self, q: int, device: torch.device) -> None:
        self._gram = torch.zeros(q, q, dtype=torch.float64, device=device)
        self._moment = self._gram.new_zeros(q)
        self._energy, self._rows = 0.0, 0

    def extend(self, features: FeatureMap, y: np.ndarray) -> None:
        """Add rows: features (k, q), labels (k,)."""
        labels = torch.as_tensor(np.asarray(y, dtype=float), device=self._gram.device)
        gram, moment = features.moments(labels)
        self._gram += gram
        self._moment += moment
        self._energy += float(labels @ labels)
        self._rows += len(labels)

    def head(self) -> Head:
        """The complete head on the rows so far; its path has no risks and no readouts."""
        values, vectors = torch.linalg.eigh(self._gram)
        pull = (vectors.T @ self._moment).cpu().numpy()
        q = len(values)
        values = np.maximum(values.cpu().numpy(), 0)
        path = _path(values, pull, np.zeros(q), self._rows, self._energy)
        return Head(path, vectors, np.eye(q)[:, ::-1])

    def grow(self, checkpoints: Collection[int]) -> Iterator[Head]:
        """Heads on the rows there are at the first `next`, after the Lanczos steps named in `checkpoints`, ascending.

        The last comes sooner where the Krylov space is exhausted.
        """
        gram, rows, energy = self._gram.clone(), self._rows, self._energy
        for krylov in tridiagonalise(gram, self._moment, max(checkpoints)):
            if krylov.spill == 0 or krylov.steps in checkpoints:
                yield _lanczos_head(krylov, rows, energy)


def _lanczos_head(krylov: Tridiagonal, rows: int, energy: float) -> Head:
    """T = QΘQᵀ: the Ritz vectors are VQ."""
    values, Q = np.linalg.eigh(krylov.T)
    first, last = (Q[0], Q[-1]) if krylov.steps else (Q.reshape(0), Q.reshape(0))
    path = _path(np.maximum(values, 0), krylov.norm * first, krylov.spill * last, rows, energy)
    return Head(path, krylov.V, Q[:, ::-1])


def _path(values: np.ndarray, pull: np.ndarray, tail: np.ndarray, rows: int, energy: float) -> SpectralPath:
    """From (approximate) eigenvalues of G, ascending, and Φᵀy in the coordinates of their vectors; those descend."""
    scale = 2 / rows
    return SpectralPath(
        ritz=scale * values[::-1], pull=scale * pull[::-1], tail=scale * tail[::-1], level=float(np.sqrt(energy / rows))
    )


@dataclass(frozen=True)
class RidgeCurve:
    """a(λ_i) = basis @ coordinates[:, i] for the given λs, to predictions within NEGLIGIBLE of rms(y).

    basis (q, k), orthonormal; coordinates (k, number of λs). Four λs a decade over ten decades span 15 to 20
    dimensions, where the Krylov space of a head has 60 to 120 and the features thousands.
    """

    basis: torch.Tensor
    coordinates: torch.Tensor


@dataclass(frozen=True)
class Risk:
    """Mean squared error and its standard error, an entry for each point of a curve."""

    mean: np.ndarray
    standard_error: np.ndarray


def ridge_curve(head: Head, lams: ArrayLike) -> RidgeCurve:
    """The ridge limits of a head at some λ > 0.

    A unit weight vector predicts with a root mean square of at most √(s_max/2), so singular values of the
    coefficients c(λ) below NEGLIGIBLE · rms(y) / √(s_max/2) are dropped.
    """
    path = head.path
    P, sigma, Qt = np.linalg.svd(path.coordinates(np.atleast_1d(lams)).T, full_matrices=False)
    rank = int(np.sum(sigma * np.sqrt(path.largest / 2) > NEGLIGIBLE * path.level))
    basis = head.combine(P[:, :rank])
    coordinates = torch.as_tensor(sigma[:rank, None] * Qt[:rank], dtype=basis.dtype, device=basis.device)
    return RidgeCurve(basis, coordinates)


def risks_along(featurise: FeaturesOf, X: np.ndarray, labels: np.ndarray, curves: Sequence[RidgeCurve]) -> list[Risk]:
    """The risk of every point of every curve on one sample, whose features are computed once, in chunks, for all.

    X (N, d); labels (N,). The curves belong to heads over the same features, whatever they were trained on.
    """
    squares = [curve.coordinates.new_zeros(curve.coordinates.shape[1]) for curve in curves]
    fourths = [torch.zeros_like(one) for one in squares]
    for projections, truth in _projections(featurise, X, labels, curves, max(len(one) for one in squares)):
        for index, (projection, curve) in enumerate(zip(projections, curves, strict=True)):
            errors = (projection @ curve.coordinates - truth) ** 2
            squares[index] += errors.sum(dim=0)
            fourths[index] += (errors**2).sum(dim=0)
    means = [
        (one.cpu().numpy() / len(X), two.cpu().numpy() / len(X)) for one, two in zip(squares, fourths, strict=True)
    ]
    return [Risk(mean, np.sqrt(np.maximum(fourth - mean**2, 0) / len(X))) for mean, fourth in means]


def tune_heads(featurise: FeaturesOf, X: np.ndarray, labels: np.ndarray, heads: Sequence[Head]) -> list[float]:
    """For each head, the λ of its default grid with the least risk on the holdout, the largest of equals.

    The risk of the coordinates c is (c, −1)ᵀ M (c, −1) / N, with M the moments of (ΦV, labels): what it loses to
    cancellation is 1e-16 of the labels' energy.
    """
    lams = [head.path.default_lams()[::-1] for head in heads]
    curves = [ridge_curve(head, grid) for head, grid in zip(heads, lams, strict=True)]
    moments = [curve.coordinates.new_zeros(len(curve.coordinates) + 1, len(curve.coordinates) + 1) for curve in curves]
    for projections, truth in _projections(featurise, X, labels, curves, 1):
        for moment, projection in zip(moments, projections, strict=True):
            both = torch.cat([projection, truth], dim=1)
            moment += both.T @ both
    best = []
    for grid, curve, moment in zip(lams, curves, moments, strict=True):
        c = torch.cat([curve.coordinates, curve.coordinates.new_full((1, len(grid)), -1)])
        best.append(float(grid[int(((moment @ c) * c).sum(dim=0).argmin())]))
    return best


def _projections(
    featurise: FeaturesOf, X: np.ndarray, labels: np.ndarray, curves: Sequence[RidgeCurve], points: int
) -> Iterator[tuple[Sequence[torch.Tensor], torch.Tensor]]:
    """(ΦV of each curve's basis V, labels as a column) for the rows of a chunk, which has room for `points` more."""
    together = torch.cat([curve.basis for curve in curves], dim=1)
    widths = [curve.basis.shape[1] for curve in curves]
    rows = max(1, CHUNK_NUMBERS // (together.shape[1] + points))
    for start in range(0, len(X), rows):
        part = slice(start, start + rows)
        truth = torch.as_tensor(labels[part], dtype=together.dtype, device=together.device)[:, None]
        yield featurise(X[part]).matmat(together).split(widths, dim=1), truth
