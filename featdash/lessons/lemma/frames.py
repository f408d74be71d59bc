"""The gradients of a look at Lemma 1, and its errors and terms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from featdash.recipes.events import NamedArrays


@dataclass(frozen=True, eq=False)
class GradientFrame(NamedArrays):
    """The gradients of n' samples, and the errors so far.

    leading, population, empirical (q, r) : components of q <= 120 neurons' gradients along u_1 ... u_r: of the leading
        term, of infinitely many samples, and of those so far.
    n (k,), error (k,) : up to here, ‖empirical - population‖ / ‖population‖ of the first repeat; not divided where the
        population gradient is exactly zero.
    """

    leading: np.ndarray
    population: np.ndarray
    empirical: np.ndarray
    n: np.ndarray
    error: np.ndarray


@dataclass(frozen=True, eq=False)
class SampleErrors(NamedArrays):
    """Errors of R repeats at S sample sizes.

    n (S,); error (R, S) : as in a frame; from_leading (R, S) : the same against the leading term, NaN where there is
    none; guide (S,) : the predicted slope.
    """

    n: np.ndarray
    error: np.ndarray
    from_leading: np.ndarray
    guide: np.ndarray


@dataclass(frozen=True, eq=False)
class SeriesTerms(NamedArrays):
    """The terms of the gradient's series beside the noise at n.

    norm (p + 1,) : RMS norm of each; needed (p + 1,) : the samples at which it equals the noise, inf for a term that is
    zero; noise, noise_inside : RMS norm of empirical - population, whole and inside the subspace.
    """

    norm: np.ndarray
    needed: np.ndarray
    noise: float
    noise_inside: float


@dataclass(frozen=True, eq=False)
class LemmaArrays(NamedArrays):
    """The arrays of the result.

    dimension_guide (D,) : the predicted slope of the error against d, at the dimensions of the frames; None where the
        population gradient is exactly zero.
    """

    samples: SampleErrors
    terms: SeriesTerms
    dimension_guide: np.ndarray | None
