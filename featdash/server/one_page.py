"""A visitor who has gone to another page gets nothing more of the page before, and no click of theirs is lost."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash.ui.streamlit_internals import DrawingRequest, drawing_request, for_the_whole_page


class OnePage:
    """Middleware that drops what a part of a page asks for once the visitor has gone to another page.

    A picture may ask for its numbers just after the visitor has left its page. Streamlit would draw that part after the
    other page, under the name of the first one; the browser then takes the other page away, finds no place for what
    comes next, and shows an empty window.

    It also draws the whole page where the request for a part tells of two things at once. What happens in a browser
    while it is busy goes into one request, and if one thing has happened in a part, such as the end of a film, the
    request is for that part alone: a click on «Next story» just then would do nothing.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            receive = _OfOnePage(receive)
        await self.app(scope, receive, send)


class _OfOnePage:
    """The next message of one connection, without requests from parts of a page that the visitor has left, and with one
    for the whole page in place of one for a part that tells of several things."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._page = ""  # the whole page asked for last; "" if that request named none
        self._before: DrawingRequest | None = None  # the request before

    async def __call__(self) -> Message:
        while True:
            message = await self._receive()
            request = drawing_request(message.get("bytes") or b"")
            if request is None:
                return message
            if request.is_part and request.page and self._page not in ("", request.page):
                continue
            if not request.is_part:
                self._page = request.page
            if request.is_timed:
                return message
            news, self._before = request.news(self._before), request
            if request.is_part and request.page and news > 1:
                return {**message, "bytes": for_the_whole_page(message["bytes"])}
            return message
