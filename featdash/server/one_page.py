"""A visitor who has gone to another page gets nothing more of the one before."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.ui.streamlit_internals import drawing_asked


class OnePage:
    """Middleware that drops what a part of a page asks for once that page was left by Back, Forward or a link of ours.

    A picture may ask for its numbers just after the visitor has left its page. Streamlit would draw that part after the
    other page, under the name of the first one; the browser then takes the other page away, finds no place for what
    comes next, and shows an empty window.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            receive = _OfOnePage(receive)
        await self.app(scope, receive, send)


class _OfOnePage:
    """The next message of one connection, but for those of parts of a page that was left."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._page = ""  # that was asked for last; "" while the browser has not told Streamlit's name of it
        self._left: set[str] = set()

    async def __call__(self) -> Message:
        while True:
            message = await self._receive()
            asked = drawing_asked(message.get("bytes") or b"")
            if asked is None:
                return message
            if asked.is_part and asked.page in self._left:
                continue
            if not asked.is_part or not self._page:
                # Without a step of the history it is the same page, or its other name.
                self._left = (self._left | ({self._page} if asked.by_history else set())) - {asked.page, ""}
                self._page = asked.page
            return message
