"""Alignment of a first layer with the principal subspace, against scipy and the definition."""

import math

import numpy as np
import pytest
from scipy.linalg import subspace_angles

from featdash.geometry.neurons import alignment, overlap_matrix, principal_angles, subspace_share
from featdash.tasks.gaussian import random_directions


def layer(m: int = 200, d: int = 12, r: int = 3, inside: float = 1.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Rows with `inside` times more spread in span(U) than outside."""
    rng = np.random.default_rng(seed)
    U = random_directions(r, d, rng)
    return rng.standard_normal((m, d)) + (inside - 1) * rng.standard_normal((m, r)) @ U, U


def test_share_is_the_squared_cosine_with_the_projection():
    W, U = layer()
    projected = W @ U.T @ U
    cosines = np.sum(W * projected, axis=1) / np.linalg.norm(W, axis=1) / np.linalg.norm(projected, axis=1)
    np.testing.assert_allclose(subspace_share(W, U), cosines**2, rtol=1e-10)


def test_share_is_one_inside_zero_outside_and_zero_for_dead_rows():
    U = np.eye(2, 5)
    W = np.array([[3, -4, 0, 0, 0], [0, 0, 1, 2, 3], [0, 0, 0, 0, 0], [1, 0, 1, 0, 0]], dtype=float)
    np.testing.assert_allclose(subspace_share(W, U), [1, 0, 0, 0.5])
    assert alignment(W, U) == pytest.approx((25 + 0 + 0 + 1) / (25 + 14 + 0 + 2)), "by squared norm; dead rows count 0"
    assert alignment(np.zeros((4, 5)), U) == 0


def test_random_rows_have_share_r_over_d():
    """Gaussian rows: one share ~ Beta(r/2, (d - r)/2), the layer's ~ Beta(mr/2, m(d - r)/2); five standard errors."""
    W, U = layer(m=4000, d=10, r=2)
    assert abs(subspace_share(W, U).mean() - 0.2) < 5 * math.sqrt(2 * 2 * 8 / (10**2 * 12) / 4000)
    assert abs(alignment(W, U) - 0.2) < 5 * math.sqrt(2 * 2 * 8 / (10**2 * (4000 * 10 + 2)))


@pytest.mark.parametrize("inside", [1.0, 5.0, 1e3, 1e6])
@pytest.mark.parametrize(("m", "r"), [(200, 1), (200, 3), (8, 3)])
def test_angles_agree_with_scipy(inside, m, r):
    W, U = layer(m=m, r=r, inside=inside)
    V = np.linalg.svd(W)[2][:r]
    expected = np.sort(np.degrees(subspace_angles(U.T, V.T)))
    angles = principal_angles(W, U)
    np.testing.assert_allclose(angles, expected, rtol=1e-6, atol=1e-7)
    assert np.all(np.diff(angles) >= 0)


def test_angles_of_the_whole_space_are_zero():
    W, _ = layer(d=4)
    np.testing.assert_allclose(principal_angles(W, np.eye(4)), 0, atol=1e-6)


def test_overlaps_are_inner_products_with_right_singular_vectors():
    W, U = layer(inside=4.0)
    V = np.linalg.svd(W)[2][:5]
    np.testing.assert_allclose(overlap_matrix(W, U, 5), np.abs(U @ V.T), atol=1e-10)
    complete = overlap_matrix(W[:4], U, 12)  # fewer rows than dimensions: completed to a basis
    np.testing.assert_allclose(np.sum(complete**2, axis=1), 1, atol=1e-10)
    with pytest.raises(ValueError, match="k must be from 1 to d = 12, got 13"):
        overlap_matrix(W, U, 13)
