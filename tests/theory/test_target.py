"""Targets: what is said about f* against quadrature, Monte Carlo and the meaning of the words."""

import itertools
import json
import math

import numpy as np
import pytest
from numpy.polynomial import hermite_e

from featdash.tasks.gaussian import random_directions
from featdash.theory.gradient_series import gradient_series
from featdash.theory.target import TARGETS, PolynomialTarget, number_of_variables, resolve_target

FIGURE_1 = "He2(z1)/2 + He4(z1)/(4*sqrt(3))"
FORMULAS = [
    *(story.expression for story in TARGETS.values()),
    "(z1+z2)**2",
    "z1*(z1 - 2*z2)**2 + z3 + 1",
    "He4((z1+z2)/sqrt(2))",
]


def grid(k: int, points: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """Product quadrature of E under N(0, I_k), exact to degree 13 in each variable: nodes (q, k), weights (q,)."""
    nodes, weights = hermite_e.hermegauss(points)
    weights = weights / math.sqrt(2 * math.pi)
    Z = np.array(list(itertools.product(nodes, repeat=k)))
    return Z, np.prod(np.array(list(itertools.product(weights, repeat=k))), axis=1)


def gradients(target: PolynomialTarget, X: np.ndarray, step: float = 1e-4) -> np.ndarray:
    """Central differences of f* at each row: (n, d)."""
    moves = step * np.eye(target.d)
    return np.stack([(target(X + move) - target(X - move)) / (2 * step) for move in moves], axis=1)


@pytest.mark.parametrize("name", TARGETS)
def test_every_named_target_has_unit_energy_and_a_story(name):
    story = TARGETS[name]
    target = PolynomialTarget.from_expression(story.expression, d=10)
    Z, weights = grid(number_of_variables(name))
    X = np.concatenate([Z, np.zeros((len(Z), 10 - Z.shape[1]))], axis=1)
    assert weights @ target(X) ** 2 == pytest.approx(1, abs=1e-12)
    assert target.second_moment == pytest.approx(1, abs=1e-12)
    assert story.name == name
    assert story.title
    assert story.story.endswith(".")


@pytest.mark.parametrize(("name", "kind", "rank"), [
    ("figure-1", "full", 1), ("transfer", "none", 1), ("pretrain", "full", 1), ("rank-2", "full", 2),
    ("rank-3", "full", 3), ("product", "full", 2), ("half-seen", "partial", 2), ("linear", "full", 2),
    ("quadratic", "full", 1), ("parity", "none", 3),
])  # fmt: skip
def test_one_step_sees_of_a_named_target_what_its_story_says(name, kind, rank):
    verdict = resolve_target(name, 10).one_step_verdict
    assert (verdict.kind, verdict.rank) == (kind, rank)


def test_the_strong_linear_part_is_as_strong_as_its_story_says():
    assert resolve_target("linear", 10).energy_by_degree[1] == pytest.approx(0.64)


def test_figure_1_target():
    target = PolynomialTarget.from_expression(FIGURE_1, d=10)
    x = np.random.default_rng(0).standard_normal((50, 10))
    z = x[:, 0]
    np.testing.assert_allclose(target(x), (z**2 - 1) / 2 + (z**4 - 6 * z**2 + 3) / (4 * math.sqrt(3)), atol=1e-12)
    np.testing.assert_allclose(target.energy_by_degree, [0, 0, 0.5, 0, 0.5], atol=1e-12)
    np.testing.assert_allclose(target.hessian, np.diag([1.0] + 9 * [0.0]), atol=1e-12)
    assert (target.degree, target.rank, target.hessian_rank, target.information_exponent) == (4, 1, 1, 2)
    assert target.condition_number == pytest.approx(1)
    assert target.one_step_verdict.kind == "full"


@pytest.mark.parametrize("formula", FORMULAS)
def test_energies_are_the_second_moments_of_the_components(formula):
    target = PolynomialTarget.from_expression(formula, d=3)
    X, weights = grid(3)
    parts = target.components(X)
    np.testing.assert_allclose(parts.sum(axis=1), target(X), atol=1e-9)
    products = (parts * weights[:, None]).T @ parts
    np.testing.assert_allclose(products, np.diag(target.energy_by_degree), atol=1e-9)
    assert target.second_moment == pytest.approx(weights @ target(X) ** 2)
    assert target.energy_by_degree[0] == pytest.approx((weights @ target(X)) ** 2)


@pytest.mark.parametrize("formula", FORMULAS)
def test_subspace_is_the_span_of_the_expected_gradient_products(formula):
    """E ∇f ∇fᵀ by quadrature of central differences, whose own error is about 1e-6 here; rotated directions."""
    U = random_directions(3, 3, np.random.default_rng(1))
    target = PolynomialTarget.from_expression(formula, 3, U)
    X, weights = grid(3)
    slopes = gradients(target, X)
    values, vectors = np.linalg.eigh((slopes * weights[:, None]).T @ slopes)
    kept = vectors[:, values > 1e-6 * values.max()]
    assert target.rank == kept.shape[1]
    np.testing.assert_allclose(target.subspace @ target.subspace.T, np.eye(target.rank), atol=1e-12)
    np.testing.assert_allclose(target.subspace.T @ target.subspace, kept @ kept.T, atol=1e-4)


@pytest.mark.parametrize("formula", FORMULAS)
def test_hessian_is_the_expected_second_derivative(formula):
    """Stein: E ∇² f = E f(x) (x xᵀ - I), by quadrature in rotated coordinates."""
    U = random_directions(3, 3, np.random.default_rng(2))
    target = PolynomialTarget.from_expression(formula, 3, U)
    X, weights = grid(3)
    stein = np.einsum("n,ni,nj->ij", weights * target(X), X, X) - (weights @ target(X)) * np.eye(3)
    np.testing.assert_allclose(target.hessian, stein, atol=1e-9)
    if target.condition_number is None:
        assert np.linalg.matrix_rank(stein, tol=1e-7) < target.rank
    else:
        pseudo = np.linalg.norm(np.linalg.pinv(stein, rcond=1e-7), ord=2)
        assert target.condition_number == pytest.approx(pseudo / math.sqrt(target.rank))


def test_directions_that_merge_lower_the_rank():
    target = PolynomialTarget.from_expression("(z1+z2)**2", d=5)
    assert target.rank == 1
    np.testing.assert_allclose(target.subspace, [[math.sqrt(0.5), math.sqrt(0.5), 0, 0, 0]], atol=1e-12)
    assert PolynomialTarget.from_expression("z3*z1", d=5).subspace.tolist() == np.eye(5)[[0, 2]].tolist()
    assert PolynomialTarget.from_expression("He10((z1+z2+z3)/sqrt(3))", d=3).rank == 1
    assert PolynomialTarget.from_expression("He10((z1+z2+z3)/sqrt(3))", d=3).information_exponent == 10


def test_a_rotated_target_is_the_same_polynomial_of_rotated_inputs():
    U = random_directions(3, 20, np.random.default_rng(3))
    X = np.random.default_rng(4).standard_normal((100, 20))
    rotated = resolve_target("rank-3", 20, U)
    np.testing.assert_allclose(rotated(X), resolve_target("rank-3", 3)(X @ U.T), atol=1e-10)
    np.testing.assert_array_equal(rotated.subspace, U)


def test_values_do_not_depend_on_how_rows_are_cut():
    U = random_directions(3, 20, np.random.default_rng(3))
    target = resolve_target("rank-3", 20, U)
    X = np.random.default_rng(5).standard_normal((20_000, 20))
    pieces = np.concatenate([target(X[:1]), target(X[1:7000]), target(X[7000:])])
    np.testing.assert_array_equal(pieces, target(X))


def test_energy_agrees_with_samples():
    """10 standard dimensions, 10^5 samples, five standard errors of the mean of f²."""
    target = resolve_target("rank-3", 10)
    squares = target(np.random.default_rng(6).standard_normal((100_000, 10))) ** 2
    assert abs(squares.mean() - 1) < 5 * squares.std() / math.sqrt(len(squares))


@pytest.mark.parametrize(
    ("formula", "kind", "says"),
    [
        ("He2(z1)", "full", "rank 1 of r = 1"),
        ("z1/sqrt(2) + He2(z2)/2", "full", "rank 1 of r = 2, and the rest is linear"),
        ("z1 + 2*z2", "none", "linear"),
        ("He3(z1)", "none", "every term of the expected gradient is exactly 0 at b = 0"),
        ("z1*z2*z3", "none", "exactly 0"),
        ("He4(z1)", "faint", "show 1 more, from more samples"),
        ("He2(z1)*He2(z2)/2", "faint", "to leading order, at n ≍ d² samples, one step sees nothing"),
        ("He4(z1) + He3(z2)", "faint", "show 1 more"),
        ("He2(z1) + He3(z2) + He3(z3)", "partial", "sees 1 of the 3 directions that bend and misses 2; no term"),
        ("He2(z1) + He4(z2)", "partial", "misses 1; the smaller terms beyond (even degrees from 4 on) show 1 more"),
        ("He2(z1) - He2(z2) + He3(z1+z2)", "full", "rank 2 of r = 2"),
    ],
)
def test_verdict_follows_the_rank_of_the_hessian(formula, kind, says):
    verdict = PolynomialTarget.from_expression(formula, d=4).one_step_verdict
    assert verdict.kind == kind
    assert says in verdict.sentence


def test_verdict_is_what_the_population_gradient_has():
    """«none» where it is exactly 0, «faint» where its leading term alone is; kept biases leave a gradient of He3."""
    start = np.random.default_rng(0).standard_normal((50, 6)), np.ones(50)
    for formula in ("He3(z1)", "z1*z2*z3", "He5(z1) + He3(z2)", "He4(z1)", "He2(z1)*He2(z2)", "He3(z1) + He4(z1)"):
        target = PolynomialTarget.from_expression(formula, d=6)
        for biases, b in (("redrawn", None), ("kept", np.full(50, 0.7))):
            gradient = gradient_series(target, *start, b).total()
            inside = np.linalg.matrix_rank(gradient @ target.subspace.T, tol=1e-12)
            verdict = target.verdict_on_step(biases)
            assert target.hessian_rank == 0
            assert verdict.kind == ("faint" if gradient.any() else "none")
            assert (inside == 0) == (verdict.kind == "none")
    assert PolynomialTarget.from_expression("He3(z1)", d=6).verdict_on_step("kept").kind == "faint"


def test_rounding_leaves_no_phantom_terms():
    target = PolynomialTarget.from_expression("sqrt(2)**2*z1**3 - 2*z1**3 + z1", d=2)
    assert (target.degree, target.rank) == (1, 1)
    even = PolynomialTarget.from_expression("He8((z1+z2)/sqrt(2))", d=2)
    assert np.count_nonzero(even.energy_by_degree) == 1


def test_summary_numbers_are_plain_json():
    target = resolve_target("transfer", 10)
    summary = [target.degree, target.rank, target.hessian_rank, target.information_exponent, target.second_moment]
    assert json.loads(json.dumps([*summary, target.condition_number]))[-1] is None


@pytest.mark.parametrize(
    ("formula", "d", "says"),
    [
        ("3", 4, "constant '3'; add a term"),
        ("z1 - z1", 4, "constant"),
        ("1e-9*z1", 4, "scale it up"),
        ("z5", 4, "d must be at least 5, .* got 4; raise d"),
        ("rank-4", 4, "names"),
    ],
)
def test_targets_that_make_no_sense_are_refused(formula, d, says):
    with pytest.raises(ValueError, match=says):
        resolve_target(formula, d)


@pytest.mark.parametrize(
    "directions", [np.eye(2, 5), np.eye(1, 4), np.ones((2, 4)), np.full((2, 4), np.nan), np.eye(4)[0]]
)
def test_directions_that_do_not_fit_are_refused(directions):
    with pytest.raises(ValueError, match="directions must have"):
        PolynomialTarget.from_expression("z1*z2", 4, directions)


def test_inputs_of_another_dimension_are_refused():
    with pytest.raises(ValueError, match=r"X must have shape \(n, 10\), got \(5, 3\)"):
        resolve_target("figure-1", 10)(np.zeros((5, 3)))
