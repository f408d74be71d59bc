"""The target f*(x) = g(Ux): what it is made of, and what one gradient step can see of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Self

import numpy as np

from featdash.theory.expression import hermite_latex, quote_text, read_expression, typed_latex, variables_of
from featdash.theory.polynomial import (
    Coefficients,
    degree_of,
    expected_hessian,
    gradient_factor,
    hermite_expansion,
    hermite_values,
    polynomial_of,
    squared_norm,
)
from featdash.theory.predictions import OneStepVerdict, one_step_verdict
from featdash.theory.targets import TARGETS

ROUNDING = 1e-8  # amplitudes below this share of the largest are rounding: degree-10 expansions cancel to about 1e-12
SMALLEST = 1e-6  # amplitude of the largest non-constant term, so that squared errors stay far from underflow
ROWS = 8192  # rows evaluated at a time, so that the Hermite tables stay in the processor's cache


@dataclass(frozen=True, eq=False)
class PolynomialTarget:
    """A polynomial f*(x) = g(Ux) of standard Gaussian inputs x ~ N(0, I_d).

    expression : as typed; d : input dimension.
    directions : (k, d), orthonormal rows, where z_i = directions[i] . x.
    expansion : {a: h_a} with f* = sum_a h_a prod_i He_{a_i}(z_i), so that E f*² = sum_a h_a² prod_i a_i!.

    Made by `from_expression` or `resolve_target`. Nothing is rescaled; E f*² = 1 is the paper's convention.
    """

    expression: str
    d: int
    directions: np.ndarray
    expansion: Coefficients

    @classmethod
    def from_expression(cls, expression: str, d: int, directions: np.ndarray | None = None) -> Self:
        """The target of a formula in z1 ... zk.

        directions : orthonormal rows (at least k, d), the first k of which are used; the first k axes by default.
        Errors: ValueError if the formula is refused, is constant or needs more than d variables, or if the rows are not
        orthonormal.
        """
        expansion = dict(_expansion(expression))
        k = len(next(iter(expansion)))
        if d < k:
            raise ValueError(
                f"d must be at least {k}, the number of variables of the target, got {d}; raise d or use fewer"
            )
        directions = np.eye(k, d) if directions is None else np.asarray(directions, dtype=float)
        if directions.ndim != 2 or directions.shape[1] != d or len(directions) < k:
            raise ValueError(f"directions must have shape ({k}, {d}), got {directions.shape}; give one row a variable")
        directions = directions[:k].copy()
        if not np.allclose(directions @ directions.T, np.eye(k), rtol=0, atol=1e-8):
            raise ValueError(
                "directions must have orthonormal rows, got others; orthonormalise them by a QR factorisation"
            )
        directions.setflags(write=False)
        return cls(expression.strip(), int(d), directions, expansion)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f*(x) of each row of X (n, d): (n,). Row by row the same numbers, however X is cut into chunks."""
        values = np.empty(len(X))
        for rows, parts in self._parts(X):
            values[rows] = parts.sum(axis=0)
        return values

    def components(self, X: np.ndarray) -> np.ndarray:
        """The Hermite-degree parts f*_0(x) ... f*_p(x) of each row of X (n, d): (n, p + 1); rows sum to f*(x).

        Uncorrelated under N(0, I), with E f*_k² = energy_by_degree[k].
        """
        values = np.empty((len(X), self.degree + 1))
        for rows, parts in self._parts(X):
            values[rows] = parts.T
        return values

    def _parts(self, X: np.ndarray) -> Iterator[tuple[slice, np.ndarray]]:
        """Row ranges and their (p + 1, rows) parts."""
        X = np.asarray(X, dtype=float)
        if X.ndim != 2 or X.shape[1] != self.d:
            raise ValueError(f"X must have shape (n, {self.d}), got {X.shape}; give one row a sample")
        for start in range(0, len(X), ROWS):
            rows = slice(start, min(start + ROWS, len(X)))
            tables = [hermite_values(z, self.degree) for z in _latent(X[rows], self.directions)]
            parts = np.zeros((self.degree + 1, rows.stop - rows.start))
            for degrees, coefficient in self.expansion.items():
                term = np.full(parts.shape[1], coefficient)
                for table, degree in zip(tables, degrees, strict=True):
                    if degree:
                        term *= table[degree]
                parts[sum(degrees)] += term
            yield rows, parts

    @cached_property
    def degree(self) -> int:
        """The total degree p."""
        return degree_of(self.expansion)

    @cached_property
    def energy_by_degree(self) -> np.ndarray:
        """E f*_k² for k = 0 ... p, (p + 1,); their sum is E f*²."""
        energy = np.zeros(self.degree + 1)
        for degrees, coefficient in self.expansion.items():
            energy[sum(degrees)] += coefficient**2 * squared_norm(degrees)
        return energy

    @property
    def second_moment(self) -> float:
        """E f*²; 1 by the paper's convention."""
        return float(self.energy_by_degree.sum())

    @property
    def information_exponent(self) -> int:
        """The smallest k >= 1 with a nonzero part of Hermite degree k."""
        return int(np.flatnonzero(self.energy_by_degree[1:])[0]) + 1

    @cached_property
    def subspace(self) -> np.ndarray:
        """The principal subspace, (r, d) orthonormal rows: the span of E[∇f* ∇f*ᵀ], strongest gradient first.

        Where no direction is lost, the rows are the visitor's own directions of the variables that occur.
        """
        variables = np.flatnonzero(np.any(np.array(list(self.expansion)) > 0, axis=0))
        _, sizes, turns = np.linalg.svd(gradient_factor(self.expansion)[:, variables], full_matrices=False)
        rank = int(np.sum(sizes > ROUNDING * sizes[0]))
        if rank == len(variables):
            return self.directions[variables]
        turns = turns[:rank] * np.sign(turns[np.arange(rank), np.abs(turns[:rank]).argmax(axis=1)])[:, None]
        return turns @ self.directions[variables]

    @property
    def rank(self) -> int:
        """The latent dimension r: of how many directions f* is a function. (z1 + z2)² has r = 1."""
        return len(self.subspace)

    @cached_property
    def hessian(self) -> np.ndarray:
        """H = E ∇² f*(x), (d, d)."""
        return self.directions.T @ expected_hessian(self.expansion) @ self.directions

    @property
    def hessian_rank(self) -> int:
        """The rank of H; Assumption 2 says that it is r."""
        return len(self._curvatures)

    @property
    def condition_number(self) -> float | None:
        """κ = ‖H†‖ / √r, spectral norm (Damian et al. 2022, Assumption 2); None, for infinite, if H has rank < r."""
        if self.hessian_rank < self.rank:
            return None
        return float(1 / (self._curvatures.min() * math.sqrt(self.rank)))

    @cached_property
    def _curvatures(self) -> np.ndarray:
        """Absolute values of the nonzero eigenvalues of H."""
        sizes = np.abs(np.linalg.eigvalsh(expected_hessian(self.expansion)))
        return sizes[sizes > ROUNDING * np.linalg.norm(gradient_factor(self.expansion))]

    @property
    def one_step_verdict(self) -> OneStepVerdict:
        """Will one gradient step with b = 0 see the subspace?"""
        return self.verdict_on_step()

    def verdict_on_step(self, biases: str = "redrawn") -> OneStepVerdict:
        """The same with b = 0 in the step ("redrawn" after it, the paper) or b ~ N(0, 1) ("kept" from before it)."""
        nonlinear = self._directions_of(lambda degree: degree > 1)
        even = self._directions_of(lambda degree: degree > 1 and degree % 2 == 0)
        return one_step_verdict(
            self.hessian_rank, self.rank, nonlinear, nonlinear if biases == "kept" else even, biases
        )

    def _directions_of(self, condition: Callable[[int], bool]) -> int:
        """Of how many directions the parts of f* of those Hermite degrees are a function."""
        part = {degrees: c for degrees, c in self.expansion.items() if condition(sum(degrees))}
        return int(np.linalg.matrix_rank(gradient_factor(part), rtol=ROUNDING)) if part else 0

    @cached_property
    def latex(self) -> str:
        """g(z) as it was typed, in LaTeX."""
        return typed_latex(read_expression(self.expression))

    @cached_property
    def hermite_latex(self) -> str:
        """g(z) in the Hermite basis, in LaTeX, coefficients to three digits."""
        return hermite_latex(self.expansion)

    def describe(self) -> dict[str, Any]:
        """What the summary of a run says of its target: plain JSON values."""
        return {
            "degree": self.degree,
            "rank": self.rank,
            "hessian_rank": self.hessian_rank,
            "condition_number": self.condition_number,
            "information_exponent": self.information_exponent,
            "energy_by_degree": self.energy_by_degree.tolist(),
        }


