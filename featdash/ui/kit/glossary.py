"""The glossary of the pages: hard words of a text are marked, and explained where the visitor points, tabs or taps.

A marked word is a Markdown link to `#word-…`, which Streamlit draws as it draws any link; one component a page, mounted
by `listen`, answers it with a bubble. So Markdown and formulas stay Streamlit's, and no HTML of a text is let through.
"""

from __future__ import annotations

import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from featdash.ui.streamlit_internals import Place

# What is left as it is: code, formulas, links, headings, names of directives and of icons, and escaped signs.
_PROTECTED = (
    r"```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]*(?:\n[^$\n]+)*\$|!?\[[^]\n]*\]\([^)\n]*\)"
    r"|^\#{1,6}\ .*?$|:[\w/-]+[:\[]|\\."
)


@dataclass(frozen=True)
class Word:
    """A headword, the forms in which texts write it, and one or two sentences."""

    forms: tuple[str, ...]
    means: str

    @property
    def name(self) -> str:
        return self.forms[0]

    @property
    def anchor(self) -> str:
        """Of the links to it; also its key in the component."""
        return "word-" + re.sub(r"\W+", "-", self.name.replace("λ", "lambda")).strip("-").lower()


def _read() -> tuple[Word, ...]:
    file = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(Word(tuple(entry["forms"]), entry["means"]) for entry in file["word"])


WORDS = _read()
_SMALL = "abcdefghijklmnopqrstuvwxyz"
_BY_FORM = {form: word for word in WORDS for form in word.forms}


def _pattern() -> re.Pattern[str]:
    """Longer forms first; a capital is met where the form begins in lower case."""
    forms = sorted(_BY_FORM, key=len, reverse=True)
    met = [
        f"[{form[0]}{form[0].upper()}]{re.escape(form[1:])}" if form[0] in _SMALL else re.escape(form) for form in forms
    ]
    spaced = "|".join(form.replace(r"\ ", r"\s+") for form in met)
    return re.compile(rf"(?P<kept>{_PROTECTED})|(?<![\w-])(?P<word>{spaced})(?![\w-])", re.DOTALL | re.MULTILINE)


_WORD = _pattern()


def mark_words(markdown: str) -> str:
    """The text with the first occurrence of each word of the glossary as a link to its explanation."""
    met: set[Word] = set()

    def mark(found: re.Match[str]) -> str:
        written = found["word"]
        if written is None:
            return found[0]
        form = re.sub(r"\s+", " ", written)
        word = _BY_FORM.get(form) or _BY_FORM[form[0].lower() + form[1:]]
        if word in met:
            return written
        met.add(word)
        return f"[{written}](#{word.anchor})"

    return _WORD.sub(mark, markdown)


def text(markdown: str, place: Place | None = None) -> None:
    """Draws Markdown, formulas included, with the words of the glossary marked; `place` : where, if not here."""
    (place or st).markdown(mark_words(markdown))


def whole() -> None:
    """Every word with its explanation, by the alphabet, behind a button."""
    with st.popover("Glossary", help="Every word that is marked on these pages, with its explanation."):
        lines = [f"- **{word.name}**: {word.means}" for word in sorted(WORDS, key=lambda word: word.name.lower())]
        st.markdown("\n".join(lines))


_SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_EXPLAINED = {word.anchor: [word.name, word.means] for word in WORDS}
_component = st.components.v2.component(
    "featdash_glossary",
    css=_STYLE,
    js=_SCRIPT.replace("GLOSSARY_WORDS", json.dumps(_EXPLAINED, ensure_ascii=False)),
    isolate_styles=False,
)


def listen() -> None:
    """Answers every marked word of the page; once a page, after all else, so that it delays no picture."""
    _component(key="glossary@")
