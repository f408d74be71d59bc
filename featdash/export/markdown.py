"""A lesson's words as HTML: Markdown without raw HTML and without pictures, formulas between dollar signs."""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

FORMULA = re.compile(r"(\$\$?)([^$]+)\1")


def html_of(text: str) -> str:
    """Paragraphs, lists, emphasis and code; what looks like HTML is shown as it is written."""
    return PARSER.render(text)


def inline_html_of(text: str) -> str:
    """The same for a line within a line: no paragraph around it."""
    return PARSER.renderInline(text)


def formula_html(tex: str) -> str:
    """The formula as MathML, or as it is written where it goes beyond what `mathml` knows."""
    try:
        return mathml(tex)
    except ValueError:
        return f"<code>{escape(tex)}</code>"


def _formula(state: StateInline, silent: bool) -> bool:
    """A rule of markdown-it: a formula, before its backslashes and underscores are read as Markdown's."""
    match = FORMULA.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = match[2]
    state.pos = match.end()
    return True


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.add_render_rule("formula", lambda self, tokens, at, options, env: formula_html(tokens[at].content))  # noqa: ARG005
    return parser


PARSER = _parser()


TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[0-9]+(?:\.[0-9]+)?|\S")
LETTERS = {
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ϵ",
    "varepsilon": "ε",
    "zeta": "ζ",
    "eta": "η",
    "theta": "θ",
    "kappa": "κ",
    "lambda": "λ",
    "mu": "μ",
    "nu": "ν",
    "xi": "ξ",
    "pi": "π",
    "rho": "ρ",
    "sigma": "σ",
    "tau": "τ",
    "phi": "ϕ",
    "varphi": "φ",
    "chi": "χ",
    "psi": "ψ",
    "omega": "ω",
    "varsigma": "ς",
    "Gamma": "Γ",
    "Delta": "Δ",
    "Theta": "Θ",
    "Lambda": "Λ",
    "Sigma": "Σ",
    "Phi": "Φ",
    "Psi": "Ψ",
    "Omega": "Ω",
    "ell": "ℓ",
}
OPERATORS = {
    "le": "≤",
    "ne": "≠",
    "lt": "<",
    "gt": ">",
    "ll": "≪",
    "gg": "≫",
    "ge": "≥",
    "to": "→",
    "in": "∈",
    "pm": "±",
    "sim": "∼",
    "cdot": "·",
    "times": "×",
    "propto": "∝",
    "partial": "∂",
    "ldots": "…",
    "asymp": "≍",
    "approx": "≈",
    "mid": "∣",
    "lesssim": "≲",
    "gtrsim": "≳",
    "leftarrow": "←",
    "mapsto": "↦",
    "sum": "∑",
    "nabla": "∇",
    "|": "‖",
    "lVert": "‖",
    "rVert": "‖",
    "{": "{",
    "}": "}",
}
PLAIN = {"infty": "∞", "top": "⊤", "dagger": "†"}
FUNCTIONS = ("min", "max", "log", "deg")
BELOW = ("min", "max")  # their index stands under them
ELEMENTS = {"_": "msub", "^": "msup", "_^": "msubsup"}  # of what has such indices
ACCENTS = {"tilde": "~", "hat": "^", "bar": "¯"}
BLACKBOARD = {"E": "𝔼", "R": "ℝ"}
SPACES = {",": "0.17em", "!": "-0.17em"}
DEEPEST = 40  # nested brackets and commands, more than anyone reads; each takes three of Python's 1000 nested calls
SIZES = ("big",)  # of the bracket that follows, which is drawn as it is
SIGNS = {"-": "−", "*": "∗"}


def mathml(tex: str) -> str:
    """The formula as a <math> element; ValueError for TeX beyond the tables above."""
    reader = Reader(TOKEN.findall(tex), tex)
    inside = reader.row(None)
    return f"<math><mrow>{inside}</mrow></math>"


