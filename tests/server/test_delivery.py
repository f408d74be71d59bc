"""How scripts reach a browser: named by the page, compressed, kept, and light."""

import asyncio
import gc
import gzip
import re
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from featdash.server import asgi
from featdash.ui.stage import chart
from featdash.ui.streamlit_internals import SERVER

PAGE = "<html><head><title>x</title></head><body>" + "é" * 600 + "</body></html>"
REGISTERED = re.compile(r"\.register\(\[((?:\w+\(\),?)+)\]\)")
FILE = b"export const words = 'again and again and again and again'" * 30
BROWSER = {"accept": "text/html,*/*", "accept-encoding": "gzip, br"}
PLAIN = {"accept": "text/html,*/*"}


def get(app, path, leaves=False, **headers):
    """(status, headers, body) of one request, spoken by hand; leaves : whoever asks does not wait for the answer."""
    sent = []

    async def receive():
        return {"type": "http.disconnect"} if leaves else {"type": "http.request", "body": b"", "more_body": False}

    async def send(message):
        sent.append(message)

    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": "GET", "path": path, "headers": named, "query_string": b"", "root_path": ""}
    with ThreadPoolExecutor(1) as pool:  # where no other test's event loop runs
        pool.submit(lambda: asyncio.run(app(scope, receive, send))).result()
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(message.get("body", b"") for message in sent[1:])


@pytest.fixture(scope="module")
def app():
    routes = [
        Route("/", lambda _: HTMLResponse(PAGE, headers={"etag": "x"})),
        Route("/lost", lambda _: HTMLResponse(PAGE, status_code=404)),
        Route("/data", lambda _: JSONResponse({"text": "</head>"})),
        Route("/static/a.js", lambda _: Response(FILE, media_type="text/javascript")),
        Route("/static/font.woff2", lambda _: Response(FILE, media_type="font/woff2")),
    ]
    door = asgi.asgi_options()
    return Starlette(routes=routes + door["routes"], middleware=door["middleware"])


def test_a_page_names_the_script_and_its_length_is_right(app):
    status, headers, body = get(app, "/", **PLAIN)
    assert status == 200
    named = re.fullmatch(re.escape(PAGE).replace("</head>", "(.+)</head>"), body.decode())[1]
    script, module = re.findall(r"<script [^<>]+></script>|<link [^<>]+>", named)
    assert SERVER + script + module == named
    assert chart.LIGHT in script
    assert 'rel="modulepreload"' in module
    assert chart.ADDRESS in module
    assert int(headers["content-length"]) == len(body)
    assert "etag" not in headers


def test_a_page_is_compressed_for_those_who_take_it_so(app):
    _, headers, packed = get(app, "/", **BROWSER)
    assert (headers["content-encoding"], headers["vary"]) == ("gzip", "Accept-Encoding")
    assert int(headers["content-length"]) == len(packed)
    assert gzip.decompress(packed) == get(app, "/", **PLAIN)[2]


def test_everything_else_passes_unchanged(app):
    assert get(app, "/lost", **PLAIN)[2].decode() == PAGE
    assert get(app, "/data", **BROWSER)[2] == b'{"text":"</head>"}'
    assert get(app, "/", accept="*/*")[2].decode() == PAGE


@pytest.mark.parametrize("address", asgi.SCRIPTS)
def test_a_script_comes_compressed_to_those_who_take_it_so_and_is_kept(app, address):
    _, headers, body = get(app, f"/{address}", accept_encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    assert "immutable" in headers["cache-control"]
    assert headers["vary"].lower() == "accept-encoding"
    _, headers, plain = get(app, f"/{address}")
    assert "content-encoding" not in headers
    assert gzip.decompress(body) == plain


def test_the_light_script_registers_its_chart_types_and_no_others():
    whole, light = (chart.plotly_script(address).decode() for address in (chart.WHOLE, chart.LIGHT))
    calls = {
        name: max(map(len, (found.split(",") for found in REGISTERED.findall(script))))
        for name, script in {"whole": whole, "light": light}.items()
    }
    assert calls["whole"] > 40
    assert calls["light"] == len(chart.TRACES) - 1  # scatter is there without being registered


@pytest.mark.parametrize("script", ["", "var x=1;", "a.register([b(),c()]);", "a.register([" + "b()," * 30 + "c()])"])
def test_a_script_built_otherwise_is_left_as_it_is(script):
    assert chart.register_only(script) == script


def test_both_scripts_have_their_large_function_in_brackets():
    for address in (chart.LIGHT, chart.WHOLE):
        script = chart.plotly_script(address).decode()
        assert script.count(", (() => {\n") == 1
        assert script.count("\n})));") == 1


@pytest.mark.parametrize("script", ["", "var x=1;", "(f(this, () => {\n}));", 'x, () => {\n"use strict";var Plotly=1;'])
def test_a_function_wrapped_otherwise_is_left_as_it_is(script):
    assert chart.call_eagerly(script) == script


def test_a_file_of_streamlit_comes_compressed_and_a_font_as_it_is(app):
    _, headers, packed = get(app, "/static/a.js", **BROWSER)
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == FILE
    assert "content-encoding" not in get(app, "/static/a.js")[1]
    _, headers, font = get(app, "/static/font.woff2", **BROWSER)
    assert "content-encoding" not in headers
    assert font == FILE


def test_a_script_is_compressed_once_for_all_visitors(app, monkeypatch):
    first = get(app, f"/{chart.ADDRESS}", **BROWSER)[2]
    monkeypatch.setattr(gzip, "compress", lambda *_: pytest.fail("compressed once more"))
    assert get(app, f"/{chart.ADDRESS}", **BROWSER)[2] == first


def test_connections_to_the_server_send_small_packets_at_once():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        asgi.send_at_once()
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_threads_take_short_turns_and_young_garbage_is_collected_as_before(monkeypatch):
    turns, thresholds = [], []
    monkeypatch.setattr(sys, "setswitchinterval", turns.append)
    monkeypatch.setattr(gc, "set_threshold", lambda *counts: thresholds.append(counts))
    asgi.take_short_turns()
    assert turns == [asgi.TURN] < [sys.getswitchinterval()]
    assert thresholds == [(*gc.get_threshold()[:2], asgi.SELDOM)] > [gc.get_threshold()]
