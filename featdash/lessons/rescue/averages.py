"""The simplest estimates of u: one average over the sample, of x or of xxᵀ, weighted by T(y)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from featdash.learners.label_transform import Transform
from featdash.lessons.rescue.recipe import ROWS
from featdash.theory.target import PolynomialTarget

Sums = tuple[np.ndarray, float]  # Σ T x (d,) or Σ T xxᵀ (d, d), and Σ T


def cosines_of_averages(
    target: PolynomialTarget,
    noise: float,
    transforms: Mapping[str, Transform],
    degree: int,
    sizes: Sequence[int],
    rng: np.random.Generator,
) -> dict[str, list[float]]:
    """transform -> |cos(ŵ, u)| at each of the ascending sizes, on prefixes of one sample.

    degree 1: ŵ = mean T(y) x. degree 2: ŵ is the eigenvector of mean T(y)(xxᵀ - I) whose eigenvalue is largest in size.
    """
    d, u = target.d, target.subspace[0]
    shape = (d,) if degree == 1 else (d, d)
    sums: dict[str, Sums] = {name: (np.zeros(shape), 0.0) for name in transforms}
    found: dict[str, list[float]] = {name: [] for name in transforms}
    seen = 0
    for size in sizes:
        for start in range(seen, size, ROWS):
            X = rng.standard_normal((min(ROWS, size - start), d))
            y = target(X) + noise * rng.standard_normal(len(X))
            for name, transform in transforms.items():
                T, (total, weight) = transform(y), sums[name]
                total += X.T @ T if degree == 1 else (X * T[:, None]).T @ X
                sums[name] = (total, weight + float(T.sum()))
        seen = size
        for name, (total, weight) in sums.items():
            found[name].append(min(abs(float(pointed_at(total, weight) @ u)), 1.0))
    return found


def pointed_at(total: np.ndarray, weight: float) -> np.ndarray:
    """The unit vector (d,) that a sum points to; zeros where it is zero."""
    if total.ndim == 1:
        size = float(np.linalg.norm(total))
        return total / size if size > 0 else total
    values, vectors = np.linalg.eigh(total - weight * np.eye(len(total)))
    return vectors[:, np.argmax(np.abs(values))]
