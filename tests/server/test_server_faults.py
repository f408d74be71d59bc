"""The server against visitors who mean harm, operators who mistype, and other users of its machine."""

import asyncio
import resource
import signal
import socket
import ssl
import time
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest
from real_server import running_server
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse
from starlette.routing import Route
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.testing.v1 import AppTest
from test_delivery import get
from websocket_visitor import LONG, visit
from websockets.exceptions import ConnectionClosed

from featdash.runs.service import open_service
from featdash.server import connections, refusals
from featdash.server.refusals import BURST, PATIENCE, RATE, ClosedRoutes, MessageRate, frames_setting
from featdash.ui import shared
from featdash.ui.plain_text import UNSEEN, plain_text

SAYS = {
    "picture": "![x](http://127.0.0.1:9/p.png)",
    "link": "[win](https://evil.example)",
    "address": "https://evil.example/a_b_c",
    "www": "www.evil.example",
    "post": "a@evil.example",
    "bold": "**a** __b__ _c_ ~~d~~ `e`",
    "colour": ":red[a] :material/home: :smile:",
    "formula": "$x^2$ <b>b</b> &lt; a_b | c \\* d",
}


def wait_until(true):
    deadline = time.monotonic() + LONG
    while not true():
        assert time.monotonic() < deadline, "nothing came of it"
        time.sleep(0.1)


def children(server):
    """The processes that Dask has started for the server."""
    started = psutil.Process(server.process.pid).children(recursive=True)
    return [one for one in started if any("spawn_main" in word for word in one.cmdline())]


def presences(server):
    """The stores that are open in the server's home."""
    return list((Path(server.environment["FEATDASH_HOME"]) / "servers").glob("*[0-9a-f]"))


def ready(server):
    """Wait for its workers."""
    wait_until(lambda: presences(server) and children(server))


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """A server with one worker process."""
    with running_server(tmp_path_factory.mktemp("dask") / "home", FEATDASH_WORKERS="1") as one:
        ready(one)
        yield one


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A server without workers, begun under a low limit of open files that may be raised."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as stack:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 512), hard))
        try:
            one = stack.enter_context(
                running_server(tmp_path_factory.mktemp("small") / "home", FEATDASH_ENGINE="inline")
            )
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        yield one


def test_a_visitor_who_clears_the_caches_starts_no_second_service(dask):
    with visit(dask) as visitor:
        visitor.draw()
        before = children(dask)
        for _ in range(3):
            visitor.send(clear_cache=True)
            visitor.draw()
        time.sleep(2)  # for a process that were to come
    assert len(presences(dask)) == 1
    assert children(dask) == before


def test_what_sessions_share_is_made_once_until_it_is_reset(monkeypatch, tmp_path):
    monkeypatch.setenv("FEATDASH_ENGINE", "inline")
    monkeypatch.setenv("FEATDASH_HOME", str(tmp_path))
    shared.reset()
    first, gallery = shared.service(), shared.picture_cache()
    assert shared.service() is first
    shared.close()
    assert shared.service() is first
    shared.reset()
    assert shared.service() is not first
    assert shared.picture_cache() is not gallery
    shared.reset()
    shared.close()
    with pytest.raises(ValueError, match="the server is shutting down"):
        shared.service()
    shared.reset()


def test_no_stranger_reaches_the_workers(dask):
    """Whoever reaches a scheduler runs code as the user whose it is."""
    processes = [psutil.Process(dask.process.pid), *children(dask)]
    ports = {one.laddr.port for process in processes for one in process.net_connections() if one.status == "LISTEN"}
    assert len(ports - {dask.port}) >= 2  # of the scheduler and of a worker
    with ThreadPoolExecutor() as pool:
        for greeted in (greeting, greeting_without_certificate):
            assert list(pool.map(greeted, ports - {dask.port})) == [b""] * len(ports - {dask.port})


def greeting(port):
    """What one hears who connects; Dask, which speaks first, begins with its protocol."""
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as connection:
        return heard(connection)


