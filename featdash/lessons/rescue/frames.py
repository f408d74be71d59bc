"""What a rescue gives out: the transforms as curves, what each of them learns, and what an average of each finds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class LabelCurves(NamedArrays):
    """The label and its transforms along u, without noise.

    z (Z,) : places along u.  label (Z,) : f*.  transformed : transform -> T(f*) (Z,).
    correlation : transform -> of T(y), noise included, with He_k(z), k the exponent.
    exponent : the generative one.  information : the information exponent.
    """

    z: np.ndarray
    label: np.ndarray
    transformed: Mapping[str, np.ndarray]
    correlation: Mapping[str, float]
    exponent: int
    information: int


@dataclass(frozen=True, eq=False)
class RescueTable(NamedArrays):
    """Algorithm 1 with the first step on each kind of labels; NaN where not yet measured.

    n (S,) : the sample sizes, ascending.
    risk, alignment : transform -> (S,), the excess risk at the tuned λ, and the alignment of W¹ with u.
    """

    n: np.ndarray
    risk: Mapping[str, np.ndarray]
    alignment: Mapping[str, np.ndarray]


@dataclass(frozen=True, eq=False)
class CosineTable(NamedArrays):
    """|cos| of the angle between u and what an average of R repeats points to; NaN where not yet measured.

    d (D,) : the dimensions.  ratio (S,) : n/d.  cosine : transform -> (R, D, S).
    """

    d: np.ndarray
    ratio: np.ndarray
    cosine: Mapping[str, np.ndarray]
