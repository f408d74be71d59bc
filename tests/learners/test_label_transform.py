"""Label transforms against roots of the polynomial, closed formulas and quadrature."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import softmax

from featdash.learners.label_transform import SignThreshold, SoftmaxHead, label_law, softmax_weights
from featdash.theory.target import resolve_target

CUBIC, QUARTIC = "He3(z1)/sqrt(6)", "He4(z1)/sqrt(24)"


def density(z):
    return np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi)


def mean_over_roots(coefficients, slope, h, y):
    """E[h(z) | g(z) = y]: the real roots, each with the weight φ(z)/|g'(z)|."""
    found = []
    for level in y:
        roots = np.roots([*coefficients[:-1], coefficients[-1] - level])
        z = roots[np.abs(roots.imag) < 1e-9].real
        weights = density(z) / np.abs(slope(z))
        found.append(np.sum(weights * h(z)) / np.sum(weights))
    return np.array(found)


def test_the_conditional_mean_of_a_cubic_is_that_over_its_roots():
    root = math.sqrt(6)
    y = np.array([-3.0, -1.2, -0.5, 0.1, 0.4, 1.0, 2.2])
    T = label_law(resolve_target(CUBIC, 1), 0.0).conditional_mean(1)
    exact = mean_over_roots([1 / root, 0, -3 / root, 0], lambda z: (3 * z**2 - 3) / root, lambda z: z, y)
    assert T(y) == pytest.approx(exact, abs=0.02)  # a bin is a thousandth of the labels


def test_the_conditional_mean_of_a_quartic_is_that_over_its_roots():
    root = math.sqrt(24)
    y = np.array([-1.1, -0.6, 0.2, 0.9, 3.0])
    T = label_law(resolve_target(QUARTIC, 1), 0.0).conditional_mean(2)
    exact = mean_over_roots(
        [1 / root, 0, -6 / root, 0, 3 / root], lambda z: (4 * z**3 - 12 * z) / root, lambda z: z**2 - 1, y
    )
    assert T(y) == pytest.approx(exact, rel=0.03, abs=0.02)  # far out a bin is wide


def test_the_conditional_mean_of_noisy_labels_is_that_of_quadrature():
    z = np.linspace(-6, 6, 4001)
    y = np.array([-2.0, -1.5, 0.0, 0.7, 2.5])
    likelihood = density(z) * density(y[:, None] - (z**3 - 3 * z) / math.sqrt(6))
    exact = (likelihood @ z) / likelihood.sum(axis=1)
    T = label_law(resolve_target(CUBIC, 1), 1.0).conditional_mean(1)
    assert T(y) == pytest.approx(exact, abs=0.02)


@pytest.mark.parametrize("a", [2.0, 2.3, 3.0])
def test_beyond_the_humps_the_threshold_of_a_cubic_has_twice_the_density_as_its_linear_part(a):
    tau = (a**3 - 3 * a) / math.sqrt(6) + 1e-9
    law = label_law(resolve_target(CUBIC, 1), 0.0)
    T = SignThreshold(tau)(law.y)
    assert np.mean(T * law.z) == pytest.approx(2 * density(a), rel=0.01)
    share = math.erfc(a / math.sqrt(2))  # P(|z| > a)
    assert law.correlation(SignThreshold(tau), 1) == pytest.approx(2 * density(a) / math.sqrt(share), rel=0.01)


def test_the_plain_cubic_has_no_linear_part_and_no_transform_does_better_than_the_conditional_mean():
    law = label_law(resolve_target(CUBIC, 1), 0.0)
    assert law.correlation(np.asarray, 1) == pytest.approx(0, abs=1e-3)
    best = law.correlation(law.conditional_mean(1), 1)
    others = [np.tanh, np.sign, lambda y: y**3, *(SignThreshold(tau) for tau in (0.3, 0.82, 1.5))]
    assert all(abs(law.correlation(T, 1)) < best for T in others)