class Reader:
    """Reads tokens from the left, each once."""

    def __init__(self, tokens: list[str], tex: str) -> None:
        self._tokens, self._tex, self._at = tokens, tex, 0
        self._depth = 0

    def row(self, end: str | None) -> str:
        """Everything up to `end`, which is read too."""
        parts = []
        while (token := self._next(end)) != end:
            parts.append(self._with_scripts(str(token)))
        return "".join(parts)

    def _next(self, end: str | None = "") -> str | None:
        """The next token; None after the last one, if `end` is None."""
        if self._at == len(self._tokens):
            if end is None:
                return None
            raise self._refusal("an end")
        self._at += 1
        return self._tokens[self._at - 1]

    def _with_scripts(self, token: str) -> str:
        """An atom with its indices below and above."""
        base, scripts = self._atom(token), dict[str, str]()
        while self._at < len(self._tokens) and self._tokens[self._at] in ("_", "^"):
            place = str(self._next())
            scripts[place] = self._atom(str(self._next()))
        if not scripts:
            return base
        under = token.removeprefix("\\") in BELOW and "^" not in scripts
        name = "munder" if under else ELEMENTS["".join(sorted(scripts, reverse=True))]
        return f"<{name}>{base}{''.join(scripts[place] for place in '_^' if place in scripts)}</{name}>"

    def _atom(self, token: str) -> str:
        """A sign, a command with its arguments, or what stands between brackets, nested at most DEEPEST deep."""
        if self._depth == DEEPEST:
            raise self._refusal(f"{DEEPEST} brackets in one another")
        self._depth += 1
        try:
            return self._inside(token)
        finally:
            self._depth -= 1

    def _inside(self, token: str) -> str:
        if token == "{":
            return f"<mrow>{self.row('}')}</mrow>"
        if token.startswith("\\"):
            return self._command(token[1:])
        if token[0].isdigit():
            return f"<mn>{token}</mn>"
        if token.isalpha():
            return f"<mi>{token}</mi>"
        if token in "}_^":
            raise self._refusal(token)
        return _operator(SIGNS.get(token, token))

    def _command(self, name: str) -> str:
        if name in LETTERS or name in PLAIN:
            return f"<mi>{(LETTERS | PLAIN)[name]}</mi>"
        if name in OPERATORS:
            return _operator(OPERATORS[name])
        if name in FUNCTIONS:
            return f"<mi>{name}</mi>"
        if name in SPACES:
            return f'<mspace width="{SPACES[name]}"/>'
        if name in SIZES:
            return self._atom(str(self._next()))
        if name in ("frac", "tfrac"):
            return f"<mfrac>{self._argument()}{self._argument()}</mfrac>"
        if name == "sqrt":
            return f"<msqrt>{self._argument()}</msqrt>"
        if name in ACCENTS:
            return f'<mover accent="true">{self._argument()}{_operator(ACCENTS[name])}</mover>'
        return self._lettering(name)

    def _lettering(self, name: str) -> str:
        """Letters in upright or blackboard style, or words."""
        if name not in ("mathrm", "mathbb", "text"):
            raise self._refusal(f"\\{name}")
        letters = self._letters()
        if name == "mathbb":
            return f"<mi>{''.join(BLACKBOARD.get(one, one) for one in letters)}</mi>"
        return f"<mtext>{letters}</mtext>" if name == "text" else f'<mi mathvariant="normal">{letters}</mi>'

    def _argument(self) -> str:
        return self._atom(str(self._next()))

    def _letters(self) -> str:
        """The letters between the brackets that follow."""
        parts = []
        if (first := str(self._next())) != "{":
            raise self._refusal(first)
        while (token := self._next()) != "}":
            parts.append(str(token))
        return escape("".join(parts))

    def _refusal(self, token: str) -> ValueError:
        return ValueError(f"a formula must keep to formula.py's tables, got {token} in {self._tex!r}; add it there")


def _operator(sign: str) -> str:
    return f'<mo stretchy="false">{escape(sign)}</mo>'
