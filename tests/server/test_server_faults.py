"""The server against visitors who mean harm, operators who mistype, and other users of its machine."""

import asyncio
import errno
import json
import logging
import resource
import signal
import socket
import ssl
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from urllib.parse import quote

import psutil
import pytest
from app_pages import open_page
from ended_server import children, folders_of_workers, nothing_left_of, presences
from hand_engine import until
from playwright.sync_api import expect
from real_server import running_server
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ClientState_pb2 import ClientState
from test_delivery import get
from tornado.netutil import add_accept_handler
from websocket_visitor import LONG, visit
from websockets.exceptions import ConnectionClosed

from featdash.runs.service import open_service
from featdash.server import budget, connections
from featdash.server.budget import BURST, FRAME, PATIENCE, RATE, ConnectionBudget, MessageBudget, WholeRequests
from featdash.server.refusals import ClosedRoutes, frames_setting
from featdash.ui.kit import shared
from featdash.ui.kit.plain_text import UNSEEN, plain_text

FILES = resource.RLIMIT_NOFILE
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
SETTINGS = ("n", "test", "m", "steps", "d", "D", "seed", "k")  # of the page that is to quote them


def ready(server):
    """Wait for its workers."""
    until(lambda: presences(server) and children(server))


@pytest.fixture(scope="module")
def dask(tmp_path_factory):
    """A server with one worker process."""
    home, scratch = tmp_path_factory.mktemp("dask") / "home", tmp_path_factory.mktemp("scratch")
    with running_server(home, FEATDASH_WORKERS="1", TMPDIR=str(scratch)) as one:
        ready(one)
        yield one


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    """A server without workers that loses patience early, begun under a low limit of open files that may be raised."""
    soft, hard = resource.getrlimit(FILES)
    home = tmp_path_factory.mktemp("small") / "home"
    with ExitStack() as stack:
        resource.setrlimit(FILES, (min(soft, 512), hard))
        try:
            one = stack.enter_context(running_server(home, "tests/toys/impatient_app.py", FEATDASH_ENGINE="inline"))
        finally:
            resource.setrlimit(FILES, (soft, hard))
        yield one


def test_a_visitor_who_clears_the_caches_starts_no_second_service(dask):
    with visit(dask) as visitor:
        visitor.draw()
        before = children(dask)
        for _ in range(3):
            visitor.send(clear_cache=True)
            visitor.draw()
    assert len(presences(dask)) == 1, "a service says that it is there before it starts its workers"
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


SILENCE = (b"", b"\x15\x03\x03\x00\x02\x022")  # what TLS says when it hears no greeting: decode_error


def test_no_stranger_reaches_the_workers(dask):
    """Whoever reaches a scheduler runs code as the user whose it is."""
    processes = [psutil.Process(dask.process.pid), *children(dask)]
    ports = {one.laddr.port for process in processes for one in process.net_connections() if one.status == "LISTEN"}
    assert len(ports - {dask.port}) >= 2  # of the scheduler and of a worker
    for port in ports - {dask.port}:
        assert heard(port) in SILENCE
        if not heard(port, b"GET / HTTP/1.0\r\n\r\n").startswith(b"HTTP/"):  # as the scheduler's web server does
            assert heard_without_certificate(port) in SILENCE


def heard(port, said=b""):
    """What one hears who connects and says this; Dask, which speaks first, begins with its protocol.

    Who has nothing to say ends his side. Who has said something waits: a web server that sees the end before it has
    answered does not answer.
    """
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as connection:
        with suppress(OSError):  # it has ended the connection meanwhile
            if said:
                connection.sendall(said)
            else:
                connection.shutdown(socket.SHUT_WR)
        return first_bytes(connection)


