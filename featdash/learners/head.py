"""The head of any of the learners: features and labels become a spectral path, while Lanczos grows it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import ArrayLike

from featdash.learners.factorisation import Bidiagonal, bidiagonalise, factorise_densely
from featdash.learners.feature_map import FeatureMap
from featdash.theory.ridge_path import COMPLETE, LANCZOS_STEPS, SETTLED, SpectralPath, is_dense

CONVERGED = SETTLED
ROWS = 1 << 12  # that are factorised at a time


@dataclass(frozen=True)
class Readout:
    """A linear functional of a predictor: mixing @ (predictions on a sample) + offset.

    features : the sample, (n, q). Give the same object as in an evaluation and its products are shared.
    mixing (rows, n) : None for the predictions themselves.
    offset (rows,) : what the part without features adds (α + β·x); None for zero.
    """

    features: FeatureMap
    mixing: np.ndarray | None = None
    offset: np.ndarray | None = None


@dataclass(frozen=True)
class Head:
    """A solved head: its path, and what leads from the path's coordinates back to a.

    basis (q, k), orthonormal; rotation (k, k), whose columns are the path's eigenvectors in that basis. They are not
    multiplied out: with the tangent kernel's q that would be a second array as large as the Krylov basis.
    """

    path: SpectralPath
    basis: torch.Tensor
    rotation: np.ndarray

    def combine(self, coordinates: np.ndarray) -> torch.Tensor:
        """Weights (q, l) of points given in the path's coordinates (k, l)."""
        rotated = np.ascontiguousarray(self.rotation @ coordinates)
        return self.basis @ torch.as_tensor(rotated, dtype=self.basis.dtype, device=self.basis.device)

    def weights(self, lam: float) -> torch.Tensor:
        """a (q,) in the ridge limit at that λ."""
        return self.combine(self.path.coordinates(lam)[:, None])[:, 0]


def predict(features: FeatureMap, weights: torch.Tensor) -> np.ndarray:
    """Φa (n,)."""
    return features.matmat(weights[:, None])[:, 0].cpu().numpy()


def solve_head(
    features: FeatureMap,
    y: ArrayLike,
    evaluations: Mapping[str, tuple[FeatureMap, ArrayLike]] | None = None,
    readouts: Mapping[str, Readout] | None = None,
    steps: int | None = None,
) -> Head:
    """The last head of `grow_head`."""
    *_, head = grow_head(features, y, evaluations, readouts, steps, checkpoints=())
    return head


def grow_head(
    features: FeatureMap,
    y: ArrayLike,
    evaluations: Mapping[str, tuple[FeatureMap, ArrayLike]] | None = None,
    readouts: Mapping[str, Readout] | None = None,
    steps: int | None = None,
    checkpoints: Collection[int] = (1, 2, 4, 8, 16, 32),
) -> Iterator[Head]:
    """Heads after the Lanczos steps named in `checkpoints`, and a last one.

    features (n, q) and y (n,) : what the head is trained on; risk "train" comes from them for free.
    evaluations : name -> (features of a sample (n_e, q), labels (n_e,)); each becomes a risk of the path.
    readouts : name -> Readout.
    steps : of Lanczos, or fewer where the Krylov space is exhausted. None: min(n, q) where that is at most
        COMPLETE, which with full reorthogonalisation is a dense factorisation, exact for every λ and t. Where a dense
        one pays (`is_dense`), it is the last head, exact too, after those of the checkpoints. Else
        LANCZOS_STEPS, doubled where the λ that is best on "holdout" is not CONVERGED by then; the path's `gap` says
        which λ and t are then out of its reach.

    A head after k steps has exact gradient-descent iterates t <= k, and good ones up to about t = k². Space the
    checkpoints geometrically: each costs a QR of (n_e, k + 1) for each evaluation, together little more than the last.
    """
    y = torch.tensor(np.asarray(y, dtype=float), device=features.device)
    samples = Projections(evaluations or {}, readouts or {})
    if steps is None and is_dense(*features.shape):
        yield from _lanczos_pictures(features, y, samples, checkpoints)
        yield _dense_head(features, y, Projections(evaluations or {}, readouts or {}))
        return
    enough, most = _planned_steps(steps, min(features.shape))
    for krylov in bidiagonalise(features, y, most):
        last = krylov.spill == 0 or krylov.steps == most
        if last or krylov.steps in {*checkpoints, enough}:
            head = _head(krylov, len(y), samples)
            yield head
        if krylov.steps == enough and _is_converged(head.path):
            return


def _lanczos_pictures(
    features: FeatureMap, y: torch.Tensor, samples: Projections, pictures: Collection[int]
) -> Iterator[Head]:
    for krylov in bidiagonalise(features, y, max(pictures)) if pictures else ():
        if krylov.steps in pictures:
            yield _head(krylov, len(y), samples)


