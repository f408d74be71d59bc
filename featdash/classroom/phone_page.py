"""The page of a phone: one HTML file with its style and script inside, and the policy that lets nothing else in."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

HERE = Path(__file__).parent


def _text(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _source(text: str) -> str:
    """The text as a Content-Security-Policy names what may stand in a page."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


STYLE = _text("phone.css")
SCRIPT = _text("phone.js").replace("/* phone_inputs.js */", _text("phone_inputs.js"))
PAGE = _text("phone.html").replace("/* phone.css */", STYLE).replace("/* phone.js */", SCRIPT).encode()
POLICY = "; ".join(
    [
        "default-src 'none'",
        f"script-src {_source(SCRIPT)}",
        f"style-src {_source(STYLE)}",
        "connect-src 'self'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)
