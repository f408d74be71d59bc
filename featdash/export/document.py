"""What goes with a run wherever it goes: its lesson's words, its settings, its link, the code and the date."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from featdash.recipes.spec import Spec


@dataclass(frozen=True)
class Words:
    """The words of a lesson: plain text with formulas between dollar signs; reading and source are Markdown.

    papers : keys of `featdash.export.papers.PAPERS`.
    """

    question: str
    formula: str
    reading: str
    source: str
    papers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Document:
    """One run as it is taken away.

    experiment, title : as on the command line, and as a visitor reads it.
    run : names the run in file names and in BibTeX.
    link : the address of the run on the server it comes from; None if unknown.
    code : the version of the code that computed it; None if unknown.
    finished : when it ended, in seconds since 1970; None for a run that has not ended.
    ending : how the run ended, in a line.
    """

    experiment: str
    title: str
    run: str
    spec: Spec
    words: Words
    link: str | None = None
    code: str | None = None
    finished: float | None = None
    ending: str = ""

    @property
    def name(self) -> str:
        """The beginning of its files' names: the experiment and the run."""
        return self.run if self.run.startswith(f"{self.experiment}-") else f"{self.experiment}-{self.run}"

    @property
    def date(self) -> str | None:
        """The day on which the run ended, in UTC, as 2026-11-22."""
        return None if self.finished is None else day(self.finished)


def day(seconds: float) -> str:
    """The day of a moment in seconds since 1970, in UTC."""
    return datetime.fromtimestamp(seconds, UTC).date().isoformat()


def settings(spec: Spec) -> Iterator[tuple[str, str, str]]:
    """(name, label, value as text) of every setting."""
    for field in dataclasses.fields(spec):
        yield field.name, field.metadata["label"], value_text(getattr(spec, field.name))


def settings_line(spec: Spec) -> str:
    """All settings in a line: «target = figure-1, n = 10000, …»."""
    return ", ".join(f"{name} = {text}" for name, _, text in settings(spec))


def value_text(value: Any) -> str:
    """A setting's value as a reader writes it."""
    if isinstance(value, tuple):
        return " ".join(value_text(one) for one in value)
    return value if isinstance(value, str) else json.dumps(value)
