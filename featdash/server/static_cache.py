"""Files that never change, Streamlit's own and ours: kept in memory, and compressed once for all visitors.

Streamlit alone reads each of the hundred files of a page from the disk, in a thread of its own, and sends it as it is:
4 ms and 40 kB a file. A class that opens the page at the same minute waits for that, one visitor after another.
"""

from __future__ import annotations

import asyncio
import gzip
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BYTES = 1 << 26  # of kept files; all that the pages of the app ask for are a fifth of it
LEVEL = 6
WORTH = ("text/", "application/javascript", "application/json", "image/svg")  # types that gzip makes smaller
OWN_TERMS = ("range", "if-none-match", "if-modified-since")  # of requests that the app itself answers


@dataclass(frozen=True)
class Answer:
    """The message that starts an answer, and its body."""

    start: Message
    body: bytes

    @property
    def headers(self) -> Headers:
        return Headers(raw=self.start["headers"])

    def is_of(self, kinds: str | tuple[str, ...]) -> bool:
        """Whether its content type begins so."""
        return self.headers.get("content-type", "").startswith(kinds)

    def with_body(self, body: bytes, **headers: str) -> Answer:
        """Another body and its headers; the validators are dropped, for they belong to this one."""
        changed = MutableHeaders(raw=list(self.start["headers"]))
        for name, value in {**headers, "content_length": str(len(body))}.items():
            changed[name.replace("_", "-")] = value
        del changed["etag"], changed["last-modified"]
        return Answer({**self.start, "headers": changed.raw}, body)

    async def send(self, send: Send) -> None:
        await send(self.start)
        await send({"type": "http.response.body", "body": self.body})


class KeptFiles:
    """Middleware that answers for the files at `paths` which the app marks as immutable, once it has seen them.

    paths : each file's one canonical path; the app answers all others, since one file has any number of those.
    """

    def __init__(self, app: ASGIApp, paths: Iterable[str]) -> None:
        self.app = app
        self.paths = frozenset(paths)
        self.kept: OrderedDict[tuple[str, bool], Answer] = OrderedDict()  # by path, and whether compressed
        self.bytes = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope if scope["type"] == "http" else {"headers": []})
        ours = scope.get("method") == "GET" and scope["path"] in self.paths
        if not ours or any(name in headers for name in OWN_TERMS):
            await self.app(scope, receive, send)
            return
        key = scope["path"], takes_gzip(headers)
        answer = self.kept.get(key)
        if answer is None:
            answer = await whole_answer(self.app, scope, receive)
            if answer.start["status"] == 200 and "immutable" in answer.headers.get("cache-control", ""):
                answer = await self._keep(key, answer)
        else:
            self.kept.move_to_end(key)
        await answer.send(send)

    async def _keep(self, key: tuple[str, bool], answer: Answer) -> Answer:
        """The answer in the form that the key asks for; the least recently used go to make room for it."""
        answer = await in_form(answer, key[1])
        size = weight(key[0], answer)
        if size <= MOST_BYTES:
            self._drop(key)  # two visitors may have asked at the same time
            self.kept[key] = answer
            self.bytes += size
        while self.bytes > MOST_BYTES:
            self._drop(next(iter(self.kept)))
        return answer

    def _drop(self, key: tuple[str, bool]) -> None:
        if key in self.kept:
            self.bytes -= weight(key[0], self.kept.pop(key))


def weight(path: str, answer: Answer) -> int:
    """Bytes of the path, the headers and the body."""
    return len(path) + sum(len(name) + len(value) for name, value in answer.start["headers"]) + len(answer.body)


async def in_form(answer: Answer, packed: bool) -> Answer:
    """The answer, `packed` if it is text, for those who take gzip; what gzip makes no smaller stays as it is."""
    if not answer.is_of(WORTH):
        return answer
    if not packed:
        return answer.with_body(answer.body, vary="Accept-Encoding")
    body = await asyncio.to_thread(gzip.compress, answer.body, LEVEL)
    return answer.with_body(body, vary="Accept-Encoding", content_encoding="gzip")


def takes_gzip(headers: Headers) -> bool:
    """Whether Accept-Encoding names gzip, or else `*`, with a weight above 0 (RFC 9110, 12.5.3)."""
    weights = {}
    for one in headers.get("accept-encoding", "").lower().split(","):
        name, _, terms = one.partition(";")
        quality = terms.replace(" ", "").partition("q=")[2] or "1"
        weights[name.strip()] = quality.strip("0.") != ""
    return weights.get("gzip", weights.get("*", False))


async def whole_answer(app: ASGIApp, scope: Scope, receive: Receive) -> Answer:
    """The answer of `app`, not compressed, with the bytes of a file in place of its path; whole even if those who asked
    have left: Starlette then sends no more of a file, and what is kept of it would be a part for all visitors."""
    start: Message = {}
    body = b""

    async def collect(message: Message) -> None:
        nonlocal start, body
        if message["type"] == "http.response.start":
            start = message
        else:
            body += message.get("body", b"")

    async def receive_to_the_end() -> Message:
        message = await receive()
        if message["type"] == "http.disconnect":
            await asyncio.Event().wait()  # until the answer is there
        return message

    plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    await app({**scope, "headers": plain, "extensions": {}}, receive_to_the_end, collect)
    return Answer(start, body)
