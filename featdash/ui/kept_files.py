"""Files that never change, Streamlit's own and ours: kept in memory, and compressed once for all visitors.

Streamlit alone reads each of the hundred files of a page from the disk, in a thread of its own, and sends it as it is:
4 ms and 40 kB a file. A class that opens the page at the same minute waits for that, one visitor after another.
"""

from __future__ import annotations

import asyncio
import gzip

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from featdash.ui.whole_answer import Answer, whole_answer

MOST_BYTES = 1 << 26  # of kept files; all that the pages of the app ask for are a fifth of it
LEVEL = 6
WORTH = ("text/", "application/javascript", "application/json", "image/svg")  # types that gzip makes smaller
OWN_TERMS = ("range", "if-none-match", "if-modified-since")  # of requests that the app itself answers


class KeptFiles:
    """Middleware that answers for files in `folders` which the app marks as immutable, once it has seen them."""

    def __init__(self, app: ASGIApp, folders: tuple[str, ...]) -> None:
        self.app = app
        self.folders = folders
        self.kept: dict[tuple[str, bool], Answer] = {}  # by path, and whether compressed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope=scope) if scope["type"] == "http" else {}
        ours = scope.get("method") == "GET" and scope["path"].startswith(self.folders)
        if not ours or any(name in headers for name in OWN_TERMS):
            await self.app(scope, receive, send)
            return
        key = scope["path"], "gzip" in headers.get("accept-encoding", "")
        answer = self.kept.get(key)
        if answer is None:
            answer = await whole_answer(self.app, scope, receive)
            if answer.start["status"] == 200 and "immutable" in answer.headers.get("cache-control", ""):
                answer = await self._keep(key, answer)
        await answer.send(send)

    async def _keep(self, key: tuple[str, bool], answer: Answer) -> Answer:
        """The answer in the form that the key asks for."""
        if answer.is_of(WORTH):
            packed = {"content_encoding": "gzip"} if key[1] else {}
            body = await asyncio.to_thread(gzip.compress, answer.body, LEVEL) if key[1] else answer.body
            answer = answer.with_body(body, vary="Accept-Encoding", **packed)
        if sum(len(one.body) for one in self.kept.values()) + len(answer.body) <= MOST_BYTES:
            self.kept[key] = answer
        return answer
