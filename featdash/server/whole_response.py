"""What the app behind a middleware answers, whole and as it is, so that it can be kept or written into."""

from __future__ import annotations

from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send


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


async def whole_answer(app: ASGIApp, scope: Scope, receive: Receive) -> Answer:
    """The answer of `app`, not compressed, with the bytes of a file in place of its path."""
    start: Message = {}
    body = b""

    async def collect(message: Message) -> None:
        nonlocal start, body
        if message["type"] == "http.response.start":
            start = message
        else:
            body += message.get("body", b"")

    plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
    await app({**scope, "headers": plain, "extensions": {}}, receive, collect)
    return Answer(start, body)
