"""Polynomials in LaTeX: as they were typed, and in the Hermite basis."""

from __future__ import annotations

import ast
import re

from featdash.theory.polynomial import Coefficients

SUM, SIGNED, PRODUCT, POWER, ATOM = range(5)  # from loose to tight
MOST_TERMS_SHOWN = 8


def typed_latex(tree: ast.expr) -> str:
    """LaTeX of a tree from `read_expression`, in the visitor's own order, quotients as fractions."""
    return _rendered(tree)[0]


def hermite_latex(expansion: Coefficients) -> str:
    """LaTeX of an expansion {a: h_a} in prod_i He_{a_i}(z_i), lowest degree first, coefficients to three digits.

    At most eight terms are written out; the rest are counted.
    """
    ordered = sorted(expansion.items(), key=lambda term: (sum(term[0]), [-power for power in term[0]]))
    latex = ""
    for degrees, coefficient in ordered[:MOST_TERMS_SHOWN]:
        factors = r" \, ".join(_hermite(degree, i + 1) for i, degree in enumerate(degrees) if degree)
        size = _figures(abs(coefficient), 3)
        term = factors if factors and size == "1" else rf"{size} \, {factors}" if factors else size
        sign = "-" if coefficient < 0 else "+"
        latex += f" {sign} {term}" if latex else f"{'-' if coefficient < 0 else ''}{term}"
    left = len(ordered) - MOST_TERMS_SHOWN
    return latex + (rf" + \cdots \text{{ ({left} more terms)}}" if left > 0 else "") or "0"


def _hermite(degree: int, variable: int) -> str:
    return f"z_{{{variable}}}" if degree == 1 else rf"\mathrm{{He}}_{{{degree}}}(z_{{{variable}}})"


def _figures(value: float, digits: int) -> str:
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _bracketed(node: ast.expr, least: int) -> str:
    """The node's LaTeX, in brackets where it binds less tightly than `least`."""
    latex, level = _rendered(node)
    return latex if level >= least else rf"\left({latex}\right)"


def _rendered(node: ast.expr) -> tuple[str, int]:
    """LaTeX and how tightly its outermost operation binds."""
    match node:
        case ast.Constant(value=int() | float() as value):
            latex = _figures(value, 6)
            return latex, PRODUCT if "cdot" in latex else ATOM
        case ast.Name(id=name):
            return f"z_{{{name[1:]}}}", ATOM
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return rf"\sqrt{{{_rendered(argument)[0]}}}", ATOM
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return rf"\mathrm{{He}}_{{{name[2:]}}}\left({_rendered(argument)[0]}\right)", ATOM
        case ast.UnaryOp(op=operation, operand=operand):
            sign = "-" if isinstance(operation, ast.USub) else "+"
            return sign + _bracketed(operand, PRODUCT), SIGNED
        case ast.BinOp(left=left, op=operation, right=right):
            return _operation(left, operation, right)
    raise AssertionError(f"the parser lets no {type(node).__name__} through")


def _operation(left: ast.expr, operation: ast.operator, right: ast.expr) -> tuple[str, int]:
    match operation:
        case ast.Add():
            return f"{_bracketed(left, SUM)} + {_bracketed(right, PRODUCT)}", SUM
        case ast.Sub():
            return f"{_bracketed(left, SUM)} - {_bracketed(right, PRODUCT)}", SUM
        case ast.Mult():
            after = _bracketed(right, PRODUCT)
            sign = r" \cdot " if re.match(r"(\\frac\{)?\d", after) else r" \, "  # «2 ½» would be read as 2.5
            before = _bracketed(left, SIGNED)
            return before + sign + after, SIGNED if before[0] in "+-" else PRODUCT
        case ast.Div():
            return rf"\frac{{{_rendered(left)[0]}}}{{{_rendered(right)[0]}}}", PRODUCT
    return f"{_bracketed(left, ATOM)}^{{{_rendered(right)[0]}}}", POWER
