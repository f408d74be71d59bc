"""A browser's name: a cookie that says which runs are its own, in all its tabs and after a refresh."""

from __future__ import annotations

import uuid

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.ui.visitor import COOKIE


class VisitorCookie:
    """Middleware that gives a browser without a name one, with its first page; it keeps it until it is closed.

    base : path of the app, "" or "/name". No script of the page can read it, and no other site's page sends it.
    """

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self.app = app
        self.terms = f"Path={base or '/'}; HttpOnly; SameSite=Lax"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope if scope["type"] == "http" else {"headers": []})
        if "text/html" not in headers.get("accept", "") or COOKIE in cookie_parser(headers.get("cookie", "")):
            await self.app(scope, receive, send)
            return

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = MutableHeaders(raw=message["headers"])
                if answered.get("content-type", "").startswith("text/html"):
                    answered.append("set-cookie", f"{COOKIE}={uuid.uuid4().hex}; {self.terms}")
            await send(message)

        await self.app(scope, receive, send_named)
