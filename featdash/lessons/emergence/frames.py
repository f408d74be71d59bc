"""What runs give out: a course of two stages, its heads on fixed features, and students of a mixture."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class Neurons(NamedArrays):
    """A frame of `neurons`, at = steps so far: the first layer beside ± the effective feature, its two stars.

    points (p, 2), stars (2, 2), stress : MDS of the cosine similarity of p <= 120 neurons, always the same ones.
    points_folded (p, 2), stars_folded (1, 2), stress_folded : the same with w and −w taken as one neuron.
    star (p,) : the nearest star, +1 or −1; 0 for a dead neuron, one without a gradient, so that w = 0 after the step.
    dead_count : the dead ones of the whole layer.
    histogram (40,) : the live ones of the whole layer by their cosine with the star +, in equal bins from −1 to 1.
    median_abs_cos : of those cosines.
    weights (c, d) : of c neurons spread evenly over the layer, where they are shown as images.
    """

    points: np.ndarray
    stars: np.ndarray
    stress: float
    points_folded: np.ndarray
    stars_folded: np.ndarray
    stress_folded: float
    star: np.ndarray
    dead_count: int
    histogram: np.ndarray
    median_abs_cos: float
    weights: np.ndarray | None = None

    def layout(self, folded: bool) -> tuple[np.ndarray, np.ndarray, float]:
        """(points, stars, stress) of one of the two maps."""
        if folded:
            return self.points_folded, self.stars_folded, self.stress_folded
        return self.points, self.stars, self.stress


@dataclass(frozen=True, eq=False)
class GradientComponents(NamedArrays):
    """A frame of `gradient`, at = 1 and 2: the components T_j of the step's gradient along the patterns.

    on (k,), on_spread (k,) : mean and standard deviation of T_j over the neurons, for j in A.
    off (D − k,) : the mean for all other j.
    predicted : βγ/σ̃ of Lemma 5 and 6, β the measured mean of σ'.
    signal_to_noise : median over the neurons of |mean of T_j on A| / root mean square of T_j off A.
    """

    on: np.ndarray
    on_spread: np.ndarray
    off: np.ndarray
    predicted: float
    signal_to_noise: float


@dataclass(frozen=True, eq=False)
class Score(NamedArrays):
    """What a frame of `training` or `heads` holds for each of its methods, at = steps so far.

    accuracy : share of the test sample whose sign is right; of the method's own output in `training`, of a ridge head
        over its features in `heads`.
    """

    accuracy: float


@dataclass(frozen=True, eq=False)
class FixedFeatures(NamedArrays):
    """Ridge heads over λ on the features of one fixed method, scaled into [−1, 1].

    norm (l,) : the norm B of the weights.  hinge (l,) : test hinge loss.  size : the number N of features.
    """

    norm: np.ndarray
    hinge: np.ndarray
    size: int


@dataclass(frozen=True, eq=False)
class InputFrame(NamedArrays):
    """Some inputs of the first run: digits, gaussian (c, 64), and the mean image (64,) that both lack."""

    digits: np.ndarray
    gaussian: np.ndarray
    mean: np.ndarray


@dataclass(frozen=True, eq=False)
class AccuracyFrame(NamedArrays):
    """Shares of right classes on held-out inputs after a step, (R,) over the runs.

    digits, gaussian : of the student of the mixture, against the teacher's classes.
    alone : of the student of the digits alone, against the digits that the images show.
    """

    digits: np.ndarray
    gaussian: np.ndarray
    alone: np.ndarray
