"""The live charts: one Custom Component for all of a page, which calls `Plotly.react` on the same nodes.

One element for all charts, because what a live page costs the server is its elements more than their bytes: a hundred
viewers of six charts in columns took it 0.9 cores, and take it 0.6 now. `st.plotly_chart` builds a new node whenever
its data change, which loses the zoom; this one keeps it (through the figure's `uirevision`). plotly.js comes from the
installed plotly package and is served by our own server, once a page, as the script here is; see `chart_script`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from featdash.figures.picture import Picture
from featdash.ui import chart_script
from featdash.ui.shared import RenderedPicture

Row = Sequence[tuple[float, Mapping[str, RenderedPicture | None]]]

STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")

_component = st.components.v2.component("featdash_chart", css=STYLE, js=chart_script.LOADER, isolate_styles=False)


def render(picture: Picture, name: str) -> RenderedPicture:
    """The picture as the component and the downloads read it; build it once and share it between viewers.

    name : of the file that «Save as PNG» saves.
    """
    figure = json.loads(picture.figure.to_json(validate=False))
    told = {"figure": figure, "alt": picture.alt, "title": picture.title, "name": name, "headline": picture.headline}
    data = json.dumps(told, separators=(",", ":")).encode()
    mark = hashlib.blake2b(data, digest_size=8).hexdigest()
    return RenderedPicture(b'{"mark":"%s","picture":%s}' % (mark.encode(), data), picture.alt, picture.table)


def title(rendered: RenderedPicture) -> str:
    """The title of the picture on it."""
    return json.loads(rendered.data)["picture"]["title"]


def headline(rendered: RenderedPicture) -> str:
    """The finding over it in a few words; "" for none."""
    return json.loads(rendered.data)["picture"]["headline"]


def mount(
    rows: Sequence[Row],
    key: str,
    point: Callable[[str, Any], None] | None = None,
    subject: str | None = None,
    least: float = 0.0,
    caption: Mapping[str, str] | None = None,
) -> None:
    """Shows pictures in rows of columns; a picture of the same name keeps its node, and with it the visitor's zoom.

    rows : of columns (width in proportion, pictures by name, one under another); where there is None, the picture that
        was on show in that place stays, faint, until there is another.
    subject : what the pictures are of; a visitor who has chosen another one far below them is brought back up.
    least : the least magnification of pictures that fill the window; 0 for pictures of the size they were drawn for.
    caption : the "settings" in a line, and the "link" to them, for the pictures that a visitor saves.
    point : is given the name of the picture whose point the visitor clicks on, and the point's `customdata`.
    """
    plan = [[{"width": width, "names": list(pictures)} for width, pictures in row] for row in rows]
    named = {name: one for row in rows for _, pictures in row for name, one in pictures.items() if one}
    panels = b",".join(b"%s:%s" % (json.dumps(name).encode(), rendered.data) for name, rendered in named.items())
    about = json.dumps({"rows": plan, "subject": subject, "least": least, "caption": caption})[:-1].encode()
    data = b'%s,"panels":{%s}}' % (about, panels)
    told = _component(key=key, data=data, on_point_change=lambda: None, on_theme_change=lambda: None)
    if told.theme is not None:
        st.rerun()  # the whole page: the pictures were drawn for the theme of before
    if point is not None and told.point is not None:
        point(told.point["panel"], told.point["data"])
