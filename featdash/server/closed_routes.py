"""What the server refuses: Streamlit's routes that no page needs, and frames in pages of others."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

from starlette.datastructures import MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.ui.streamlit_internals import METRICS, UPLOADS

CLOSED = {
    UPLOADS: "No file is taken here.",  # Streamlit would keep them in memory, as many as are sent
    METRICS: "This app shows no metrics.",
}
_FRAMES = re.compile(r"('self'|'none'|\*|https?://[\w.*-]+(:(\d+|\*))?|\s)+")


class ClosedRoutes:
    """Middleware that answers 403 with one sentence on closed routes, before a byte of the request's body is read.

    base : path of the app, "" or "/name"; frames : origins whose pages may show the app in a frame, as in the
    directive `frame-ancestors` of a Content-Security-Policy.
    """

    def __init__(self, app: ASGIApp, base: str = "", frames: str = "'self'") -> None:
        self.app = app
        self.refusals = {f"{base}/{path}": sentence for path, sentence in CLOSED.items()}
        self.policy = f"frame-ancestors {frames}"

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
    """FEATDASH_FRAMES, by default `'self'`; ValueError for what is no list of origins."""
    text = environment.get("FEATDASH_FRAMES", "").strip() or "'self'"
    if not _FRAMES.fullmatch(text):
        rule = "FEATDASH_FRAMES must be origins such as https://school.example, apart by spaces, or *"
        raise ValueError(f"{rule}, got {text[:60]!r}; correct it or unset it")
    return text
