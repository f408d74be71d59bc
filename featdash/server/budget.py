"""What a stranger may cost: the bounds of messages, requests and connections, and the middleware that enforces them.

Streamlit handles each message of a browser on the server's only event loop, 3 ms for a request to draw the page again:
two thousand of them, 72 kB, would keep all visitors waiting for 6 s, and one of 12 MB, which is 12 kB on the wire, for
2 s. `featdash.runs.limits` says what runs may cost, and `featdash.classroom.limits` what a class may.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.classroom.limits import network

# Bytes of one message of a browser. The pages send 0.1 to 10 kB; only a visitor's own lecture may be larger, with up to
# 100 000 characters of at most four bytes. Visitors' tables have a separate route. The server reads, and would unpack,
# no more than `server.maxMessageSize` of .streamlit/config.toml, which is in whole megabytes and also limits what the
# server sends.
FRAME = 2**19
UNIT = 2**14  # bytes for each of which a message counts once more
RATE = 20.0  # messages a second; a slider that is dragged sends 5, the timer of a live page 3
BURST = 60.0  # messages at once, before any of them waits: a page that opens sends 3
PATIENCE = 200  # messages in a row that had to wait before the connection is ended: 10 s
HEAD = 20.0  # seconds for the head of a request to arrive whole; a browser opens a spare connection now and then
REQUEST = 60.0  # seconds for a whole request, its body too
# Open websockets of one address, two for each page with pictures: a campus may stand behind one, with a viewer on each
# of 400 seats. Phones in a class use none.
CONNECTIONS = 800
TOO_SLOW = f"A request must arrive within {REQUEST:.0f} s, this one did not; send it again."
POLICY, TOO_BIG = 1008, 1009  # of RFC 6455, 7.4.1
log = logging.getLogger(__name__)


class MessageBudget:
    """Middleware that ends a websocket with a message above FRAME, and lets the others through at RATE after a burst.

    Messages that come too fast wait in their socket. A flood that does not stop ends the connection.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            receive = _Messages(receive, send)
        await self.app(scope, receive, send)


class _Messages:
    """The next message of one connection, once it is due."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._free = BURST
        self._late = 0

    async def __call__(self) -> Message:
        since = time.monotonic()
        message = await self._receive()
        if message["type"] != "websocket.receive":
            return message
        size = len(message.get("bytes") or message.get("text") or b"")
        if size > FRAME:
            return await self._end(TOO_BIG, f"a message must have at most {FRAME} bytes")
        # Only the time that the client was silent counts. The time since the last message would include the server's
        # own work, so that expensive messages, the very ones to slow down, would earn credit for the next.
        self._free = min(BURST, self._free + (time.monotonic() - since) * RATE) - 1 - size // UNIT
        self._late = self._late + 1 if self._free < 0 else 0
        if self._late > PATIENCE:
            return await self._end(POLICY, f"at most {RATE:g} messages a second are taken")
        if self._free < 0:
            await asyncio.sleep(-self._free / RATE)
            self._free = 0.0
        return message

    async def _end(self, code: int, reason: str) -> Message:
        log.warning("a websocket was closed: %s", reason)
        await self._send({"type": "websocket.close", "code": code, "reason": reason})
        return {"type": "websocket.disconnect", "code": code}


class ConnectionBudget:
    """Middleware that refuses the websocket of an address that has CONNECTIONS open.

    Behind a proxy that does not name its clients, all have the proxy's address; see README.md beside this file.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        address = network(scope["client"][0]) if scope.get("client") else ""
        if self._open[address] >= CONNECTIONS:
            log.warning("an address has %d websockets open, the limit; another one was refused", CONNECTIONS)
            await receive()
            await send({"type": "websocket.close"})  # before it is accepted: the answer is 403
            return
        self._open[address] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


class WholeRequests:
    """Middleware that answers 408 with one sentence if the body of a request has not arrived within REQUEST.

    A route may catch the TimeoutError and say more. For the head see `connections.end_without_request`.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        deadline = asyncio.get_running_loop().time() + REQUEST
        whole = started = False

        async def receive_in_time() -> Message:
            nonlocal whole
            if whole:  # a later call waits for the client to leave
                return await receive()
            async with asyncio.timeout_at(deadline):
                message = await receive()
            whole = not message.get("more_body", False)
            return message

        async def send_on(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, receive_in_time, send_on)
        except TimeoutError:
            if whole or started:
                raise
            refusal = PlainTextResponse(TOO_SLOW, status_code=408, headers={"Connection": "close"})
            await refusal(scope, receive, send)
