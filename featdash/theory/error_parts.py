"""An excess risk, taken apart by the Hermite degrees of the target."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike


def error_parts(multiples: ArrayLike, risk: ArrayLike, energy: ArrayLike) -> np.ndarray:
    """An excess risk taken apart: (..., p + 2), what is left of the Hermite degrees 0 to p, and what lies beside f*.

    A predictor is f̂ = Σ_k c_k f*_k + g with g orthogonal to every f*_k, and the f*_k are orthogonal to one another. So
    E (f̂ − f*)² = Σ_k (1 − c_k)² E f*_k² + E g², whose last term is what the predictor adds beside the target.

    multiples (..., p + 1) : c_k; risk (...) : E (f̂ − f*)²; energy (p + 1,) : E f*_k².
    E g² is the rest of the risk. Where c_k and the risk are measured on a finite test sample and E f*_k² is that of the
    population, the rest can come out negative by a little: it is then 0, and the degrees share the risk in their ratio.
    So the parts are never negative, and always add up to the measured risk.
    """
    degrees = (1 - np.asarray(multiples, float)) ** 2 * np.asarray(energy, float)
    risk, total = np.asarray(risk, float)[..., None], degrees.sum(axis=-1, keepdims=True)
    shrinkage = np.divide(risk, total, out=np.ones_like(total), where=total > risk)
    return np.concatenate([degrees * shrinkage, np.maximum(risk - total, 0)], axis=-1)
