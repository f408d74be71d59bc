"""A lesson's words as HTML: Markdown without raw HTML and without pictures, formulas between dollar signs."""

from __future__ import annotations

import re
from html import escape

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline

from featdash.export.formula import mathml

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
    found = FORMULA.match(state.src, state.pos)
    if found is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = found[2]
    state.pos = found.end()
    return True


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).disable("image")
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.add_render_rule("formula", lambda self, tokens, at, options, env: formula_html(tokens[at].content))  # noqa: ARG005
    return parser


PARSER = _parser()
