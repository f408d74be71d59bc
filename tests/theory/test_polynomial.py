"""The parser: it computes what the text says, or refuses in one sentence, whatever the text."""

import math
import operator
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import hermite_e

from featdash.theory.expression import hermite_latex, read_expression, typed_latex
from featdash.theory.polynomial import LARGEST, MOST_TERMS, degree_of, hermite_expansion, polynomial_of

POINTS = np.random.default_rng(0).uniform(-2, 2, size=(3, 7))


def evaluated(coefficients: dict, basis=lambda z, k: z**k) -> np.ndarray:
    """sum c prod_i basis(z_i, a_i) at POINTS."""
    total = np.zeros(POINTS.shape[1])
    for exponents, c in coefficients.items():
        total += c * math.prod(basis(POINTS[i], k) for i, k in enumerate(exponents))
    return total


def he(z: np.ndarray, k: int) -> np.ndarray:
    return hermite_e.hermeval(z, [0] * k + [1])


class Formula(NamedTuple):
    """A drawn text with its values at POINTS; `degree` and `size` bound the degree and the sum of absolute
    coefficients of the formula and of all its parts, so that a formula within the caps must parse."""

    text: str
    values: np.ndarray
    degree: int
    size: float


NUMBERS = st.integers(0, 9).map(lambda c: Formula(str(c), np.full(7, float(c)), 0, max(c, 1)))
VARIABLES = st.integers(1, 3).map(lambda i: Formula(f"z{i}", POINTS[i - 1], 1, 1))


def joined(left: Formula, sign: str, right: Formula) -> Formula:
    operation, degree, size = {
        "+": (operator.add, max(left.degree, right.degree), left.size + right.size),
        " - ": (operator.sub, max(left.degree, right.degree), left.size + right.size),
        "*": (operator.mul, left.degree + right.degree, left.size * right.size),
    }[sign]
    return Formula(f"({left.text}{sign}{right.text})", operation(left.values, right.values), degree, size)


def raised(f: Formula, power: int) -> Formula:
    return Formula(f"({f.text})**{power}", f.values**power, f.degree * max(power, 1), f.size ** max(power, 1))


def inside_hermite(f: Formula, k: int) -> Formula:
    size = 10 * f.size ** max(k, 1)  # the absolute coefficients of He_0 ... He_4 sum to 10 at most
    return Formula(f"He{k}({f.text})", he(f.values, k), f.degree * max(k, 1), size)


def divided(f: Formula, c: int) -> Formula:
    return Formula(f"-{f.text}/sqrt({c})", -f.values / math.sqrt(c), f.degree, f.size)


def extended(formulas):
    return st.one_of(
        st.builds(joined, formulas, st.sampled_from(["+", " - ", "*"]), formulas),
        st.builds(raised, formulas, st.integers(0, 3)),
        st.builds(inside_hermite, formulas, st.integers(0, 4)),
        st.builds(divided, formulas, st.integers(2, 5)),
    )


FORMULAS = st.recursive(st.one_of(NUMBERS, VARIABLES), extended, max_leaves=6).filter(
    lambda f: f.degree <= 10 and f.size <= LARGEST and len(f.text) <= 200 and f.text.count("(") <= 20
)


@settings(deadline=None, max_examples=100)
@given(FORMULAS)
def test_coefficients_evaluate_to_what_the_text_says(formula):
    coefficients = polynomial_of(read_expression(formula.text))
    assert degree_of(coefficients) <= formula.degree
    rounding = 1e-11 * formula.size * 2**formula.degree  # |z| <= 2; a Hermite basis of degree 10 costs a factor of 1e4
    np.testing.assert_allclose(evaluated(coefficients), formula.values, rtol=0, atol=rounding)
    np.testing.assert_allclose(evaluated(hermite_expansion(coefficients), he), formula.values, rtol=0, atol=rounding)


SCRAPS = [
    *"z1z2z3()+-*/^.,e9 ",
    "He2(",
    "He10(",
    "sqrt(",
    "**",
    "z1",
    "z8",
    "z99",
    "1e9",
    "1e999",
    "²",
    "×",
    "__import__",
]
SCRAPPY = st.lists(st.sampled_from(SCRAPS), max_size=60).map("".join)


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.text(max_size=220), SCRAPPY, st.binary(max_size=80).map(lambda b: b.decode("latin-1"))))
def test_any_text_parses_within_the_caps_or_is_refused_in_one_sentence(text):
    try:
        coefficients = polynomial_of(read_expression(text))
    except ValueError as refusal:
        message = str(refusal)
        assert message.startswith("target must ")
        assert ", got " in message
        assert "; " in message
        assert "\n" not in message
        assert len(message) < 240
        return
    assert len(coefficients) <= MOST_TERMS
    assert degree_of(coefficients) <= 10
    assert all(math.isfinite(c) and 0 < abs(c) <= LARGEST for c in coefficients.values())
    tree = read_expression(text)
    latex = typed_latex(tree) + hermite_latex(hermite_expansion(coefficients))
    assert latex.count("{") == latex.count("}")
    assert latex.count(r"\left(") == latex.count(r"\right)")


