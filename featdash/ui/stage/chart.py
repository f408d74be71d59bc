"""The live charts: one Custom Component for all of a page, which calls `Plotly.react` on the same nodes; its scripts.

One element for all charts, because what a live page costs the server is its elements more than their bytes: a hundred
viewers of six charts in columns took it 0.9 cores, and take it 0.6 now. `st.plotly_chart` builds a new node whenever
its data change, which loses the zoom; this one keeps it (through the figure's `uirevision`).

Streamlit sends a component's script and style along with each change of its data. Here it sends LOADER, which imports
ours, with the style in it, from ADDRESS; the page's head names that address, so that it is there before the first
picture.

plotly.js comes from the installed plotly package and is served by our own server, once a page: whole, or light enough
for its first second. Of the second that a laptop takes to start the whole script, two thirds go into chart types that
few pages have, 3D and maps among them. The light one leaves them unregistered, and so they never run. Both are read
once, while they arrive.
"""

from __future__ import annotations

import functools
import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import plotly
import streamlit as st

from featdash.figures.film import Film
from featdash.figures.picture import Picture
from featdash.ui.kit.shared import RenderedPicture

BEFORE = "@before"  # at the end of a picture's name, in what is known to have been sent
FLAT = "flat@"  # session-state key: the browser has no WebGL
FOLDER = Path(__file__).parent
TRACES = ("bar", "heatmap", "scatter", "table")  # of the light script; scatter is a part of plotly.js's core
# Addresses below the root of the app. Browsers keep a script for a year, so its name tells all that it depends on.
WHOLE = f"featdash/plotly-{plotly.__version__}.min.js"
LIGHT = f"featdash/plotly-{plotly.__version__}-{'-'.join(TRACES)}.min.js"

_REGISTERED = re.compile(r"\.register\(\[((?:\w+\(\),?){20,})\]\)")
_INNER = r'var {}=W\(\(\w+,(\w+)\)=>\{{"use strict";\1\.exports=(\w+)\(\)\}}\)'
_FACTORY, _END = ', () => {\n"use strict";var Plotly=', "}));"
_NAME = re.compile(r'moduleType:"trace",name:"(\w+)"')


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


LIBRARY = {"light": LIGHT, "whole": WHOLE, "traces": TRACES}
PARTS = (
    "saved_picture.js",
    "picture_words.js",
    "film.js",
    "live_edge.js",
    "timeline.js",
    "guess.js",
    "before.js",
    "chart.js",
)
STYLE = _text("chart.css")
WORDS = {"PLOTLY_SCRIPTS": LIBRARY, "CHARTS_STYLE": STYLE}  # what the script names, in JSON
# It defines `showStage(component)`, which a file that opens offline calls itself.
STAGE = functools.reduce(
    lambda text, word: text.replace(word, json.dumps(WORDS[word])), WORDS, "".join(map(_text, PARTS))
)
SCRIPT = f"{STAGE}\nexport default showStage;\n"
# Browsers keep a script for a year, so its name changes with what it says.
ADDRESS = f"featdash/charts-{hashlib.blake2b(SCRIPT.encode(), digest_size=8).hexdigest()}.js"
LOADER = _text("chart_loader.js").replace("CHARTS_SCRIPT", json.dumps(ADDRESS))

_component = st.components.v2.component("featdash_chart", js=LOADER, isolate_styles=False)


def render(picture: Picture, name: str, film: Film | None = None) -> RenderedPicture:
    """The picture as the component and the downloads read it; build it once and share it between viewers.

    name : of the file that «Save as PNG» saves; film : what moves in it.
    """
    figure = json.loads(picture.figure.to_json(validate=False))
    told = {"figure": figure, "alt": picture.alt, "title": picture.title, "name": name, "headline": picture.headline}
    told |= {"film": film.to_mapping()} if film else {}
    data = json.dumps(told, separators=(",", ":")).encode()
    mark = hashlib.blake2b(data, digest_size=8).hexdigest()
    span = (float(film.times[0]), float(film.times[-1])) if film else None
    return RenderedPicture(data, picture.alt, picture.table, mark, span)


def title(rendered: RenderedPicture) -> str:
    """The title of the picture on it."""
    return json.loads(rendered.data)["title"]


def headline(rendered: RenderedPicture) -> str:
    """The finding over it in a few words; "" for none."""
    return json.loads(rendered.data)["headline"]


