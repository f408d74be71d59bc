"""How a page reaches its visitor soon: the page's first bytes name what it will need, and the server starts warm.

Streamlit alone would ask for plotly.js when the first chart is there, compress it anew for every visitor, and let no
browser keep it. Here the page itself names the script, so that it is read while Streamlit still loads, and it is kept;
so it is with Streamlit's modules.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import pkgutil
import socket
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import psutil
import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

import featdash.ui
from featdash.experiments import EXPERIMENTS
from featdash.ui import early_modules, plotly_script, workshop
from featdash.ui.kept_files import KeptFiles
from featdash.ui.whole_answer import whole_answer

KEPT = "public, max-age=31536000, immutable"
# If it fails, the charts find no such element and ask for the script themselves.
TAG = f'<script id="featdash-plotly" async src="./{plotly_script.LIGHT}" onerror="this.remove()"></script>'


def script(address: str) -> Callable[[Request], Response]:
    """The answer to those who ask for that script, which each may keep for a year."""

    def answer(_: Request) -> Response:
        headers = {"Cache-Control": KEPT, "X-Content-Type-Options": "nosniff"}
        return Response(plotly_script.plain(address), media_type="text/javascript", headers=headers)

    return answer


class EarlyScript:
    """Middleware that writes the names of plotly.js and of Streamlit's modules into Streamlit's page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("method") != "GET" or "text/html" not in Headers(scope=scope).get("accept", ""):
            await self.app(scope, receive, send)
            return
        answer = await whole_answer(self.app, scope, receive)
        if answer.start["status"] == 200 and answer.is_of("text/html"):
            names = f"{TAG}{early_modules.tags()}</head>".encode()
            answer = answer.with_body(answer.body.replace(b"</head>", names, 1))
        await answer.send(send)


def door() -> dict[str, Any]:
    """The arguments of `st.App`: the scripts' addresses, names in the page, files kept in memory, a warm start."""
    root = (st.get_option("server.baseUrlPath") or "").strip("/")
    base = f"/{root}" if root else ""
    routes = [Route(f"{base}/{address}", script(address)) for address in (plotly_script.LIGHT, plotly_script.WHOLE)]
    kept = Middleware(KeptFiles, (f"{base}/static/", f"{base}/featdash/"))
    return {"routes": routes, "middleware": [kept, Middleware(EarlyScript)], "lifespan": _warm}


@asynccontextmanager
async def _warm(_: st.App) -> AsyncIterator[None]:
    send_at_once()
    threading.Thread(target=warm_up, daemon=True).start()
    yield


def send_at_once() -> None:
    """Let the server's listening socket, and so each connection that it takes, send small packets without a wait.

    Streamlit binds a socket for which asyncio does not do so: the body of each answer then waits for the browser to
    acknowledge its head, 40 ms on Linux, and a page is a hundred answers.
    """
    for connection in psutil.Process().net_connections("tcp"):
        if connection.status == psutil.CONN_LISTEN and connection.fd >= 0:
            with socket.socket(fileno=os.dup(connection.fd)) as listener:
                listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def warm_up() -> None:
    """What the first visitor would wait for: the pages' imports, the run service with its workers, the Lab's run."""
    plotly_script.plain(plotly_script.LIGHT)
    for module in pkgutil.iter_modules(featdash.ui.__path__, "featdash.ui."):
        importlib.import_module(module.name)
    with contextlib.suppress(ValueError):  # a variable of the environment that makes no sense is told on the page
        recorded = workshop.service().recorded("race", EXPERIMENTS["race"].spec())
        if recorded:
            workshop.service().result(recorded)
