"""A formula as a visitor types it -> the formula that a recipe keeps, where every product has its sign.

0.5 z₁z2 He₂(z3) -> 0.5*z₁*z2*He₂(z3). What stands in a formula already stays as it is, letter by letter, so that a
recipe, its recorded run and its link go on being the same; what is no formula at all is left to the parser
(`featdash.theory.expression`), which says what is wrong with it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from featdash.theory.expression import LONGEST, MOST_DEGREE, MOST_VARIABLES, NUMBER, quote_text
from featdash.theory.targets import TARGETS

MOST_QUOTED = 30  # characters of the form to type, in an error
TOKEN = re.compile(
    rf"(?P<root>(?:{NUMBER}\s*)?√\s*(?:{NUMBER}|\(\s*{NUMBER}\s*\)))|(?P<number>{NUMBER}(?:[eE][+-]?\d+)?)"
    r"|(?P<variable>z_?(?:\d+|[₀-₉]+))|(?P<function>He_?(?:\d+|[₀-₉]+)|sqrt|√)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<power>[⁰¹²³⁴⁵⁶⁷⁸⁹]+)|(?P<divide>[/÷])|(?P<raise>\*\*|\^)|(?P<sign>[-+*·×∗⋅−–,])"
    r"|(?P<open>\()|(?P<close>\))|(?P<space>\s+)|(?P<other>.)",
    re.ASCII | re.DOTALL,
)
REACHING = {"divide": ("division", "/"), "raise": ("power", "^")}  # how far they reach is not seen without brackets
PLAIN = str.maketrans("₀₁₂₃₄₅₆₇₈₉⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789" * 2, "_")


@dataclass(frozen=True)
class Token:
    """A part of the text: its kind, as it was typed, and where it stands."""

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def begins_factor(self) -> bool:
        return self.kind in ("number", "root", "variable", "function", "open")

    @property
    def ends_factor(self) -> bool:
        return self.kind in ("number", "root", "variable", "power", "close")

    @property
    def name(self) -> str:
        """z₁ and z_1 as z1, √ as sqrt."""
        return "sqrt" if self.text == "√" else self.text.translate(PLAIN)


def write_out(text: str, name: str = "target") -> str:
    """The text with a * in each product that has none, powers of two digits as ^10, and z_1 as z1.

    Errors: ValueError where it could mean two things, with the form to type: z1 2, He2 z1, z12, z1/2(3).
    name : of the setting, for the error.
    """
    if text in TARGETS or len(text) > LONGEST:
        return text
    tokens = [Token(str(match.lastgroup), match[0], match.start()) for match in TOKEN.finditer(text)]
    kinds = {token.kind for token in tokens}
    if kinds & {"name", "other"} or not kinds & {"variable", "function"} or not _is_balanced(tokens):
        return text
    try:
        return _with_products(text, [token for token in tokens if token.kind != "space"])
    except ValueError as error:
        raise ValueError(f"{name} must {error}") from None


def _is_balanced(tokens: Sequence[Token]) -> bool:
    open_now = 0
    for token in tokens:
        open_now += {"open": 1, "close": -1}.get(token.kind, 0)
        if open_now < 0:
            return False
    return not open_now


def _with_products(text: str, tokens: Sequence[Token]) -> str:
    """The text anew; ValueError, without its subject, where it could mean two things."""
    parts: list[str] = []
    reaching: list[Token | None] = [None]  # the division or power just before, in each bracket that is open
    starts: list[int] = []  # of these brackets
    factor = 0  # where the factor before begins
    before: Token | None = None
    for place, token in enumerate(tokens):
        gap = text[before.end if before else 0 : token.start]
        if token.kind == "variable":
            _check_variable(token.name)
        if before and before.kind == "function" and token.begins_factor and token.kind != "open":
            raise ValueError(_bracketless(before, token, text))
        if before and before.ends_factor and token.begins_factor:
            if token.kind == "number":
                raise ValueError(_number_behind(text[factor : before.end], before, token))
            _check_reach(text, tokens, place, reaching[-1])
            gap, reaching[-1] = "*", None
        elif before and before.ends_factor and token.kind in ("divide", "raise", "sign"):
            reaching[-1] = token if token.kind in REACHING else None
        if token.kind == "open":
            starts.append(factor if before and before.kind == "function" else token.start)
            reaching.append(None)
        elif token.kind == "close":
            reaching.pop()
            factor = starts.pop()
        elif token.begins_factor:
            factor = token.start
        parts += [gap, _spelling(token)]
        before = token
    return "".join(parts) + text[before.end if before else 0 :]


def _spelling(token: Token) -> str:
    if token.kind == "power" and (len(token.text) > 1 or token.text in "⁰¹"):
        return f"^{token.name}"
    return token.text.replace("_", "")


def _check_variable(name: str) -> None:
    """z12 may be meant as z1*z2."""
    if match := re.fullmatch(rf"z([1-{MOST_VARIABLES}])([1-{MOST_VARIABLES}])", name):
        one, other = match.groups()
        remedy = f"write z{one}*z{other} or z{one}*{other} for a product, z{one}^{other} for a power"
        raise ValueError(f"use the variables z1 to z{MOST_VARIABLES}, got {quote_text(name)}; {remedy}")


def _check_reach(text: str, tokens: Sequence[Token], place: int, operation: Token | None) -> None:
    """z1/2(3) may be z1/(2*(3)); z1/2 z2 is clear, as nothing is divided by a variable."""
    end = _end_of_factor(tokens, place)
    if operation is None or any(token.kind == "variable" for token in tokens[place:end]):
        return
    name, sign = REACHING[operation.kind]
    before = text[operation.end : tokens[place - 1].end].strip()
    after = text[tokens[place].start : tokens[end - 1].end]
    part = f"{sign}{before} {after}"
    short = len(part) <= MOST_QUOTED
    remedy = f"write {sign}({before}*{after}) or {sign}{before}*{after}" if short else "write * and brackets"
    raise ValueError(f"say how far its {name} reaches, got {quote_text(part)}; {remedy}")


def _end_of_factor(tokens: Sequence[Token], place: int) -> int:
    """The place behind the factor that begins there: behind its last bracket, if it has any."""
    end = place + (tokens[place].kind == "function")
    if end == len(tokens) or tokens[end].kind != "open":
        return place + 1
    open_now = 0
    while True:
        open_now += {"open": 1, "close": -1}.get(tokens[end].kind, 0)
        end += 1
        if not open_now:
            return end


def _bracketless(function: Token, token: Token, text: str) -> str:
    """He2 z1, or sqrt 2."""
    usual = "2" if function.name == "sqrt" else "z1"
    argument = token.name if token.kind == ("number" if function.name == "sqrt" else "variable") else usual
    part = quote_text(text[function.start : token.end])
    return f"give {function.name} its argument in brackets, got {part}; write {function.name}({argument})"


def _number_behind(factor: str, before: Token, number: Token) -> str:
    """z1 2, or 2 3."""
    ways = [f"{factor}*{number.text}"]
    if before.kind not in ("number", "power") and number.text in map(str, range(MOST_DEGREE + 1)):
        ways.append(f"{factor}^{number.text}")
    remedy = f"write {' or '.join(ways)}" if len(factor) <= MOST_QUOTED else "write * or ^ between them"
    return f"have an operation before a number, got {quote_text(f'{factor} {number.text}')}; {remedy}"
