"""Streamlit's modules that every page of the app needs, named in the page's head.

Streamlit loads the code of an element when the first one of its kind arrives, and shows the page when the last kind is
there: fifty files, asked for in the middle of the first second. Named in the head they are read while Streamlit starts.
"""

from __future__ import annotations

import functools
import json

from featdash.ui.streamlit_internals import STATIC

ELEMENTS = ("BidiComponent", "Button", "ButtonGroup", "Checkbox", "Html", "NumberInput", "Selectbox", "Slider")
FORMULAS = "rehype-katex"
MANIFEST = STATIC / "manifest.json"  # of Vite, which built Streamlit's page


def closure(manifest: dict, keys: list[str]) -> list[str]:
    """Files of these chunks and of all that they import, each once."""
    waiting, seen = list(keys), []
    for key in waiting:
        if key not in seen:
            seen.append(key)
            waiting += manifest[key].get("imports", ())
    return [manifest[key]["file"] for key in seen]


@functools.cache
def tags() -> str:
    """The lines of the head; none if the installed Streamlit is built otherwise."""
    try:
        manifest = json.loads(MANIFEST.read_text(encoding="utf-8"))
        loaded_late = {chunk["name"]: key for key, chunk in manifest.items() if chunk.get("isDynamicEntry")}
        named_already = set(closure(manifest, ["index.html"]))
        files = closure(manifest, [loaded_late[name] for name in (*ELEMENTS, FORMULAS) if name in loaded_late])
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return ""
    return "".join(
        f'<link rel="modulepreload" crossorigin href="./{file}">' for file in files if file not in named_already
    )
