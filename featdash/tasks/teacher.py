"""Teacher networks f*(x) = Σ_k s_k ReLU(u_k·x) on x ~ N(0, I_d)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.tasks.gaussian import random_directions

SAME = 1e-6  # 1 − |cos| below this is one direction: 0.08°, and the closed forms keep ten digits above it
UNIT = 1e-9  # how far a norm may be from 1


@dataclass(frozen=True, eq=False)
class Teacher:
    """f*(x) = Σ_k s_k ReLU(u_k·x), with r <= d directions of which no two lie on one line.

    directions (r, d) : u_k, of unit norm.
    weights (r,) : s_k, of either sign, none zero.
    Errors: ValueError for r > d, a norm other than 1, coinciding (or opposite) directions, a zero weight.
    """

    directions: np.ndarray
    weights: np.ndarray

    def __post_init__(self) -> None:
        r, d = self.directions.shape
        if r > d:
            raise ValueError(f"r must be <= d = {d}, got {r}; use fewer teacher directions or raise d")
        if self.weights.shape != (r,) or not np.all(np.isfinite(self.weights) & (self.weights != 0)):
            raise ValueError(f"weights must be {r} numbers other than 0, got {self.weights}; give one a direction")
        gram = self.directions @ self.directions.T
        if not np.allclose(np.diag(gram), 1, rtol=0, atol=UNIT):
            raise ValueError(f"directions must have norm 1, got squared norms {np.diag(gram)}; normalise the rows")
        closest = np.max(np.abs(gram[~np.eye(r, dtype=bool)]), initial=0.0)
        if 1 - closest < SAME:
            raise ValueError(f"directions must be distinct up to sign, got a pair with |cos| = {closest:.8f}; turn one")

    @property
    def linear_part(self) -> np.ndarray:
        """β = E[f*(x) x] = ½ Σ_k s_k u_k, shape (d,)."""
        return self.weights @ self.directions / 2

    @property
    def hessian(self) -> np.ndarray:
        """H = E ∇²f* = (1/√(2π)) Σ_k s_k u_k u_kᵀ, shape (d, d)."""
        return (self.directions.T * self.weights) @ self.directions / np.sqrt(2 * np.pi)

    def __call__(self, X: np.ndarray) -> np.ndarray:
        """f* on the rows of X (n, d), shape (n,)."""
        return np.maximum(X @ self.directions.T, 0) @ self.weights


def equiangular_teacher(r: int, d: int, angle: float, signs: str, rng: np.random.Generator) -> Teacher:
    """r directions, each pair at `angle` degrees, turned at random; weights ±1.

    With c = cos(angle) the Gram matrix is (1 − c) I + c 11ᵀ, positive definite for 0 < angle <= 90. Right angles are
    the widest: of two lines one angle is at most 90°.
    signs : "+" and "-", repeated to length r.
    Errors: ValueError for r > d, an angle outside (0, 90], other signs.
    """
    check_signs(signs)
    if not 1 <= r <= d:
        raise ValueError(f"r must be from 1 to d = {d}, got {r}; use fewer teacher directions or raise d")
    if angle == 0:
        raise ValueError("angle must be > 0, got 0; at 0 the teacher's directions coincide, raise it")
    if not 0 < angle <= 90:
        raise ValueError(f"angle must be at most 90, got {angle:g}; two lines are never further apart, lower it")
    c = np.cos(np.deg2rad(angle))
    corner = np.linalg.cholesky((1 - c) * np.eye(r) + c)
    rows = corner @ random_directions(r, d, rng)
    weights = np.array([1.0 if signs[k % len(signs)] == "+" else -1.0 for k in range(r)])
    return Teacher(rows / np.linalg.norm(rows, axis=1, keepdims=True), weights)


def check_signs(signs: str) -> None:
    """ValueError unless `signs` is made of + and -."""
    if not signs or set(signs) - set("+-"):
        raise ValueError(f"signs must be made of + and -, got {signs!r}; write for instance +-+")
