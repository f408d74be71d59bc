"""How far a student's neurons have become the teacher's."""

from __future__ import annotations

import numpy as np

from featdash.theory.kernels import cosines, unit_rows

ALIVE = 1e-3  # of the teacher's mean |s_k|: a thousandth of one teacher neuron
CANCELLING = 0.95  # cosine, 18°: two neurons of opposite sign as near as that mostly undo one another


def resemblance(W: np.ndarray, V: np.ndarray, lines: bool) -> np.ndarray:
    """Cosines (m, k), or with `lines` their absolute values: w and −w are one neuron of an even activation."""
    c = cosines(W, V)
    return np.abs(c) if lines else c


def nearest_neuron(W: np.ndarray, mass: np.ndarray, directions: np.ndarray, lines: bool) -> np.ndarray:
    """For each direction (r, d) its largest resemblance with a neuron W (m, d) of positive mass, shape (r,).

    0 where no neuron has any.
    """
    cosines = resemblance(W[mass > 0], directions, lines)
    return np.max(cosines, axis=0) if len(cosines) else np.zeros(len(directions))


def mass_weighted_cosine(W: np.ndarray, mass: np.ndarray, directions: np.ndarray, lines: bool) -> float:
    """Σ_i mass_i max_k cos(w_i, u_k) / Σ_i mass_i; 0 for a network without mass."""
    total = float(mass.sum())
    return float(mass @ resemblance(W, directions, lines).max(axis=1)) / total if total > 0 else 0.0


def alive(mass: np.ndarray, teacher_weights: np.ndarray) -> np.ndarray:
    """Which neurons (m,) count: mass_i >= mean |s_k| / 1000."""
    return mass >= ALIVE * np.mean(np.abs(teacher_weights))


def cancelling_pairs(a: np.ndarray, W: np.ndarray, living: np.ndarray, lines: bool) -> int:
    """Pairs of living neurons with output weights of opposite sign and resemblance >= 0.95."""
    close = resemblance(W[living], W[living], lines) >= CANCELLING
    opposite = a[living, None] * a[None, living] < 0
    return int(np.sum(close & opposite)) // 2


def one_direction(W: np.ndarray) -> np.ndarray:
    """The unit vector (d,) with the largest Σ_i cos² to the neurons W (m, d): the line nearest to all of them.

    Without neurons other than zero there is none: zeros.
    """
    living = W[np.any(W != 0, axis=1)]
    return np.linalg.svd(unit_rows(living)[0], full_matrices=False)[2][0] if len(living) else np.zeros(W.shape[1])


def teacher_axes(directions: np.ndarray) -> np.ndarray:
    """Orthonormal rows (min(r, 3), d) to draw neurons in: Gram–Schmidt of u_1, u_2, u_3, or for r > 3 the leading three
    right singular vectors."""
    if len(directions) > 3:
        return np.linalg.svd(directions, full_matrices=False)[2][:3]
    Q, R = np.linalg.qr(directions.T)
    return (Q * np.sign(np.diag(R))).T