@pytest.mark.parametrize(
    ("text", "offender"),
    [
        ("__import__('os')", "__import__"),
        ("9**9**9", "9 ** 9 ** 9"),
        ("z1**-1", "-1"),
        ("z1**z2", "z1 ** z2"),
        ("z1**0.5", "0.5"),
        ("1e999", "1e+09"),
        ("1e308*1e308*z1", "1e+308"),
        ("9" * 199, "9999"),
        ("z1/z2", "z1 / z2"),
        ("z1/(2-2)", "zero"),
        ("sqrt(z1)", "sqrt(z1)"),
        ("sqrt(0-4)", "sqrt(0 - 4)"),
        ("(" * 300, "300"),
        ("(" * 60 + "z1" + ")" * 60, "20 brackets"),
        ("-" * 190 + "z1", "150 parts"),
        ("", "nothing"),
        ("  \n ", "nothing"),
        ("z99", "z99"),
        ("z0", "z0"),
        ("foo(z1)", "foo"),
        ("nan*z1", "nan"),
        ("He11(z1)", "He11"),
        ("He2", "He2(z1)"),
        ("He2()", "one argument"),
        ("He2(z1, z2)", "one argument"),
        ("He2(*z1)", "*z1"),
        ("He2(**z1)", "one argument"),
        ("z1(z2)", "z1(z2)"),
        ("2z1", "2 z1"),
        ("z1 z2", "z1 z2"),
        ("(z1)(z2)", ") ("),
        ("z1, z2", "(z1, z2)"),
        ("z1 if z2 else z3", "'if'"),
        ("lambda: z1", "lambda"),
        ("z1.real", "'.'"),
        ("z1[0]", "'['"),
        ("0x10*z1", "x10"),
        ("1_000*z1", "_000"),
        ("2j*z1", "'j'"),
        ("007*z1", "007"),
        ("(z1", "left open"),
        ("z1)", "')'"),
        ("z1 +", "z1 +"),
        ("z1 // 2", "/ 2"),
        ("z1\0", "x00"),
        ("z1**6*z2**6", "degree 10 at most, got 12"),
        ("He4(He4(z1))", "degree 10 at most, got 16"),
        ("(z1+z2+z3+z4+z5+z6+z7+z8)**10", "400 terms"),
    ],
)
def test_refusals_name_the_offending_part(text, offender):
    with pytest.raises(ValueError, match=r"^target must ") as refusal:
        polynomial_of(read_expression(text))
    assert offender in str(refusal.value)


@pytest.mark.parametrize("value", [None, 3, b"z1", ["z1"]])
def test_what_is_not_text_is_refused(value):
    with pytest.raises(ValueError, match="target must be text"):
        polynomial_of(read_expression(value))


@pytest.mark.parametrize(
    ("spelt", "plain"),
    [
        ("z1^2 · z2 − 3×z1", "z1**2*z2 - 3*z1"),
        ("He₂(z₁)/2 + z₂³", "He2(z1)/2 + z2**3"),
        ("√(3)*z1 ÷ 2", "sqrt(3)*z1/2"),
        ("He₂(z1)/2 + He₄(z1)/(4√3)", "He2(z1)/2 + He4(z1)/(4*sqrt(3))"),
        ("He4(z1)/4√3", "He4(z1)/(4*sqrt(3))"),
        ("2√6*z1", "2*sqrt(6)*z1"),
        ("2 √(6)·z1 − √ 2", "2*sqrt(6)*z1 - sqrt(2)"),
        ("√(1+2)*z1", "sqrt(3)*z1"),
        ("2^2*z1\n + z2", "2**2*z1 + z2"),
        ("-z1**2", "0 - z1*z1"),
    ],
)
def test_other_spellings_mean_the_same(spelt, plain):
    assert polynomial_of(read_expression(spelt)) == polynomial_of(read_expression(plain))


def test_the_documented_example():
    assert polynomial_of(read_expression("z1**2*z2 + 3")) == {(2, 1): 1.0, (0, 0): 3.0}
    assert polynomial_of(read_expression("z1 - z1")) == {}


@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("He2(z1)/2", r"\frac{\mathrm{He}_{2}\left(z_{1}\right)}{2}"),
        ("z1 - (z2 - z3)", r"z_{1} - \left(z_{2} - z_{3}\right)"),
        ("(z1+z2)^2", r"\left(z_{1} + z_{2}\right)^{2}"),
        ("(z1**2)**3", r"\left(z_{1}^{2}\right)^{3}"),
        ("2*3*z1", r"2 \cdot 3 \, z_{1}"),
        ("2*(1/3)*z1", r"2 \cdot \frac{1}{3} \, z_{1}"),
        ("-(z1+z2)", r"-\left(z_{1} + z_{2}\right)"),
        ("z1 + -z2", r"z_{1} + \left(-z_{2}\right)"),
        ("-2*3*z1 - 4*-z2", r"-2 \cdot 3 \, z_{1} - 4 \, \left(-z_{2}\right)"),
        ("z1 + (z2 - z3)", r"z_{1} + \left(z_{2} - z_{3}\right)"),
        ("z1 + -2*z2", r"z_{1} + \left(-2 \, z_{2}\right)"),
        ("3e-5*z1", r"3 \cdot 10^{-5} \, z_{1}"),
        ("(3e-5)**2*z1", r"\left(3 \cdot 10^{-5}\right)^{2} \, z_{1}"),
    ],
)
def test_typed_latex_keeps_the_order_of_operations(text, latex):
    assert typed_latex(read_expression(text)) == latex


def test_hermite_latex_shows_the_expansion_and_counts_what_it_leaves_out():
    assert hermite_latex(hermite_expansion(polynomial_of(read_expression("z1**2")))) == r"1 + \mathrm{He}_{2}(z_{1})"
    assert hermite_latex(hermite_expansion(polynomial_of(read_expression("z2/3 - z1*z2**3")))) == (
        r"0.333 \, z_{2} - 3 \, z_{1} \, z_{2} - z_{1} \, \mathrm{He}_{3}(z_{2})"
    )
    assert hermite_latex({(1,): -2.0}) == r"-2 \, z_{1}"
    long = hermite_latex(hermite_expansion(polynomial_of(read_expression("(z1+z2+z3)**3"))))
    assert r"\text{ (5 more terms)}" in long
