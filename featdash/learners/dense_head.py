"""A head on few samples or few features, solved completely: right at every λ and t, the interpolation peak too."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import torch

from featdash.learners.feature_map import FeatureMap
from featdash.theory.ridge_path import SpectralPath

NEGLIGIBLE = 1e-6  # of rms(y): predictions off by this much move a risk by 1e-6 of y's energy at most
ROUNDING = 1e-15  # of the largest eigenvalue: below, an eigenvalue in double precision is noise
STRENGTHS = np.logspace(-13, 6, 77)  # of s_max: λ that sliders around any tuned one reach, four a decade
STEPS = np.logspace(0, 8, 25)


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
    kept = energies > ROUNDING * max(energies[-1].item(), np.finfo(float).tiny)
    energies, turn = energies[kept], turn[:, kept]
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
    seen = short.T @ vectors if wide else short @ vectors
    triangle = torch.linalg.qr(torch.cat([seen, y[:, None]], dim=1), mode="r").R.cpu().numpy()
    return replace(path, roots={"train": triangle / np.sqrt(n)}), vectors


def _span(path: SpectralPath) -> np.ndarray:
    """(k, r), orthonormal: what holds c(λ, t) for λ and t in STRENGTHS and STEPS, to predictions within NEGLIGIBLE.

    A unit weight vector predicts with a root mean square of at most √(s_max/2). Between the samples c moves smoothly.
    """
    lams = path.largest * STRENGTHS
    descents = path.coefficients(lams[::8, None], STEPS).reshape(-1, len(path.ritz))
    P, sigma, _ = np.linalg.svd(np.vstack([path.coefficients(lams), descents]).T, full_matrices=False)
    return P[:, sigma * np.sqrt(path.largest / 2) > NEGLIGIBLE * path.level]
