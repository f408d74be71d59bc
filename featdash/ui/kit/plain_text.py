"""A sentence that may quote a visitor's value, as Streamlit's Markdown shows it letter by letter."""

from __future__ import annotations

import re

# Of the underscore only those at the edge of a word, of the colon those before one: they begin icons and colours.
_MARKS = re.compile(r"[\\`*\[\]<>$~|]|(?<![^\W_])_|_(?![^\W_])|:(?=\S)|&(?=[\w#])")
_NUMBERED = re.compile(r"^(\s*\d+)([.)])", re.MULTILINE)  # begins a list
_FIRST = re.compile(r"^(\s*)([-+=#])", re.MULTILINE)  # begins a list or a heading
# What Markdown's dialect of GitHub makes a link without any mark, and which no backslash prevents.
_ADDRESS = re.compile(r"(?<=:)(?=/)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_EMOJI = re.compile(r"(?<=:)(?=[\w+/-]+:)")
UNSEEN = "\u2060"  # word joiner: no width, no line break


def plain_text(sentence: str) -> str:
    """Markdown that reads as the sentence does: no picture, link, colour or emphasis comes of what it quotes."""
    text = _EMOJI.sub(UNSEEN, _ADDRESS.sub(UNSEEN, sentence))
    text = _MARKS.sub(lambda match: f"\\{match[0]}", text)
    return _FIRST.sub(r"\1\\\2", _NUMBERED.sub(r"\1\\\2", text))
