"""How far a head's solver goes, and which way: the numbers that solvers follow and estimates of cost count with.

Imports neither torch nor scikit-learn, for the server makes the estimates.
"""

from __future__ import annotations

LANCZOS_STEPS = 60  # the λ tuned at n = 10⁴ and m = 1000 have a gap of 2e-3 or less by then
COMPLETE = 2 * LANCZOS_STEPS  # the most; up to so many dimensions a head is solved completely
DENSE = 1 << 10  # samples or features up to which a head is factorised densely, a second's work
DENSE_NUMBERS = 1 << 23  # in the matrix that is then formed, 67 MB
STEP_BLOCK = 1 << 20  # preactivations at a time in the steps of a truncated network: 8 MB of doubles
KEPT_BYTES = 1 << 28  # up to here the neurons' values are kept between products, beyond they are recomputed
GRAM_PAYS = 3  # samples a feature from which on one Gram matrix costs less than the products of a Krylov space
MOST_MOMENTS = 1 << 11  # features of a head that is solved by it: a matrix of 34 MB


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
