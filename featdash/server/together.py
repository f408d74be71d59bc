"""What a page says while it is drawn reaches its browser at once, and not in twenty parts."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.ui.streamlit_internals import is_of_a_drawing

MOST = 0.3  # seconds that a message waits for the end of its drawing


class Together:
    """Middleware that keeps what a drawing says until the drawing has ended, or for MOST seconds.

    Streamlit sends each element as soon as the script has come to it, 120 in a tenth of a second, and the browser goes
    through the whole page whenever some have come: ten times 10 to 40 ms for one changed setting.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            await self.app(scope, receive, send)
            return
        messages = _Gathered(send)
        try:
            await self.app(scope, receive, messages)
        finally:
            messages.stop()


class _Gathered:
    """Passes the messages of one connection on in their order, those of a drawing together."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._kept: list[Message] = []
        self._one_at_a_time = asyncio.Lock()
        self._waiting: asyncio.Task[None] | None = None

    async def __call__(self, message: Message) -> None:
        self._kept.append(message)
        if not is_of_a_drawing(message.get("bytes") or b""):
            self.stop()
            await self._pass_on()
        elif self._waiting is None:
            self._waiting = asyncio.create_task(self._wait())

    def stop(self) -> None:
        """Wait for nothing any more."""
        if self._waiting:
            self._waiting.cancel()
            self._waiting = None

    async def _wait(self) -> None:
        await asyncio.sleep(MOST)
        self._waiting = None  # from here on nothing cancels it
        with suppress(OSError, RuntimeError):  # the browser has gone; Streamlit hears of it with its next message
            await self._pass_on()

    async def _pass_on(self) -> None:
        async with self._one_at_a_time:
            kept, self._kept = self._kept, []
            for message in kept:
                await self._send(message)
