"""A neuron followed by its overlap alone is the neuron in d dimensions; its average step is that of a simulation."""

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr
from scipy.stats import norm

from featdash.learners.online_neuron import OnlineDraws, draw_online, effective_label, follow
from featdash.theory.target import resolve_target

CUBIC = "He3(z1)/sqrt(6)"


SLOPES = {
    "relu": (lambda a: np.maximum(a, 0), lambda a: np.heaviside(a, 0)),
    "tanh": (np.tanh, lambda a: np.cosh(a) ** -2),
}


def gradient(w, x, y, activation):
    """Of ½(σ(w·x) − y)²."""
    value, slope = SLOPES[activation]
    return (value(w @ x) - y) * slope(w @ x) * x


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("rho", [0.0, 0.4])
def test_the_overlap_is_that_of_the_whole_neuron(rho, activation):
    """The same inputs, seen in d dimensions and by three numbers each."""
    d, steps, gamma = 12, 400, 0.03
    rng = np.random.default_rng(3)
    u = np.eye(d)[0]
    w = np.eye(d)[1]
    overlaps, parts = [], []
    for _ in range(steps):
        x = rng.standard_normal(d)
        y = (x[0] ** 3 - 3 * x[0]) / np.sqrt(6) + 0.3 * rng.standard_normal()
        side = w - (w @ u) * u
        side /= np.linalg.norm(side)
        parts.append((x @ u, x @ side, x @ x - (x @ u) ** 2 - (x @ side) ** 2, y))
        ahead = w - rho / d * gradient(w, x, y, activation)
        w = w - gamma * gradient(ahead, x, y, activation)
        w /= np.linalg.norm(w)
        overlaps.append(w @ u)
    z, s, q, y = np.array(parts).T[:, :, None]
    for cut in (1, 7, steps):
        draws = OnlineDraws(z[:cut], s[:cut], q[:cut], y[:cut])
        found = follow(np.zeros(1), draws, gamma, rho / d, activation)
        assert found[0] == pytest.approx(overlaps[cut - 1], abs=1e-9)
    assert max(np.abs(overlaps)) > 0.05


def test_draws_have_the_law_of_gaussian_inputs():
    draws = draw_online(resolve_target(CUBIC, 1), 20, 0.0, (400, 300), np.random.default_rng(0))
    count = 400 * 300
    assert np.mean(draws.q) == pytest.approx(18, abs=5 * np.sqrt(36 / count))
    assert np.var(draws.q) == pytest.approx(36, rel=0.03)
    assert draws.y == pytest.approx((draws.z**3 - 3 * draws.z) / np.sqrt(6))
    assert abs(np.mean(draws.z * draws.s)) < 5 / np.sqrt(count)


def test_with_one_look_a_label_is_seen_in_a_straight_line():
    y = np.linspace(-3, 3, 7)
    assert effective_label(y, 0.0, "relu") == pytest.approx(y / 2 - 1 / np.sqrt(2 * np.pi), abs=1e-3)
    slope = quad(lambda s: norm.pdf(s) / np.cosh(s) ** 2, -10, 10)[0]
    assert effective_label(y, 0.0, "tanh") == pytest.approx(y * slope, abs=1e-3)


@pytest.mark.parametrize("activation", ["relu", "tanh"])
@pytest.mark.parametrize("rho", [0.2, 0.6])
def test_with_two_looks_a_label_is_seen_as_in_a_simulation(rho, activation):
    s = np.random.default_rng(1).standard_normal(400_000)
    value, slope = SLOPES[activation]
    for y in (-2.0, -0.3, 1.0, 2.5):
        again = s + rho * (y - value(s)) * slope(s)
        seen = (y - value(again)) * slope(again)
        assert effective_label(np.array([y]), rho, activation)[0] == pytest.approx(
            seen.mean(), abs=5 * seen.std() / 600
        )


@pytest.mark.parametrize(("activation", "drift"), [("relu", -0.042), ("tanh", -0.059)])
def test_an_average_step_at_a_right_angle_goes_along_u_only_with_two_looks(activation, drift):
    """One step of many neurons in d = 400, against γ E T(y) z; without a second look it is 0."""
    d, count, gamma = 400, 400_000, 1e-4
    draws = draw_online(resolve_target(CUBIC, 1), d, 0.0, (1, count), np.random.default_rng(2))
    once, twice = (follow(np.zeros(count), draws, gamma, rho, activation) / gamma for rho in (0.0, 0.2 / d))
    assert abs(once.mean()) < 4 * once.std() / np.sqrt(count)
    predicted = np.mean(effective_label(draws.y[0, ::40], 0.2, activation, 201) * draws.z[0, ::40])
    assert twice.mean() == pytest.approx(drift, abs=4 * twice.std() / np.sqrt(count))
    assert predicted == pytest.approx(drift, abs=0.04)


@pytest.mark.parametrize("overlap", [0.1, 0.3, 0.6])
def test_one_look_of_tanh_sees_the_cubic_in_proportion_to_the_square_of_its_overlap(overlap):
    """E y z tanh′(w·x), less its part along w, by quadrature over z and the other direction: c m² (1 − m²) near 0."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(80)
    z, s = np.meshgrid(nodes, nodes, indexing="ij")
    w = np.outer(weights, weights) / weights.sum() ** 2
    y = (z**3 - 3 * z) / np.sqrt(6)

    def drift(m):
        at = m * z + np.sqrt(1 - m * m) * s
        return np.sum(w * y * (z - m * at) / np.cosh(at) ** 2)

    coefficient = np.sum(w * (s**3 - 3 * s) / np.sqrt(6) * np.tanh(s))  # of He₃/√6 in tanh
    assert drift(0) == pytest.approx(0, abs=1e-9)
    assert drift(overlap) == pytest.approx(3 * coefficient * overlap**2 * (1 - overlap**2), abs=1e-3)
    assert coefficient < -0.05


@pytest.mark.parametrize("overlap", [0.0, 0.3, 0.9])
@pytest.mark.parametrize(("target", "sees"), [(CUBIC, False), ("He4(z1)/sqrt(24)", True)])
def test_one_look_of_a_relu_sees_no_odd_target_at_any_overlap(overlap, target, sees):
    """E y z 1{w·x > 0} by quadrature in z and the other direction: ½ E y z = 0 for odd y, whatever w·u is."""
    z, weights = np.polynomial.hermite_e.hermegauss(60)
    y = resolve_target(target, 1)(z[:, None])
    share = ndtr(overlap * z / np.sqrt(1 - overlap**2))  # of the inputs with this z for which the neuron is on
    drift = np.sum(weights * y * z * share) / weights.sum()
    assert (abs(drift) > 1e-3) == (sees and overlap > 0)


def test_a_first_look_that_fits_its_sample_leaves_nothing_for_the_second():
    draws = OnlineDraws(*(np.full((1, 1), value) for value in (0.5, 1.0, 98.75, 0.7)))  # ‖x‖² = 100
    assert follow(np.zeros(1), draws, 0.01, 0.01, "relu")[0] == pytest.approx(0, abs=1e-12)
