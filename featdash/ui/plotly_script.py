"""plotly.js as browsers get it, from the installed plotly package: whole, or light enough for a page's first second.

Of the second that a laptop takes to start the whole script, two thirds go into chart types that few pages have, 3D and
maps among them. The light one leaves them unregistered, and so they never run. Both are read once, while they arrive.
"""

from __future__ import annotations

import functools
import re
from pathlib import Path

import plotly

TRACES = ("bar", "heatmap", "scatter", "table")  # of the light script; scatter is a part of plotly.js's core
# Addresses below the root of the app. Browsers keep a script for a year, so its name tells all that it depends on.
WHOLE = f"featdash/plotly-{plotly.__version__}.min.js"
LIGHT = f"featdash/plotly-{plotly.__version__}-{'-'.join(TRACES)}.min.js"

_REGISTERED = re.compile(r"\.register\(\[((?:\w+\(\),?){20,})\]\)")
_INNER = r'var {}=W\(\(\w+,(\w+)\)=>\{{"use strict";\1\.exports=(\w+)\(\)\}}\)'
_FACTORY, _END = ', () => {\n"use strict";var Plotly=', "}));"
_NAME = re.compile(r'moduleType:"trace",name:"(\w+)"')


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
def plain(address: str) -> bytes:
    """The script of that address."""
    installed = (Path(plotly.__file__).parent / "package_data/plotly.min.js").read_text(encoding="utf-8")
    return call_eagerly(register_only(installed) if address == LIGHT else installed).encode()
