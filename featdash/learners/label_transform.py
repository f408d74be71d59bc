"""Label transforms T(y): what a first step may average in place of the labels, to see a direction that y itself hides.

Source: Damian, Pillaud-Vivien, Lee and Bruna, COLT 2024, for the conditional mean and the generative exponent. That
softmax attention transforms labels: Nishikawa, Song, Oko, Wu and Suzuki, ICML 2025. The threshold, the reduction of a
softmax head to a transform, and the quadrature are ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featdash.theory.polynomial import hermite_values
from featdash.theory.target import PolynomialTarget

POINTS = 200_000  # of the law of (z, y), all of one weight
GOLDEN = (5**0.5 - 1) / 2  # its multiples, less their whole parts, are spread evenly over 0..1, whatever z is beside
BINS = 1000  # of y, all of one weight but for those that are cut at a turn of the curve
VISIBLE = 1e-4  # of E E[He_k(z)|y]²/k!; the rounding of a zero is below
FINE = 0.01  # noise below it is left out of a conditional mean: it would ask for a finer grid than PLACES
HALF = 0.0015 * np.arange(1, 4001)
PLACES = np.concatenate([-HALF[::-1], [0.0], HALF])  # of z; symmetric to the last bit, as even targets are
ROWS = 50  # labels of it at a time
TINY = np.finfo(float).tiny  # a step of g where it is level, which crosses nothing
MOST_DEGREE = 4  # that an exponent is looked for at

Transform = Callable[[np.ndarray], np.ndarray]  # labels (n,) -> (n,)


@dataclass(frozen=True)
class SignThreshold:
    """T(y) = sign(y) 1{|y| > level}: whether a label is far out, and on which side."""

    level: float

    def __call__(self, y: np.ndarray) -> np.ndarray:
        return np.sign(y) * (np.abs(y) > self.level)


@dataclass(frozen=True)
class SoftmaxHead:
    """T(y) = e^{ρ ȳ}/E e^{ρ ȳ} − 1, ȳ = y cut off at ±cut: what one softmax head makes of the labels.

    With softmax weights s_i ∝ e^{ρ ȳ_i} over n samples, Σ_i s_i x_i less the mean of x is (1/n) Σ_i T(y_i) x_i, but for
    the mean of e^{ρ ȳ}, which is that of the law here, `mean`, and there that of the sample. Not pretrained: the head
    sees the label alone.
    """

    rho: float
    cut: float
    mean: float

    def __call__(self, y: np.ndarray) -> np.ndarray:
        return softmax_weights(y, self.rho, self.cut) / self.mean - 1


def softmax_weights(y: np.ndarray, rho: float, cut: float) -> np.ndarray:
    """e^{ρ (ȳ − cut)}, at most 1, for labels (n,) cut off at ±cut."""
    return np.exp(rho * (np.clip(y, -cut, cut) - cut))


@dataclass(frozen=True, eq=False)
class ConditionalMean:
    """T(y) = E[He_k(z) | y] as a step function: values (B,) between edges (B - 1,), which ascend.

    It knows the curve g of the target and the noise, not the direction u. Of all T with E T² = 1 a multiple of it has
    the largest E T(y) He_k(z).
    """

    edges: np.ndarray
    values: np.ndarray

    def __call__(self, y: np.ndarray) -> np.ndarray:
        return self.values[np.searchsorted(self.edges, y)]


@dataclass(frozen=True, eq=False)
class LabelLaw:
    """z = u·x and y = g(z) + ς ε on P points of one weight; z, y (P,); curve : g; noise : ς."""

    z: np.ndarray
    y: np.ndarray
    curve: Transform
    noise: float

    def hermite(self, k: int) -> np.ndarray:
        """He_k(z), (P,), of variance k!."""
        return hermite_values(self.z, k)[k]

    def conditional_mean(self, k: int) -> ConditionalMean:
        """T(y) = E[He_k(z) | y], in each bin that of its middle label; without noise it jumps where g turns."""
        bins = np.sort(self.y).reshape(BINS, -1)
        edges = (bins[1:, 0] + bins[:-1, -1]) / 2
        if self.noise < FINE:
            edges = np.union1d(edges, self._turns())
        middles = [np.median(bins[0]), *((edges[1:] + edges[:-1]) / 2), np.median(bins[-1])]
        weights = self._weights_at_crossings if self.noise < FINE else self._weights_by_likelihood
        h = hermite_values((PLACES[1:] + PLACES[:-1]) / 2, k)[k]
        means = []
        for labels in np.array_split(middles, len(middles) // ROWS):
            weight = weights(labels[:, None])
            means.append(weight @ h / weight.sum(axis=1))
        return ConditionalMean(edges, np.concatenate(means))

    def softmax_head(self, rho: float, cut: float) -> SoftmaxHead:
        """T(y) = e^{ρ ȳ}/E e^{ρ ȳ} − 1, the mean taken under this law."""
        return SoftmaxHead(rho, cut, float(softmax_weights(self.y, rho, cut).mean()))

    def _turns(self) -> np.ndarray:
        """g where it turns from rising to falling or back, of the size that labels have."""
        g = self.curve(PLACES)
        turns = g[1:-1][np.diff(g)[1:] * np.diff(g)[:-1] < 0]
        return turns[(turns > self.y.min()) & (turns < self.y.max())]

    def _weights_by_likelihood(self, y: np.ndarray) -> np.ndarray:
        """Of z in the middles of PLACES given y (B, 1), up to a factor a row: (B, Z)."""
        z = (PLACES[1:] + PLACES[:-1]) / 2
        log = -0.5 * (((y - self.curve(z)) / self.noise) ** 2 + z**2)
        return np.exp(log - log.max(axis=1, keepdims=True))

    def _weights_at_crossings(self, y: np.ndarray) -> np.ndarray:
        """The same without noise: φ(z)/|g'(z)| where g crosses y."""
        z, g = (PLACES[1:] + PLACES[:-1]) / 2, self.curve(PLACES)
        low, high = np.minimum(g[1:], g[:-1]), np.maximum(g[1:], g[:-1])
        y = np.clip(y, g.min(), np.nextafter(g.max(), -np.inf))  # the true minimum may lie between two places
        return np.where((low <= y) & (y < high), np.exp(-(z**2) / 2) / np.maximum(high - low, TINY), 0.0)

    def correlation(self, transform: Transform, k: int) -> float:
        """Of T(y) with He_k(z), in -1..1; 0 where T is constant."""
        T, h = transform(self.y), self.hermite(k)
        T = T - T.mean()
        size = math.sqrt(float(np.mean(T**2)) * math.factorial(k))
        return float(np.mean(T * h)) / size if size > 0 else 0.0

    def generative_exponent(self) -> int:
        """The smallest k >= 1 for which E[He_k(z) | y] is not zero; MOST_DEGREE where none below is."""
        for k in range(1, MOST_DEGREE):
            if np.mean(self.conditional_mean(k)(self.y) ** 2) > VISIBLE * math.factorial(k):
                return k
        return MOST_DEGREE


def label_law(target: PolynomialTarget, noise: float) -> LabelLaw:
    """The law of a label of one direction; ValueError if the target has several."""
    if target.rank != 1:
        raise ValueError(
            f"target must follow a single direction, got {target.rank} of them; take one such as He3(z1)/sqrt(6)"
        )
    from scipy.special import ndtri  # here, so that the server does not load scipy

    def curve(z: np.ndarray) -> np.ndarray:
        return target(z[:, None] * target.subspace[0])

    middles = np.arange(POINTS) + 0.5
    z = ndtri(middles / POINTS)
    y = curve(z) + noise * ndtri(middles * GOLDEN % 1) if noise else curve(z)
    return LabelLaw(z, y, curve, noise)
