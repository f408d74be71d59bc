"""What frames of several lessons hold: neurons of a first layer on a map, its subspace, curves, errors and profiles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.geometry.neurons import NeuronMap
from featdash.recipes.events import NamedArrays
from featdash.theory.ridge_path import SpectralPath


@dataclass(frozen=True, eq=False, kw_only=True)
class NeuronFrame(NamedArrays):
    """The p shown neurons of a layer by their cosine similarity (MDS), beside the principal directions u_1 .. u_r.

    points (p, 2), stars (2r, 2) : the neurons, and +u_1, -u_1, +u_2, ...; stress : of the map.
    points_folded (p, 2), stars_folded (r, 2), stress_folded : the same with w and -w taken as one neuron.
    share (p,) : squared share of each neuron's norm inside the principal subspace, 0..1.
    sign (p,) : of the output weight a_j, +1 or -1.
    alignment : squared share of the whole layer's norm inside the principal subspace, 0..1.
    """

    points: np.ndarray
    stars: np.ndarray
    stress: float
    points_folded: np.ndarray | None = None
    stars_folded: np.ndarray | None = None
    stress_folded: float | None = None
    share: np.ndarray
    sign: np.ndarray
    alignment: float

    def map(self, folded: bool) -> NeuronMap:
        """The map where w and -w are one neuron, or that where they are two; ValueError if it was not taken."""
        if not folded:
            return NeuronMap(self.points, self.stars, self.stress)
        if self.points_folded is None or self.stars_folded is None or self.stress_folded is None:
            raise ValueError("folded must be False for a frame without a folded map, got True; unfold it")
        return NeuronMap(self.points_folded, self.stars_folded, self.stress_folded)


@dataclass(frozen=True, eq=False, kw_only=True)
class LayerFrame(NeuronFrame):
    """The neurons, and the whole layer W against the principal subspace.

    overlap (r, k) : |<u_i, v_j>| with the leading right singular directions v_j of W, k = min(r + 2, d).
    angles (r,) : principal angles between span(u) and span(v_1 .. v_r), degrees, ascending.
    """

    overlap: np.ndarray
    angles: np.ndarray


@dataclass(frozen=True, eq=False)
class Learned(NamedArrays):
    """What a head has learned at one moment.

    t : head steps; risk : excess risk; profile (41,) : its function along u₁; coefficients (p + 1,) : its least-squares
    multiple of each Hermite part f*_0 .. f*_p of the target.
    """

    t: float
    risk: float
    profile: np.ndarray
    coefficients: np.ndarray


RISKS = {"train": "train", "holdout": "holdout", "excess": "test"}  # as a curve calls them -> as a path does


@dataclass(frozen=True, eq=False)
class LossCurve(NamedArrays):
    """Mean squared errors of a head after t gradient steps, at one λ.

    t (T,) : head steps; excess (T,) : against the noise-free test labels; train, holdout (T,) : against noisy labels.
    settled (T,) : whether the solver went far enough; None where nobody asks.
    """

    t: np.ndarray
    excess: np.ndarray
    train: np.ndarray | None = None
    holdout: np.ndarray | None = None
    settled: np.ndarray | None = None

    def risk(self, name: str) -> np.ndarray:
        """excess, train or holdout (T,)."""
        return np.asarray(getattr(self, name), float)

    def first(self, count: int) -> LossCurve:
        """Its first `count` points."""
        return LossCurve(**{name: values[:count] for name, values in self.to_arrays().items()})


@dataclass(frozen=True, eq=False)
class TargetProfile(NamedArrays):
    """The target along u₁, averaged over the other directions: truth (41,) on the grid z (41,)."""

    z: np.ndarray
    truth: np.ndarray


@dataclass(frozen=True, eq=False)
class RaceArrays(NamedArrays):
    """The arrays of a race's result.

    path : method -> its heads, with risks train, holdout and test (excess), readouts profile (41,) and energy (p + 1,).
    """

    profile: TargetProfile
    path: Mapping[str, SpectralPath]


@dataclass(frozen=True, eq=False)
class ErrorCurve(NamedArrays):
    """What a frame of `errors` in a sweep over the dimension, at = points so far, holds for each method with points.

    d (k,) : dimensions measured, ascending.
    error (k,), low (k,), high (k,) : mean, smallest and largest E(f̂ − f*)² over the repeats so far.
    """

    d: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray
