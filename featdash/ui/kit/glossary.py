"""The glossary of the pages: hard words of a text are marked, and explained when the visitor points at one or taps it.

A marked word is a Markdown link to `#word-…`, which Streamlit draws like any link; one component a page, mounted by
`listen`, answers it with a bubble. So Streamlit draws Markdown and formulas as ever, and no text's HTML gets through.
"""

from __future__ import annotations

import html
import json
import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from featdash.ui.streamlit_internals import Place

# No word is marked inside these: code, formulas, links, headings, names of directives and of icons, escaped signs.
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
        """The anchor of links to the word; also its key in the component."""
        return "word-" + re.sub(r"\W+", "-", self.name.replace("λ", "lambda")).strip("-").lower()


def _read() -> tuple[Word, ...]:
    file = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
    return tuple(Word(tuple(entry["forms"]), entry["means"]) for entry in file["word"])


WORDS = _read()
_SMALL = "abcdefghijklmnopqrstuvwxyz"
_BY_FORM = {form: word for word in WORDS for form in word.forms}


def _pattern() -> re.Pattern[str]:
    """Longer forms come first; a form that begins in lower case also matches with a capital."""
    forms = sorted(_BY_FORM, key=len, reverse=True)
    patterns = [
        f"[{form[0]}{form[0].upper()}]{re.escape(form[1:])}" if form[0] in _SMALL else re.escape(form) for form in forms
    ]
    alternatives = "|".join(form.replace(r"\ ", r"\s+") for form in patterns)
    return re.compile(rf"(?P<kept>{_PROTECTED})|(?<![\w-])(?P<word>{alternatives})(?![\w-])", re.DOTALL | re.MULTILINE)


_WORD = _pattern()


def mark_words(markdown: str) -> str:
    """The text with the first occurrence of each word of the glossary as a link to its explanation."""
    earlier: set[Word] = set()

    def mark(match: re.Match[str]) -> str:
        phrase = match["word"]
        if phrase is None:
            return match[0]
        form = re.sub(r"\s+", " ", phrase)
        word = _BY_FORM.get(form) or _BY_FORM[form[0].lower() + form[1:]]
        if word in earlier:
            return phrase
        earlier.add(word)
        return f"[{phrase}](#{word.anchor})"

    return _WORD.sub(mark, markdown)


def text(markdown: str, place: Place | None = None) -> None:
    """Draw Markdown, formulas included, with the words of the glossary marked; `place` : where, if not here."""
    (place or st).markdown(mark_words(markdown))


def whole() -> None:
    """A button that opens the whole glossary, in alphabetical order, in a list that the keyboard can scroll."""
    with st.popover("Glossary"):  # a hint would lie over the words
        words = sorted(WORDS, key=lambda word: word.name.lower())
        entries = "".join(f"<dt>{html.escape(word.name)}</dt><dd>{html.escape(word.means)}</dd>" for word in words)
        name = 'aria-label="Every marked word, with its explanation"'
        st.html(f'<section class="featdash-glossary" tabindex="0" {name}><dl>{entries}</dl></section>')


_EXPLAINED = json.dumps({word.anchor: [word.name, word.means] for word in WORDS}, ensure_ascii=False)
SCRIPT = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").replace("GLOSSARY_WORDS", _EXPLAINED)
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
_component = st.components.v2.component("featdash_glossary", css=_STYLE, js=SCRIPT, isolate_styles=False)


def listen() -> None:
    """Answer every marked word of the page; call it once a page, after all else, so that it delays no picture."""
    _component(key="glossary@")
