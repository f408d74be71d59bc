"""Streamlit's own files, which never change: kept in memory, and compressed once for all visitors.

Streamlit alone reads each of the hundred files of a page from the disk, in a thread of its own, and sends it as it is:
4 ms and 40 kB a file. A class that opens the page at the same minute waits for that, one visitor after another.
"""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import dataclass
from functools import partial

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1 << 26  # of kept files; all that the pages of the app ask for are a tenth of it
LEVEL = 6
WORTH = ("text/", "application/javascript", "application/json", "image/svg")  # types that gzip makes smaller
OWN_TERMS = ("range", "if-none-match", "if-modified-since")  # of requests that Streamlit answers itself


@dataclass(frozen=True)
class Answer:
    """What is sent, start and body, of one file."""

    start: Message
    body: bytes


class KeptFiles:
    """Middleware that answers for files which Streamlit marks as immutable, once it has seen them."""

    def __init__(self, app: ASGIApp, base: str = "") -> None:
        self.app = app
        self.folder = f"{base}/static/"
        self.plain: dict[str, Answer] = {}
        self.packed: dict[str, Answer] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "GET" or not scope["path"].startswith(self.folder):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if any(name in headers for name in OWN_TERMS):
            await self.app(scope, receive, send)
            return
        kept = self.packed if "gzip" in headers.get("accept-encoding", "") else self.plain
        answer = kept.get(scope["path"]) or await self._ask(scope, receive, kept)
        await send(answer.start)
        await send({"type": "http.response.body", "body": answer.body})

    async def _ask(self, scope: Scope, receive: Receive, kept: dict[str, Answer]) -> Answer:
        """Streamlit's answer, compressed if it is for those who take it so; kept if it is immutable."""
        start: Message = {}
        body = b""

        async def collect(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
            else:
                body += message.get("body", b"")

        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self.app(scope | {"headers": plain, "extensions": {}}, receive, collect)  # the file itself, not its path
        answer = Answer(start, body)
        headers = Headers(raw=start["headers"])
        if start["status"] != 200 or "immutable" not in headers.get("cache-control", ""):
            return answer
        if headers.get("content-type", "").startswith(WORTH):
            answer = await asyncio.to_thread(partial(_varied, answer, pack=kept is self.packed))
        if self._bytes() + len(answer.body) <= MOST_BYTES:
            kept[scope["path"]] = answer
        return answer

    def _bytes(self) -> int:
        return sum(len(answer.body) for kept in (self.plain, self.packed) for answer in kept.values())


def _varied(answer: Answer, pack: bool) -> Answer:
    """The answer of a file that comes in two forms: as it is, or in gzip."""
    headers = MutableHeaders(raw=list(answer.start["headers"]))
    headers.add_vary_header("Accept-Encoding")
    body = answer.body
    if pack:
        body = gzip.compress(body, LEVEL)
        headers["content-encoding"] = "gzip"
        headers["content-length"] = str(len(body))
        del headers["etag"]  # it names the other form
    return Answer(answer.start | {"headers": headers.raw}, body)
