"""How a page reaches its visitor fast: its first bytes name the scripts that it will need, and the server is warm.

Streamlit alone would ask for plotly.js when the first chart is there, compress it again for every visitor, and let no
browser cache it. Here the page itself names the script, so that the browser reads it while Streamlit still loads, and
caches it.
"""

from __future__ import annotations

import asyncio
import gc
import gzip
import logging
import os
import socket
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import Any

import psutil
import streamlit as st
from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from featdash import classroom
from featdash.classroom.routes import routes as classroom_routes
from featdash.lessons import PAGES, lessons_of
from featdash.recipes.version import package_version
from featdash.server import connections
from featdash.server.budget import ConnectionBudget, MessageBudget, WholeRequests
from featdash.server.cookies import VisitorCookie, host_cookie
from featdash.server.one_page import OnePage
from featdash.server.plain_routes import PlainRoutes
from featdash.server.refusals import ClosedRoutes, frames_setting
from featdash.server.together import Together
from featdash.server.upload_door import upload_door
from featdash.ui.kit import shared
from featdash.ui.stage import ahead, chart
from featdash.ui.streamlit_internals import SERVER

TURN = 0.001  # seconds that a thread may compute while others wait
SELDOM = 100  # collections of the younger garbage for one of all; Python has 10
FAREWELL = 15.0  # seconds for the workers to end; systemd allows 90
LEVEL = 6  # of gzip; Streamlit alone sends its own files uncompressed, which takes half a second more at 20 Mbit/s
KEPT = "public, max-age=31536000, immutable"
# If plotly.js fails, the charts find no such element and ask for it themselves.
TAG = (
    SERVER + f'<script id="featdash-plotly" async src="./{chart.LIGHT}" onerror="this.remove()"></script>'
    f'<link rel="modulepreload" crossorigin href="./{chart.ADDRESS}">'
)

log = logging.getLogger(__name__)


SCRIPTS: dict[str, Callable[[], bytes | str]] = {  # address below the app's root -> the script
    chart.LIGHT: partial(chart.plotly_script, chart.LIGHT),
    chart.WHOLE: partial(chart.plotly_script, chart.WHOLE),
    chart.ADDRESS: lambda: chart.SCRIPT,
}


def answer_with(script: Callable[[], bytes | str]) -> Callable[[Request], Response]:
    """A route's function that sends that script, to be cached for a year; it is compressed once for all visitors."""

    @cache
    def body(is_gzip: bool) -> bytes:
        content = script()
        whole = content.encode() if isinstance(content, str) else content
        return gzip.compress(whole, LEVEL) if is_gzip else whole

    def answer(request: Request) -> Response:
        is_gzip = "gzip" in request.headers.get("accept-encoding", "")
        headers = {"Cache-Control": KEPT, "X-Content-Type-Options": "nosniff", "Vary": "Accept-Encoding"}
        headers |= {"Content-Encoding": "gzip"} if is_gzip else {}
        return Response(body(is_gzip), media_type="text/javascript", headers=headers)

    return answer


