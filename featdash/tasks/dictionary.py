"""Inputs made of patterns from a dictionary, with labels that count the relevant ones (Shi, Wei, Liang 2022)."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np


class PatternSample(NamedTuple):
    """Hidden patterns φ (n, D) as booleans, and labels y (n,), each +1 or −1."""

    phi: np.ndarray
    y: np.ndarray


def parity_counts(k: int) -> tuple[int, ...]:
    """P of the parity labels: the odd counts 1, 3, ..., k. ValueError unless k is odd, as the paper has it."""
    if k % 2 == 0:
        raise ValueError(f"k must be odd with parity labels, got {k}; use {k + 1}, or choose the counts yourself")
    return tuple(range(1, k + 1, 2))


def uniform_share(k: int, positive: Collection[int]) -> float:
    """π: the share of the 2^k settings of φ_A whose count lies in P."""
    return sum(math.comb(k, count) for count in set(positive)) / 2**k


def count_law(k: int, positive: Collection[int], structure: float) -> np.ndarray:
    """(k + 1,) probabilities of the count Σ_{i∈A} φ_i = 0..k; the mixture is told at `PatternLaw`."""
    uniform = np.array([math.comb(k, count) for count in range(k + 1)]) / 2.0**k
    spike, share = np.zeros(k + 1), uniform_share(k, positive)
    spike[max(positive)] += 1 - share
    spike[0] += share
    return (1 - structure / 2) * uniform + structure / 2 * spike


def count_labels(k: int, positive: Collection[int]) -> np.ndarray:
    """(k + 1,) the label of each count: +1 in P, else −1."""
    return np.where(np.isin(np.arange(k + 1), list(positive)), 1.0, -1.0)


def label_correlation(k: int, positive: Collection[int], structure: float) -> float:
    """γ = E[yφ_i] − E[y]E[φ_i] for i in A; by symmetry in A it is Cov(y, count)/k."""
    law, labels, counts = count_law(k, positive, structure), count_labels(k, positive), np.arange(k + 1)
    return float(law @ (labels * counts) - (law @ labels) * (law @ counts)) / k


@dataclass(frozen=True)
class PatternLaw:
    """The law of φ ∈ {0, 1}^D and of y = +1 iff the count Σ_{i∈A} φ_i lies in P, else −1; |A| = k.

    structure s ∈ [0, 1] leads from the paper's inputs without structure (A1'), s = 0: all φ_i independent Bernoulli(½),
    to structured ones, s = 1. The source leaves the law on A open; *ours* is a mixture. With probability 1 − s/2, φ_A
    is uniform on {0, 1}^k; with probability s/2 it is a *spike*: max(P) relevant patterns, chosen uniformly, with
    share 1 − π, or none of them with share π = `uniform_share`. For parity the spikes are all ones and all zeros,
    equally likely. At s = 1 the classes are balanced (A0), whatever P.
    Background patterns are independent Bernoulli(½ + s(p₀ − ½)) (A2).

    relevant : A, the columns of φ that count.
    positive : P, counts from 1 to k.
    Errors: ValueError where k, P, p₀ or s is out of its range, or γ <= 0 at s = 1, so that (A1) fails.
    """

    D: int
    relevant: tuple[int, ...]
    positive: tuple[int, ...]
    p0: float = 0.5
    structure: float = 1.0

    def __post_init__(self) -> None:
        if not 1 <= self.k <= self.D:
            raise ValueError(f"k must be from 1 to D = {self.D}, got {self.k}; lower k or raise D")
        if not self.positive:
            raise ValueError("the label set P must not be empty, got no count; name at least one from 1 to k")
        outside = [count for count in self.positive if not 1 <= count <= self.k]
        if outside:
            raise ValueError(f"each count of P must be from 1 to k = {self.k}, got {outside[0]}; remove it or raise k")
        if not (0 < self.p0 <= 0.5 and 0 <= self.structure <= 1):
            rule = "p0 must be above 0, at most 1/2, and structure from 0 to 1"
            raise ValueError(f"{rule}, got {self.p0:g} and {self.structure:g}; move them inside")
        gamma = label_correlation(self.k, self.positive, 1.0)
        if gamma <= 0:
            rule = f"counts in P must go with more relevant patterns (γ > 0), got P = {list(self.positive)}"
            raise ValueError(f"{rule} with γ = {gamma:.3g}; add higher counts or remove lower ones")

    @property
    def k(self) -> int:
        return len(self.relevant)

    @property
    def background_probability(self) -> float:
        """Pr[φ_j = 1] for j outside A: p₀ at s = 1, ½ at s = 0."""
        return 0.5 + self.structure * (self.p0 - 0.5)

    @property
    def relevant_probability(self) -> float:
        """Pr[φ_i = 1] for i in A: E[count]/k, as the law is symmetric in A."""
        return float(count_law(self.k, self.positive, self.structure) @ np.arange(self.k + 1)) / self.k

    @property
    def gamma(self) -> float:
        """γ of (A1), exact. For parity: ¼ at s = 1 and, if k > 1, 0 at s = 0."""
        return label_correlation(self.k, self.positive, self.structure)

    @property
    def sigma(self) -> float:
        """σ̃ = √(Σ_i Var φ_i), exact: the scale that makes E‖x‖² = 1."""
        on, off = self.relevant_probability, self.background_probability
        return math.sqrt(self.k * on * (1 - on) + (self.D - self.k) * off * (1 - off))

    @property
    def means(self) -> np.ndarray:
        """(D,) E φ_i."""
        means = np.full(self.D, self.background_probability)
        means[list(self.relevant)] = self.relevant_probability
        return means

    def at(self, structure: float) -> Self:
        """The same patterns and labels at another strength of structure."""
        return replace(self, structure=structure)

    def draw(self, n: int, rng: np.random.Generator) -> PatternSample:
        """n samples, drawn row by row: the first rows of a longer draw are those of a shorter one."""
        numbers = rng.random((n, self.D + self.k + 1))
        levels, order, kind = numbers[:, : self.D], numbers[:, self.D : -1].argsort(axis=1), numbers[:, -1]
        spike, high = self.structure / 2, self.structure / 2 * (1 - uniform_share(self.k, self.positive))
        relevant = levels[:, list(self.relevant)] < 0.5
        relevant[kind < spike] = False
        relevant |= (kind < high)[:, None] & (order < max(self.positive))
        phi = levels < self.background_probability
        phi[:, list(self.relevant)] = relevant
        return PatternSample(phi, count_labels(self.k, self.positive)[relevant.sum(axis=1)])

    def coordinates(self, phi: np.ndarray) -> np.ndarray:
        """z = (φ − E φ)/σ̃ (n, D), in which the input is x = zM for a dictionary M (D, d) with orthonormal rows.

        A row here is a column of the paper's M: x̃ = Mφ, x = (x̃ − E x̃)/σ̃. As M keeps inner products, z *is* x
        seen from the span of the dictionary, and a network with weights w acts on it with Mw.
        """
        return (phi - self.means) / self.sigma
