"""How plotly.js reaches a browser: named by the page, compressed, kept, and light."""

import asyncio
import gzip
import re
import socket
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, JSONResponse
from starlette.routing import Route

from featdash.ui import delivery, plotly_script

PAGE = "<html><head><title>x</title></head><body>é</body></html>"
REGISTERED = re.compile(r"\.register\(\[((?:\w+\(\),?)+)\]\)")
BROWSER = {"accept": "text/html,*/*", "accept-encoding": "gzip, br"}


def get(app, path, **headers):
    """(status, headers, body) of one request, spoken by hand."""
    sent = []

    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}

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
    ]
    return Starlette(routes=routes + delivery.door()["routes"], middleware=[Middleware(delivery.EarlyScript)])


def test_a_page_names_the_script_and_its_length_is_right(app):
    status, headers, body = get(app, "/", **BROWSER)
    assert status == 200
    assert body.decode() == PAGE.replace("</head>", delivery.TAG)
    assert int(headers["content-length"]) == len(body)
    assert "etag" not in headers


def test_everything_else_passes_unchanged(app):
    assert get(app, "/lost", **BROWSER)[2].decode() == PAGE
    assert get(app, "/data", **BROWSER)[2] == b'{"text":"</head>"}'
    assert get(app, "/", accept="*/*")[2].decode() == PAGE


@pytest.mark.parametrize("address", [plotly_script.LIGHT, plotly_script.WHOLE])
def test_a_script_comes_compressed_to_those_who_take_it_so_and_is_kept(app, address):
    _, headers, body = get(app, f"/{address}", accept_encoding="gzip")
    assert headers["content-encoding"] == "gzip"
    assert "immutable" in headers["cache-control"]
    assert headers["vary"].lower() == "accept-encoding"
    _, headers, plain = get(app, f"/{address}")
    assert "content-encoding" not in headers
    assert gzip.decompress(body) == plain


def test_the_light_script_registers_its_chart_types_and_no_others():
    whole, light = (plotly_script.plain(address).decode() for address in (plotly_script.WHOLE, plotly_script.LIGHT))
    calls = {
        name: max(map(len, (found.split(",") for found in REGISTERED.findall(script))))
        for name, script in {"whole": whole, "light": light}.items()
    }
    assert calls["whole"] > 40
    assert calls["light"] == len(plotly_script.TRACES) - 1  # scatter is there without being registered


@pytest.mark.parametrize("script", ["", "var x=1;", "a.register([b(),c()]);", "a.register([" + "b()," * 30 + "c()])"])
def test_a_script_built_otherwise_is_left_as_it_is(script):
    assert plotly_script.trimmed(script) == script


def test_connections_to_the_server_send_small_packets_at_once():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        delivery.send_at_once()
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