@pytest.mark.parametrize("transform", [np.asarray, np.tanh, SignThreshold(1.25), lambda y: y**2])
def test_an_even_target_has_no_linear_part_whatever_the_transform(transform):
    law = label_law(resolve_target(QUARTIC, 1), 0.0)
    assert law.correlation(transform, 1) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(
    ("target", "exponent"),
    [("z1", 1), ("He2(z1)", 2), (CUBIC, 1), (QUARTIC, 2), ("He2(z1) + He3(z1)", 1), ("He6(z1)", 2), ("He5(z1)", 1)],
)
def test_generative_exponents(target, exponent):
    """Of an odd target 1, of an even one 2: its square on the outer branch goes with z, or with z²."""
    assert label_law(resolve_target(target, 1), 0.0).generative_exponent() == exponent


def test_a_threshold_keeps_signs_of_large_labels():
    assert SignThreshold(1.0)(np.array([-2.0, -1.0, 0.0, 0.5, 1.0, 1.5])).tolist() == [-1, 0, 0, 0, 0, 1]


def test_a_target_of_two_directions_is_refused():
    with pytest.raises(ValueError, match="single direction, got 2"):
        label_law(resolve_target("z1 * z2", 2), 0.0)


def cubic_sample(n, d, seed):
    X = np.random.default_rng(seed).standard_normal((n, d))
    return X, (X[:, 0] ** 3 - 3 * X[:, 0]) / math.sqrt(6)


def test_a_softmax_head_is_the_average_of_its_transform():
    """Exactly, where the mean of the weights is that of the sample; and closely, where it is that of the law."""
    X, y = cubic_sample(20_000, 30, 1)
    head = softmax(2.0 * np.clip(y, -3, 3)) @ X - X.mean(axis=0)
    own = SoftmaxHead(2.0, 3.0, float(softmax_weights(y, 2.0, 3.0).mean()))
    np.testing.assert_allclose(own(y) @ X / len(X), head, atol=1e-12)
    by_law = label_law(resolve_target(CUBIC, 1), 0.0).softmax_head(2.0, 3.0)(y) @ X
    assert by_law @ head / np.linalg.norm(by_law) / np.linalg.norm(head) > 0.999


@pytest.mark.parametrize(("rho", "cut"), [(2.0, 3.0), (0.3, 1.5)])
def test_its_mean_and_its_correlation_are_those_of_quadrature(rho, cut):
    law = label_law(resolve_target(CUBIC, 1), 0.0)
    T = law.softmax_head(rho, cut)

    def weight(z):
        return math.exp(rho * (min(max((z**3 - 3 * z) / math.sqrt(6), -cut), cut) - cut))

    def mean(h):
        return sum(quad(lambda z: h(z) * density(z), a, a + 1, limit=200)[0] for a in range(-8, 8))

    assert T.mean == pytest.approx(mean(weight), rel=1e-3)
    spread = math.sqrt(mean(lambda z: weight(z) ** 2) - mean(weight) ** 2)
    assert law.correlation(T, 1) == pytest.approx(mean(lambda z: z * weight(z)) / spread, abs=1e-3)


@pytest.mark.parametrize("rho", [-1.0, 0.05, 2.0])
def test_without_a_cut_the_weights_of_a_cubic_have_no_mean(rho):
    """The logarithm of the integrand grows without bound at one end; of 10 000 weights a few are nearly all."""
    end = math.copysign(1.0, rho)
    logs = [rho * (z**3 - 3 * z) / math.sqrt(6) - z**2 / 2 for z in end * np.array([50.0, 100.0, 200.0])]
    assert 0 < logs[0] < logs[1] < logs[2]
    _, y = cubic_sample(10_000, 1, 2)
    if abs(rho) >= 1:
        assert np.sort(softmax(rho * y))[-3:].sum() > 0.9
    assert np.sort(softmax(rho * np.clip(y, -3, 3)))[-3:].sum() < 0.1