def greeting_without_certificate(port):
    """The same, of one who speaks TLS and believes whatever certificate he is shown."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as connection:
        connection.settimeout(3)
        try:
            with context.wrap_socket(connection) as wrapped:
                return heard(wrapped)
        except OSError:  # no TLS there, as at the scheduler's web server, or a certificate is asked for
            return b""


def heard(connection):
    connection.settimeout(3)
    try:
        return connection.recv(100)
    except OSError:
        return b""


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT])
def test_a_server_that_is_ended_leaves_nothing_behind(tmp_path, end):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with running_server(tmp_path / "home", FEATDASH_WORKERS="1", TMPDIR=str(scratch)) as server:
        ready(server)
        with visit(server) as visitor:
            visitor.draw()
        wait_until(lambda: list(scratch.glob("dask-scratch-space/worker-*")))
        workers = children(server)
        server.process.send_signal(end)
        server.process.wait(LONG)
        assert not psutil.wait_procs(workers, LONG)[1]
        assert presences(server) == []
        assert not [one for one in scratch.glob("dask-scratch-space/*") if one.is_dir()]
    log = server.log.read_text()
    assert "Traceback" not in log
    assert "leaked" not in log


def test_the_limit_of_open_files_is_raised(small):
    soft, hard = resource.prlimit(small.process.pid, resource.RLIMIT_NOFILE)
    assert soft == hard > 512


def test_idle_connections_are_ended_and_fill_no_log(tmp_path):
    """They are taken up to the limit; when those have been ended, the others, and then whoever comes."""
    running = running_server(tmp_path / "home", "tests/toys/impatient_app.py", FEATDASH_ENGINE="inline")
    with running as server, visit(server) as visitor, ExitStack() as held:
        visitor.draw()
        most = psutil.Process(server.process.pid).num_fds() + 60
        resource.prlimit(server.process.pid, resource.RLIMIT_NOFILE, (most, most))
        before = len(server.log.read_text())
        address = ("127.0.0.1", server.port)
        idle = [held.enter_context(socket.create_connection(address, timeout=LONG)) for _ in range(120)]
        wait_until(lambda: "file handles must suffice for all visitors" in server.log.read_text()[before:])
        wait_until(lambda: health(server))
        assert all(one.recv(1) == b"" for one in idle)
        assert len(server.log.read_text()) - before < 1000, "it meets its limit each second, and says so once a minute"
        wait_until(lambda: psutil.Process(server.process.pid).num_fds() < most - 40)
        visitor.draw()  # one that has asked for something stays, however long it then says nothing


def health(server):
    """Whether a new visitor is let in."""
    try:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_other_errors_of_the_event_loop_are_told_as_ever():
    told = []

    class Loop:
        default_exception_handler = told.append

    alarm = connections.HandleAlarm()
    for context in ({"message": "x"}, {"message": "socket.accept()", "exception": OSError(5, "no")}):
        alarm(Loop, context)
    assert len(told) == 2


@pytest.mark.parametrize("path", ["_stcore/upload_file/a/b", "_stcore/upload_file/a/b/", "_stcore/upload_file"])
@pytest.mark.parametrize("method", ["PUT", "POST"])
def test_a_file_is_refused_in_one_sentence(small, path, method):
    request = urllib.request.Request(f"{small.url}/{path}", data=b"x" * 1000, method=method)
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(request, timeout=LONG)
    with refusal.value as answer:
        assert (answer.code, answer.read()) == (403, b"No file is taken here.")


def test_metrics_are_for_nobody_and_frames_for_ourselves(small):
    with pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(f"{small.url}/_stcore/metrics", timeout=LONG)
    with refusal.value as answer:
        assert answer.code == 403
    for path in ("", "lab"):
        with urllib.request.urlopen(f"{small.url}/{path}", timeout=LONG) as answer:
            policy = answer.headers["content-security-policy"].split("; ")
            assert "frame-ancestors 'self'" in policy
            assert "img-src 'self' data: blob:" in policy, "no picture that a text names is fetched"
            assert "default-src 'self'" in policy


def test_routes_are_closed_below_the_path_of_the_app_too():
    page = Route("/course/lab", lambda _: HTMLResponse("x"))
    app = Starlette(routes=[page], middleware=[Middleware(ClosedRoutes, "/course", "*")])
    assert get(app, "/course/_stcore/upload_file/a")[0] == 403
    assert get(app, "/course/lab")[1]["content-security-policy"].endswith("; frame-ancestors *")


@pytest.mark.parametrize("origins", ["*", "'none'", "https://a.example", "'self' https://*.a.example:8443 http://b"])
def test_an_operator_names_those_who_may_frame_the_app(origins):
    assert frames_setting({"FEATDASH_FRAMES": f" {origins} "}) == origins


@pytest.mark.parametrize("origins", ["https://a; script-src *", "a.example", "https://a\nx: y"])
def test_a_frame_setting_that_is_no_origin_is_one_sentence(origins):
    with pytest.raises(ValueError, match=r"^FEATDASH_FRAMES must be origins"):
        frames_setting({"FEATDASH_FRAMES": origins})


def waits(monkeypatch, times):
    """Seconds that each message of one connection had to wait, sent at these times; what the server sent at the end."""
    now, slept, sent, seen = [0.0], [], [], []

    async def app(scope, receive, send):  # noqa: ARG001
        while not seen or seen[-1] != "websocket.disconnect":
            seen.append((await receive())["type"])

    async def receive():
        if not queue:
            return {"type": "websocket.disconnect"}
        now[0] = max(now[0], queue.pop(0))
        return {"type": "websocket.receive", "bytes": b""}

    async def send(message):
        sent.append(message)

    async def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    queue = list(times)
    with monkeypatch.context() as patch:
        patch.setattr(refusals, "time", type("Clock", (), {"monotonic": staticmethod(lambda: now[0])}))
        patch.setattr(refusals, "asyncio", type("Loop", (), {"sleep": staticmethod(sleep)}))
        with ThreadPoolExecutor(1) as pool:  # where no other test's event loop runs
            pool.submit(lambda: asyncio.run(MessageRate(app)({"type": "websocket"}, receive, send))).result()
    return slept, sent, len(seen) - 1, now[0]


def test_messages_beyond_a_burst_come_at_the_rate(monkeypatch):
    slept, sent, taken, took = waits(monkeypatch, [0.0] * 100)
    assert taken == 100
    assert len(slept) == 100 - BURST
    assert took == pytest.approx((100 - BURST) / RATE)
    assert sent == []


def test_a_slider_and_a_live_page_together_never_wait(monkeypatch):
    slider = [0.1 * move for move in range(600)]
    timer = [0.3 * tick for tick in range(200)]
    slept, sent, taken, _ = waits(monkeypatch, sorted(slider + timer))
    assert (slept, sent, taken) == ([], [], 800)


def test_a_flood_that_does_not_end_ends_the_connection(monkeypatch):
    slept, sent, taken, _ = waits(monkeypatch, [0.0] * 2000)
    assert taken == BURST + PATIENCE
    assert len(slept) == PATIENCE
    assert [(one["type"], one["code"]) for one in sent] == [("websocket.close", 1008)]


def test_a_flood_of_messages_is_ended_and_others_are_served_meanwhile(small):
    with visit(small) as flooder, visit(small) as other, ThreadPoolExecutor(1) as pool:
        flooder.draw()
        other.draw()
        for _ in range(2000):
            flooder.send(rerun_script=ClientState())
        code, draws = pool.submit(end_of, flooder), 0
        while not code.done():
            other.draw()
            draws += 1
        assert code.result() == refusals.POLICY
    assert draws > 20  # one that waits until all messages are taken would be the only one


def end_of(visitor):
    """The code with which the server ends the connection."""
    while True:
        try:
            visitor.socket.recv(timeout=LONG)
        except ConnectionClosed as end:
            return end.rcvd.code


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("FEATDASH_ENGINE", "ray"),
        ("FEATDASH_SESSION_QUEUE", "0.5"),
        ("FEATDASH_QUEUE", "2.5"),
        ("FEATDASH_CACHE_BYTES", "0.2"),
        ("FEATDASH_WORKERS", "1e18"),
        ("FEATDASH_WORKERS", "abc"),
        ("FEATDASH_DEVICE", "foo"),
        ("FEATDASH_SCHEDULER", "http://x"),
        ("FEATDASH_HOME", "~nosuchuser/x"),
    ],
)
def test_a_mistyped_variable_is_one_sentence_and_opens_nothing(tmp_path, variable, value):
    home = tmp_path / "home"
    with pytest.raises(ValueError, match=rf"^{variable} must be .*, got '{value}'; .*[^.]$"):
        open_service({"FEATDASH_HOME": str(home), variable: value})
    assert not home.exists()


def test_a_count_may_be_written_in_any_way(tmp_path):
    service = open_service({"FEATDASH_HOME": str(tmp_path), "FEATDASH_ENGINE": "inline", "FEATDASH_QUEUE": "3e1"})
    assert service._limits.queue == 30
    service.close()


@pytest.mark.parametrize("value", SAYS.values(), ids=SAYS)
def test_a_value_of_the_link_is_no_markdown(monkeypatch, tmp_path, value):
    monkeypatch.setenv("FEATDASH_ENGINE", "inline")
    monkeypatch.setenv("FEATDASH_HOME", str(tmp_path))
    shared.reset()
    app = AppTest.from_file("../../app.py", default_timeout=60)
    app.query_params["n"] = value
    (error,) = app.run().error
    shared.reset()
    assert value not in error.value
    assert plain_text(value)[:24] in error.value


def test_sentences_of_our_own_stay_as_they_are():
    for sentence in ("step_rule must be one of a, b, got 'c'; see -1", "you have 3 runs (of 30) in the queue: wait"):
        assert plain_text(sentence) == sentence
    assert plain_text("# a") == "\\# a"
    assert plain_text("1. a") == "1\\. a"


@pytest.mark.browser
@pytest.mark.parametrize("part", ["emergence?n=", "kernels?part="])
def test_a_browser_asks_no_stranger_for_what_a_link_quotes(page, server, part):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    for value in SAYS.values():
        page.goto(f"{server.url}/{part}{urllib.request.quote(value)}")
        note = page.locator("[data-testid=stAlert]")
        note.wait_for(timeout=1000 * LONG)
        shown = note.inner_text().replace(UNSEEN, "").replace("\\\\", "\\")
        assert value in shown
        assert note.locator("a, img, strong, em, code, del, .katex, [style*=color] span").count() == 0
    assert [url for url in asked if not url.startswith((server.url, "data:", "blob:"))] == []