def heard_without_certificate(port):
    """What one hears who speaks TLS and believes whatever certificate he is shown."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as connection:
        try:
            with context.wrap_socket(connection) as wrapped:
                return first_bytes(wrapped)
        except ssl.SSLError:  # a certificate is asked for
            return b""


def first_bytes(connection):
    try:
        return connection.recv(100)
    except (ConnectionResetError, ssl.SSLError):
        return b""


def test_a_server_that_is_interrupted_leaves_nothing_behind(dask):
    """The last test of this server. What another signal ends, in `test_class_server.py`, leaves nothing either."""
    with visit(dask) as visitor:
        visitor.draw()
    until(lambda: folders_of_workers(dask))
    with nothing_left_of(dask):
        dask.process.send_signal(signal.SIGINT)
        dask.process.wait(LONG)


def test_the_limit_of_open_files_is_raised(small):
    soft, hard = resource.prlimit(small.process.pid, FILES)
    assert soft == hard > 512


BEGUN = [
    b"GET /_stcore/health HTTP/1.1\r\nHost: x\r\n\r\nGET",  # of which the first half is answered
    b"GET /_stcore/health HTTP/1.1\r\nHost: x\r\n",
    b"G",
    b"",
]
POSTED = ("class-key", "own-table/x", "_stcore/health", "room/ABCD/answers")


def begin_a_body(server, path):
    """A connection with the head of a request and a little of its body."""
    connection = socket.create_connection(("127.0.0.1", server.port), timeout=LONG)
    connection.sendall(f"POST /{path} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nabc".encode())
    return connection


def test_connections_without_a_whole_request_are_ended_and_fill_no_log(small):
    """They are taken up to the limit; when those have been ended, the others, and then whoever comes.

    One whose answer came is kept for five seconds, by uvicorn; those come first, so that nobody waits for them twice.
    """
    server = small
    with visit(server) as visitor, ExitStack() as held:
        visitor.draw()
        bodiless = [held.enter_context(begin_a_body(server, path)) for path in POSTED]
        before, most = psutil.Process(server.process.pid).num_fds(), resource.prlimit(server.process.pid, FILES)
        resource.prlimit(server.process.pid, FILES, (before + 24, most[1]))
        log = len(server.log.read_text())
        address = ("127.0.0.1", server.port)
        each = [begun for begun in BEGUN for _ in range(10)]
        idle = [(begun, held.enter_context(socket.create_connection(address, timeout=LONG))) for begun in each]
        for begun, one in idle:
            one.sendall(begun)
        for begun, one in idle:
            assert read_to_the_end(one) == (b"ok" if begun.count(b"GET") == 2 else b""), begun
        for connection in bodiless:
            read_to_the_end(connection)
        until(lambda: health(server))
        assert len(server.log.read_text()) - log < 1000, "it meets its limit each second, and says so once a minute"
        resource.prlimit(server.process.pid, FILES, most)
        visitor.draw()  # one that has asked for something stays, however long it then says nothing


def read_to_the_end(connection):
    """The body of what the server answers before it ends the connection."""
    answer = bytearray()
    with suppress(ConnectionResetError):
        while part := connection.recv(4096):
            answer += part
    return bytes(answer).rpartition(b"\r\n\r\n")[2]


def test_a_request_that_takes_too_long_is_answered_in_one_sentence(monkeypatch):
    monkeypatch.setattr(budget, "REQUEST", 0.01)
    sent = []

    async def app(scope, receive, send):
        body = b""
        while (message := await receive())["type"] == "http.request":
            body += message["body"]
            if not message.get("more_body"):
                break
        await PlainTextResponse(body)(scope, receive, send)

    async def send(message):
        sent.append(message)

    def answer(*messages):
        queue = list(messages)

        async def receive():
            return queue.pop(0) if queue else await asyncio.Event().wait()

        sent.clear()
        with ThreadPoolExecutor(1) as pool:
            pool.submit(lambda: asyncio.run(WholeRequests(app)({"type": "http"}, receive, send))).result()
        return sent[0]["status"], sent[1]["body"]

    first, last = ({"type": "http.request", "body": b"x", "more_body": more} for more in (True, False))
    assert answer(first, last) == (200, b"xx")
    assert answer(first) == (408, budget.TOO_SLOW.encode())
    assert (b"connection", b"close") in sent[0]["headers"]


def health(server):
    """Whether a new visitor is let in."""
    try:
        with urllib.request.urlopen(f"{server.url}/_stcore/health", timeout=2) as answer:
            return answer.status == 200
    except OSError:
        return False


def test_dasks_loop_tells_of_spent_handles_once_and_does_not_spin(caplog, monkeypatch):
    """It tries to take a connection again at once, for as long as there is no handle for it."""
    tries = []  # and the rests between them

    class Spent(socket.socket):
        def accept(self):
            tries.append("try")
            raise OSError(errno.EMFILE, "Too many open files")

    async def listen():
        with Spent() as listener, socket.socket() as comer:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            listener.setblocking(False)
            stop = add_accept_handler(listener, print)
            comer.connect(listener.getsockname())
            while tries.count("try") < 4:
                await asyncio.sleep(0)
            stop()

    clock = {"monotonic": staticmethod(lambda: 0.0), "sleep": staticmethod(tries.append)}
    monkeypatch.setattr(connections, "time", type("Clock", (), clock))
    connections.sound_alarm()
    with ThreadPoolExecutor(1) as pool:  # a loop beside the server's own, as Dask's is
        pool.submit(lambda: asyncio.run(listen())).result()
    assert [one.name for one in caplog.records if "file handles must suffice" in one.message] == [connections.log.name]
    assert "Traceback" not in caplog.text
    assert tries[:7] == ["try", connections.BRAKE] * 3 + ["try"]
    assert connections.BRAKE >= 0.1


def test_other_errors_of_an_event_loop_are_told_as_ever(caplog):
    connections.sound_alarm()
    for trouble in (OSError(5, "no"), ValueError("no")):
        logging.getLogger("asyncio").error("socket.accept()", exc_info=trouble)
    logging.getLogger("asyncio").error("without a cause")
    assert [one.message for one in caplog.records] == ["socket.accept()"] * 2 + ["without a cause"]


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
    with urllib.request.urlopen(f"{small.url}/_stcore/host-config", timeout=LONG) as answer:
        assert json.load(answer)["allowedOrigins"] == [], "a site that holds the app in a frame may command it"


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
        patch.setattr(budget, "time", type("Clock", (), {"monotonic": staticmethod(lambda: now[0])}))
        patch.setattr(budget, "asyncio", type("Loop", (), {"sleep": staticmethod(sleep)}))
        with ThreadPoolExecutor(1) as pool:  # where no other test's event loop runs
            pool.submit(lambda: asyncio.run(MessageBudget(app)({"type": "websocket"}, receive, send))).result()
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


@pytest.mark.parametrize(
    ("message", "size", "code"),
    [("bytes", FRAME, None), ("bytes", FRAME + 1, 1009), ("text", FRAME + 1, 1009)],
)
def test_a_message_that_no_page_sends_ends_the_connection_and_is_not_read(message, size, code):
    seen, sent = [], []
    queue = [{"type": "websocket.receive", message: (b"x" if message == "bytes" else "x") * size}]

    async def app(scope, receive, send):  # noqa: ARG001
        seen.append(await receive())

    async def receive():
        return queue.pop(0)

    async def send(one):
        sent.append(one)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(MessageBudget(app)({"type": "websocket"}, receive, send))).result()
    assert [one["type"] for one in seen] == ["websocket.disconnect" if code else "websocket.receive"]
    assert [one["code"] for one in sent] == ([code] if code else [])


def test_an_address_has_so_many_pages_open_and_no_more(monkeypatch):
    monkeypatch.setattr(budget, "CONNECTIONS", 2)
    sent, entered = [], []

    async def app(scope, receive, send):  # noqa: ARG001
        entered.append(scope["client"][0])
        await asyncio.Event().wait()

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message["type"])

    async def open_all():
        door = ConnectionBudget(app)

        async def come(address):
            task = asyncio.create_task(door({"type": "websocket", "client": (address, 1)}, receive, send))
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            return task

        first, *_ = [await come(address) for address in ("1.1.1.1", "1.1.1.1", "1.1.1.1", "2001:db8::1", "2001:db8::2")]
        await come("2001:db8::3")  # of the same subscriber
        first.cancel()
        await asyncio.wait([first])
        await come("1.1.1.1")  # now that one has left

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(open_all())).result()
    assert entered == ["1.1.1.1", "1.1.1.1", "2001:db8::1", "2001:db8::2", "1.1.1.1"]
    assert sent == ["websocket.close", "websocket.close"]


def test_a_message_that_no_page_sends_keeps_nobody_waiting(small):
    """Millions of empty states of controls: the server ends the connection before it has read them."""
    bomb = BackMsg()
    bomb.rerun_script.widget_states.ParseFromString(b"\n\x00" * 3_000_000)
    large = BackMsg()
    large.rerun_script.query_string = "x" * (FRAME - 100)
    with visit(small) as other:
        other.draw()
        with visit(small) as visitor:
            visitor.socket.send(large.SerializeToString())
            visitor.draw()
        with visit(small) as visitor:
            visitor.socket.send(b"x" * (FRAME + 1))
            assert end_of(visitor) == budget.TOO_BIG
        with visit(small) as visitor:
            with suppress(ConnectionClosed):  # in the middle of what is being sent
                visitor.socket.send(bomb.SerializeToString())
            with pytest.raises(ConnectionClosed):
                visitor.socket.recv(timeout=LONG)
        other.draw()


def test_a_flood_of_messages_is_ended_and_others_are_served_meanwhile(small):
    with visit(small) as flooder, visit(small) as other, ThreadPoolExecutor(1) as pool:
        flooder.draw()
        other.draw()
        for _ in range(1000):
            flooder.send(rerun_script=ClientState())
        code, draws = pool.submit(end_of, flooder), 0
        while not code.done():
            other.draw()
            draws += 1
        assert code.result() == budget.POLICY
    assert draws > 5  # one that waits until all messages are taken would be the only one


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


@pytest.mark.usefixtures("visit")
def test_values_of_the_link_are_no_markdown():
    app = open_page("pages/emergence.py", **dict(zip(SETTINGS, SAYS.values(), strict=True)))
    said = [error.value for error in app.error]
    assert len(said) == len(SAYS)
    for value in SAYS.values():
        assert not [one for one in said if value in one]
        assert sum(plain_text(value)[:24] in one for one in said) == 1, value


def test_sentences_of_our_own_stay_as_they_are():
    for sentence in ("step_rule must be one of a, b, got 'c'; see -1", "you have 3 runs (of 30) in the queue: wait"):
        assert plain_text(sentence) == sentence
    assert plain_text("# a") == "\\# a"
    assert plain_text("1. a") == "1\\. a"


@pytest.mark.browser
def test_a_browser_asks_no_stranger_for_what_a_link_quotes(page, server):
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    quoted = "&".join(f"{name}={quote(value)}" for name, value in zip(SETTINGS, SAYS.values(), strict=True))
    for address, values in ((f"emergence?{quoted}", SAYS), (f"kernels?part={quote(SAYS['picture'])}", ["picture"])):
        page.goto(f"{server.url}/{address}")
        notes = page.locator("[data-testid=stAlert]")
        expect(notes).to_have_count(len(values), timeout=1000 * LONG)
        shown = [text.replace(UNSEEN, "").replace("\\\\", "\\") for text in notes.all_inner_texts()]
        for name in values:
            assert sum(SAYS[name] in text for text in shown) == 1, name
        assert notes.locator("a, img, strong, em, code, del, .katex, [style*=color] span").count() == 0
    assert [url for url in asked if not url.startswith((server.url, "data:", "blob:"))] == []
