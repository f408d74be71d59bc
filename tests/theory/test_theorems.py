"""Theorems 1 to 3 with numbers in them: values by hand, conditions ticked only where they are known to hold."""

import math

import pytest

from featdash.tasks.gaussian import random_directions
from featdash.tasks.streams import stream
from featdash.theory.target import resolve_target
from featdash.theory.targets import TARGETS
from featdash.theory.theorem import FirstStep
from featdash.theory.theorems import theorem_1, theorem_2, theorem_3


def statuses(theorem):
    return {assumption.name: assumption.status for assumption in theorem.assumptions}


def test_theorem_1_by_hand():
    """rank-2: Hessian diag(0.8, 0.6), r = 2, p = 3, κ = 1/(0.6 √2)."""
    kappa = 1 / (0.6 * math.sqrt(2))
    found = theorem_1(resolve_target("rank-2", 16), n=40_000, m=500, noise=0.0)
    expected = [math.sqrt(16 * 8 * kappa**6 / 40_000), math.sqrt(8 * kappa**6 / 500), 40_000**-0.25]
    assert [term.value for term in found.terms] == pytest.approx(expected, rel=1e-12)
    assert found.bound == pytest.approx(sum(expected), rel=1e-12)
    assert statuses(found)["enough samples"] == "unknown"
    assert found.applies == "unknown"
    assert "up to a constant" in found.says


def test_too_few_samples_for_the_order_are_crossed():
    kappa_squared = 1 / (0.36 * 2)
    needed = 16**2 * kappa_squared * 2
    target = resolve_target("rank-2", 16)
    assert statuses(theorem_1(target, math.floor(needed), 500, 0.0))["enough samples"] == "fails"
    assert statuses(theorem_1(target, math.ceil(needed), 500, 0.0))["enough samples"] == "unknown"
    assert statuses(theorem_1(resolve_target("rank-3", 4), 10**6, 500, 0.0))["enough dimensions"] == "fails"


@pytest.mark.parametrize("name", TARGETS)
def test_assumption_2_is_ticked_where_the_hessian_has_full_rank(name):
    target = resolve_target(name, 12)
    theorem = theorem_1(target, 10_000, 1000, 1.0)
    full = target.hessian_rank == target.rank
    assert (statuses(theorem)["Assumption 2"] == "holds") == full
    assert (theorem.bound is not None) == full
    assert theorem.applies == ("unknown" if full else "fails")
    assert statuses(theorem)["unit energy"] == "holds"
    assert statuses(theorem_2(target, 100))["form"] != ("holds" if full else "fails")


@pytest.mark.parametrize(("expression", "status"), [
    ("He3(z1)/sqrt(6)", "holds"),
    ("He4(z1)/sqrt(24)", "holds"),
    ("(He3(z1) + 3*He2(z1)*z2 + 3*z1*He2(z2) + He3(z2))/sqrt(48)", "holds"),
    ("z1*z2*z3", "unknown"),
    ("z1", "unknown"),
    ("He2(z1)/2 + He3(z2)/sqrt(12)", "unknown"),
    ("He2(z1)/sqrt(2)", "fails"),
])  # fmt: skip
def test_theorem_2_is_stated_for_one_pure_degree_of_one_direction(expression, status):
    assert theorem_2(resolve_target(expression, 20), 1000).applies == status


def test_theorem_2_bounds_a_tolerance_and_calls_its_samples_a_heuristic():
    theorem = theorem_2(resolve_target("transfer", 16), 1000)
    assert r"\tau \;\le\; \tilde O\big(d^{-p/4}\big)" in theorem.statement
    for words in (theorem.statement, theorem.says):
        assert "heuristic" in words
    assert "correlational" in theorem.says
    assert "no other learner" in theorem.says
    assert "no such learner" not in theorem.says