def mount(
    pictures: Mapping[str, RenderedPicture | None],
    key: str,
    wide: Sequence[str] = (),
    listening: Sequence[str] = (),
    point: Callable[[str, Any], None] | None = None,
    subject: str | None = None,
    least: float = 0.0,
    caption: Mapping[str, str] | None = None,
    sent: dict[str, str] | None = None,
    timeline: Mapping[str, Any] | None = None,
    before: Mapping[str, RenderedPicture] | None = None,
) -> Any:
    """Shows pictures by name, the first large, the others in a strip beside it, from which a visitor may promote one.

    A picture of the same name keeps its node, and with it the visitor's zoom. Where there is None, the picture that
    another run had there stays, faint, until there is another; that of this run is hidden until then.

    wide : those that have the strip below them where they lead.
    listening : those whose points can be clicked on.
    subject : what the pictures are of; a visitor who has chosen another one far below them is brought back up.
    least : the least magnification of pictures that fill the window; 0 for pictures of the size they were drawn for.
    caption : the "settings" in a line, and the "link" to them, for the pictures that a visitor saves.
    point : is given the name of the picture whose point the visitor clicks on, and the point's `customdata`.
    sent : picture -> mark of those that this browser has been sent since its page was drawn whole; brought up to date.
        Of a picture that has not changed only the mark goes out again. A browser that has it no longer, or never had
        it because a later message took the place of an earlier one, asks, and is sent all.
    timeline : over which the pictures move, as `ui.film.timeline` has it; None for none.
    before : pictures of another run, whose curves are drawn pale under those of this one.

    Returns what the browser says: `films` if it wants the films, `ended` the token of what it has played to the end.
    """
    sent = {} if sent is None else sent
    named = {name: one for name, one in pictures.items() if one}
    panels = b",".join(_panel(name, one, sent.get(name) == one.mark) for name, one in named.items())
    pale = {name: one for name, one in (before or {}).items() if name in pictures}
    others = b",".join(_panel(name, one, sent.get(f"{name}{BEFORE}") == one.mark) for name, one in pale.items())
    names = {"names": list(pictures), "wide": list(wide), "listening": list(listening)}
    place = {**names, "subject": subject, "least": least, "caption": caption, "timeline": timeline}
    about = json.dumps(place)[:-1].encode()
    data = b'%s,"panels":{%s},"before":{%s}}' % (about, panels, others)
    told = _component(
        key=key,
        data=data,
        on_point_change=lambda: None,
        on_theme_change=lambda: None,
        on_missing_change=sent.clear,
        on_flat_change=lambda: None,
        on_films_change=lambda: None,
        on_ended_change=lambda: None,
    )
    sent.clear()
    sent.update((name, one.mark) for name, one in named.items())
    sent.update((f"{name}{BEFORE}", one.mark) for name, one in pale.items())
    if told.flat is not None:
        st.session_state[FLAT] = True
        st.rerun()
    if told.theme is not None:
        st.rerun()  # the whole page: the pictures were drawn for the theme of before
    if point is not None and told.point is not None:
        point(told.point["panel"], told.point["data"])
    return told


def _panel(name: str, rendered: RenderedPicture, sent: bool) -> bytes:
    """A picture's part of what the component reads, without the picture where the browser has it."""
    picture = b"" if sent else b',"picture":%s' % rendered.data
    return b'%s:{"mark":"%s"%s}' % (json.dumps(name).encode(), rendered.mark.encode(), picture)


def draws_space() -> bool:
    """Whether pictures in three dimensions can be drawn, as far as is known: a browser without WebGL says so."""
    return not st.session_state.get(FLAT, False)


def register_only(script: str) -> str:
    """The script, registering TRACES only; unchanged if it is not built as expected.

    It ends with `register([A(),B(),...])`, where `var A=W((e,t)=>{"use strict";t.exports=A2()})` names the module
    `var A2=W(...)` of one chart type; W makes a module run when it is first called.
    """
    if not (found := _REGISTERED.search(script)):
        return script
    modules = {_trace_of(script, call.removesuffix("()")): call for call in found[1].split(",")}
    if not set(TRACES) - {"scatter"} <= modules.keys():
        return script
    kept = ",".join(call for name, call in modules.items() if name in TRACES)
    return script[: found.start(1)] + kept + script[found.end(1) :]


def _trace_of(script: str, module: str) -> str | None:
    """The chart type that a module registers; None for what is none, or is built otherwise."""
    inner = re.search(_INNER.format(re.escape(module)), script)
    if inner is None or (start := script.find(f"var {inner[2]}=W((")) < 0:
        return None
    name = _NAME.search(script, start, script.find("=W((", start + len(inner[2]) + 8))
    return name[1] if name else None


def call_eagerly(script: str) -> str:
    """The script with its one large function in brackets; unchanged if it is not built as expected.

    It is `(function(root, factory) {...} (self, () => {...}));`. V8 skips over a function until it is called, and then
    reads it again, on the page's main thread: 0.2 s for this one. In brackets it is taken for one that is called at
    once, and compiled in the background while the script arrives.
    """
    body = script.rstrip()
    if body.count(_FACTORY) != 1 or not body.endswith(_END):
        return script
    return body.removesuffix(_END).replace(_FACTORY, _FACTORY.replace("() =>", "(() =>")) + "})));"


@functools.cache
def plotly_script(address: str) -> bytes:
    """plotly.js of that address, LIGHT or WHOLE."""
    installed = (Path(plotly.__file__).parent / "package_data/plotly.min.js").read_text(encoding="utf-8")
    return call_eagerly(register_only(installed) if address == LIGHT else installed).encode()
