"""Features of a kernel on the sample that it is factored on: ridge on them is ridge with the kernel."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch

from featdash.learners.feature_map import Featurise, LinearPart, second_moments
from featdash.learners.rfm import ROWS, MahalanobisKernel


class KernelFeatures:
    """Φ = K(X, Z) QΛ^{−½} (n, q) of a sample X for K(Z, Z) = QΛQᵀ, so that ΦΦᵀ = K(X, X) for rows X of Z.

    Double precision: a single one would lose the distances of near samples. `keep` holds K(X, Z) between products,
    8 bytes a pair; else it is made again in each of them, a block of rows at a time.
    """

    dtype = torch.float64

    def __init__(
        self,
        X: np.ndarray,
        kernel: MahalanobisKernel,
        centres: np.ndarray,
        back: np.ndarray,
        *,
        device: str = "cpu",
        keep: bool = True,
    ) -> None:
        self._X, self._kernel, self._centres = X, kernel, centres
        self._back = torch.tensor(back, device=device)
        self.device = self._back.device
        self.shape = len(X), back.shape[1]
        self._cache = [*self._blocks()] if keep else None

    def _blocks(self) -> Iterator[torch.Tensor]:
        """K(X, Z) a block of rows after another."""
        for start in range(0, len(self._X), ROWS):
            pairs = self._kernel(self._X[start : start + ROWS], self._centres)
            yield torch.as_tensor(pairs, device=self.device)

    def matmat(self, V: torch.Tensor) -> torch.Tensor:
        duals = self._back @ V
        blocks = [pairs @ duals for pairs in (self._blocks() if self._cache is None else self._cache)]
        return torch.cat([V.new_empty(0, V.shape[1]), *blocks])

    def rmatmat(self, U: torch.Tensor) -> torch.Tensor:
        total = U.new_zeros(len(self._centres), U.shape[1])
        for pairs, part in zip(self._blocks() if self._cache is None else self._cache, U.split(ROWS), strict=True):
            total += pairs.T @ part
        return self._back.T @ total

    def moments(self, y: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return second_moments(self, y)


@dataclass(frozen=True)
class KernelLayer:
    """The head is to predict y − α − β·x from the features of a kernel: as many as there are centres, at most.

    centres Z (n, d); back (n, q) = QΛ^{−½}, of eigenvalues above rounding.
    """

    linear: LinearPart
    kernel: MahalanobisKernel
    centres: np.ndarray
    back: np.ndarray

    @classmethod
    def on(cls, kernel: MahalanobisKernel, centres: np.ndarray) -> KernelLayer:
        """Factored on these centres, O(n³); no linear part is removed."""
        values, Q = np.linalg.eigh(kernel(centres, centres))
        nonzero = values > len(values) * np.finfo(float).eps * values[-1]
        linear = LinearPart(0.0, np.zeros(centres.shape[1]))
        return cls(linear, kernel, centres, Q[:, nonzero] / np.sqrt(values[nonzero]))

    def featurise(self, device: str = "cpu", dtype: torch.dtype = torch.float64) -> Featurise:
        """The map of a sample to its features, which are in double always."""
        del dtype
        return partial(KernelFeatures, kernel=self.kernel, centres=self.centres, back=self.back, device=device)

    @property
    def directions(self) -> np.ndarray:
        """A (d, d) with AᵀA = M: distances are those of Ax."""
        return self.kernel.root.T