def _dense_head(features: FeatureMap, y: torch.Tensor, samples: Projections) -> Head:
    """As `_head`, from the whole feature space."""
    path, vectors = factorise_densely(features, y)
    upright = np.eye(vectors.shape[1])
    roots, readouts = samples.roots(vectors, upright), samples.readouts(vectors, upright)
    return Head(replace(path, roots={**path.roots, **roots}, readouts=readouts), vectors, upright)


def _planned_steps(steps: int | None, complete: int) -> tuple[int, int]:
    """(steps that are usually enough, the most to take)."""
    if steps is not None:
        return min(steps, complete), min(steps, complete)
    if complete <= COMPLETE:
        return complete, complete
    return LANCZOS_STEPS, COMPLETE


def _is_converged(path: SpectralPath) -> bool:
    return "holdout" not in path.roots or bool(path.gap(path.tune("holdout")) <= CONVERGED)


class Projections:
    """Samples seen through a growing Krylov basis: ΦV (n_e, k), each column computed once, kept as it came."""

    def __init__(
        self, evaluations: Mapping[str, tuple[FeatureMap, ArrayLike]], readouts: Mapping[str, Readout]
    ) -> None:
        self._labels = {name: (features, np.asarray(labels)) for name, (features, labels) in evaluations.items()}
        self._readouts = readouts
        self._projections: dict[int, list[torch.Tensor]] = {}

    def roots(self, V: torch.Tensor, rotation: np.ndarray) -> dict[str, np.ndarray]:
        """name -> triangular factor of [ΦV·rotation, labels]/√n_e, so that risk = ‖root (c, −1)‖².

        Labels of other evaluations on the same sample may add rows.
        """
        roots: dict[str, np.ndarray] = {}
        k = V.shape[1]
        for names in self._same_sample():
            features = self._labels[names[0]][0]
            labels = np.column_stack([self._labels[name][1] for name in names])
            columns = torch.as_tensor(labels, dtype=V.dtype, device=V.device)
            triangle = _triangle([*self._project(features, V), columns]).cpu().numpy() / np.sqrt(features.shape[0])
            rotated = triangle[:, :k] @ rotation
            roots |= {name: np.column_stack([rotated, triangle[:, k + i]]) for i, name in enumerate(names)}
        return roots

    def _same_sample(self) -> Iterator[list[str]]:
        """The names of evaluations on the same features: one factorisation serves them."""
        by_sample: dict[int, list[str]] = {}
        for name, (features, _) in self._labels.items():
            by_sample.setdefault(id(features), []).append(name)
        yield from by_sample.values()

    def readouts(self, V: torch.Tensor, rotation: np.ndarray) -> dict[str, np.ndarray]:
        """name -> [mixing ΦV·rotation, offset]."""
        readouts = {}
        for name, readout in self._readouts.items():
            blocks = [block.cpu().numpy() for block in self._project(readout.features, V)]
            parts = blocks if readout.mixing is None else [readout.mixing @ block for block in blocks]
            rows = np.concatenate(parts, axis=1) @ rotation
            offset = np.zeros(len(rows)) if readout.offset is None else readout.offset
            readouts[name] = np.column_stack([rows, offset])
        return readouts

    def _project(self, features: FeatureMap, V: torch.Tensor) -> list[torch.Tensor]:
        blocks = self._projections.setdefault(id(features), [V.new_empty(features.shape[0], 0)])
        columns = sum(block.shape[1] for block in blocks)
        if columns < V.shape[1]:
            blocks.append(features.matmat(V[:, columns:]))
        return blocks


def _triangle(blocks: Sequence[torch.Tensor]) -> torch.Tensor:
    """The triangular factor of the blocks (n, ·) side by side, a few rows at a time: no second copy of them is made."""
    triangle = blocks[0].new_empty(0, sum(block.shape[1] for block in blocks))
    for start in range(0, len(blocks[0]), ROWS):
        part = torch.cat([block[start : start + ROWS] for block in blocks], dim=1)
        triangle = torch.linalg.qr(torch.cat([triangle, part]), mode="r").R
    return triangle


def _head(krylov: Bidiagonal, n: int, samples: Projections) -> Head:
    """B = PΣQᵀ turns the Krylov basis into Ritz vectors VQ, with eigenvalues s = 2σ²/n of (2/n)ΦᵀΦ."""
    k = krylov.steps
    P, sigma, Qt = np.linalg.svd(krylov.B, full_matrices=True)
    along = krylov.norm * P[0]  # coordinates of y in U P
    train = np.zeros((k + 1, k + 1))
    train[range(k), range(k)] = sigma
    train[:, -1] = along
    beta = krylov.B[-1, -1] if k else 0.0
    path = SpectralPath(
        ritz=2 / n * sigma**2,
        pull=2 / n * sigma * along[:k],
        tail=2 / n * krylov.spill * beta * Qt.T[-1] if k else np.zeros(0),
        level=krylov.norm / np.sqrt(n),
        roots={"train": train / np.sqrt(n), **samples.roots(krylov.V, Qt.T)},
        readouts=samples.readouts(krylov.V, Qt.T),
    )
    return Head(path, krylov.V, Qt.T)
