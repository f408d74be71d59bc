"""Clicks reach Streamlit once each, and nothing breaks their answers off.

Three things would go wrong with a click while pictures are drawn or the server is busy. A timer's request may take it
along: it then counts twice, or not at all. Requests that wait for their turn are put together: of two clicks on one
button one is lost, and those on two buttons are answered with the newest first, so that Run, then Stop, would stop the
run and begin it again. And a request that comes while a click is being answered breaks that answer off.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.ui.streamlit_internals import Drawing, Request, drawing_in, request_in

PATIENCE = 2.0  # seconds that a request waits for the one before at most


class ClicksInTurn:
    """Middleware: a click waits until the page is drawn with what came before it; what comes after waits for the click.

    A timer's request with a click in it is dropped: its browser sends the click once more, at once.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            turns = _Turns(receive, send)
            receive, send = turns.receive, turns.send
        await self.app(scope, receive, send)


class _Turns:
    """The messages of one connection, and whether its last request, but for those of timers, has been answered."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self._answered = asyncio.Event()
        self._answered.set()
        self._last = Request()
        self._begun = False

    async def receive(self) -> Message:
        while True:
            message = await self._receive()
            request = request_in(message.get("bytes") or b"")
            if request is None:
                return message
            if request.clicks and request.by_timer:
                continue
            if request.clicks or self._last.clicks:
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._answered.wait(), PATIENCE)
            if not request.by_timer:
                self._last, self._begun = request, False
                self._answered.clear()
            return message

    async def send(self, message: Message) -> None:
        if not self._answered.is_set():
            self._look_at(drawing_in(message.get("bytes") or b""))
        await self._send(message)

    def _look_at(self, drawing: Drawing | None) -> None:
        """What a control calls has been called once the first part of a drawing comes that was begun after it."""
        if drawing and drawing.begins:
            self._begun = self._begun or not drawing.fragments or self._last.fragment in drawing.fragments
        elif drawing and self._begun:
            self._answered.set()
