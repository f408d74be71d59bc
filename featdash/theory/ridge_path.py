"""Every ridge strength λ and every gradient-descent step t of a head, from one factorisation, and how far that goes.

NumPy only: pages read the paths, and estimates of cost count with the numbers that solvers follow.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

SETTLED = 1e-2  # of rms(y); predictions off by this much move a risk by 1e-4 of y's energy
LANCZOS_STEPS = 60  # the λ tuned at n = 10⁴ and m = 1000 have a gap of 2e-3 or less by then
COMPLETE = 2 * LANCZOS_STEPS  # the most; up to so many dimensions a head is solved completely
DENSE = 1 << 10  # samples or features up to which a head is factorised densely, a second's work
DENSE_NUMBERS = 1 << 23  # in the matrix that is then formed, 67 MB
STEP_BLOCK = 1 << 20  # preactivations at a time in the steps of a truncated network: 8 MB of doubles
KEPT_BYTES = 1 << 28  # up to here the neurons' values are kept between products, beyond they are recomputed
GRAM_PAYS = 3  # samples a feature from which on one Gram matrix costs less than the products of a Krylov space
MOST_MOMENTS = 1 << 11  # features of a head that is solved by it: a matrix of 34 MB


@dataclass(frozen=True)
class SpectralPath:
    """The head a minimising (1/n)‖Φa − y‖² + (λ/2)‖a‖², for every λ, and plain gradient descent towards it.

    Gradient descent is a ← a − η[(2/n)Φᵀ(Φa − y) + λa] from a = 0. In the eigenvectors of (2/n)ΦᵀΦ, eigenvalues s,
    with b the coordinates of (2/n)Φᵀy, its iterate t has coordinates

        c(λ, t) = b (1 − (1 − η(s + λ))^t) / (s + λ),      c(λ, ∞) = b / (s + λ)   (ridge),

    in scikit-learn's `Ridge` alpha = nλ/2. The step is η(λ) = 1/(s_max + λ): our choice (the paper asks for «small
    enough»), the largest that shrinks every coordinate monotonically, and stable for every λ.
    After k Lanczos steps s are k Ritz values; iterates t <= k are exact, and `gap` says how far the others may be off.

    ritz (k,) : s, in any order.
    pull (k,) : b.
    tail (k,) : the residual of (s + λ)c = b outside the Krylov space is |tail·c|; zeros when that space is complete.
    level : root mean square of y.
    roots : name -> (rows, k + 1); risk = ‖root (c, −1)‖², a sum of squares: no cancellation, never negative.
    readouts : name -> (rows, k + 1); reading = readout (c, 1), its last column being the offset.
    basis (k, r) : None, or orthonormal directions whose coordinates basisᵀc stand for c in roots and readouts.
    """

    ritz: np.ndarray
    pull: np.ndarray
    tail: np.ndarray
    level: float
    roots: Mapping[str, np.ndarray] = field(default_factory=dict)
    readouts: Mapping[str, np.ndarray] = field(default_factory=dict)
    basis: np.ndarray | None = None

    @property
    def largest(self) -> float:
        """s_max; 1 for a head that sees nothing of y, where any value serves."""
        return float(np.max(self.ritz)) if len(self.ritz) else 1.0

    def step_size(self, lam: ArrayLike) -> np.ndarray:
        """η(λ) = 1/(s_max + λ)."""
        return 1 / (self.largest + np.asarray(lam, dtype=float))

    def default_lams(self) -> np.ndarray:
        """41 values, four a decade, from 1e-8 s_max to 100 s_max, ascending.

        At 100 s_max the predictor is within 1 % of zero; below 1e-8 s_max the rounding of s_max itself shows.
        """
        return self.largest * np.logspace(-8, 2, 41)

    def coefficients(self, lam: ArrayLike, steps: ArrayLike | None = None) -> np.ndarray:
        """c(λ, t), shape broadcast(lam, steps).shape + (k,); steps None means t = ∞ and asks for λ > 0."""
        lam = np.asarray(lam, dtype=float)[..., None]
        if not np.all(lam >= 0) or (steps is None and not np.all(lam > 0)):
            rule = "lam must be > 0" if steps is None else "lam must be >= 0"
            raise ValueError(f"{rule}, got {np.min(lam)}; use a small value for the minimum-norm limit")
        if steps is None:
            return self.pull / (self.ritz + lam)
        t = np.asarray(steps, dtype=float)[..., None]
        if not np.all(t >= 0):
            raise ValueError(f"steps must be >= 0, got {np.min(t)}; 0 is the untrained head")
        rates = self.step_size(lam) * (self.ritz + lam)
        with np.errstate(divide="ignore"):  # s_max is reached in one step: log(0) = -inf, and exp(-inf) = 0 is meant
            decay = np.log1p(-np.minimum(rates, 1.0))
        progress = -np.expm1(np.maximum(t, 1) * decay)
        return np.where(t > 0, self.pull * progress / (self.ritz + lam), 0.0)

    def coordinates(self, lam: ArrayLike, steps: ArrayLike | None = None) -> np.ndarray:
        """c(λ, t) as roots and readouts take it, shape broadcast(lam, steps).shape + (r,); r = k without a basis."""
        c = self.coefficients(lam, steps)
        return c if self.basis is None else c @ self.basis

    def risk(self, name: str, lam: ArrayLike, steps: ArrayLike | None = None) -> np.ndarray:
        """Mean squared error on the named sample, shape broadcast(lam, steps).shape."""
        c = self.coordinates(lam, steps)
        root = self.roots[name]
        return np.sum((c @ root[:, :-1].T - root[:, -1]) ** 2, axis=-1)

    def read(self, name: str, lam: ArrayLike, steps: ArrayLike | None = None) -> np.ndarray:
        """The named linear readout, shape broadcast(lam, steps).shape + (rows,)."""
        c = self.coordinates(lam, steps)
        readout = self.readouts[name]
        return c @ readout[:, :-1].T + readout[:, -1]

    def tune(self, name: str = "holdout", lams: ArrayLike | None = None) -> float:
        """The λ of least risk on the named sample in the ridge limit, the largest of equals; None: `default_lams`."""
        lams = np.sort(self.default_lams() if lams is None else np.asarray(lams, dtype=float))[::-1]
        return float(lams[np.argmin(self.risk(name, lams))])

    def gap(self, lam: ArrayLike, steps: ArrayLike | None = None) -> np.ndarray:
        """How far the training predictions may be from those of the whole feature space, in units of rms(y).

        For t = ∞ a bound: the residual ρ of the normal equations gives rms(Φ(a − a*)) <= ‖ρ‖ / √(8λ), as
        max_s s/(s + λ)² = 1/(4λ). For finite t the same with λ + 1/(ηt), the ridge that t steps resemble: an
        indicator, zero for t <= k where the iterate is exact.
        """
        lam = np.asarray(lam, dtype=float)
        if steps is None:
            return self._gap(lam)
        t = np.asarray(steps, dtype=float)
        exact = t <= len(self.ritz)
        like = lam + 1 / (self.step_size(lam) * np.where(exact, 1, t))
        return np.where(exact, 0.0, self._gap(like))

    def _gap(self, lam: np.ndarray) -> np.ndarray:
        residual = np.abs(self.coefficients(lam) @ self.tail)
        return residual / np.sqrt(8 * lam) / (self.level or 1.0)

    def is_converged(self, lam: ArrayLike, steps: ArrayLike | None = None) -> np.ndarray:
        """Whether what the path says there may be shown as it is: a gap of SETTLED at most."""
        return self.gap(lam, steps) <= SETTLED

    def to_arrays(self, prefix: str = "") -> dict[str, np.ndarray]:
        """Plain arrays for an .npz file; readouts, which only draw, in single precision."""
        arrays = {f"{prefix}{name}": np.asarray(getattr(self, name)) for name in ("ritz", "pull", "tail", "level")}
        arrays |= {f"{prefix}roots.{name}": root for name, root in self.roots.items()}
        arrays |= {} if self.basis is None else {f"{prefix}basis": self.basis}
        return arrays | {f"{prefix}readouts.{name}": row.astype(np.float32) for name, row in self.readouts.items()}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, np.ndarray], prefix: str = "") -> Self:
        """The inverse of `to_arrays`; arrays of other prefixes are left alone."""
        mine = {key.removeprefix(prefix): np.asarray(arrays[key]) for key in arrays if key.startswith(prefix)}
        tables = {
            kind: {key.removeprefix(f"{kind}."): mine[key] for key in mine if key.startswith(f"{kind}.")}
            for kind in ("roots", "readouts")
        }
        return cls(mine["ritz"], mine["pull"], mine["tail"], float(mine["level"]), **tables, basis=mine.get("basis"))


def is_dense(n: int, q: int) -> bool:
    """Whether a head on features (n, q) is solved by one dense factorisation; smaller ones are by their Krylov space.

    Around n = q the risk at small λ has its peak, which no short Krylov space shows.
    """
    return COMPLETE < min(n, q) <= DENSE and n * q <= DENSE_NUMBERS


def dense_cost(n: int, q: int) -> tuple[float, float]:
    """(bytes, multiplications) that a dense factorisation adds to a head's Krylov steps; none where there is none.

    Bytes of Φ in double, of its parts in single where it is wide, and of eigenvectors and their workspace.
    """
    least = min(n, q)
    features = (8 if n >= q else 24) * n * q
    return (features + 32 * least**2, n * q * least + 10 * least**3) if is_dense(n, q) else (0, 0)


def krylov_columns(n: int, q: int) -> int:
    """Columns of the bases U (n, ·) and V (q, ·) that are laid out at once for a head on features (n, q)."""
    return min(n, q, COMPLETE) + 1


def least_samples_for_moments(q: int, with_moments: bool) -> float:
    """From how many samples on a head with q features, in a sweep, is solved by its second moments; inf for never.

    with_moments : whether the features have a fast way to them; else they are formed for few features only.
    """
    if q <= COMPLETE:
        return COMPLETE + 1
    return GRAM_PAYS * q if with_moments and q <= MOST_MOMENTS else float("inf")
