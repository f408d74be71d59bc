"""What a visitor types as a target: text -> a checked syntax tree, without evaluating anything; and targets in LaTeX.

The text is cut into tokens by an allow-list first, so that Python's parser only ever sees
numbers, z1 ... z8, He0 ... He10, sqrt, + - * / ** and brackets, of bounded length and depth.
In LaTeX polynomials stand as they were typed, or in the Hermite basis.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping

LONGEST = 200  # characters; the rule of every Spec that holds a target
DEEPEST_BRACKETS = 20
DEEPEST_TREE = 80  # a sum of 66 terms is a tree 66 deep; the recursion over it stays far from Python's limit
MOST_NODES = 150
MOST_VARIABLES = 8
MOST_DEGREE = 10

VARIABLE = re.compile(r"z([1-9]\d*)", re.ASCII)
HERMITE = re.compile(r"He(\d+)", re.ASCII)
TOKEN = re.compile(
    r"(?P<number>(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_]\w*)|(?P<mark>\*\*|[-+*/(),])|(?P<space>\s+)",
    re.ASCII,
)
NUMBER = r"(?:\d+\.?\d*|\.\d+)"
ROOT = re.compile(
    rf"(?:(?<![\w.])(?P<times>{NUMBER})\s*)?√\s*(?:(?P<bare>{NUMBER})|\(\s*(?P<inner>{NUMBER})\s*\))", re.ASCII
)
OPERATIONS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)
EXAMPLE = "He2(z1)/2 + z1*z2"
SUM, SIGNED, PRODUCT, POWER, ATOM = range(5)  # from loose to tight
MOST_TERMS_SHOWN = 8

_SPELLINGS = str.maketrans(
    {"·": "*", "×": "*", "∗": "*", "⋅": "*", "÷": "/", "−": "-", "–": "-", "^": "**", "√": "sqrt"}
    | {"²": "**2", "³": "**3", "⁴": "**4", "⁵": "**5", "⁶": "**6", "⁷": "**7", "⁸": "**8", "⁹": "**9"}
    | {subscript: str(digit) for digit, subscript in enumerate("₀₁₂₃₄₅₆₇₈₉")}
)


def quote_text(text: str) -> str:
    """A part of the visitor's text as it stands in an error: quoted, and cut where it is long."""
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def read_expression(text: str) -> ast.expr:
    """The syntax tree of a polynomial in z1 ... z8, made only of allowed nodes.

    `^`, `·`, `×`, `−`, `√`, superscript powers and subscript digits are understood as well; a number before a root is
    one quantity with it, as in print: He2(z1)/4√3 is He2(z1)/(4*sqrt(3)).
    Errors: ValueError, one sentence with the rule, the offending part and the remedy.
    """
    if not isinstance(text, str):
        raise ValueError(f"target must be text, got {quote_text(repr(text))}; write a formula such as {EXAMPLE}")
    if not text.strip():
        raise ValueError(f"target must be a polynomial, got nothing; write a formula such as {EXAMPLE}")
    if len(text) > LONGEST:
        raise ValueError(f"target must have at most {LONGEST} characters, got {len(text)}; shorten it")
    tokens = _tokens(text)
    _check_brackets(tokens)
    tree = _parse(" ".join(tokens))
    _check_size(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.expr):
            _check_node(node)
    return tree


def variables_of(tree: ast.expr) -> int:
    """The largest k such that z_k occurs; 0 if no variable does."""
    names = (VARIABLE.fullmatch(node.id) for node in ast.walk(tree) if isinstance(node, ast.Name))
    return max((int(match[1]) for match in names if match), default=0)


