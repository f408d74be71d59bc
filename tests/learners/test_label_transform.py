"""Label transforms against roots of the polynomial, closed formulas and quadrature."""

import math

import numpy as np
import pytest

from featdash.learners.label_transform import SignThreshold, label_law
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
