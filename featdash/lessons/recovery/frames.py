"""The streams of a recovery: the teacher, the timeline and the neurons."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from featdash.recipes.events import NamedArrays

HEAD = 2  # the step of the timeline after which stage 3 begins


@dataclass(frozen=True, eq=False)
class TeacherDirections(NamedArrays):
    """The frame `teacher`: the weights (r,) s_k, and the directions stars (r, k) in k = min(r, 3) axes."""

    weights: np.ndarray
    stars: np.ndarray


@dataclass(frozen=True, eq=False)
class Rows(NamedArrays):
    """Rows of the timeline; a frame of `timeline`, at = step, holds those since the one before, T <= 300 in all.

    step (T,) : 0 start, 1 gradient step, 2 head, 2 + t after t steps of stage 3.
    stage (T,) : 0, 1, 2, 3 in that order; step 2 has stage 3 if stage 2 is skipped.
    lam (T,) : weight decay of the step that led here; 0 before stage 3.
    loss (T,) : population loss E(f − f*)², constant (and linear part, unless kept) fitted; that of the zero output up
        to stage 1, where the head is not trained yet.  train (T,) : the same on the n samples; `loss` when n = 0.
    nearest (T, r) : cosine of each teacher direction to its nearest neuron of positive mass.
    mass_weighted_cosine (T,) : Σ m_i max_k cos(w_i, u_k) / Σ m_i with mass m_i = |a_i|‖w_i‖.
    alive (T,) : neurons with m_i >= 0.001 mean |s_k|.
    cancelling (T,) : pairs of alive neurons with opposite signs of a and cosine >= 0.95.
    mass (T,) : Σ m_i; the teacher's is Σ |s_k|.
    stop_... (T,) : the same of «stop», which is «go on» up to stage 2.
    Cosines are absolute unless the linear part is kept: w and −w are one neuron of |·|.
    """

    step: np.ndarray
    stage: np.ndarray
    lam: np.ndarray
    loss: np.ndarray
    train: np.ndarray
    nearest: np.ndarray
    mass_weighted_cosine: np.ndarray
    alive: np.ndarray
    cancelling: np.ndarray
    mass: np.ndarray
    stop_loss: np.ndarray
    stop_mass_weighted_cosine: np.ndarray
    stop_cancelling: np.ndarray


def join_rows(parts: Sequence[Rows]) -> Rows:
    """All rows in one, in the order of the parts."""
    names = [field.name for field in fields(Rows)]
    return Rows(**{name: np.concatenate([getattr(part, name) for part in parts]) for name in names})


@dataclass(frozen=True, eq=False)
class ShownNeurons(NamedArrays):
    """p = min(m, 120) neurons of a student, always the same ones.

    points (p, k) : w_i/‖w_i‖ in the picture's axes, so length 1 is wholly inside them; 0 for a dead neuron.
    mass (p,) : |a_i|‖w_i‖.  sign (p,) : of a_i, −1, 0 or +1.
    """

    points: np.ndarray
    mass: np.ndarray
    sign: np.ndarray


@dataclass(frozen=True, eq=False)
class Students(NamedArrays):
    """A frame of `neurons`, at = step, at most 60 of them: the student that goes on, and the one that stops."""

    go: ShownNeurons
    stop: ShownNeurons