def _tokens(text: str) -> list[str]:
    """The tokens, names checked; two operands side by side are refused rather than multiplied."""
    tokens: list[str] = []
    spelt, at, previous = ROOT.sub(_root, text).translate(_SPELLINGS), 0, ""
    while at < len(spelt):
        match = TOKEN.match(spelt, at)
        if match is None:
            raise ValueError(
                f"target must use only numbers, names, + - * / ^ and brackets, got {spelt[at]!r}; remove it"
            )
        at, kind, token = match.end(), match.lastgroup, match[0]
        if kind == "space":
            continue
        if kind == "name":
            _check_name(token)
        bracket_after_number = token == "(" and previous == "operand"
        if bracket_after_number or (previous and kind in ("name", "number")):
            both = quote_text(f"{tokens[-1]} {token}")
            raise ValueError(f"target must have an operation between two parts, got {both}; write * between them")
        previous = "name" if kind == "name" else "operand" if kind == "number" or token == ")" else ""
        tokens.append(token)
    return tokens


def _root(match: re.Match) -> str:
    """√3, √(3) or 4√3 in letters; the space keeps it apart from a name before it."""
    root = f"sqrt({match['bare'] or match['inner']})"
    return f"({match['times']}*{root})" if match["times"] else f" {root}"


def _check_name(name: str) -> None:
    variable, hermite = VARIABLE.fullmatch(name), HERMITE.fullmatch(name)
    if variable and int(variable[1]) > MOST_VARIABLES:
        raise ValueError(f"target must use the variables z1 to z{MOST_VARIABLES}, got {quote_text(name)}; rename it")
    if hermite and (int(hermite[1]) > MOST_DEGREE or hermite[1] != str(int(hermite[1]))):
        raise ValueError(
            f"target must use the functions He0 to He{MOST_DEGREE}, got {quote_text(name)}; take a lower one"
        )
    if not (variable or hermite or name == "sqrt"):
        names = f"z1 to z{MOST_VARIABLES}, He0 to He{MOST_DEGREE} and sqrt"
        raise ValueError(f"target must use only the names {names}, got {quote_text(name)}; remove or rename it")


def _check_brackets(tokens: list[str]) -> None:
    """Before Python's parser sees them: it has limits of its own, with other errors."""
    open_now = 0
    for token in tokens:
        open_now += {"(": 1, ")": -1}.get(token, 0)
        if open_now > DEEPEST_BRACKETS:
            raise ValueError(f"target must nest at most {DEEPEST_BRACKETS} brackets, got more; remove some")
        if open_now < 0:
            raise ValueError("target must open every bracket it closes, got ')' too many; remove one")
    if open_now:
        raise ValueError(f"target must close every bracket, got {open_now} left open; add ')'")


def _parse(source: str) -> ast.expr:
    try:
        return ast.parse(source, mode="eval").body
    except SyntaxError as error:
        near = source[max((error.offset or 1) - 1, 0) :] or source
        raise ValueError(
            f"target must be a formula such as {EXAMPLE}, got a mistake near {quote_text(near)}; correct it there"
        ) from None


def _check_size(tree: ast.expr) -> None:
    nodes, depth, level = 0, 0, [tree]
    while level:
        nodes, depth = nodes + len(level), depth + 1
        level = [child for node in level for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]
    if nodes > MOST_NODES:
        raise ValueError(f"target must have at most {MOST_NODES} parts, got {nodes}; simplify it")
    if depth > DEEPEST_TREE:
        raise ValueError(f"target must nest at most {DEEPEST_TREE} operations, got {depth}; simplify it")


def _check_node(node: ast.expr) -> None:
    part = quote_text(ast.unparse(node))
    match node:
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=keywords):
            if VARIABLE.fullmatch(name):
                raise ValueError(f"target must not use {name} as a function, got {part}; write {name}*(...)")
            if len(arguments) != 1 or keywords:
                raise ValueError(f"target must give {name} one argument, got {part}; write {name}(2) or the like")
        case ast.BinOp(op=operation) if isinstance(operation, OPERATIONS):
            pass
        case ast.UnaryOp(op=ast.USub() | ast.UAdd()) | ast.Constant(value=int() | float()) | ast.Name():
            pass
        case _:
            raise ValueError(f"target must be a sum of products of powers, got {part}; use + - * / ** and brackets")


