"""The live chart: one Custom Component that calls `Plotly.react` on the same node.

`st.plotly_chart` builds a new node whenever its data change, which loses the zoom; this one keeps it
(through the figure's `uirevision`). plotly.js comes from the installed plotly package and is served by
Streamlit's own server, once a page for all its charts.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly
import streamlit as st
from streamlit.components.v2.get_bidi_component_manager import get_bidi_component_manager
from streamlit.components.v2.manifest_scanner import ComponentConfig, ComponentManifest

from featdash.figures.picture import Picture
from featdash.ui.workshop import Plate

PACKAGE = Path(plotly.__file__).parent
SCRIPT = Path(__file__).with_name("chart.js").read_text(encoding="utf-8")
ASSETS = ComponentManifest("featdash", plotly.__version__, [ComponentConfig("plotly", asset_dir="package_data")])

_component = st.components.v2.component(
    "featdash_chart", js=SCRIPT.replace("PLOTLY_VERSION", plotly.__version__), isolate_styles=False
)


def plate(picture: Picture, name: str) -> Plate:
    """The picture as the component and the downloads read it; build it once and share it between viewers.

    name : of the file that «Download this picture» saves.
    """
    figure = json.loads(picture.figure.to_json(validate=False))
    data = json.dumps({"figure": figure, "alt": picture.alt, "name": name}, separators=(",", ":")).encode()
    return Plate(data, picture.alt, picture.table)


def mount(data: bytes, key: str, point: Callable[[Any], None] | None = None) -> None:
    """Shows a plate's data; the same key in the same place keeps the node, and with it the visitor's zoom.

    point : is given the `customdata` of a point that the visitor clicks on.
    """
    assets = get_bidi_component_manager()
    if assets.get_component_path("featdash.plotly") is None:
        assets.register_from_manifest(ASSETS, PACKAGE)
    if point is None:
        _component(key=key, data=data)
    elif (clicked := _component(key=key, data=data, on_point_change=lambda: None).point) is not None:
        point(clicked)
