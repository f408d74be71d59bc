"""BibTeX of the papers behind a lesson and of one of its runs."""

from __future__ import annotations

import re
from collections.abc import Mapping

from featdash.export.document import Document, settings_line
from featdash.export.papers import PAPERS

# What LaTeX would read as a command. An address needs none of this, because \url takes it as it stands.
SPECIAL = {letter: f"\\{letter}" for letter in "#$%&_{}"} | {
    "\\": r"\textbackslash{}",
    "^": r"\^{}",
    "~": r"\~{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
}


def citation(document: Document, today: str) -> str:
    """The entries of the lesson's papers, then the run's; today : when it was looked up, as 2026-11-22."""
    papers = [entry(PAPERS[key].kind, key, PAPERS[key].fields) for key in document.words.papers]
    return "\n\n".join([*papers, run_entry(document, today)])


def run_entry(document: Document, today: str) -> str:
    """The run: title, settings, version of the code, date and link."""
    date = document.date or today
    notes = [f"Settings: {settings_line(document.spec)}"]
    notes += [f"code version {document.code}"] if document.code else []
    notes += [f"computed on {date}" if document.date else "not finished", f"looked up on {today}"]
    fields = {
        "author": "{FeatDash}",
        "title": f"{{FeatDash}}: {escape(document.title)}, run {escape(document.run)}",
        "year": date[:4],
        "note": escape("; ".join(notes)),
    }
    if document.link:
        fields["howpublished"] = f"\\url{{{document.link}}}"
    return entry("misc", f"featdash-{document.name}", fields)


def entry(kind: str, key: str, fields: Mapping[str, str]) -> str:
    """One entry of a .bib file."""
    lines = "".join(f"  {name} = {{{text}}},\n" for name, text in fields.items())
    return f"@{kind}{{{key},\n{lines}}}"


def escape(text: str) -> str:
    """Plain text as LaTeX reads it."""
    return re.sub(r"[#$%&_{}\\^~<>]", lambda match: SPECIAL[match[0]], text)
