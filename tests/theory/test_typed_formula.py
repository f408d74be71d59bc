"""Formulas as they are typed: products get their sign, all else stays, and what could mean two things is refused."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.polynomial import hermite_e

from featdash.theory.expression import read_expression
from featdash.theory.polynomial import polynomial_of
from featdash.theory.targets import TARGETS
from featdash.theory.typed_formula import write_out

POINTS = np.random.default_rng(0).uniform(-2, 2, size=(3, 7))
SUPERSCRIPTS, SUBSCRIPTS = "⁰¹²³⁴⁵⁶⁷⁸⁹", "₀₁₂₃₄₅₆₇₈₉"
NUMBERS = [("", 1.0), ("0.5", 0.5), ("3", 3.0), ("1/2", 0.5), ("√2", math.sqrt(2)), ("2√3", math.sqrt(12))]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("z1 z2", "z1*z2"),
        ("z1z2", "z1*z2"),
        ("z₁z₂²z_3", "z₁*z₂²*z3"),
        ("0.5 z1^3", "0.5*z1^3"),
        ("2z1 - 3 z2", "2*z1 - 3*z2"),
        ("He₂(z₁)He3(z2)", "He₂(z₁)*He3(z2)"),
        ("z1(z2 + 1)", "z1*(z2 + 1)"),
        ("(z1)(z2)", "(z1)*(z2)"),
        ("z1^2 z2", "z1^2*z2"),
        ("1/2 z1 z2", "1/2*z1*z2"),
        ("He2(z1)/2 z2", "He2(z1)/2*z2"),
        ("z1/-2 z2", "z1/-2*z2"),
        ("2²z1¹⁰", "2²*z1^10"),
        ("√2z1 + z2√3", "√2*z1 + z2*√3"),
        ("2 sqrt(6) z1", "2*sqrt(6)*z1"),
        ("z1²(3)", "z1²*(3)"),
        ("1/(2)z1", "1/(2)*z1"),
        ("1e-1z1", "1e-1*z1"),
        ("((z1 2", "((z1 2"),
        ("z1 is 2", "z1 is 2"),
        ("+-+", "+-+"),
        ("1 2", "1 2"),
        (" z1 - -2 * z2\n", " z1 - -2 * z2\n"),
        ("He2(z1)/2 + He4(z1)/4√3", "He2(z1)/2 + He4(z1)/4√3"),
        *((name, name) for name in TARGETS),
        *((target.expression, target.expression) for target in TARGETS.values()),
    ],
)
def test_a_product_gets_its_sign_and_all_else_stays_letter_by_letter(typed, kept):
    assert write_out(typed) == kept
    assert write_out(kept) == kept


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("z1 2", "write z1*2 or z1^2"),
        ("(z1 + z2)2", "write (z1 + z2)*2 or (z1 + z2)^2"),
        ("He₂(z₁) 3", "write He₂(z₁)*3 or He₂(z₁)^3"),
        ("z₁2", "write z₁*2 or z₁^2"),
        ("z1²3", "write z1²*3"),
        ("z1 2.5", "write z1*2.5"),
        ("2 3 z1", "write 2*3"),
        ("z1 " + "9" * 150, "write z1*" + "9" * 150),
        ("z12", "write z1*z2 or z1*2 for a product, z1^2 for a power"),
        ("He2 z1", "write He2(z1)"),
        ("He₂z₃", "write He2(z3)"),
        ("He2 3", "write He2(z1)"),
        ("sqrt 3", "write sqrt(3)"),
        ("z1/2(3)", "write /(2*(3)) or /2*(3)"),
        ("z1/4 sqrt(3)", "write /(4*sqrt(3)) or /4*sqrt(3)"),
        ("z1/2²√3", "write /(2²*√3) or /2²*√3"),
        ("z1^2(3)", "write ^(2*(3)) or ^2*(3)"),
        ("z1/(2 + sqrt(2 + 5 - 4 + 3 - 2))(3)", "write * and brackets"),
        (f"({'z1 + ' * 9}z2)2", "write * or ^ between them"),
    ],
)
def test_what_could_mean_two_things_is_refused_with_the_form_to_type(text, form):
    with pytest.raises(ValueError, match=r"^pretraining must .*, got '.*'; ") as refusal:
        write_out(text, "pretraining")
    assert str(refusal.value).endswith(f"; {form}")


def powers_typed(base: str, power: int) -> list[str]:
    superscript = "".join(SUPERSCRIPTS[int(digit)] for digit in str(power))
    return [base + superscript, f"{base}^{power}", f"{base}**{power}", *([base] if power == 1 else [])]


@st.composite
def typed_products(draw):
    """A product as a visitor may type it, without signs where none is needed, and its values at POINTS."""
    number, value = draw(st.sampled_from(NUMBERS))
    parts, values = [number] if number else [], np.full(POINTS.shape[1], value)
    for _ in range(draw(st.integers(0 if parts else 1, 3))):
        i, k, power = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 3))
        name = draw(st.sampled_from([f"z{i}", f"z{SUBSCRIPTS[i]}", f"z_{i}"]))
        hermite = draw(st.sampled_from([f"He{k}", f"He{SUBSCRIPTS[k]}", f"He_{k}"]))
        z = POINTS[i - 1]
        text, factor = draw(
            st.sampled_from(
                [
                    *((text, z**power) for text in powers_typed(name, power)),
                    *((text, (z - 2) ** power) for text in powers_typed(f"({name} - 2)", power)),
                    (f"{hermite}({name})", hermite_e.hermeval(z, [0] * k + [1])),
                ]
            )
        )
        parts.append(text)
        values = values * factor
    return "".join(part + draw(st.sampled_from(["", " ", "*", "·"])) for part in parts[:-1]) + parts[-1], values


@settings(deadline=None, max_examples=100)
@given(st.lists(typed_products(), min_size=1, max_size=3), st.sampled_from([" + ", "-"]))
def test_products_without_a_sign_evaluate_to_what_the_text_says(products, sign):
    text = sign.join(typed for typed, _ in products)
    values = sum((1 if sign == " + " or not place else -1) * one for place, (_, one) in enumerate(products))
    try:
        coefficients = polynomial_of(read_expression(write_out(text)))
    except ValueError as refusal:
        assert "degree 10 at most" in str(refusal)  # noqa: PT017  the only rule that such a text can break
        return
    terms = [c * math.prod(POINTS[i] ** k for i, k in enumerate(exponents)) for exponents, c in coefficients.items()]
    # a factor is at most 4³ in size, its coefficients' absolute values at most as much: 3 · 3.5 · 4⁹ times rounding
    np.testing.assert_allclose(sum(terms), values, rtol=0, atol=3 * 3.5 * 4**9 * 1e-14)


SCRAPS = ["z1", "z2", "z₃", "z_4", "z", "He2(", "He₃(z₁)", "He", "sqrt(", "√", "√3", "4√3", "(", ")", "2", "0.5", "1e3"]
SCRAPS += ["^", "**", "*", "·", "/", "+", "-", "²", "¹⁰", "₂", " ", "\n", ".", ",", "x", "__import__", "\0"]


@settings(deadline=None, max_examples=200)
@given(st.one_of(st.text(max_size=40), st.lists(st.sampled_from(SCRAPS), max_size=30).map("".join)))
def test_any_text_is_written_out_once_and_for_all_or_refused_in_one_sentence(text):
    try:
        kept = write_out(text)
    except ValueError as refusal:
        message = str(refusal)
        assert message.startswith("target must ")
        assert "; write " in message
        with pytest.raises(ValueError, match="target must "):
            polynomial_of(read_expression(text))
        return
    assert write_out(kept) == kept
    if kept != text and not any(digits in text for digits in ("¹⁰", "²²", "²¹")):
        with pytest.raises(ValueError, match="target must "):
            polynomial_of(read_expression(text))  # what is a formula already stays as it is
