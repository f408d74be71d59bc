"""The streams of «More than one step»: a layer step by step, samples against dimension, and the risk of its heads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class LayerFrame(NamedArrays):
    """A frame of `layer`, at = steps taken.

    share (m,) : squared share of each neuron inside the subspace, after steps of the correlation loss; norm (m,) : its
    length, of root mean square 1; sign (m,) : a_j.
    alignment : loss -> the share of the layer's squared norm inside the subspace.
    output : loss -> root mean square of the f that this step has taken off the labels.
    """

    share: np.ndarray
    norm: np.ndarray
    sign: np.ndarray
    alignment: Mapping[str, float]
    output: Mapping[str, float]


@dataclass(frozen=True, eq=False)
class CountFrame(NamedArrays):
    """A frame of `counts`, at = cells done: samples (T, D, R) at which the alignment is ½, NaN where it is not known.

    Rows are STEPS, columns the dimensions, ascending, and then the repeats.
    """

    samples: np.ndarray


@dataclass(frozen=True, eq=False)
class RiskFrame(NamedArrays):
    """A frame of `risks`, at = heads done: risk (D, T, R), NaN where there is none yet; RISK_SIZES and RISK_STEPS."""

    risk: np.ndarray
