"""Heads over one feature map, trained on nested samples, tuned and tested on the same ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from featdash.learners.head import CONVERGED, LANCZOS_STEPS, Head, grow_head
from featdash.learners.normal_equations import NormalEquations
from featdash.learners.ridge_curve import Featurise, Risk, ridge_curve, risks_along, tune_heads

COMPLETE = 2 * LANCZOS_STEPS  # up to so many dimensions `grow_head` solves completely, too
KEPT_NUMBERS = 1 << 26  # responses of training neurons held at a time, all samples together: 268 MB
ROWS = 1 << 14  # added to normal equations at a time


class SharedHeads:
    """What `grow_head` does for one head and its whole Krylov space, for many heads along their ridge curves.

    featurise : X (n, d) -> features (n, q); `keep`, whether to hold the neurons' responses between products.
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
        few, done = like.shape[1] <= COMPLETE, 0
        equations = NormalEquations(like.shape[1] if few else 0, like.device)
        keep = sum(sizes) * self._neurons <= KEPT_NUMBERS
        for n in sizes:
            if few and n > COMPLETE:
                for start in range(done, n, ROWS):
                    rows = slice(start, min(start + ROWS, n))
                    equations.extend(self._featurise(X[rows], keep=False), y[rows])
                done = n
                self._enter(iter([equations.head()]))
            else:
                self._enter(self._grow(X[:n], y[:n], keep))
            yield n

    def _grow(self, X: np.ndarray, y: np.ndarray, keep: bool) -> Iterator[Head]:
        features = self._featurise(X, keep=keep)
        complete = min(features.shape) <= COMPLETE
        steps, pictures = (None, ()) if complete else (COMPLETE, (LANCZOS_STEPS,))
        return grow_head(features, y, steps=steps, pictures=pictures)

    def _enter(self, growing: Iterator[Head]) -> None:
        self._heads.append(next(growing))
        self._growing.append(growing)

    def tune(self, X: np.ndarray, labels: np.ndarray) -> list[float]:
        """λ of each head, best on this holdout; a head not CONVERGED at its λ is solved further and tuned again."""
        lams = tune_heads(self._seen, X, labels, self._heads)
        gaps = [head.path.gap(lam) for head, lam in zip(self._heads, lams, strict=True)]
        rough = [index for index, gap in enumerate(gaps) if gap > CONVERGED]
        for index in rough:
            self._heads[index] = next(self._growing[index], self._heads[index])
        self._growing = []
        if rough:
            again = tune_heads(self._seen, X, labels, [self._heads[index] for index in rough])
            for index, lam in zip(rough, again, strict=True):
                lams[index] = lam
        return lams

    def test(self, X: np.ndarray, labels: np.ndarray, lams: Sequence[float]) -> list[Risk]:
        """The risk of each head at its λ, arrays of one entry."""
        curves = [ridge_curve(head, lam) for head, lam in zip(self._heads, lams, strict=True)]
        return risks_along(self._seen, X, labels, curves)

    def _seen(self, X: np.ndarray):
        return self._featurise(X, keep=False)
