"""How far a head's solver goes, and which way: the numbers that solvers follow and estimates of cost count with.

Imports neither torch nor scikit-learn, for the server makes the estimates.
"""

from __future__ import annotations

LANCZOS_STEPS = 60  # the λ tuned at n = 10⁴ and m = 1000 have a gap of 2e-3 or less by then
COMPLETE = 2 * LANCZOS_STEPS  # the most; up to so many dimensions a head is solved completely
KEPT_BYTES = 1 << 28  # up to here the neurons' values are kept between products, beyond they are recomputed
GRAM_PAYS = 3  # samples a feature from which on one Gram matrix costs less than the products of a Krylov space
MOST_MOMENTS = 1 << 11  # features of a head that is solved by it: a matrix of 34 MB


def least_samples_for_moments(q: int, with_moments: bool) -> float:
    """From how many samples on a head with q features, in a sweep, is solved by its second moments; inf for never.

    with_moments : whether the features have a fast way to them; else they are formed for few features only.
    """
    if q <= COMPLETE:
        return COMPLETE + 1
    return GRAM_PAYS * q if with_moments and q <= MOST_MOMENTS else float("inf")
