"""One neuron, trained online with batch 1 on a target of a single direction, followed by its overlap alone.

f(x) = σ(w·x), ‖w‖ = 1, ℓ = ½(f(x) − y)², y = g(u·x) + ς ε; σ a ReLU or tanh. A step on a sample is

    w̃ = w − ρ ∇ℓ(w),    w ← w − γ ∇ℓ(w̃), then ‖w‖ = 1 again,    ∇ℓ(w) = (f(x) − y) σ′(w·x) x:

the gradient is taken a second time on the same sample, where a first step has led. With ρ = 0 it is taken once.
Source: Arnaboldi, Dandi, Krzakala, Pesce, Stephan 2024, and the code beside it.

Given w, a Gaussian x enters by three numbers only: z = u·x, s along the part of w that is orthogonal to u, and the
squared norm q of the rest, which is χ² with d − 2 degrees of freedom. So m = w·u is a Markov chain, exactly, whatever
d.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from featdash.theory.target import PolynomialTarget


@dataclass(frozen=True, eq=False)
class OnlineDraws:
    """What a step needs of its sample: z, s, q, y, each of shape (T, R), for T steps of R neurons."""

    z: np.ndarray
    s: np.ndarray
    q: np.ndarray
    y: np.ndarray


def draw_online(
    target: PolynomialTarget, d: int, noise: float, shape: tuple[int, int], rng: np.random.Generator
) -> OnlineDraws:
    """Samples of N(0, I_d), d >= 3, for (T, R) steps; target : of one direction, in as few inputs as it has."""
    z, s, q = rng.standard_normal(shape), rng.standard_normal(shape), rng.chisquare(d - 2, shape)
    y = target(z.reshape(-1, 1) * target.subspace[0]).reshape(shape)
    return OnlineDraws(z, s, q, y + noise * rng.standard_normal(shape) if noise else y)


def pull_of_relu(at: np.ndarray, y: np.ndarray) -> np.ndarray:
    """−∇ℓ = pull · x where w·x is `at`: y − at where the neuron is on, else 0."""
    return (y - at) * (at > 0)


def pull_of_tanh(at: np.ndarray, y: np.ndarray) -> np.ndarray:
    """−∇ℓ = pull · x where w·x is `at`: (y − tanh at) tanh′ at."""
    value = np.tanh(at)
    return (y - value) * (1 - value * value)


PULLS: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {"relu": pull_of_relu, "tanh": pull_of_tanh}


def follow(m: np.ndarray, draws: OnlineDraws, gamma: float, rho: float, activation: str) -> np.ndarray:
    """The overlaps m (R,) after the T steps, a neuron a column of the draws; activation : of PULLS."""
    pull = PULLS[activation]
    sizes = draws.z**2 + draws.s**2 + draws.q
    for z, s, y, size in zip(draws.z, draws.s, draws.y, sizes, strict=True):
        at = m * z + np.sqrt(np.maximum(1 - m * m, 0)) * s
        step = gamma * pull(at + rho * size * pull(at, y) if rho else at, y)
        m = (m + step * z) / np.sqrt(1 + step * (2 * at + step * size))
    return m


def effective_label(y: np.ndarray, rho: float, activation: str, points: int = 2001) -> np.ndarray:
    """T(y) = E[pull at the last look | y] for w orthogonal to u and ‖x‖² = d, rho in units of 1/d: of the shape of y.

    An average update is γ E[T(y) x]. Without a second look T is linear: y/2 − 1/√(2π) with the ReLU, y E tanh′ with
    tanh.
    """
    from scipy.special import ndtri  # here, so that the server does not load scipy

    pull = PULLS[activation]
    s, flat = ndtri((np.arange(points) + 0.5) / points)[:, None], np.ravel(y)
    return pull(s + rho * pull(s, flat), flat).mean(axis=0).reshape(np.shape(y))
