"""A browser gets a name with its first page, and keeps it."""

import re

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from test_delivery import PLAIN, get

from featdash.server.cookies import VisitorCookie
from featdash.ui.kit.shared import COOKIE

NAME = rf"{COOKIE}=[0-9a-f]{{32}}"


def app(base):
    routes = [
        Route(f"{base}/lab", lambda _: HTMLResponse("x")),
        Route(f"{base}/file", lambda _: PlainTextResponse("x")),
    ]
    return Starlette(routes=routes, middleware=[Middleware(VisitorCookie, base)])


@pytest.mark.parametrize(("base", "path"), [("", "/"), ("/course", "/course")])
def test_a_browser_gets_a_name_that_no_script_reads_and_no_other_site_sends(base, path):
    _, headers, _ = get(app(base), f"{base}/lab", **PLAIN)
    assert re.fullmatch(f"{NAME}; Path={path}; HttpOnly; SameSite=Lax", headers["set-cookie"])


def test_each_browser_gets_another_name():
    told = {get(app(""), "/lab", **PLAIN)[1]["set-cookie"] for _ in range(3)}
    assert len(told) == 3


def test_a_browser_keeps_its_name_and_files_come_without_one():
    named = get(app(""), "/lab", cookie=f"a=b; {COOKIE}=0123456789abcdef", **PLAIN)
    assert "set-cookie" not in named[1]
    assert "set-cookie" in get(app(""), "/lab", cookie="a=b", **PLAIN)[1]
    assert "set-cookie" not in get(app(""), "/file", **PLAIN)[1]
    assert "set-cookie" not in get(app(""), "/lab", accept="*/*")[1]
