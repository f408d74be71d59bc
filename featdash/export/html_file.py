"""A run as one HTML file that opens without a network: words, the stage with its films, tables, and sliders.

The stage is that of a page: the same script is given the same pictures, and nobody hears of what a visitor does there.
plotly.js lies in the file compressed, as do the pictures; the browser unpacks both. A policy in the head forbids every
request. Whatever comes from the run is escaped.
"""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from string import Template
from typing import Any

from featdash.export.citation import citation
from featdash.export.document import Document, settings, settings_line
from featdash.export.markdown import html_of, inline_html_of
from featdash.export.slider import Shown, Slider, describe

MOST = 3_000_000  # bytes of a file
FOLDER = Path(__file__).parent
PAGE, STYLE, SCRIPT = (
    FOLDER.joinpath(f"html_file.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
)
NO_LINK = "The address of the server is not known here; the settings above repeat the run."


@dataclass(frozen=True)
class Stage:
    """What shows the pictures.

    script : defines `showStage(component)`; plotly : the script that it draws with; timeline : phases and lines as
    timeline.js reads them; wide : pictures that have the others below them where they lead.
    """

    script: str
    plotly: bytes
    timeline: Mapping[str, Any]
    wide: Sequence[str] = ()


def html_file(
    document: Document, shown: Sequence[Shown], sliders: Sequence[Slider], stage: Stage, today: str, theme: str
) -> bytes:
    """The file; without its sliders where it would be larger than MOST with them.

    today : as 2026-11-22; theme : light or dark, as the figures are drawn.
    Errors: ValueError if it is larger than MOST all the same.
    """
    file = _written(document, shown, sliders, stage, (today, theme))
    if len(file) > MOST and sliders:
        resting = [replace(one, moved={}) for one in shown]
        file = _written(document, resting, (), stage, (today, theme))
    if len(file) > MOST:
        rule = f"the HTML file must have at most {MOST / 1e6:g} MB, got {len(file) / 1e6:.1f}"
        raise ValueError(f"{rule}; take the notebook or the data in its place")
    return file


def _written(
    document: Document, shown: Sequence[Shown], sliders: Sequence[Slider], stage: Stage, look: tuple[str, str]
) -> bytes:
    caption = {"settings": f"{document.title}: {settings_line(document.spec)}", "link": document.link or ""}
    about = {"wide": [*stage.wide], "timeline": stage.timeline, "caption": caption}
    data = {"pictures": [describe(one) for one in shown], "stage": about}
    (today, theme), words = look, document.words
    text = Template(PAGE).substitute(
        theme=theme,
        title=escape(document.title),
        style=STYLE,
        question=inline_html_of(words.question),
        formula=inline_html_of(words.formula),
        ending=escape(" · ".join(_origin(document))),
        sliders=_sliders(sliders),
        tables="".join(_table(one.name, one.rest) for one in shown),
        reading=html_of(words.reading),
        settings=_rows((label, name, text) for name, label, text in settings(document.spec)),
        source=html_of(words.source),
        citation=escape(citation(document, today)),
        link=_link(document.link),
        plotly=_packed(stage.plotly),
        data=_packed(json.dumps(data, separators=(",", ":"), allow_nan=False).encode()),
        stage=stage.script,
        script=SCRIPT,
    )
    return text.encode()


def trace_types(shown: Sequence[Shown]) -> set[str]:
    """The kinds of charts in the pictures, which decide what plotly.js must be able to draw."""
    pictures = [picture for one in shown for picture in (one.rest, *one.moved.values())]
    return {trace["type"] for picture in pictures for trace in picture["figure"]["data"]}


def _origin(document: Document) -> list[str]:
    """How the run ended, when, and by which code."""
    told = [document.ending] if document.ending else []
    told += [f"computed on {document.date}"] if document.date else []
    return told + ([f"code version {document.code}"] if document.code else [])


def _sliders(sliders: Sequence[Slider]) -> str:
    """A labelled control for each; nothing where there is none."""
    controls = "".join(
        f"<label>{escape(one.label)} <span class='stop'>{escape(one.stops[one.at])}</span>"
        f'<input type="range" min="0" max="{len(one.stops) - 1}" value="{one.at}" autocomplete="off" '
        f'aria-valuetext="{escape(one.stops[one.at])}" data-stops="{escape(json.dumps(one.stops))}"></label>'
        for one in sliders
    )
    return f'<section class="sliders" aria-label="Sliders">{controls}</section>' if controls else ""


def _table(name: str, rest: Mapping[str, Any]) -> str:
    """A picture's sentence and its numbers, behind its title."""
    head = "".join(f"<th>{escape(one)}</th>" for one in rest["table"])
    rows = _rows(zip(*rest["table"].values(), strict=True))
    return (
        f'<details data-of="{escape(name)}"><summary>Description and data of «{escape(rest["title"])}»</summary>'
        f'<p class="alt">{escape(rest["alt"])}</p>'
        f'<div class="wide"><table><tr>{head}</tr>{rows}</table></div></details>'
    )


def _rows(rows: Iterable[Iterable[Any]]) -> str:
    return "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in rows)


def _cell(value: Any) -> str:
    return "" if value is None else escape(str(value))


def _link(link: str | None) -> str:
    """The run's address, to be followed where it is one of the web."""
    if link is None:
        return NO_LINK
    if link.startswith(("http://", "https://")):
        return f'<a href="{escape(link)}" rel="noreferrer">{escape(link)}</a>'
    return escape(link)


def _packed(data: bytes) -> str:
    """Compressed, in letters that HTML leaves alone."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
