"""What a page says while it is drawn reaches its browser at once, in its order, and all else as soon as it is said."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from featdash.server import together
from featdash.server.together import Together


def says(kind, text=""):
    said = ForwardMsg()
    if kind == "delta":
        said.delta.new_element.text.body = text
    elif kind == "status":
        said.session_status_changed.script_is_running = text == "running"
    elif kind == "finished":
        said.script_finished = ForwardMsg.FINISHED_SUCCESSFULLY
    elif kind == "heartbeat":
        said.heartbeat_ack = True
    else:
        getattr(said, kind).SetInParent()
    return {"type": "websocket.send", "bytes": said.SerializeToString()}


BEGIN, TITLE, PICTURE = says("new_session"), says("delta", "a title"), says("delta", "a picture")
END, RESTS = says("finished"), says("status", "rests")
DRAWING = [BEGIN, says("status", "running"), TITLE, says("navigation"), PICTURE, says("auto_rerun"), END]
CLOSE = {"type": "websocket.close", "code": 1000}
OTHERS = [
    says("heartbeat"),
    {"type": "websocket.accept"},
    {"type": "websocket.send", "text": "a word"},
    {"type": "websocket.send", "bytes": b"\xff no message"},
    CLOSE,
]


def connect(talk, scope="websocket", leave=False):
    """What the browser has got by the end; `talk` : says it with `await say(message)`, `got` being what came so far.

    leave : whether the browser takes nothing any more.
    """
    got = []

    async def send(message):
        if leave:
            raise OSError("the browser has gone")
        got.append(message)

    async def app(scope, receive, send):  # noqa: ARG001
        await talk(send, got)

    with ThreadPoolExecutor(1) as pool:  # where no other test's event loop runs
        pool.submit(lambda: asyncio.run(Together(app)({"type": scope}, None, send))).result()
    return got


def test_a_drawing_comes_when_it_has_ended_in_its_order():
    async def talk(say, got):
        for message in DRAWING:
            await say(message)
            assert got == []
        await say(RESTS)

    assert connect(talk) == [*DRAWING, RESTS]


def test_a_drawing_that_takes_long_comes_as_far_as_it_is(monkeypatch):
    monkeypatch.setattr(together, "MOST", 0.0)

    async def talk(say, got):
        for part in ([BEGIN, TITLE], [PICTURE]):
            before = len(got)
            for message in part:
                await say(message)
            assert len(got) == before
            while len(got) == before:
                await asyncio.sleep(0)
            assert got[before:] == part
        await say(END)
        await say(RESTS)

    assert connect(talk) == [BEGIN, TITLE, PICTURE, END, RESTS]


@pytest.mark.parametrize("other", OTHERS)
def test_all_else_comes_at_once_and_takes_along_what_was_said_before(other):
    async def talk(say, got):
        await say(TITLE)
        await say(other)
        assert got == [TITLE, other]

    connect(talk)


def test_who_says_something_meanwhile_waits_for_what_was_said_before(monkeypatch):
    """A slow browser takes the first messages while the last word comes."""
    monkeypatch.setattr(together, "MOST", 0.0)
    got, taking, goes_on = [], asyncio.Event(), asyncio.Event()

    async def send(message):
        taking.set()
        if message is TITLE:
            await goes_on.wait()
        got.append(message)

    async def app(scope, receive, send):  # noqa: ARG001
        await send(TITLE)
        await send(PICTURE)
        await taking.wait()
        last = asyncio.create_task(send(CLOSE))
        await asyncio.sleep(0)
        goes_on.set()
        await last

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(Together(app)({"type": "websocket"}, None, send))).result()
    assert got == [TITLE, PICTURE, CLOSE]


def test_a_browser_that_has_gone_is_nobodys_error_until_something_is_said_to_it(monkeypatch, caplog):
    monkeypatch.setattr(together, "MOST", 0.0)

    async def talk(say, got):  # noqa: ARG001
        await say(TITLE)
        for _ in range(5):
            await asyncio.sleep(0)
        with pytest.raises(OSError, match="gone"):
            await say(CLOSE)
        await say(TITLE)  # and the end of the connection waits for nothing

    connect(talk, leave=True)
    assert not caplog.records


def test_what_is_no_websocket_is_left_alone():
    async def talk(say, got):
        await say(TITLE)
        assert got == [TITLE]

    connect(talk, scope="http")
