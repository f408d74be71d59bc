"""The live charts: one Custom Component for all of a page, which calls `Plotly.react` on the same nodes; its scripts.

One element holds all charts, because a live page costs the server more for its elements than for their bytes: a hundred
viewers of six charts in columns took 0.9 cores, and now take 0.6. `st.plotly_chart` builds a new node whenever its data
change, which loses the zoom; this one keeps it (through the figure's `uirevision`).

Streamlit sends a component's script and style with each change of its data. So we give it LOADER, which imports our
script, with the style in it, from ADDRESS; the page's head names that address, so that the browser has the script
before the first picture.

plotly.js comes from the installed plotly package, and our own server delivers it once a page: whole, or light. Of the
second that a laptop takes to start the whole script, two thirds go into chart types that few pages have, such as 3D and
maps. The light script leaves them unregistered, so that they never run. The browser compiles both while they arrive.
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
from featdash.ui.stage.ahead import Ahead

BEFORE = "@before"  # ends the name of a picture of the run before, in `marks`
PALE = ("type", "name", "x", "y", "xaxis", "yaxis", "line")  # of a trace, all that is drawn of the run before
FLAT = "flat@"  # session-state key: the browser has no WebGL
FOLDER = Path(__file__).parent
TRACES = ("bar", "heatmap", "scatter", "table")  # of the light script; scatter is a part of plotly.js's core
# Addresses below the root of the app. Browsers keep a script for a year, so its name holds all that it depends on.
WHOLE = f"featdash/plotly-{plotly.__version__}.min.js"
LIGHT = f"featdash/plotly-{plotly.__version__}-{'-'.join(TRACES)}.min.js"

_REGISTERED = re.compile(r"\.register\(\[((?:\w+\(\),?){20,})\]\)")
_INNER = r'var {}=W\(\(\w+,(\w+)\)=>\{{"use strict";\1\.exports=(\w+)\(\)\}}\)'
_FACTORY, _END = ', () => {\n"use strict";var Plotly=', "}));"
_NAME = re.compile(r'moduleType:"trace",name:"(\w+)"')


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


LIBRARY = {"light": LIGHT, "whole": WHOLE, "traces": TRACES}
PARTS = (  # of one script and one scope, in any order: what a part uses of another one it uses in functions alone
    "saved_picture.js",
    "picture_words.js",
    "picture_layout.js",
    "stage_plan.js",
    "stage_state.js",
    "film.js",
    "live_edge.js",
    "timeline.js",
    "state_line.js",
    "guess.js",
    "before.js",
    "ahead.js",
    "paper.js",
    "chart.js",
)
STYLE = _text("chart.css")
WORDS = {"PLOTLY_SCRIPTS": LIBRARY, "CHARTS_STYLE": STYLE}  # what the script names, in JSON
# It defines `showStage(component)`, which a file that opens offline calls itself.
STAGE = functools.reduce(
    lambda text, word: text.replace(word, json.dumps(WORDS[word])), WORDS, "".join(map(_text, PARTS))
)
SCRIPT = f"{STAGE}\nexport default showStage;\n"
# Browsers keep a script for a year, so its name changes with its content.
ADDRESS = f"featdash/charts-{hashlib.blake2b(SCRIPT.encode(), digest_size=8).hexdigest()}.js"
LOADER = _text("chart_loader.js").replace("CHARTS_SCRIPT", json.dumps(ADDRESS))

_component = st.components.v2.component("featdash_chart", js=LOADER, isolate_styles=False)


def render(picture: Picture, name: str, film: Film | None = None, stays: bool = False) -> RenderedPicture:
    """The picture as the component and the downloads read it; build it once and share it between viewers.

    name : of the file that «Save as PNG» saves; film : what moves in the picture; stays : whether a picture without a
    film is on show while others play, and not at their end alone.
    """
    figure = json.loads(picture.figure.to_json(validate=False))
    content = {"figure": figure, "alt": picture.alt, "title": picture.title, "name": name, "headline": picture.headline}
    content |= {"film": film.to_mapping()} if film else {"stays": stays}
    data = json.dumps(content, separators=(",", ":")).encode()
    mark = hashlib.blake2b(data, digest_size=8).hexdigest()
    span = (float(film.times[0]), float(film.times[-1])) if film else None
    return RenderedPicture(data, picture.alt, picture.table, mark, span)


def pale(picture: RenderedPicture) -> RenderedPicture | None:
    """Its curves and stacked bars with their axes, which before.js draws under the run after it; None without any.

    The whole picture weighs ten times as much.
    """
    figure = json.loads(picture.data)["figure"]
    layout = figure["layout"]
    bars = "bar" if layout.get("barmode") == "stack" else None
    traces = [one for one in figure["data"] if _is_curve(one) or (one["type"] == bars and _has_points(one))]
    if not traces:
        return None
    data = [{name: trace[name] for name in PALE if name in trace} for trace in traces]
    axes = {name: axis for name, axis in layout.items() if re.fullmatch(r"[xy]axis\d*", name)}
    about = {name: {"title": axis.get("title"), "type": axis.get("type")} for name, axis in axes.items()}
    about["ink"] = layout["template"]["layout"]["font"]["color"]
    content = json.dumps({"figure": {"data": data, "layout": about}}, separators=(",", ":")).encode()
    return RenderedPicture(content, picture.alt, picture.table, f"{picture.mark}-pale")


def _is_curve(trace: Mapping[str, Any]) -> bool:
    """Whether it is a line that says something: no band, no rule, and nothing hidden."""
    if trace["type"] != "scatter" or "lines" not in trace.get("mode", "") or not _has_points(trace):
        return False
    is_visible = trace.get("visible") is not False and trace.get("hoverinfo") != "skip"
    return is_visible and trace.get("fill", "none") == "none" and len(trace["x"]) > 2


def _has_points(trace: Mapping[str, Any]) -> bool:
    return isinstance(trace.get("x"), list) and isinstance(trace.get("y"), list)


def title(picture: RenderedPicture) -> str:
    """The title of the picture."""
    return json.loads(picture.data)["title"]


def headline(picture: RenderedPicture) -> str:
    """The finding over the picture in a few words; "" for none."""
    return json.loads(picture.data)["headline"]


def mount(
    pictures: Mapping[str, RenderedPicture | None],
    key: str,
    wide: Sequence[str] = (),
    listening: Sequence[str] = (),
    point: Callable[[str, Any], None] | None = None,
    subject: str | None = None,
    least: float = 0.0,
    caption: Mapping[str, str] | None = None,
    marks: dict[str, str] | None = None,
    timeline: Mapping[str, Any] | None = None,
    before: Mapping[str, RenderedPicture] | None = None,
    line: Mapping[str, Any] | None = None,
    clear: Callable[[], None] = lambda: None,
    ahead: Ahead | None = None,
) -> Any:
    """Show pictures by name: the first large, the others in a strip beside it, from which a visitor may promote one.

    A picture of the same name keeps its node, and with it the visitor's zoom. In place of None, the picture that
    another run had there stays, faint, until there is a new one; a picture of the same run is hidden until then.

    wide : the pictures that have the strip below them when they lead.
    listening : the pictures whose points react to a click.
    subject : what the pictures are of; the page scrolls back up to them when a visitor far below chooses another one.
    least : the least magnification of pictures that fill the window; 0 for pictures of the size they were drawn for.
    caption : the "settings" in a line, and the "link" to them, for the pictures that a visitor saves.
    point : called with the name of the picture whose point the visitor clicks on, and the point's `customdata`; before
        the page, as a button's callback is, so that no click gets lost (see `navigation.go`).
    marks : picture -> mark, of those that this browser has got since its page was drawn whole; updated here.
        For a picture that has not changed only the mark goes out again. A browser that has lost it, or never got it
        because a later message replaced an earlier one, asks for it, and then gets all of them.
    timeline : the timeline over which the pictures move, as `film.track` and `film.playing` have it; None for none.
    before : pictures of another run, whose curves are drawn pale under those of this one; clear : takes them away.
    line : the line over the pictures, as `live.state_line` has it; None for none.
    ahead : the way by which all of this goes ahead of the page; None for a stage that waits for its turn.

    Returns what the browser says: `ended`, the token of the film that it has played.
    """
    marks = {} if marks is None else marks
    present = {name: one for name, one in pictures.items() if one}
    panels = b",".join(_panel(name, one, marks.get(name) == one.mark) for name, one in present.items())
    pale = {name: one for name, one in (before or {}).items() if name in pictures}
    others = b",".join(_panel(name, one, marks.get(f"{name}{BEFORE}") == one.mark) for name, one in pale.items())
    names = {"names": list(pictures), "wide": list(wide), "listening": list(listening)}
    place = {**names, "subject": subject, "least": least, "caption": caption, "timeline": timeline, "state": line}
    place |= {"ahead": ahead.next()} if ahead else {}
    about = json.dumps(place)[:-1].encode()
    data = b'%s,"panels":{%s},"before":{%s}}' % (about, panels, others)
    if ahead:
        ahead.tell(data, subject, {name: one.mark for name, one in present.items()}, whole=not marks)

    def tell() -> None:
        if point is not None:
            said = st.session_state[key]["point"]
            point(said["panel"], said["data"])

    state = _component(
        key=key,
        data=data,
        on_point_change=tell,
        on_theme_change=lambda: None,
        on_missing_change=marks.clear,
        on_flat_change=lambda: None,
        on_ended_change=lambda: None,
        on_clear_change=clear,
    )
    marks.clear()
    marks.update((name, one.mark) for name, one in present.items())
    marks.update((f"{name}{BEFORE}", one.mark) for name, one in pale.items())
    if state.flat is not None:
        st.session_state[FLAT] = True
        st.rerun()
    if state.theme is not None:
        st.rerun()  # the whole page: the pictures were drawn for the earlier theme
    return state


def _panel(name: str, picture: RenderedPicture, in_browser: bool) -> bytes:
    """A picture's part of what the component reads; without the picture itself if the browser has it."""
    return b"%s:%s" % (json.dumps(name).encode(), panel_of(picture, in_browser))


