"""The cookies that the server sets: a visitor's name, and the key of a room's host."""

from __future__ import annotations

import asyncio
import uuid
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request, cookie_parser
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash import classroom
from featdash.classroom import registry
from featdash.ui.classroom import host_key
from featdash.ui.kit import shared

LIFE = 12 * 3600  # seconds that a room lives
NO_ROOM = "The key must be that of a room; open a room, or ask its host for the link."
STRANGER = "A key is taken from FeatDash's own page alone."


class VisitorCookie:
    """Middleware that names a browser with its first page; the cookie lasts until the browser is closed.

    base : path of the app, "" or "/name". No script can read the cookie, and no page of another site sends it.
    """

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self.app = app
        self.terms = f"Path={base or '/'}; HttpOnly; SameSite=Lax"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope if scope["type"] == "http" else {"headers": []})
        if "text/html" not in headers.get("accept", "") or shared.COOKIE in cookie_parser(headers.get("cookie", "")):
            await self.app(scope, receive, send)
            return

        async def send_named(message: Message) -> None:
            if message["type"] == "http.response.start":
                response_headers = MutableHeaders(raw=message["headers"])
                if response_headers.get("content-type", "").startswith("text/html"):
                    response_headers.append("set-cookie", f"{shared.COOKIE}={uuid.uuid4().hex}; {self.terms}")
            await send(message)

        await self.app(scope, receive, send_named)


def host_cookie(base: str) -> Route:
    """POST with the key as its body: 204 and the cookie; 403 from another site, 404 if it opens no room.

    base : path of the app, "" or "/name". A wrong guess has to wait, and all other wrong guesses with it.
    """
    guessing = asyncio.Lock()

    async def answer(request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return PlainTextResponse(STRANGER, status_code=403)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > host_key.LENGTH:
                return PlainTextResponse(NO_ROOM, status_code=404)
        code, secret = host_key.parse(body.decode("ascii", "replace"))
        if not (code and secret) or classroom.rooms().authorise(code, secret) is None:
            async with guessing:
                await asyncio.sleep(registry.WRONG_SECRET)
            return PlainTextResponse(NO_ROOM, status_code=404)
        response = Response(status_code=204)
        terms: dict[str, Any] = {"max_age": LIFE, "path": base or "/", "httponly": True, "samesite": "strict"}
        response.set_cookie(host_key.COOKIE, f"{code}.{secret}", **terms, secure=request.url.scheme == "https")
        return response

    return Route(f"{base}/{host_key.ROUTE}", answer, methods=["POST"])
