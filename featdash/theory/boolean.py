"""Functions of ±1 inputs as sums of monomials, which products of coordinates are; their leap and their coefficients."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

import numpy as np

Monomial = tuple[int, ...]  # the coordinates of a product, from 0, ascending

_FORM = re.compile(r"(x[1-9])+(\+(x[1-9])+)*")


@dataclass(frozen=True)
class BooleanPolynomial:
    """f(x) = Σ_S Π_{i ∈ S} x_i on x ∈ {±1}^d, each coefficient 1; E f² is the number of monomials.

    Distinct monomials are orthonormal under uniform x: they are the Fourier basis of the cube.
    """

    monomials: tuple[Monomial, ...]

    @classmethod
    def from_text(cls, text: str) -> BooleanPolynomial:
        """Of a sum such as "x1+x1x2"; ValueError if it is none."""
        if not _FORM.fullmatch(text):
            raise ValueError(f"target must be a sum of products of x1 to x9, got {text!r}; write x1+x1x2")
        parts = [re.findall(r"x(\d)", part) for part in text.split("+")]
        monomials = tuple(tuple(sorted(int(digit) - 1 for digit in part)) for part in parts)
        if len(set(monomials)) < len(monomials) or any(len(set(one)) < len(one) for one in monomials):
            raise ValueError(f"target must repeat no monomial and no factor, got {text!r}; remove the repeats")
        return cls(monomials)

    @property
    def variables(self) -> int:
        """How many leading coordinates hold all that matter."""
        return 1 + max(index for monomial in self.monomials for index in monomial)

    @property
    def leap(self) -> int:
        """The most new coordinates that a monomial brings, in the best order (Abbe, Boix-Adserà, Misiakiewicz 2023).

        Taking the nearest monomial next is best: what is known only grows, and brings every other one nearer.
        """
        coordinates: set[int] = set()
        rest, largest = list(self.monomials), 0
        while rest:
            nearest = min(rest, key=lambda monomial: len(set(monomial) - coordinates))
            largest = max(largest, len(set(nearest) - coordinates))
            coordinates |= set(nearest)
            rest.remove(nearest)
        return largest

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f on the rows of X (n, d) -> (n,)."""
        return np.sum([np.prod(X[:, list(monomial)], axis=1) for monomial in self.monomials], axis=0)


def corners(variables: int) -> np.ndarray:
    """All points of {±1}^k, (2^k, k)."""
    return np.array(list(itertools.product((-1.0, 1.0), repeat=variables)))


def all_monomials(variables: int) -> list[Monomial]:
    """Every product of the first k coordinates but the empty one, the short ones first."""
    by_size = (itertools.combinations(range(variables), size) for size in range(1, variables + 1))
    return [monomial for group in by_size for monomial in group]


def fourier_coefficients(values: np.ndarray, variables: int) -> np.ndarray:
    """E f(x) Π_{i ∈ S} x_i for every S of `all_monomials`, (2^k − 1,).

    values (2^k c,) : f at c points over each corner of the first k coordinates, corner by corner as in `corners`, so
    that only what f owes to the other coordinates is left to chance.
    """
    X = corners(variables)
    means = values.reshape(len(X), -1).mean(axis=1)
    return np.array([np.mean(means * np.prod(X[:, list(one)], axis=1)) for one in all_monomials(variables)])


def monomial_name(monomial: Monomial) -> str:
    """x1x2, as `from_text` reads it."""
    return "".join(f"x{index + 1}" for index in monomial)
