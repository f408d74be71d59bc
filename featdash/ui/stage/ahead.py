"""Pictures go ahead of their page to the browser, over a websocket of the stage's own.

A page is a hundred messages, and the browser would come to the pictures a quarter of a second after a setting was
dragged, where the server has drawn them within 60 ms. So what a page that is drawn anew says of its pictures goes
ahead, and while a run is watched each picture, before the server draws the next one. The page says all of that again
in its turn, and the browser finds that it knows it. Nothing depends on this socket: where a proxy lets none through, or
one message too many waits in it, the pictures come with the page.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from typing import Any
from weakref import WeakValueDictionary

import streamlit as st
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket

PATH = "featdash/ahead/{ticket}"
MOST = 8  # messages that wait for a slow browser


class Ahead:
    """The way ahead to one stage of one session.

    ticket : what its browser opens it with, and nobody else knows.
    """

    def __init__(self) -> None:
        self.ticket = secrets.token_urlsafe(16)
        self._subject: str | None = None  # what its browser was told of last: a run, and the marks of its pictures
        self._marks: dict[str, str] = {}
        self._number = 0  # of the page's messages so far
        self._browser: tuple[asyncio.AbstractEventLoop, asyncio.Queue[bytes]] | None = None

    def next(self) -> dict[str, Any]:
        """Which way the page's next message goes, and its number, so that the browser takes nothing older after it."""
        self._number += 1
        return self._coming(self._number)

    def tell(self, message: bytes, subject: str | None, marks: Mapping[str, str], whole: bool) -> None:
        """What the page is going to say of these pictures. It goes ahead if the page is drawn whole and one is new."""
        if whole and not (subject == self._subject and marks.items() <= self._marks.items()):
            self._send(message)
        self._subject, self._marks = subject, dict(marks)

    def tell_picture(self, name: str, mark: str, panel: bytes) -> None:
        """One picture of the run on show, of the page's next message; `panel` : as that message has it."""
        about = json.dumps({"ahead": self._coming(self._number + 1), "subject": self._subject, "name": name})
        self._send(b'%s,"panel":%s}' % (about[:-1].encode(), panel))
        self._marks[name] = mark

    def _coming(self, number: int) -> dict[str, Any]:
        return {"ticket": self.ticket, "number": number}

    def _send(self, message: bytes) -> None:
        if browser := self._browser:
            loop, queue = browser
            loop.call_soon_threadsafe(_put, queue, message)

    async def serve(self, socket: WebSocket) -> None:
        """Send what is said from now on, until the browser closes the socket; the latest of several sockets gets it."""
        await socket.accept()
        queue: asyncio.Queue[bytes] = asyncio.Queue(MOST)
        browser = self._browser = (asyncio.get_running_loop(), queue)
        sending = asyncio.create_task(_send_all(socket, queue))
        try:
            while (await socket.receive())["type"] != "websocket.disconnect":
                pass  # a browser has nothing to say here
        finally:
            sending.cancel()
            if self._browser is browser:
                self._browser = None


_known: WeakValueDictionary[str, Ahead] = WeakValueDictionary()  # by their tickets; a session holds its own


def ahead_to(stage: str) -> Ahead:
    """The way ahead to the stage of that key, of the session whose script runs."""
    key = f"{stage}.ahead@"
    if key not in st.session_state:
        st.session_state[key] = Ahead()
        _known[st.session_state[key].ticket] = st.session_state[key]
    return st.session_state[key]


def route(base: str) -> WebSocketRoute:
    """The address of all stages' sockets, below the app's root."""
    return WebSocketRoute(f"{base}/{PATH}", _serve)


async def _serve(socket: WebSocket) -> None:
    ahead = _known.get(socket.path_params["ticket"])
    if ahead is None:
        await socket.close()  # before it is accepted: the answer is 403
        return
    await ahead.serve(socket)


def _put(queue: asyncio.Queue[bytes], message: bytes) -> None:
    if not queue.full():
        queue.put_nowait(message)


async def _send_all(socket: WebSocket, queue: asyncio.Queue[bytes]) -> None:
    while True:
        await socket.send_bytes(await queue.get())
