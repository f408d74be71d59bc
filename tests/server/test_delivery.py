"""How scripts reach a browser: named by the page, compressed, kept, and light."""

import asyncio
import gzip
import re
import socket
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from featdash.server import asgi, static_cache
from featdash.server.static_cache import KeptFiles, takes_gzip
from featdash.ui import chart
from featdash.ui.streamlit_internals import STATIC

PAGE = "<html><head><title>x</title></head><body>é</body></html>"
FILES = ("/static/a.js", "/static/font.woff2", "/static/manifest.json")
REGISTERED = re.compile(r"\.register\(\[((?:\w+\(\),?)+)\]\)")
FILE = b"export const words = 'again and again and again and again'" * 9
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
    ]
    door = asgi.asgi_options()
    return Starlette(routes=routes + door["routes"], middleware=door["middleware"])


def test_a_page_names_the_script_and_its_length_is_right(app):
    status, headers, body = get(app, "/", **PLAIN)
    assert status == 200
    named = re.fullmatch(re.escape(PAGE).replace("</head>", "(.+)</head>"), body.decode())[1]
    script, module = re.findall(r"<script [^<>]+></script>|<link [^<>]+>", named)
    assert script + module == named
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


@pytest.mark.parametrize(
    ("said", "taken"),
    [
        ("gzip", True),
        ("br, GZIP ;q=0.5", True),
        ("*", True),
        ("*;q=0, gzip", True),
        ("", False),
        ("notgzip", False),
        ("gzip;q=0", False),
        ("gzip; q=0.000, br", False),
        ("gzip;q=0, *", False),
    ],
)
def test_gzip_is_for_those_who_say_that_they_take_it(said, taken):
    assert takes_gzip(Headers({"accept-encoding": said})) is taken


def test_everything_else_passes_unchanged(app):
    assert get(app, "/lost", **BROWSER)[2].decode() == PAGE
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


@pytest.fixture
def shop():
    """An app that counts how often each of its files was asked for, behind the middleware."""
    asked = Counter()

    def file(kind, **headers):
        def answer(request):
            asked[request.url.path] += 1
            assert "accept-encoding" not in request.headers or "if-none-match" in request.headers
            return Response(FILE, media_type=kind, headers={"etag": "x"} | headers)

        return answer

    kept = {"cache-control": "public, immutable, max-age=9"}
    routes = [
        Route("/static/a.js", file("text/javascript", **kept)),
        Route("/static/./a.js", file("text/javascript", **kept)),
        Route("/static/font.woff2", file("font/woff2", **kept)),
        Route("/static/manifest.json", file("application/json", **{"cache-control": "no-cache"})),
    ]
    return Starlette(routes=routes, middleware=[Middleware(KeptFiles, FILES)]), asked


def test_a_file_that_never_changes_is_read_once_and_compressed_for_those_who_take_it_so(shop):
    app, asked = shop
    for _ in range(3):
        status, headers, packed = get(app, "/static/a.js", **BROWSER)
        assert (status, headers["content-encoding"], int(headers["content-length"])) == (200, "gzip", len(packed))
        assert gzip.decompress(packed) == FILE
        assert "etag" not in headers
    assert asked["/static/a.js"] == 1
    for _ in range(2):
        status, headers, plain = get(app, "/static/a.js")
        assert (status, plain, headers["vary"]) == (200, FILE, "Accept-Encoding")
        assert "content-encoding" not in headers
    assert asked["/static/a.js"] == 2


def test_a_file_is_kept_whole_though_the_first_who_asks_leaves(tmp_path):
    file = tmp_path / "large.js"
    file.write_bytes(FILE * 1000)  # read in several parts
    answer = partial(FileResponse, file, headers={"cache-control": "public, immutable"})
    app = Starlette(routes=[Route("/static/a.js", lambda _: answer())], middleware=[Middleware(KeptFiles, FILES)])
    get(app, "/static/a.js", leaves=True)
    assert get(app, "/static/a.js")[2] == FILE * 1000


def test_a_font_is_kept_as_it_is(shop):
    app, asked = shop
    for _ in range(2):
        _, headers, body = get(app, "/static/font.woff2", **BROWSER)
        assert body == FILE
        assert "content-encoding" not in headers
    assert asked["/static/font.woff2"] == 1


def test_a_file_that_may_change_or_is_asked_for_on_terms_is_answered_by_streamlit(shop):
    app, asked = shop
    for _ in range(2):
        assert get(app, "/static/manifest.json", **BROWSER)[2] == FILE
        get(app, "/static/a.js", if_none_match="x", **BROWSER)
        assert get(app, "/static/lost.js", **BROWSER)[0] == 404
    assert asked == {"/static/manifest.json": 2, "/static/a.js": 2}


def kept_of(app):
    """The middleware that keeps files, of an app that has answered."""
    layer = app.middleware_stack
    while not isinstance(layer, KeptFiles):
        layer = layer.app
    return layer


def test_a_file_too_large_for_the_memory_is_not_kept(shop, monkeypatch):
    app, asked = shop
    monkeypatch.setattr(static_cache, "MOST_BYTES", 10)
    for _ in range(2):
        assert get(app, "/static/font.woff2")[2] == FILE
    assert asked["/static/font.woff2"] == 2


def test_the_file_that_was_asked_for_longest_ago_makes_room(shop, monkeypatch):
    app, asked = shop
    for path, times in (("a.js", 1), ("font.woff2", 1), ("a.js", 1), ("font.woff2", 1)):
        get(app, f"/static/{path}")
        assert asked[f"/static/{path}"] == times
    monkeypatch.setattr(static_cache, "MOST_BYTES", kept_of(app).bytes + 10)
    get(app, "/static/a.js", **BROWSER)  # another form, for which one of the two must go
    get(app, "/static/font.woff2")
    assert asked["/static/font.woff2"] == 1
    get(app, "/static/a.js")
    assert asked["/static/a.js"] == 3


def test_another_path_of_a_kept_file_is_not_kept(shop):
    app, asked = shop
    for _ in range(2):
        get(app, "/static/./a.js")
    assert asked["/static/./a.js"] == 2


def test_every_file_of_streamlit_has_one_path_among_the_kept():
    paths = asgi.static_paths("/course")
    assert len(paths) == len(set(paths)) > 100
    named = re.findall(r'(?:href|src)="\./(static/[^"]+)"', (STATIC / "index.html").read_text())
    assert named
    assert {f"/course/{name}" for name in named} <= set(paths)
    assert all(path.startswith("/course/static/") for path in paths)


def test_what_is_kept_is_counted_whole(shop):
    app, _ = shop
    for path in FILES:
        get(app, path)
        get(app, path, **BROWSER)
    kept = kept_of(app)
    assert len(kept.kept) == 4
    assert kept.bytes == sum(static_cache.weight(path, answer) for (path, _), answer in kept.kept.items())
    assert static_cache.weight("/static/a.js", kept.kept["/static/a.js", False]) > len(FILE) + len("/static/a.js")


def test_connections_to_the_server_send_small_packets_at_once():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        asgi.send_at_once()
        with socket.create_connection(listener.getsockname()), listener.accept()[0] as accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
