"""Polynomials as coefficient dictionaries {exponents: coefficient}, and the safe parser that makes them from text.

`z1**2*z2 + 3` in two variables is {(2, 1): 1.0, (0, 0): 3.0}. Nothing is ever evaluated: each operation of
the syntax tree is done on dictionaries, and the size of what it gives is checked before the next one.
Gaussian moments are read from a Hermite expansion {a: h_a}, which is g(z) = sum_a h_a prod_i He_{a_i}(z_i), in the
probabilists' Hermite polynomials He_k, orthogonal under z ~ N(0, 1) with E He_j He_k = k! if j = k, else 0.
"""

from __future__ import annotations

import ast
import itertools
import math

import numpy as np
from numpy.typing import ArrayLike

from featdash.theory.expression import MOST_DEGREE, VARIABLE, quote_text, variables_of

MOST_TERMS = 400
LARGEST = 1e9  # of any coefficient, at any stage

Coefficients = dict[tuple[int, ...], float]


def polynomial_of(tree: ast.expr) -> Coefficients:
    """The coefficients of a tree from `read_expression`; every key has k entries, z_k the last variable used.

    Syntax: z1 ... z8, He0 ... He10 of a polynomial, sqrt of a number, + - *, / by a number, ** by a whole number.
    Degree at most 10, at most 400 terms, coefficients at most 1e9 in size, after every operation.

    Errors: ValueError, one sentence with the rule, the offending part and the remedy; never another exception.
    """
    return _polynomial(tree, max(variables_of(tree), 1))


def degree_of(polynomial: Coefficients) -> int:
    """The largest total degree among the terms; 0 for the zero polynomial."""
    return max((sum(exponents) for exponents in polynomial), default=0)


def hermite_expansion(polynomial: Coefficients) -> Coefficients:
    """The same polynomial in the tensor Hermite basis: {a: h_a} with f(z) = sum_a h_a prod_i He_{a_i}(z_i).

    E f² = sum_a h_a² prod_i a_i! under z ~ N(0, I).
    """
    expansion: Coefficients = {}
    for exponents, coefficient in polynomial.items():
        for factors in itertools.product(*(monomial_in_hermite(power) for power in exponents)):
            degrees = tuple(degree for degree, _ in factors)
            expansion[degrees] = expansion.get(degrees, 0.0) + coefficient * math.prod(c for _, c in factors)
    return expansion


def _polynomial(node: ast.expr, k: int) -> Coefficients:
    match node:
        case ast.Constant(value=int() | float() as value):
            result = {(0,) * k: float(value)}
        case ast.Name(id=name):
            result = _variable(name, k)
        case ast.UnaryOp(op=operation, operand=operand):
            result = _scale(_polynomial(operand, k), -1.0 if isinstance(operation, ast.USub) else 1.0)
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            result = _function(name, _polynomial(argument, k), node, k)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            result = _power(_polynomial(left, k), right, node, k)
        case ast.BinOp(left=left, op=operation, right=right):
            result = _combine(_polynomial(left, k), operation, _polynomial(right, k), node)
    return _check_size(result, node)


def _check_size(polynomial: Coefficients, node: ast.expr) -> Coefficients:
    """The polynomial without its zero terms, if it is small enough."""
    polynomial = {exponents: c for exponents, c in polynomial.items() if c != 0}
    if len(polynomial) > MOST_TERMS:
        part = quote_text(ast.unparse(node))
        raise ValueError(f"target must have at most {MOST_TERMS} terms, got more in {part}; lower a power")
    for coefficient in polynomial.values():
        if not abs(coefficient) <= LARGEST:
            part = quote_text(ast.unparse(node))
            raise ValueError(
                f"target must have coefficients of at most {LARGEST:g} in size, got more in {part}; scale it down"
            )
    return polynomial


def _check_degree(degree: int, node: ast.expr) -> None:
    """Asked before a product is computed, so that a huge one never is."""
    if degree > MOST_DEGREE:
        part = quote_text(ast.unparse(node))
        raise ValueError(f"target must have degree {MOST_DEGREE} at most, got {degree} in {part}; lower a power")


def _number(polynomial: Coefficients) -> float | None:
    """The value of a constant polynomial; None if it is not constant."""
    if degree_of(polynomial) > 0:
        return None
    return next(iter(polynomial.values()), 0.0)


def _variable(name: str, k: int) -> Coefficients:
    match = VARIABLE.fullmatch(name)
    if match is None:
        raise ValueError(
            f"target must give {name} an argument, got it bare; write {name}({'z1' if name != 'sqrt' else '2'})"
        )
    return {tuple(int(i == int(match[1]) - 1) for i in range(k)): 1.0}


def _scale(polynomial: Coefficients, factor: float) -> Coefficients:
    return {exponents: factor * c for exponents, c in polynomial.items()}


def _sum(left: Coefficients, right: Coefficients) -> Coefficients:
    return {exponents: left.get(exponents, 0.0) + right.get(exponents, 0.0) for exponents in left | right}


