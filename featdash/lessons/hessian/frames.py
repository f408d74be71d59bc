"""The streams of «The Hessian announces the next feature»: two networks step by step, and many by their samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class NetworkLook(NamedArrays):
    """A network and its Hessian at one step.

    loss, risk : mean squared error on the samples it is trained on, and on new ones without noise.
    neurons (m, 2) : w_j·u₁ and w_j·u₂ over ‖w_j‖.
    share (2,) : of the layer's squared norm along u₁ and along u₂.
    eigenvalues (k,) : the lowest of the Hessian, ascending.
    vector (2,) : squared share of its lowest eigenvector along u₁ and u₂, over all neurons together.
    """

    loss: float
    risk: float
    neurons: np.ndarray
    share: np.ndarray
    eigenvalues: np.ndarray
    vector: np.ndarray


@dataclass(frozen=True, eq=False)
class TrainingFrame(NamedArrays):
    """A frame of `training`, at = step: "few" and "many" -> their look."""

    networks: Mapping[str, NetworkLook]


@dataclass(frozen=True, eq=False)
class ThresholdFrame(NamedArrays):
    """A frame of `threshold`, at = networks done; NaN where there is none yet.

    vector, neurons (K, R) : squared share along u₂, for each n/d and draw: of the Hessian's lowest vector at the step
    at which the neurons' share along u₁ is largest, and of the layer at the end.
    """

    vector: np.ndarray
    neurons: np.ndarray
