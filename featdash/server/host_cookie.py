"""The route by which a browser that has opened a room keeps its key: a cookie that no script of the page can read."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from featdash import classroom
from featdash.classroom import registry
from featdash.ui.host_key import COOKIE, LENGTH, ROUTE, parse

LIFE = 12 * 3600  # seconds that a room lives
NO_ROOM = "The key must be that of a room; open a room, or ask its host for the link."
STRANGER = "A key is taken from FeatDash's own page alone."


def host_cookie(base: str) -> Route:
    """POST with the key as its body: 204 and the cookie; 403 from another site, 404 where it opens no room.

    base : path of the app, "" or "/name". A wrong guess waits, and others with it: one at a time.
    """
    guessing = asyncio.Lock()

    async def answer(request: Request) -> Response:
        if request.headers.get("sec-fetch-site", "same-origin") != "same-origin":
            return PlainTextResponse(STRANGER, status_code=403)
        body = b""
        async for part in request.stream():
            body += part
            if len(body) > LENGTH:
                return PlainTextResponse(NO_ROOM, status_code=404)
        code, secret = parse(body.decode("ascii", "replace"))
        if not (code and secret) or classroom.rooms().checked(code, secret) is None:
            async with guessing:
                await asyncio.sleep(registry.WRONG_SECRET)
            return PlainTextResponse(NO_ROOM, status_code=404)
        kept = Response(status_code=204)
        terms: dict[str, Any] = {"max_age": LIFE, "path": base or "/", "httponly": True, "samesite": "strict"}
        kept.set_cookie(COOKIE, f"{code}.{secret}", **terms, secure=request.url.scheme == "https")
        return kept

    return Route(f"{base}/{ROUTE}", answer, methods=["POST"])