def panel_of(picture: RenderedPicture, in_browser: bool = False) -> bytes:
    """The picture with its mark, as the component reads it; the mark alone if the browser has it."""
    content = b"" if in_browser else b',"picture":%s' % picture.data
    return b'{"mark":"%s"%s}' % (picture.mark.encode(), content)


def draws_space() -> bool:
    """Whether the browser can draw in three dimensions; True until one without WebGL has said so."""
    return not st.session_state.get(FLAT, False)


def register_only(script: str) -> str:
    """The script, registering TRACES only; unchanged if it is not built as expected.

    It ends with `register([A(),B(),...])`, where `var A=W((e,t)=>{"use strict";t.exports=A2()})` names the module
    `var A2=W(...)` of one chart type; W makes a module run when it is first called.
    """
    if not (match := _REGISTERED.search(script)):
        return script
    modules = {_trace_of(script, call.removesuffix("()")): call for call in match[1].split(",")}
    if not set(TRACES) - {"scatter"} <= modules.keys():
        return script
    calls = ",".join(call for name, call in modules.items() if name in TRACES)
    return script[: match.start(1)] + calls + script[match.end(1) :]


def _trace_of(script: str, module: str) -> str | None:
    """The chart type that a module registers; None if it registers none, or is not built as expected."""
    inner = re.search(_INNER.format(re.escape(module)), script)
    if inner is None or (start := script.find(f"var {inner[2]}=W((")) < 0:
        return None
    name = _NAME.search(script, start, script.find("=W((", start + len(inner[2]) + 8))
    return name[1] if name else None


def call_eagerly(script: str) -> str:
    """The script with its one large function in brackets; unchanged if it is not built as expected.

    It is `(function(root, factory) {...} (self, () => {...}));`. V8 skips a function until it is called, and then reads
    it again on the page's main thread: 0.2 s for this one. V8 takes a function in brackets for one that is called at
    once, and compiles it in the background while the script arrives.
    """
    body = script.rstrip()
    if body.count(_FACTORY) != 1 or not body.endswith(_END):
        return script
    return body.removesuffix(_END).replace(_FACTORY, _FACTORY.replace("() =>", "(() =>")) + "})));"


@functools.cache
def plotly_script(address: str) -> bytes:
    """plotly.js of that address, LIGHT or WHOLE."""
    script = (Path(plotly.__file__).parent / "package_data/plotly.min.js").read_text(encoding="utf-8")
    return call_eagerly(register_only(script) if address == LIGHT else script).encode()
