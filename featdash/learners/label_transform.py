"""Label transforms T(y): what a first step may average in place of the labels, to see a direction that y itself hides.

Source: Damian, Pillaud-Vivien, Lee and Bruna, COLT 2024, for the conditional mean and the generative exponent. The
threshold and the quadrature are ours.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featdash.theory.hermite import hermite_values
from featdash.theory.target import PolynomialTarget

POINTS = 200_000  # of the law of (z, y), all of one weight
GOLDEN = (5**0.5 - 1) / 2  # its multiples, less their whole parts, are spread evenly over 0..1, whatever z is beside
BINS = 1000  # of y, all of one weight
VISIBLE = 1e-4  # of E E[He_k(z)|y]²/k!; what a cut through a pair of points leaves of a zero is below
FINE = 0.01  # noise below it is left out of a conditional mean: it would ask for a finer grid than PLACES
PLACES = np.linspace(-6, 6, 8001)  # of z, in the quadrature of a noisy one
ROWS = 50  # labels of it at a time
MOST_DEGREE = 4  # that an exponent is looked for at

Transform = Callable[[np.ndarray], np.ndarray]  # labels (n,) -> (n,)


@dataclass(frozen=True)
class SignThreshold:
    """T(y) = sign(y) 1{|y| > level}: whether a label is far out, and on which side."""

    level: float

    def __call__(self, y: np.ndarray) -> np.ndarray:
        return np.sign(y) * (np.abs(y) > self.level)


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
        """T(y) = E[He_k(z) | y]: the mean of a bin's points, or where labels are noisy that of its middle label."""
        order = np.argsort(self.y, kind="stable")
        y = self.y[order].reshape(BINS, -1)
        edges = (y[1:, 0] + y[:-1, -1]) / 2
        if self.noise < FINE:
            return ConditionalMean(edges, self.hermite(k)[order].reshape(BINS, -1).mean(axis=1))
        return ConditionalMean(edges, self._posterior_mean(k, np.median(y, axis=1)))

    def _posterior_mean(self, k: int, y: np.ndarray) -> np.ndarray:
        """E[He_k(z) | y] (B,) by quadrature over z, at each label y (B,)."""
        g, h = self.curve(PLACES), hermite_values(PLACES, k)[k]
        found = []
        for start in range(0, len(y), ROWS):
            log = -0.5 * (((y[start : start + ROWS, None] - g) / self.noise) ** 2 + PLACES**2)
            weights = np.exp(log - log.max(axis=1, keepdims=True))
            found.append(weights @ h / weights.sum(axis=1))
        return np.concatenate(found)

    def correlation(self, transform: Transform, k: int) -> float:
        """Of T(y) with He_k(z), in -1..1; 0 where T is constant."""
        T, h = transform(self.y), self.hermite(k)
        T = T - T.mean()
        size = math.sqrt(float(np.mean(T**2)) * math.factorial(k))
        return float(np.mean(T * h)) / size if size > 0 else 0.0

    def generative_exponent(self) -> int:
        """The smallest k >= 1 for which E[He_k(z) | y] is not zero; MOST_DEGREE where none below is."""
        for k in range(1, MOST_DEGREE):
            if np.mean(self.conditional_mean(k).values ** 2) > VISIBLE * math.factorial(k):
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
