"""Routes that are answered before any part of Streamlit sees the request: they bring their own headers."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import BaseRoute, Match, Router
from starlette.types import ASGIApp, Receive, Scope, Send


class PlainRoutes:
    """Middleware that answers for these routes, and leaves all others to the app."""

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self.app, self.routes = app, routes
        self.plain = ExceptionMiddleware(Router(routes, redirect_slashes=False))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ours = scope["type"] == "http" and any(route.matches(scope)[0] is not Match.NONE for route in self.routes)
        await (self.plain if ours else self.app)(scope, receive, send)