def number_of_variables(text: str) -> int:
    """How many variables a named target or a formula uses: the k of z1 ... zk. ValueError if it is refused."""
    return max(variables_of(read_expression(expression_of(text))), 1)


def expression_of(text: str) -> str:
    """The formula of a named target; a formula is its own."""
    return TARGETS[text].expression if text in TARGETS else text


def resolve_target(text: str, d: int, directions: np.ndarray | None = None) -> PolynomialTarget:
    """The target of a name of TARGETS, or of a formula; errors as in `PolynomialTarget.from_expression`."""
    return PolynomialTarget.from_expression(expression_of(text), d, directions)


@lru_cache(maxsize=256)  # a sweep has the same target in hundreds of cells
def _expansion(expression: str) -> Coefficients:
    return _without_rounding(hermite_expansion(polynomial_of(read_expression(expression))), expression)


def _without_rounding(expansion: Coefficients, expression: str) -> Coefficients:
    """The expansion without amplitudes that are rounding beside the largest non-constant one; refuses constants."""
    amplitudes = {degrees: abs(c) * math.sqrt(squared_norm(degrees)) for degrees, c in expansion.items()}
    largest = max((size for degrees, size in amplitudes.items() if any(degrees)), default=0.0)
    constant = max((size for degrees, size in amplitudes.items() if not any(degrees)), default=0.0)
    if largest <= 1e-12 * constant:
        remedy = "add a term such as He2(z1)"
        raise ValueError(f"target must vary with z1, z2, ..., got the constant {quote_text(expression)}; {remedy}")
    if largest <= SMALLEST:
        size = f"{largest:.1g} in {quote_text(expression)}"
        raise ValueError(f"target must have a standard deviation above {SMALLEST:g}, got {size}; scale it up")
    return {degrees: c for degrees, c in expansion.items() if amplitudes[degrees] > ROUNDING * largest}


def _latent(X: np.ndarray, directions: np.ndarray) -> list[np.ndarray]:
    """z_i = directions[i] . x, summed in a fixed order: a BLAS product rounds differently with the number of rows."""
    latent = []
    for direction in directions:
        z = np.zeros(len(X))
        for j in np.flatnonzero(direction):
            z += direction[j] * X[:, j]
        latent.append(z)
    return latent
