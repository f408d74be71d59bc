"""Heads over few features from their second moments: exact for every λ, and the sample may grow."""

from __future__ import annotations

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap
from featdash.learners.head import Head
from featdash.learners.spectral_path import SpectralPath


class NormalEquations:
    """G = ΦᵀΦ (q, q), Φᵀy (q,) and ‖y‖² of the rows so far, in double precision.

    Where q is small and n is not, one pass over Φ and an eigendecomposition, O(nq² + q³), replace q Lanczos steps with
    full reorthogonalisation; and the sums of the first n rows are a part of those of more. Squaring Φ costs nothing
    here: the rounding of G is 1e-16 s_max, a path's smallest λ 1e-8 s_max.
    """

    def __init__(self, q: int, device: torch.device) -> None:
        self._identity = torch.eye(q, dtype=torch.float64, device=device)
        self._gram, self._moment = torch.zeros_like(self._identity), self._identity.new_zeros(q)
        self._energy, self._rows = 0.0, 0

    def extend(self, features: FeatureMap, y: np.ndarray) -> None:
        """Add rows: features (k, q), labels (k,)."""
        rows = features.matmat(self._identity)
        labels = torch.as_tensor(np.asarray(y, dtype=float), device=rows.device)
        self._gram += rows.T @ rows
        self._moment += rows.T @ labels
        self._energy += float(labels @ labels)
        self._rows += len(labels)

    def head(self) -> Head:
        """The complete head on the rows so far; its path has no risks and no readouts."""
        values, vectors = torch.linalg.eigh(self._gram)
        scale = 2 / self._rows
        path = SpectralPath(
            ritz=scale * np.maximum(values.flip(0).cpu().numpy(), 0),
            pull=scale * (vectors.T @ self._moment).flip(0).cpu().numpy(),
            tail=np.zeros(len(values)),
            level=float(np.sqrt(self._energy / self._rows)),
        )
        return Head(path, vectors.flip(1))
