"""All λ of a head at once on a large sample: as λ moves, the ridge solution moves along a curve in few dimensions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike

from featdash.learners.feature_map import FeatureMap
from featdash.learners.head import Head

NEGLIGIBLE = 1e-6  # of rms(y): predictions off by this much move a risk by 1e-6 of y's energy at most
CHUNK_NUMBERS = 1 << 21  # predictions held at a time, 17 MB of doubles

FeaturesOf = Callable[[np.ndarray], FeatureMap]


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
    kept = int(np.sum(sigma * np.sqrt(path.largest / 2) > NEGLIGIBLE * path.level))
    basis = head.combine(P[:, :kept])
    coordinates = torch.as_tensor(sigma[:kept, None] * Qt[:kept], dtype=basis.dtype, device=basis.device)
    return RidgeCurve(basis, coordinates)


def risks_along(featurise: FeaturesOf, X: np.ndarray, labels: np.ndarray, curves: Sequence[RidgeCurve]) -> list[Risk]:
    """The risk of every point of every curve on one sample, whose features are computed once, in chunks, for all.

    X (N, d); labels (N,). The curves belong to heads over the same features, whatever they were trained on.
    """
    squares = [curve.coordinates.new_zeros(curve.coordinates.shape[1]) for curve in curves]
    fourths = [torch.zeros_like(one) for one in squares]
    for seen, truth in _projections(featurise, X, labels, curves, max(len(one) for one in squares)):
        for index, (projected, curve) in enumerate(zip(seen, curves, strict=True)):
            errors = (projected @ curve.coordinates - truth) ** 2
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
    for seen, truth in _projections(featurise, X, labels, curves, 1):
        for view, projected in zip(moments, seen, strict=True):
            both = torch.cat([projected, truth], dim=1)
            view += both.T @ both
    best = []
    for grid, curve, view in zip(lams, curves, moments, strict=True):
        c = torch.cat([curve.coordinates, curve.coordinates.new_full((1, len(grid)), -1)])
        best.append(float(grid[int(((view @ c) * c).sum(dim=0).argmin())]))
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