def _product(left: Coefficients, right: Coefficients, node: ast.expr) -> Coefficients:
    """At most 400 × 400 additions, because both factors have passed `_check_size`."""
    _check_degree(degree_of(left) + degree_of(right), node)
    product: Coefficients = {}
    for a, x in left.items():
        for b, y in right.items():
            exponents = tuple(map(int.__add__, a, b))
            product[exponents] = product.get(exponents, 0.0) + x * y
    return _check_size(product, node)


def _combine(left: Coefficients, operation: ast.operator, right: Coefficients, node: ast.expr) -> Coefficients:
    match operation:
        case ast.Add():
            return _sum(left, right)
        case ast.Sub():
            return _sum(left, _scale(right, -1.0))
        case ast.Mult():
            return _product(left, right, node)
    divisor, part = _number(right), quote_text(ast.unparse(node))
    if divisor is None:
        raise ValueError(
            f"target must divide only by numbers, got {part}; a polynomial has no such quotient, so multiply instead"
        )
    if divisor == 0:
        raise ValueError(f"target must not divide by zero, got {part}; change the divisor")
    return {exponents: c / divisor for exponents, c in left.items()}


def _power(base: Coefficients, exponent: ast.expr, node: ast.expr, k: int) -> Coefficients:
    part = quote_text(ast.unparse(node))
    power = exponent.value if isinstance(exponent, ast.Constant) else None
    if not isinstance(power, int) or power > MOST_DEGREE:
        remedy = "write such a power, or sqrt(2) for a root"
        raise ValueError(f"target must use whole numbers from 0 to {MOST_DEGREE} as powers, got {part}; {remedy}")
    _check_degree(degree_of(base) * power, node)
    result = {(0,) * k: 1.0}
    for _ in range(power):
        result = _product(result, base, node)
    return result


def _function(name: str, argument: Coefficients, node: ast.expr, k: int) -> Coefficients:
    if name == "sqrt":
        value = _number(argument)
        if value is None or value < 0:
            part = quote_text(ast.unparse(node))
            raise ValueError(f"target must take sqrt only of numbers from 0 up, got {part}; write sqrt(2) or the like")
        return {(0,) * k: math.sqrt(value)}
    degree = int(name.removeprefix("He"))
    _check_degree(degree * degree_of(argument), node)
    before: Coefficients = {}
    current: Coefficients = {(0,) * k: 1.0}
    for j in range(degree):
        following = _sum(_product(argument, current, node), _scale(before, -float(j)))
        before, current = current, _check_size(following, node)
    return current


def squared_norm(degrees: tuple[int, ...]) -> int:
    """E (prod_i He_{a_i}(z_i))² = prod_i a_i!."""
    return math.prod(map(math.factorial, degrees))


def gradient_factor(expansion: Coefficients) -> np.ndarray:
    """A matrix J (terms, k) with JᵀJ = E ∇g ∇gᵀ.

    Column i holds the Hermite coefficients of ∂_i g, each times its √(prod a!); the derivative of He_a is a He_{a-1}.
    """
    k = len(next(iter(expansion)))
    rows: dict[tuple[int, ...], np.ndarray] = {}
    for degrees, coefficient in expansion.items():
        for i in (i for i in range(k) if degrees[i]):
            lower = (*degrees[:i], degrees[i] - 1, *degrees[i + 1 :])
            rows.setdefault(lower, np.zeros(k))[i] += coefficient * degrees[i] * math.sqrt(squared_norm(lower))
    return np.array(list(rows.values())).reshape(-1, k)


def expected_hessian(expansion: Coefficients) -> np.ndarray:
    """E ∇² g, (k, k): 2 h_a at a = 2 e_i on the diagonal, h_a at a = e_i + e_j off it."""
    k = len(next(iter(expansion)))
    hessian = np.zeros((k, k))
    for degrees, coefficient in expansion.items():
        if sum(degrees) == 2:
            i, j = np.repeat(np.arange(k), degrees)
            hessian[i, j] = hessian[j, i] = 2 * coefficient if i == j else coefficient
    return hessian


def hermite_values(x: ArrayLike, degree: int) -> np.ndarray:
    """He_0(x) ... He_degree(x) by the recurrence He_{k+1} = x He_k - k He_{k-1}.

    x : any shape; result (degree + 1, *x.shape). Not normalised: He_k has variance k! under N(0, 1).
    """
    x = np.asarray(x, dtype=float)
    values = np.ones((degree + 1, *x.shape))
    if degree > 0:
        values[1] = x
    for k in range(1, degree):
        values[k + 1] = x * values[k] - k * values[k - 1]
    return values


def monomial_in_hermite(power: int) -> list[tuple[int, int]]:
    """The pairs (k, c) of x^power = sum_k c He_k(x): c = power! / (2^j j! k!) for power = k + 2j; exact integers."""
    return [
        (power - 2 * j, math.factorial(power) // (2**j * math.factorial(j) * math.factorial(power - 2 * j)))
        for j in range(power // 2 + 1)
    ]
