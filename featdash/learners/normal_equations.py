"""Heads from the second moments of their features, where these are fewer than the samples; and the sample may grow."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap
from featdash.learners.head import Head
from featdash.learners.lanczos import Tridiagonal, tridiagonalise
from featdash.theory.ridge_path import SpectralPath


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
        gram, view = features.moments(labels)
        self._gram += gram
        self._moment += view
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
        """Heads on the rows there are at the first `next`, after the Lanczos steps named in `pictures`, ascending.

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
