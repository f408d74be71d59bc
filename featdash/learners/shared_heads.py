"""Heads over one feature map, trained on nested samples, tuned and tested on the same ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from featdash.learners.feature_map import FeatureMap, Featurise, HeadFeatures
from featdash.learners.head import CONVERGED, Head, grow_head
from featdash.learners.normal_equations import NormalEquations
from featdash.learners.ridge_curve import Risk, ridge_curve, risks_along, tune_heads
from featdash.learners.solver_plan import COMPLETE, KEPT_BYTES, LANCZOS_STEPS, least_samples_for_moments

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
