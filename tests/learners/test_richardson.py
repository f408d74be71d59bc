"""Richardson's iteration is gradient descent, its iterates have a closed form, and it ends at the direct solution."""

from itertools import islice

import numpy as np
import pytest
import torch
from gradient_descent import train_head_by_gradient_descent

from featdash.learners.richardson import bounded_step, richardson, solve_directly, step_length

N = 30


@pytest.fixture
def system():
    rng = np.random.default_rng(0)
    phi = rng.standard_normal((N, 12))
    return phi, phi @ phi.T, rng.standard_normal(N)


@pytest.mark.parametrize("steps", [1, 2, 17, 300])
def test_iterates_are_the_filtered_eigenvectors(system, steps):
    _, K, y = system
    s, Q = np.linalg.eigh(K)
    s = np.maximum(s, 0)
    eta = 0.7 / s[-1]
    kept = s > 1e-9 * s[-1]
    done = np.full(N, steps * eta)  # (1 − (1 − ηs)^t)/s → tη as s → 0
    done[kept] = (1 - (1 - eta * s[kept]) ** steps) / s[kept]
    *_, alpha = islice(richardson(K, y, eta), steps)
    np.testing.assert_allclose(alpha, Q @ (done * (Q.T @ y)), atol=1e-9)


def test_it_is_gradient_descent_on_the_head(system):
    """K = ΦΦᵀ: the head Φᵀα_t is the t-th iterate on the mean squared loss, with step nη/2."""
    phi, K, y = system
    eta = 0.5 / np.linalg.eigvalsh(K)[-1]
    heads = train_head_by_gradient_descent(torch.tensor(phi), torch.tensor(y), 0.0, N * eta / 2, 40)
    for alpha, head in zip(richardson(K, y, eta), heads, strict=False):
        np.testing.assert_allclose(phi.T @ alpha, head.numpy(), atol=1e-12)


def test_it_converges_to_the_direct_solution(system):
    _, K, y = system
    K = K + 2 * np.eye(N)
    expected = np.linalg.solve(K, y)
    *_, alpha = islice(richardson(K, y, step_length(K, np.random.default_rng(0))), 1000)
    np.testing.assert_allclose(alpha, expected, atol=1e-10)
    np.testing.assert_allclose(solve_directly(K.copy(), y), expected, atol=1e-10)


def test_it_diverges_beyond_twice_the_inverse_of_the_largest_eigenvalue(system):
    _, K, y = system
    largest = np.linalg.eigvalsh(K)[-1]
    sizes = {}
    for factor in (1.95, 2.05):
        *_, alpha = islice(richardson(K, y, factor / largest), 400)
        sizes[factor] = np.linalg.norm(K @ alpha)
    assert sizes[1.95] < 2 * np.linalg.norm(y)
    assert sizes[2.05] > 1e6 * np.linalg.norm(y)


@pytest.mark.parametrize("seed", range(10))
def test_step_length_is_stable_and_not_timid(seed):
    rng = np.random.default_rng(seed)
    phi = rng.standard_normal((N, N))
    product = step_length(phi @ phi.T, rng) * np.linalg.eigvalsh(phi @ phi.T)[-1]
    assert 0.89 < product < 1.8


@pytest.mark.parametrize("ridge", [1e-6, 1.0, 100.0])
def test_bounded_step_converges_whatever_the_ridge(system, ridge):
    """Its errors shrink at every step, which needs η s_max < 2; Gershgorin's bound gives η s_max <= 1."""
    _, K, y = system
    K = K + ridge * np.eye(N)
    assert 0 < bounded_step(K) * np.linalg.eigvalsh(K)[-1] <= 1 + 1e-12
    left = [np.linalg.norm(K @ alpha - y) for alpha in islice(richardson(K, y, bounded_step(K)), 50)]
    assert np.all(np.diff(left) <= 1e-12)


def test_bad_systems_are_refused(system):
    _, K, y = system
    with pytest.raises(ValueError, match="K must be 30 by 30 for 30 labels"):
        richardson(K[:, :5], y, 0.1)
    with pytest.raises(ValueError, match="eta must be > 0, got -1"):
        richardson(K, y, -1.0)
    with pytest.raises(np.linalg.LinAlgError):
        solve_directly(-K.copy(), y)