class EarlyScript:
    """Middleware that writes TAG into Streamlit's page: the names of plotly.js and of the charts' script."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request_headers = Headers(scope=scope if scope["type"] == "http" else {"headers": []})
        if scope.get("method") != "GET" or "text/html" not in request_headers.get("accept", ""):
            await self.app(scope, receive, send)
            return
        start: Message = {}
        parts: list[bytes] = []

        async def name_scripts(message: Message) -> None:
            nonlocal start
            if message["type"] == "http.response.start":
                start = message
                return
            parts.append(message.get("body", b""))
            if message.get("more_body"):
                return
            headers, body = MutableHeaders(raw=list(start["headers"])), b"".join(parts)
            if start["status"] == 200 and headers.get("content-type", "").startswith("text/html"):
                body = body.replace(b"</head>", f"{TAG}</head>".encode(), 1)
                headers["content-length"] = str(len(body))
                del headers["etag"], headers["last-modified"]  # they belong to the page without the names
            await send({**start, "headers": headers.raw})
            await send({"type": "http.response.body", "body": body})

        plain = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]
        await self.app({**scope, "headers": plain, "extensions": {}}, receive, name_scripts)  # the bytes of the file


def asgi_options() -> dict[str, Any]:
    """The arguments of `st.App`: the scripts' addresses, names in the page, compression, a warm start."""
    root = (st.get_option("server.baseUrlPath") or "").strip("/")
    base = f"/{root}" if root else ""
    scripts = {f"{base}/{address}": answer_with(script) for address, script in SCRIPTS.items()}
    routes: list[BaseRoute] = [Route(path, answer) for path, answer in scripts.items()]
    routes += [host_cookie(base), upload_door(base), ahead.route(base)]
    middleware = [
        Middleware(WholeRequests),
        Middleware(ConnectionBudget),
        Middleware(MessageBudget),
        Middleware(OnePage),
        Middleware(Together),
        Middleware(PlainRoutes, classroom_routes(base, classroom.rooms)),
        Middleware(VisitorCookie, base),
        Middleware(ClosedRoutes, base, frames_setting()),
        Middleware(GZipMiddleware, minimum_size=1000, compresslevel=LEVEL),
        Middleware(EarlyScript),
    ]
    return {"routes": routes, "middleware": middleware, "lifespan": _running}


@asynccontextmanager
async def _running(_: st.App) -> AsyncIterator[None]:
    """Prepare for many visitors, then warm up; end all workers at the end, since SIGTERM leaves no other moment."""
    connections.raise_limit()  # before there is a worker: it inherits the limit, and answers its peers under it
    connections.sound_alarm()
    connections.end_without_request()
    send_at_once()
    take_short_turns()
    threading.Thread(target=warm_up, daemon=True).start()
    try:
        yield
    finally:
        await close()


async def close() -> None:
    """End the run service and its workers; wait for a service that is still starting them, but not for ever.

    It runs on a separate thread: asyncio would wait for one of its own before the process may end.
    """
    thread = threading.Thread(target=shared.close, daemon=True)
    thread.start()
    deadline = time.monotonic() + FAREWELL
    while thread.is_alive() and time.monotonic() < deadline:
        await asyncio.sleep(0.05)


def take_short_turns() -> None:
    """No thread and no collection of garbage keeps a hundred viewers waiting for long.

    Python lets a thread that computes, such as one that builds a picture, go on for 5 ms while others wait, and a look
    at a page passes from thread to thread some six times. With a hundred pages open a search of all objects for garbage
    takes 0.2 s, and was due every six seconds; nearly all garbage is young, and is still collected as before.
    """
    sys.setswitchinterval(TURN)
    young, middle, _ = gc.get_threshold()
    gc.set_threshold(young, middle, SELDOM)


def send_at_once() -> None:
    """Let the server's listening socket, and so each connection that it accepts, send small packets at once.

    Streamlit binds a socket for which asyncio does not do so: the body of each answer would wait for the browser to
    acknowledge its head, 40 ms on Linux, and a page is a hundred answers.
    """
    for connection in psutil.Process().net_connections("tcp"):
        if connection.status == psutil.CONN_LISTEN and connection.fd >= 0:
            with socket.socket(fileno=os.dup(connection.fd)) as listener:
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def warm_up() -> None:
    """Load what the first visitor would wait for: the pages' imports, the run service, its workers, the first run."""
    chart.plotly_script(chart.LIGHT)
    package_version()  # it computes the version of each run as well
    first, *_ = [lesson for page in PAGES for lesson in lessons_of(page)]
    try:
        recorded = shared.service().find_recorded(first.experiment.name, first.experiment.spec())
        if recorded:
            shared.service().result(recorded)
    except ValueError as refusal:  # a variable of the environment that makes no sense; each page says so too
        log.error("%s", refusal)