def typed_latex(tree: ast.expr) -> str:
    """LaTeX of a tree from `read_expression`, in the visitor's own order, quotients as fractions."""
    return _render(tree)[0]


def hermite_latex(expansion: Mapping[tuple[int, ...], float]) -> str:
    """LaTeX of an expansion {a: h_a} in prod_i He_{a_i}(z_i), lowest degree first, coefficients to three digits.

    At most eight terms are written out; the rest are counted.
    """
    terms = sorted(expansion.items(), key=lambda term: (sum(term[0]), [-power for power in term[0]]))
    latex = ""
    for degrees, coefficient in terms[:MOST_TERMS_SHOWN]:
        factors = r" \, ".join(_hermite(degree, i + 1) for i, degree in enumerate(degrees) if degree)
        size = _figures(abs(coefficient), 3)
        term = factors if factors and size == "1" else rf"{size} \, {factors}" if factors else size
        sign = "-" if coefficient < 0 else "+"
        latex += f" {sign} {term}" if latex else f"{'-' if coefficient < 0 else ''}{term}"
    rest = len(terms) - MOST_TERMS_SHOWN
    return latex + (rf" + \cdots \text{{ ({rest} more terms)}}" if rest > 0 else "") or "0"


def _hermite(degree: int, variable: int) -> str:
    return f"z_{{{variable}}}" if degree == 1 else rf"\mathrm{{He}}_{{{degree}}}(z_{{{variable}}})"


def _figures(value: float, digits: int) -> str:
    mantissa, _, exponent = f"{value:.{digits}g}".partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if exponent else mantissa


def _in_brackets(node: ast.expr, least: int) -> str:
    """The node's LaTeX, in brackets where it binds less tightly than `least`."""
    latex, level = _render(node)
    return latex if level >= least else rf"\left({latex}\right)"


def _render(node: ast.expr) -> tuple[str, int]:
    """LaTeX and how tightly its outermost operation binds."""
    match node:
        case ast.Constant(value=int() | float() as value):
            latex = _figures(value, 6)
            return latex, PRODUCT if "cdot" in latex else ATOM
        case ast.Name(id=name):
            return f"z_{{{name[1:]}}}", ATOM
        case ast.Call(func=ast.Name(id="sqrt"), args=[argument]):
            return rf"\sqrt{{{_render(argument)[0]}}}", ATOM
        case ast.Call(func=ast.Name(id=name), args=[argument]):
            return rf"\mathrm{{He}}_{{{name[2:]}}}\left({_render(argument)[0]}\right)", ATOM
        case ast.UnaryOp(op=operation, operand=operand):
            sign = "-" if isinstance(operation, ast.USub) else "+"
            return sign + _in_brackets(operand, PRODUCT), SIGNED
        case ast.BinOp(left=left, op=operation, right=right):
            return _operation(left, operation, right)
    raise AssertionError(f"the parser lets no {type(node).__name__} through")


def _operation(left: ast.expr, operation: ast.operator, right: ast.expr) -> tuple[str, int]:
    match operation:
        case ast.Add():
            return f"{_in_brackets(left, SUM)} + {_in_brackets(right, PRODUCT)}", SUM
        case ast.Sub():
            return f"{_in_brackets(left, SUM)} - {_in_brackets(right, PRODUCT)}", SUM
        case ast.Mult():
            after = _in_brackets(right, PRODUCT)
            sign = r" \cdot " if re.match(r"(\\frac\{)?\d", after) else r" \, "  # «2 ½» would be read as 2.5
            before = _in_brackets(left, SIGNED)
            return before + sign + after, SIGNED if before[0] in "+-" else PRODUCT
        case ast.Div():
            return rf"\frac{{{_render(left)[0]}}}{{{_render(right)[0]}}}", PRODUCT
    return f"{_in_brackets(left, ATOM)}^{{{_render(right)[0]}}}", POWER