@pytest.mark.parametrize(("step", "fails"), [
    (FirstStep(), set()),
    (FirstStep(eta=3.0), set()),
    (FirstStep(remove_linear=False), {"line 1"}),
    (FirstStep(biases="kept"), {"biases"}),
    (FirstStep(3.16, False, "kept"), {"line 1", "biases"}),
    (FirstStep(count=2), {"one ReLU step"}),
    (FirstStep(activation="log_cosh"), {"one ReLU step"}),
])  # fmt: skip
def test_how_the_run_takes_its_step_is_checked(step, fails):
    target = resolve_target("figure-1", 10)
    for theorem in (theorem_1(target, 10_000, 1000, 1.0, step), theorem_3(target, target, 10_000, 100, 99, 1.0, step)):
        found = statuses(theorem)
        assert {name for name, status in found.items() if status == "fails"} == fails
        assert found["step size"] == "unknown"
        assert theorem.applies == ("fails" if fails else "unknown")
        for name in fails or {"step size", "enough samples", "enough dimensions", "two-valued noise"}:
            assert name in theorem.assumption_results


def test_gaussian_noise_has_a_mean_absolute_value_below_its_standard_deviation():
    """E|ε| by Monte Carlo, 5 standard errors at 10⁶ draws; without noise nothing is said of it."""
    mean = abs(stream(0, "noise").standard_normal(1_000_000)).mean()
    assert mean == pytest.approx(0.80, abs=0.005)
    target = resolve_target("figure-1", 10)
    noisy, clean = theorem_1(target, 10_000, 1000, 2.0), theorem_1(target, 10_000, 1000, 0.0)
    assert "E|ε| = 0.80 ς" in noisy.says
    because = next(one.because for one in noisy.assumptions if one.name == "two-valued noise")
    assert "E|f − y| − ς = −0.404" in because
    assert "0.80" not in clean.says


def test_theorem_2_by_hand():
    assert theorem_2(resolve_target("transfer", 16), 1000).bound == pytest.approx(64.0)
    assert theorem_2(resolve_target("He4(z1)/sqrt(24)", 16), 1000).bound == pytest.approx(256.0)


def test_theorem_3_has_no_dimension_in_it():
    bounds = {
        theorem_3(resolve_target("pretrain", d), resolve_target("transfer", d), 10**6, 1000, 200, 0.0).bound
        for d in (10, 40, 160)
    }
    assert len(bounds) == 1
    assert bounds.pop() == pytest.approx(math.sqrt(1 / 200) + 200**-0.25)


def test_theorem_3_asks_for_the_same_subspace():
    seen = resolve_target("rank-2", 10)
    assert statuses(theorem_3(seen, resolve_target("z1*z2", 10), 10**4, 100, 100, 1.0))["same subspace"] == "holds"
    assert statuses(theorem_3(seen, resolve_target("z1*z3", 10), 10**4, 100, 100, 1.0))["same subspace"] == "fails"
    rotated = resolve_target("He2(z1)/2", 10, random_directions(1, 10, stream(0, "frame")))
    assert statuses(theorem_3(seen, rotated, 10**4, 100, 100, 1.0))["same subspace"] == "fails"


@pytest.mark.parametrize("name", TARGETS)
def test_latex_is_balanced_and_carries_the_numbers(name):
    target = resolve_target(name, 13)
    theorems = [
        theorem_1(target, 4321, 876, 0.5), theorem_2(target, 4321), theorem_3(target, target, 4321, 876, 99, 0.5),
    ]  # fmt: skip
    for theorem in theorems:
        for latex in (theorem.statement, theorem.with_numbers, *(each.latex for each in theorem.assumptions)):
            assert latex.count("{") == latex.count("}")
            assert latex.count(r"\left") == latex.count(r"\right")
            assert r"{1 \cdot" not in latex
        for assumption in theorem.assumptions:
            assert assumption.because.endswith(".")
    assert "4321" in theorems[0].with_numbers
    assert "876" in theorems[0].with_numbers
    assert "99" in theorems[2].with_numbers


def test_bad_values_are_refused_in_one_sentence():
    target = resolve_target("figure-1", 10)
    with pytest.raises(ValueError, match=r"^n must be at least 1, got 0; raise n$"):
        theorem_1(target, 0, 10, 1.0)
    with pytest.raises(ValueError, match=r"^N must be at least 1, got 0; raise N$"):
        theorem_3(target, target, 10, 10, 0, 1.0)
    with pytest.raises(ValueError, match=r"^noise must be a number from 0 up, got -1; use 0"):
        theorem_1(target, 10, 10, -1)
    with pytest.raises(ValueError, match=r"^d must be the same for both targets, got 10 and 11"):
        theorem_3(target, resolve_target("figure-1", 11), 10, 10, 10, 1.0)
