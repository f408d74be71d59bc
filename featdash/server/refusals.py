"""What the server refuses: routes that no page needs, and frames in other sites' pages."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.ui.streamlit_internals import METRICS, UPLOADS

# Where a page may load from: a text from elsewhere, such as a link's, may name a picture, and no page fetches it.
# Streamlit and Plotly need scripts and styles within a page, and Plotly's 3-D pictures make functions from text; `ws:`
# is there because some browsers do not count the page's own websocket as 'self'.
SOURCES = {
    "default-src": "'self'",
    "script-src": "'self' 'unsafe-inline' 'unsafe-eval' blob:",
    "style-src": "'self' 'unsafe-inline'",
    "img-src": "'self' data: blob:",
    "font-src": "'self' data:",
    "connect-src": "'self' ws: wss:",
    "worker-src": "'self' blob:",
    "frame-src": "'self'",
    "object-src": "'none'",
    "base-uri": "'self'",
    "form-action": "'self'",
}
CLOSED = {
    UPLOADS: "No file is taken here.",  # Streamlit would keep them in memory, as many as are sent
    METRICS: "This app shows no metrics.",
}
_FRAMES = re.compile(r"('self'|'none'|\*|https?://[\w.*-]+(:(\d+|\*))?|\s)+")


class ClosedRoutes:
    """Middleware that answers 403 with one sentence on closed routes, before a byte of the request's body is read.

    Each page has a Content-Security-Policy, which says where it may load from, and who may show it in a frame.

    base : path of the app, "" or "/name"; frames : origins whose pages may show the app in a frame, as in the
    directive `frame-ancestors` of a Content-Security-Policy.
    """

    def __init__(self, app: ASGIApp, base: str = "", frames: str = "'self'") -> None:
        self.app = app
        self.refusals = {f"{base}/{path}": sentence for path, sentence in CLOSED.items()}
        self.policy = "; ".join(f"{name} {of}" for name, of in {**SOURCES, "frame-ancestors": frames}.items())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        for path, sentence in self.refusals.items():
            if scope["path"] == path or scope["path"].startswith(f"{path}/"):
                await PlainTextResponse(sentence, status_code=403)(scope, receive, send)
                return

        async def send_framed(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(raw=message["headers"])
                if headers.get("content-type", "").startswith("text/html"):
                    headers["content-security-policy"] = self.policy
            await send(message)

        await self.app(scope, receive, send_framed)


def frames_setting(environment: Mapping[str, str] = os.environ) -> str:
    """FEATDASH_FRAMES, by default `'self'`; ValueError if it is no list of origins."""
    text = environment.get("FEATDASH_FRAMES", "").strip() or "'self'"
    if not _FRAMES.fullmatch(text):
        rule = "FEATDASH_FRAMES must be origins such as https://school.example, apart by spaces, or *"
        raise ValueError(f"{rule}, got {text[:60]!r}; correct it or unset it")
    return text
