"""The first-layer gradient that infinitely many samples would give, term by term, from the target's Hermite expansion.

With C_k = E ∇^k f* and c_k(b) = E σ^{(k)}(t + b), t ~ N(0, 1), Stein's identity gives, for w of unit norm,

    E[f*(x) x 1{w·x + b >= 0}] = Σ_k (1/k!) [ c_{k+1} C_{k+1}(w^{⊗k}) + c_{k+2} w C_k(w^{⊗k}) ].

The tensors are never formed. With P_k(v) = Σ_{|a| = k} h_a v^a, v the coordinates of w along the target's directions,
C_k(w^{⊗k})/k! = P_k(v) and C_{k+1}(w^{⊗k})/k! = ∇P_{k+1}(v), a combination of the directions.
Source: Damian, Lee, Soltanolkotabi (2022), Lemma 1 and its proof.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from featdash.theory.polynomial import Coefficients, degree_of, hermite_values
from featdash.theory.target import PolynomialTarget


@dataclass(frozen=True, eq=False)
class LatentSeries:
    """E[f*(x) x 1{w·x + b >= 0}] as Σ_k (directionsᵀ inside[k] + along[k] w), k = 0 ... p.

    inside (p + 1, m, k) : the part c_{k+1} ∇P_{k+1}(v), in the coordinates of the target's k directions.
    along (p + 1, m) : the part c_{k+2} P_k(v), in multiples of w.
    V (m, k) : the coordinates of the unit vectors w_j along the directions.
    """

    inside: np.ndarray
    along: np.ndarray
    V: np.ndarray

    def norms(self) -> np.ndarray:
        """‖term k‖ of each neuron, (p + 1, m); neither d nor w itself is needed."""
        return self._norms(self.inside, self.along)

    def norm_of_sum(self, terms: np.ndarray) -> np.ndarray:
        """‖Σ_k term k‖ over the terms with those numbers, (m,)."""
        return self._norms(self.inside[terms].sum(axis=0), self.along[terms].sum(axis=0))

    def _norms(self, inside: np.ndarray, along: np.ndarray) -> np.ndarray:
        """‖Uᵀq + s w‖² = ‖q + s v‖² + s² (1 - ‖v‖²), a sum of squares: no cancellation."""
        within = np.sum((inside + along[..., None] * self.V) ** 2, axis=-1)
        outside = along**2 * np.maximum(1 - np.sum(self.V**2, axis=-1), 0)
        return np.sqrt(within + outside)


@dataclass(frozen=True, eq=False)
class GradientSeries:
    """∇_{w_j} L_D = Σ_k term k at the symmetric start: -2 a_j times the latent series; L is a mean, without ½.

    latent : the series of unit vectors; directions (k, d); units (m, d) : w_j/‖w_j‖; a (m,).
    """

    latent: LatentSeries
    directions: np.ndarray
    units: np.ndarray
    a: np.ndarray

    def __len__(self) -> int:
        """The number of terms, p + 1."""
        return len(self.latent.along)

    def term(self, k: int) -> np.ndarray:
        """The k-th term of every neuron, (m, d); k = 1 is -2 a_j H w_j/√(2π) where b = 0. Of order d^{-k/2}."""
        inside, along = self.latent.inside[k], self.latent.along[k]
        return -2 * self.a[:, None] * (inside @ self.directions + along[:, None] * self.units)

    def total(self) -> np.ndarray:
        """The population gradient (m, d)."""
        inside, along = self.latent.inside.sum(axis=0), self.latent.along.sum(axis=0)
        return -2 * self.a[:, None] * (inside @ self.directions + along[:, None] * self.units)

    def norms(self) -> np.ndarray:
        """‖term k‖ of each neuron, (p + 1, m)."""
        return 2 * np.abs(self.a) * self.latent.norms()


def gradient_series(
    target: PolynomialTarget, W: np.ndarray, a: np.ndarray, b: np.ndarray | None = None, remove_linear: bool = True
) -> GradientSeries:
    """The population gradient of the neurons a_j σ(w_j·x + b_j) at f = 0, in terms.

    W (m, d), a (m,), b (m,) or None for zeros. Only w/‖w‖ and b/‖w‖ matter, for σ' is a step; a zero row has no
    direction and is refused.
    remove_linear : labels are f* less its constant and linear part (line 1 of Algorithm 1, without sampling error).
    """
    sizes = np.linalg.norm(W, axis=1)
    if W.shape[1] != target.d or not np.all(sizes > 0):
        raise ValueError(
            f"W must have rows of {target.d} numbers that are not all zero, got shape {W.shape}; redraw it"
        )
    units = W / sizes[:, None]
    shift = np.zeros(len(W)) if b is None else b / sizes
    expansion = without_linear_part(target.expansion) if remove_linear else target.expansion
    latent = latent_series(expansion, units @ target.directions.T, shift)
    return GradientSeries(latent, target.directions, units, np.asarray(a, dtype=float))


def leading_gradient(target: PolynomialTarget, W: np.ndarray, a: np.ndarray) -> np.ndarray:
    """-2 a_j H w_j/√(2π), w_j taken at unit norm: (m, d). What Lemma 1 keeps of the gradient at b = 0."""
    units = W / np.linalg.norm(W, axis=1, keepdims=True)
    return -2 / math.sqrt(2 * math.pi) * a[:, None] * (units @ target.hessian)


def without_linear_part(expansion: Coefficients) -> Coefficients:
    """The expansion without its terms of degree 0 and 1; never empty: the constant 0 stands in for nothing."""
    nonlinear = {degrees: h for degrees, h in expansion.items() if sum(degrees) > 1}
    return nonlinear or {(0,) * len(next(iter(expansion))): 0.0}


def latent_series(expansion: Coefficients, V: np.ndarray, shift: np.ndarray) -> LatentSeries:
    """The series of unit vectors with coordinates V (m, k) and biases `shift` (m,)."""
    p = degree_of(expansion)
    values, slopes = _homogeneous_parts(expansion, V, p)
    c = gate_coefficients(shift, p + 2)
    return LatentSeries(c[1 : p + 2, :, None] * slopes[1 : p + 2], c[2 : p + 3] * values[: p + 1], V)


def gate_coefficients(b: np.ndarray, degree: int) -> np.ndarray:
    """c_k(b) = E σ^{(k)}(t + b), t ~ N(0, 1), σ the ReLU, for k = 0 ... degree: (degree + 1, *b.shape), degree >= 2.

    c_0 = b Φ(b) + φ(b), c_1 = Φ(b), c_{k+2} = He_k(-b) φ(b). At b = 0 those of odd k >= 3 are exactly 0, and c_k/k! are
    the Hermite coefficients of the ReLU.
    """
    b = np.asarray(b, dtype=float)
    density = np.exp(-(b**2) / 2) / math.sqrt(2 * math.pi)
    mass = np.array([(1 + math.erf(x / math.sqrt(2))) / 2 for x in b.ravel()]).reshape(b.shape)
    return np.concatenate([[b * mass + density, mass], hermite_values(-b, degree - 2) * density])


def _homogeneous_parts(expansion: Coefficients, V: np.ndarray, p: int) -> tuple[np.ndarray, np.ndarray]:
    """P_k(v) and ∇P_k(v) for k = 0 ... p + 1: (p + 2, m) and (p + 2, m, k)."""
    m, k = V.shape
    powers = V[None] ** np.arange(p + 1)[:, None, None]
    values, slopes = np.zeros((p + 2, m)), np.zeros((p + 2, m, k))
    for degrees, h in expansion.items():
        values[sum(degrees)] += h * _monomial(powers, degrees)
        for i in (i for i in range(k) if degrees[i]):
            lower = (*degrees[:i], degrees[i] - 1, *degrees[i + 1 :])
            slopes[sum(degrees), :, i] += h * degrees[i] * _monomial(powers, lower)
    return values, slopes


def _monomial(powers: np.ndarray, degrees: tuple[int, ...]) -> np.ndarray:
    """Π_i v_i^{a_i} of each row, (m,)."""
    product = np.ones(powers.shape[1])
    for i, degree in enumerate(degrees):
        if degree:
            product = product * powers[degree, :, i]
    return product
