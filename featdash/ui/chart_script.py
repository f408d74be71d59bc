"""The charts' own script, at an address of its own: a live page sends its pictures each second, not the script.

Streamlit sends a component's script along with each change of its data. Here it sends LOADER, which imports the script
from ADDRESS; the page's head names that address, so that the script is there before the first picture.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from featdash.ui import plotly_script

LIBRARY = {"light": plotly_script.LIGHT, "whole": plotly_script.WHOLE, "traces": plotly_script.TRACES}
FOLDER = Path(__file__).parent


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


PARTS = ("saved_picture.js", "picture_words.js", "chart.js")
SCRIPT = "".join(map(_text, PARTS)).replace("PLOTLY_SCRIPTS", json.dumps(LIBRARY))
# Browsers keep a script for a year, so its name changes with what it says.
ADDRESS = f"featdash/charts-{hashlib.blake2b(SCRIPT.encode(), digest_size=8).hexdigest()}.js"
LOADER = _text("chart_loader.js").replace("CHARTS_SCRIPT", json.dumps(ADDRESS))
