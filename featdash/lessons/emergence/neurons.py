"""What is measured of a truncated network's first layer: the streams `neurons` and `gradient`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.geometry.neurons import MapRecorder, cosine_similarity, neuron_sample
from featdash.learners.two_step import FeatureStep
from featdash.lessons.emergence.frames import GradientComponents, Neurons

BINS = 40


def star_cosines(W: np.ndarray, star: np.ndarray) -> np.ndarray:
    """cos of each row of W (m, d) with the star (d,), in −1..1; 0 for a zero row."""
    norms = np.linalg.norm(W, axis=1) * np.linalg.norm(star)
    return np.clip(np.divide(W @ star, norms, out=np.zeros(len(W)), where=norms > 0), -1, 1)


def median_abs_cosine(W: np.ndarray, star: np.ndarray) -> float:
    """Median |cos| with the star over the live neurons; 0 if there are none."""
    live = np.any(W != 0, axis=1)
    return float(np.median(np.abs(star_cosines(W[live], star)))) if live.any() else 0.0


@dataclass(frozen=True)
class TwoClusters:
    """How far the live neurons are two opposite clusters: of one direction each, in opposite directions.

    They are split by sign along the leading right singular vector of their unit rows, so by the neurons alone.
    sizes : of the two sides. within, between : mean cosine of pairs on the same side and on opposite sides; 1 and −1
    where the clusters are points and opposite, 0 where there are no such pairs.
    """

    sizes: tuple[int, int]
    within: float
    between: float


def two_clusters(W: np.ndarray) -> TwoClusters:
    """The two sides of the rows of W (m, d); zero rows belong to none."""
    similarity = cosine_similarity(W[np.any(W != 0, axis=1)])
    if len(similarity) == 0:
        return TwoClusters((0, 0), 0.0, 0.0)
    side = np.where(np.linalg.eigh(similarity)[1][:, -1] > 0, 1, -1)
    same, different = np.equal.outer(side, side), np.not_equal.outer(side, side)
    np.fill_diagonal(same, False)
    within, between = (float(similarity[pairs].mean()) if pairs.any() else 0.0 for pairs in (same, different))
    return TwoClusters((int(np.sum(side > 0)), int(np.sum(side < 0))), within, between)


class EmergenceRecorder:
    """Measures one first layer of `width` neurons as it changes, always on maps of the same neurons.

    images : how many of the neurons are shown with all their weights; 0 for none.
    """

    def __init__(self, width: int, images: int = 0) -> None:
        self._shown = neuron_sample(width)
        self._image_rows = np.linspace(0, width - 1, min(width, images)).astype(int)
        self._maps = MapRecorder()

    def measure(self, W: np.ndarray, star: np.ndarray) -> Neurons:
        """What is shown of W (width, d), with stars at ± star (d,)."""
        cosines, dead = star_cosines(W, star), ~np.any(W != 0, axis=1)
        maps = self._maps.arrays(W[self._shown], star[None])
        return Neurons(
            points=maps["points"],
            stars=maps["stars"],
            stress=float(maps["stress"]),
            points_folded=maps["points_folded"],
            stars_folded=maps["stars_folded"],
            stress_folded=float(maps["stress_folded"]),
            star=np.sign(cosines[self._shown]).astype(np.int8),
            dead_count=int(dead.sum()),
            histogram=np.histogram(cosines[~dead], BINS, (-1, 1))[0].astype(np.int32),
            median_abs_cos=median_abs_cosine(W, star),
            weights=W[self._image_rows].astype(np.float32) if len(self._image_rows) else None,
        )


def signal_to_noise(components: np.ndarray, relevant: np.ndarray) -> float:
    """Median over the neurons of |mean of T_j on A| / root mean square of T_j off A; 0 where no neuron has noise.

    components (2m, D) : T_ij; relevant (D,) : whether j lies in A.
    """
    signal = np.abs(components[:, relevant].mean(axis=1))
    noise = np.sqrt(np.mean(components[:, ~relevant] ** 2, axis=1))
    return float(np.median(signal[noise > 0] / noise[noise > 0])) if np.any(noise > 0) else 0.0


def gradient_components(step: FeatureStep, relevant: np.ndarray, prediction: float) -> GradientComponents:
    """The gradient's components along the patterns; relevant (D,), whether j lies in A; prediction, γ/σ̃."""
    T = step.gradient.components
    mean, spread = T.mean(axis=0).astype(np.float32), T.std(axis=0).astype(np.float32)
    return GradientComponents(
        on=mean[relevant],
        on_spread=spread[relevant],
        off=mean[~relevant],
        predicted=step.gradient.slope * prediction,
        signal_to_noise=signal_to_noise(T, relevant),
    )
