"""The population gradient from the Hermite series, against quadrature, autograd on samples, and Lemma 1."""

import math

import numpy as np
import pytest
import torch
from numpy.polynomial.hermite_e import hermegauss
from scipy.integrate import quad

from featdash.tasks.gaussian import random_directions
from featdash.theory.gradient_series import gate_coefficients, gradient_series, leading_gradient
from featdash.theory.polynomial import hermite_values
from featdash.theory.target import resolve_target

NODES, WEIGHTS = hermegauss(20)  # exact for degree 39 under N(0, 1)
WEIGHTS = WEIGHTS / WEIGHTS.sum()


def density(t):
    return math.exp(-t * t / 2) / math.sqrt(2 * math.pi)


def half_line(function, b):
    """∫ function(t) φ(t) dt over t > -b."""
    return quad(lambda t: function(t) * density(t), -b, 12, epsabs=1e-12, epsrel=1e-12, limit=200)[0]


def moments_by_quadrature(g, rho, b):
    """E[g(z) z 1{t > -b}] and E[g(z) t 1{t > -b}] for a standard pair (t, z) of correlation rho."""
    spread = math.sqrt(1 - rho**2)

    def inner(t, weight):
        z = rho * t + spread * NODES
        return float(np.sum(WEIGHTS * g(z) * weight(z, t)))

    return half_line(lambda t: inner(t, lambda z, _: z), b), half_line(lambda t: inner(t, lambda _, t: t), b)


@pytest.mark.parametrize("b", [-1.3, 0.0, 0.4])
def test_gate_coefficients_are_the_hermite_coefficients_of_the_shifted_relu(b):
    """c_k = E σ(t + b) He_k(t), by parts; no derivative of a kink needed."""
    found = gate_coefficients(np.array(b), 7)
    for k in range(8):
        expected = half_line(lambda t, k=k: (t + b) * hermite_values(t, k)[k], b)
        assert found[k] == pytest.approx(expected, abs=1e-9)


def relu_coefficients(degree: int) -> np.ndarray:
    """The h_k of ReLU(x) = sum_k h_k He_k(x), k = 0 ... degree; shape (degree + 1,).

    h_0 = 1/√(2π), h_1 = 1/2, h_{2k} = (-1)^{k-1} / (√(2π) k! 2^k (2k-1)), the other odd ones 0.
    The c_k of Damian et al. (2022), Lemma 1, are those of the series in He_k / k!: c_k = k! h_k.
    """
    h = np.zeros(degree + 1)
    for k in range(degree // 2 + 1):
        h[2 * k] = (-1) ** (k - 1) / (math.sqrt(2 * math.pi) * math.factorial(k) * 2**k * (2 * k - 1))
    if degree >= 1:
        h[1] = 0.5
    return h


def test_relu_coefficients_are_projections_of_relu():
    """h_k = E ReLU(x) He_k(x) / k!, the integral over x > 0 by Gauss–Legendre quadrature on 0..20."""
    nodes, weights = np.polynomial.legendre.leggauss(200)
    x, w = 10 * (nodes + 1), 10 * weights  # 0..20, beyond which the density is below 1e-87
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi)
    basis = hermite_values(x, 12)
    projections = [np.sum(w * density * x * basis[k]) / math.factorial(k) for k in range(13)]
    np.testing.assert_allclose(relu_coefficients(12), projections, atol=1e-13)


def test_relu_coefficients_carry_the_energy_of_relu():
    """sum_k h_k² k! = E ReLU² = ½; the tail of the series falls like k^{-3/2}, so 150 terms leave below 1e-3."""
    h = relu_coefficients(150)
    energy = np.cumsum([h[k] ** 2 * math.factorial(k) for k in range(151)])
    assert energy[-1] < 0.5
    assert 0.5 - energy[-1] < 1e-3


def test_gate_coefficients_at_zero_are_those_of_the_relu():
    factorials = np.array([math.factorial(k) for k in range(13)], dtype=float)
    np.testing.assert_allclose(
        gate_coefficients(np.zeros(()), 12), factorials * relu_coefficients(12), rtol=1e-13, atol=0
    )


@pytest.mark.parametrize(
    "expression", ["He2(z1)/2 + He4(z1)/(4*sqrt(3))", "He3(z1)/sqrt(6)", "1 + z1 - z1**5/9 + z1**6/40"]
)
@pytest.mark.parametrize("bias", [0.0, -0.7])
def test_series_equals_quadrature_in_one_direction(expression, bias):
    rng = np.random.default_rng(1)
    u = random_directions(1, 5, rng)
    target = resolve_target(expression, 5, u)
    W, a, b = rng.standard_normal((6, 5)), np.array([1.0, -1, 1, -1, 2, -0.5]), np.full(6, bias)
    total = gradient_series(target, W, a, b, remove_linear=False).total()
    for j in range(6):
        size = np.linalg.norm(W[j])
        w, rho = W[j] / size, float(u[0] @ W[j]) / size
        along_u, along_w = moments_by_quadrature(lambda z: target(np.outer(z, u[0])), rho, bias / size)
        expected = -2 * a[j] * np.array([along_u, along_w])
        np.testing.assert_allclose([total[j] @ u[0], total[j] @ w], expected, rtol=1e-8, atol=1e-9)
        plane = np.linalg.qr(np.column_stack([u[0], w]))[0]
        assert np.linalg.norm(total[j] - plane @ plane.T @ total[j]) < 1e-12


