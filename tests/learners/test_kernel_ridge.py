"""Kernel ridge against scikit-learn, and its kernels against theirs."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, Matern
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import laplacian_kernel

from featdash.learners.kernel_ridge import KINDS, Kernel, fit_kernel


@pytest.fixture
def samples():
    rng = np.random.default_rng(0)
    return [(X, np.sin(X[:, 0]) + 0.3 * rng.standard_normal(len(X))) for X in rng.standard_normal((2, 60, 3))]


@pytest.mark.parametrize("kind", KINDS)
def test_fit_is_scikit_learns_kernel_ridge_at_the_tuned_lambda(samples, kind):
    train, holdout = samples
    kernel = Kernel(kind, 1.7)
    fit = fit_kernel(kernel, train, holdout)
    oracle = KernelRidge(alpha=60 * fit.lam / 2, kernel="precomputed").fit(kernel(train[0], train[0]), train[1])
    expected = oracle.predict(kernel(holdout[0], train[0]))
    np.testing.assert_allclose(fit(holdout[0]), expected, rtol=1e-6, atol=1e-8)
    assert fit.holdout_risk == pytest.approx(np.mean((expected - holdout[1]) ** 2))


@pytest.mark.parametrize("kind", KINDS)
def test_no_other_lambda_and_no_other_length_is_better_on_the_holdout(samples, kind):
    train, holdout = samples
    kernels = [Kernel(kind, length) for length in (0.5, 1.0, 2.0)]
    best = fit_kernel(kernels, train, holdout)
    for kernel in kernels:
        K, cross = kernel(train[0], train[0]), kernel(holdout[0], train[0])
        for alpha in np.geomspace(1e-3, 1e3, 13):
            values = KernelRidge(alpha=alpha, kernel="precomputed").fit(K, train[1]).predict(cross)
            # the grid has four λ a decade, so a value between two of them may be better by a little
            assert best.holdout_risk <= 1.02 * np.mean((values - holdout[1]) ** 2)


def test_kernels_are_the_library_s():
    rng = np.random.default_rng(1)
    X, Y = rng.standard_normal((7, 3)), rng.standard_normal((5, 3))
    np.testing.assert_allclose(Kernel("rbf", 1.5)(X, Y), RBF(1.5)(X, Y))
    np.testing.assert_allclose(Kernel("laplace", 1.5)(X, Y), Matern(1.5, nu=0.5)(X, Y))
    np.testing.assert_allclose(Kernel("polynomial", 1.5, 4)(X, Y), (1 + X @ Y.T / 1.5**2) ** 4)
    np.testing.assert_allclose(Kernel("laplace", 0.5)(X[:, :1], Y[:, :1]), laplacian_kernel(X[:, :1], Y[:, :1], 2.0))


def test_a_kernel_of_distances_does_not_see_the_space_around_a_subspace():
    rng = np.random.default_rng(2)
    Z, frame = rng.standard_normal((6, 2)), np.linalg.qr(rng.standard_normal((40, 2)))[0].T
    for kind in ("rbf", "laplace", "polynomial"):
        np.testing.assert_allclose(Kernel(kind)(Z @ frame, Z @ frame), Kernel(kind)(Z, Z), atol=1e-7)


@pytest.mark.parametrize(("changes", "says"), [({"kind": "cubic"}, "one of rbf"), ({"length": 0.0}, "length must be")])
def test_bad_kernels_are_refused(changes, says):
    with pytest.raises(ValueError, match=says):
        Kernel(**({"kind": "rbf"} | changes))
