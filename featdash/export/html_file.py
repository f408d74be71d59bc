"""A run as one HTML file that opens without a network: words, the stage with its films, tables, and sliders.

The stage is that of a page: the same script gets the same pictures, but sends nothing that a reader does to a server.
plotly.js and the pictures are in the file in compressed form; the browser unpacks both. A policy in the head forbids
every request. Whatever comes from the run is escaped.
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
from featdash.export.slider import FilePicture, Slider, describe

MOST = 3_000_000  # bytes of a file
FOLDER = Path(__file__).parent
PAGE, STYLE, SCRIPT = (
    FOLDER.joinpath(f"html_file.{kind}").read_text(encoding="utf-8") for kind in ("html", "css", "js")
)
NO_LINK = "The address of the server is not known here; the settings above repeat the run."


@dataclass(frozen=True)
class Stage:
    """The scripts that show the pictures.

    script : defines `showStage(component)`; plotly : the script that it draws with; timeline : phases and lines as
    timeline.js reads them; wide : the pictures that have the others below them when they lead.
    """

    script: str
    plotly: bytes
    timeline: Mapping[str, Any]
    wide: Sequence[str] = ()


def html_file(
    document: Document, pictures: Sequence[FilePicture], sliders: Sequence[Slider], stage: Stage, today: str, theme: str
) -> bytes:
    """The file; without its sliders if it would be larger than MOST with them.

    today : as 2026-11-22; theme : light or dark, as the figures are drawn.
    Errors: ValueError if it is larger than MOST even so.
    """
    file = _file_text(document, pictures, sliders, stage, (today, theme))
    if len(file) > MOST and sliders:
        resting = [replace(one, at_stops={}) for one in pictures]
        file = _file_text(document, resting, (), stage, (today, theme))
    if len(file) > MOST:
        rule = f"the HTML file must have at most {MOST / 1e6:g} MB, got {len(file) / 1e6:.1f}"
        raise ValueError(f"{rule}; take the notebook or the data in its place")
    return file


def _file_text(
    document: Document, pictures: Sequence[FilePicture], sliders: Sequence[Slider], stage: Stage, look: tuple[str, str]
) -> bytes:
    caption = {"settings": f"{document.title}: {settings_line(document.spec)}", "link": document.link or ""}
    about = {"wide": [*stage.wide], "timeline": stage.timeline, "caption": caption}
    data = {"pictures": [describe(one) for one in pictures], "stage": about}
    (today, theme), words = look, document.words
    text = Template(PAGE).substitute(
        theme=theme,
        title=escape(document.title),
        style=STYLE,
        question=inline_html_of(words.question),
        formula=inline_html_of(words.formula),
        ending=escape(" · ".join(_origin(document))),
        sliders=_sliders(sliders),
        tables="".join(_table(one.name, one.rest) for one in pictures),
        reading=html_of(words.reading),
        settings=_rows((label, name, text) for name, label, text in settings(document.spec)),
        source=html_of(words.source),
        citation=escape(citation(document, today)),
        link=_link(document.link),
        plotly=_pack(stage.plotly),
        data=_pack(json.dumps(data, separators=(",", ":"), allow_nan=False).encode()),
        stage=stage.script,
        script=SCRIPT,
    )
    return text.encode()


def trace_types(pictures: Sequence[FilePicture]) -> set[str]:
    """The kinds of charts in the pictures, which decide what plotly.js must be able to draw."""
    contents = [picture for one in pictures for picture in (one.rest, *one.at_stops.values())]
    return {trace["type"] for picture in contents for trace in picture["figure"]["data"]}


def _origin(document: Document) -> list[str]:
    """How the run ended, when, and by which code."""
    origin = [document.ending] if document.ending else []
    origin += [f"computed on {document.date}"] if document.date else []
    return origin + ([f"code version {document.code}"] if document.code else [])


def _sliders(sliders: Sequence[Slider]) -> str:
    """A labelled control for each slider; "" if there is none."""
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


def _pack(data: bytes) -> str:
    """Compressed, in letters that HTML leaves alone."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()
