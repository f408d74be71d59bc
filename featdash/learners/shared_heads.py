"""Heads over one feature map, trained on nested samples, tuned and tested on the same ones.

Where features are fewer than the samples, their second moments are enough, and the sample may grow.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap, Featurise, HeadFeatures
from featdash.learners.head import CONVERGED, Head, grow_head
from featdash.learners.lanczos import Tridiagonal, tridiagonalise
from featdash.learners.ridge_curve import Risk, ridge_curve, risks_along, tune_heads
from featdash.learners.solver_plan import COMPLETE, KEPT_BYTES, LANCZOS_STEPS, least_samples_for_moments
from featdash.theory.ridge_path import SpectralPath

EARLY = 40  # steps after which a head is tuned for the first time, and done if it is CLEARLY converged
CLEARLY = CONVERGED / 10
KEPT_NUMBERS = KEPT_BYTES // 4  # responses of training neurons held at a time, all samples together
ROWS = 1 << 14  # added to normal equations at a time


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
        done = 0
        for n in sizes:
            if n in by_moments:
                for start in range(done, n, ROWS):
                    rows = slice(start, min(start + ROWS, n))
                    equations.extend(self._featurise(X[rows], keep=False), y[rows])
                done = n
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
        lams = tune_heads(self._seen, X, labels, self._heads)
        rough = [index for index in range(len(lams)) if self._is_rough(index, lams[index])]
        while rough:
            grown = {index: next(self._growing[index], None) for index in rough}
            further = {index: head for index, head in grown.items() if head is not None}
            rough = list(further)
            for index, head in further.items():
                self._heads[index] = head
            if rough:
                again = tune_heads(self._seen, X, labels, [self._heads[index] for index in rough])
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
        return risks_along(self._seen, X, labels, curves)

    def _seen(self, X: np.ndarray) -> FeatureMap:
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