@pytest.mark.parametrize(("name", "bias"), [("rank-3", 0.0), ("rank-2", 0.6), ("(z1+z2)**2/4 + z1*z2*z3", -0.3)])
def test_series_equals_autograd_of_the_loss_on_samples(name, bias):
    """Within 5 standard errors in each of 48 coordinates, from 40 independent batches: a false alarm in 1 of 1700."""
    d, width, batches, rows = 6, 8, 40, 20_000
    rng = np.random.default_rng(2)
    target = resolve_target(name, d, random_directions(3, d, rng))
    half, signs = rng.standard_normal((width // 2, d)), rng.choice([-1.0, 1.0], width // 2)
    a, b = np.concatenate([signs, -signs]), np.full(width, bias)
    gradients = []
    for _ in range(batches):
        X = rng.standard_normal((rows, d))
        W = torch.tensor(np.concatenate([half, half]), requires_grad=True)
        output = torch.relu(torch.tensor(X) @ W.T + torch.tensor(b)) @ torch.tensor(a)
        loss = torch.mean((output - torch.tensor(target(X))) ** 2)
        gradients.append(torch.autograd.grad(loss, W)[0].numpy())
    mean, error = np.mean(gradients, axis=0), np.std(gradients, axis=0, ddof=1) / math.sqrt(batches)
    expected = gradient_series(target, np.concatenate([half, half]), a, b, remove_linear=False).total()
    assert np.all(np.abs(mean - expected) < 5 * error)
    assert np.max(error) < 0.1 * np.max(np.abs(expected))


@pytest.mark.parametrize("name", ["figure-1", "rank-3", "product", "linear", "(z1 + z2)**4/10"])
def test_the_first_term_is_that_of_lemma_1(name):
    rng = np.random.default_rng(3)
    target, W, a = resolve_target(name, 9), rng.standard_normal((20, 9)), rng.choice([-1.0, 1.0], 20)
    series = gradient_series(target, W, a)
    units = W / np.linalg.norm(W, axis=1, keepdims=True)
    expected = -2 * a[:, None] * (units @ target.hessian) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(series.term(1), expected, atol=1e-14)
    np.testing.assert_allclose(leading_gradient(target, W, a), expected, atol=1e-14)
    np.testing.assert_allclose(sum(series.term(k) for k in range(len(series))), series.total(), atol=1e-13)


@pytest.mark.parametrize("odd", ["transfer", "parity", "z1 + He3(z2)/4 - He5(z1)*z2**2/90"])
def test_an_odd_target_has_a_population_gradient_of_exactly_zero_at_zero_bias(odd):
    rng = np.random.default_rng(4)
    target, W, a = resolve_target(odd, 8), rng.standard_normal((30, 8)), rng.choice([-1.0, 1.0], 30)
    assert not gradient_series(target, W, a).total().any()
    assert gradient_series(target, W, a, np.full(30, 0.5)).total().any()


def test_he4_shows_at_the_third_term_though_its_hessian_is_zero():
    rng = np.random.default_rng(5)
    target, W = resolve_target("He4(z1)/sqrt(24)", 10), rng.standard_normal((2000, 10))
    norms = gradient_series(target, W, np.ones(2000)).norms()
    assert not norms[:3].any()
    v = W[:, 0] / np.linalg.norm(W, axis=1)  # -2 c_4 C_4(w, w, w)/3!, c_4 = -1/√(2π), C_4 = 4! u⊗u⊗u⊗u/√24
    np.testing.assert_allclose(norms[3], 2 / math.sqrt(2 * math.pi) * 4 * np.abs(v**3) / math.sqrt(24), atol=1e-14)


def test_norms_from_latent_coordinates_are_those_of_the_terms():
    rng = np.random.default_rng(6)
    target = resolve_target("0.4*He2(z1) - z1*z2*z3 + (z1 + 2*z2)**4/30", 7, random_directions(3, 7, rng))
    series = gradient_series(target, rng.standard_normal((15, 7)), rng.choice([-2.0, 1.0], 15))
    for k in range(len(series)):
        np.testing.assert_allclose(series.norms()[k], np.linalg.norm(series.term(k), axis=1), atol=1e-13)
    whole = 2 * np.abs(series.a) * series.latent.norm_of_sum(np.arange(len(series)))
    np.testing.assert_allclose(whole, np.linalg.norm(series.total(), axis=1), atol=1e-13)


def test_a_linear_target_leaves_nothing_once_its_linear_part_is_removed():
    target = resolve_target("3 - 2*z1 + z2", 4)
    W = np.random.default_rng(7).standard_normal((5, 4))
    assert not gradient_series(target, W, np.ones(5)).total().any()
    left = gradient_series(target, W, np.ones(5), remove_linear=False).total()
    units = W / np.linalg.norm(W, axis=1, keepdims=True)
    expected = -2 * (0.5 * np.array([-2.0, 1, 0, 0]) + 3 / math.sqrt(2 * math.pi) * units)
    np.testing.assert_allclose(left, expected, atol=1e-14)


@pytest.mark.parametrize("W", [np.zeros((2, 10)), np.ones((2, 9))])
def test_rows_without_direction_or_of_another_dimension_are_refused(W):
    with pytest.raises(ValueError, match=r"W must have rows of 10 numbers .*; redraw it"):
        gradient_series(resolve_target("figure-1", 10), W, np.ones(2))
