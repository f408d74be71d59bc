"""Clicks on their way to Streamlit: each counts once, in the order in which they were made."""

import asyncio
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from real_server import running_server
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websocket_visitor import LONG, visit

from featdash.server import clicks
from featdash.server.clicks import ClicksInTurn

LOOK, STOLEN, CLICK, VALUE = (True, False), (True, True), (False, True), (False, False)  # of a timer, with a click


@pytest.fixture(scope="module")
def slow(tmp_path_factory):
    """A page whose callbacks take a fifth of a second each, and tell what was pressed."""
    home = tmp_path_factory.mktemp("clicks") / "home"
    with running_server(home, "tests/toys/slow_clicks.py", FEATDASH_ENGINE="inline") as one:
        yield one


def parts(visitor, until):
    """The page's elements as they come, until the text of one is that, or that of a drawing's end."""
    while True:
        told = ForwardMsg.FromString(visitor.socket.recv(timeout=LONG))
        element = told.delta.new_element
        yield told.delta.fragment_id, element
        if until in (element.text.body, told.WhichOneof("type")):
            return


def buttons(visitor):
    """name -> (its id, the part of the page it stands in), of the page drawn anew."""
    visitor.send(rerun_script={})
    drawn = [
        (part, one.button) for part, one in parts(visitor, "script_finished") if one.WhichOneof("type") == "button"
    ]
    return {button.label: (button.id, part) for part, button in drawn}


def press(visitor, button):
    name, part = button
    states = {"widgets": [{"id": name, "trigger_value": True}]}
    visitor.send(rerun_script={"widget_states": states, "fragment_id": part})


@pytest.mark.parametrize(
    "pressed",
    [
        "one two",
        "two one",
        "one one",
        "one two one two",
        "three one",
        "one three",
        "two three three",
        "one three two one",
    ],
)
def test_clicks_that_come_while_one_is_being_answered_all_count_in_their_order(slow, pressed):
    with visit(slow) as visitor:
        found = buttons(visitor)
        assert set(found) == {"one", "two", "three"}
        assert [bool(part) for _, part in found.values()] == [False, False, True]
        numbers = ""
        for name in pressed.split():
            numbers += str(list(found).index(name) + 1)
            press(visitor, found[name])
        visitor.send(rerun_script={})  # the text stands outside of the part
        texts = [one.text.body for _, one in parts(visitor, f"pressed: {numbers}.") if one.text.body]
    assert texts[-1] == f"pressed: {numbers}."
    assert all(f"pressed: {numbers}.".startswith(text.rstrip(".")) for text in texts)


def request(timer, clicked, fragment=""):
    message = BackMsg()
    message.rerun_script.is_auto_rerun, message.rerun_script.fragment_id = timer, fragment
    message.rerun_script.widget_states.widgets.add(id="button", trigger_value=clicked)
    return {"type": "websocket.receive", "bytes": message.SerializeToString()}


def answers(*fragments):
    """The first step of a drawing, of the page or of these parts of it, and its end."""
    begun = ForwardMsg()
    begun.new_session.name = "app"
    begun.metadata.run.fragment_ids.extend(fragments)
    end = ForwardMsg(script_finished=ForwardMsg.FINISHED_SUCCESSFULLY)
    return [{"type": "websocket.send", "bytes": one.SerializeToString()} for one in (begun, end)]


def run_connection(queue, replies=()):
    """[(seconds, message)] that the app receives; it sends the replies, with a pause, once it has the first."""
    seen, sent, started = [], [], time.monotonic()

    async def app(scope, receive, send):  # noqa: ARG001
        async def reply():
            await asyncio.sleep(0.1)
            for one in replies:
                await send(one)

        seen.append((time.monotonic() - started, await receive()))
        replying = asyncio.create_task(reply())
        while seen[-1][1]["type"] != "websocket.disconnect":
            message = await receive()
            seen.append((time.monotonic() - started, message))
        await replying

    async def receive():
        return queue.pop(0)

    async def send(message):
        sent.append(message)

    with ThreadPoolExecutor(1) as pool:  # where no other test's event loop runs
        pool.submit(lambda: asyncio.run(ClicksInTurn(app)({"type": "websocket"}, receive, send))).result()
    assert sent == list(replies)
    return seen


def test_a_request_of_a_timer_that_takes_a_click_along_is_dropped_and_all_else_comes_in_order():
    look, stolen, click = (request(*one) for one in (LOOK, STOLEN, CLICK))
    others = [{"type": "websocket.receive", "text": "no bytes"}, {"type": "websocket.disconnect"}]
    seen = run_connection([look, stolen, click, stolen, look, *others])
    assert [message for _, message in seen] == [look, click, look, *others]


def assert_waits(monkeypatch, waits, first, second, replies):
    """Whether the second message of a connection waits as long as it may for the answer to the first."""
    patience = 0.6 if waits else LONG
    monkeypatch.setattr(clicks, "PATIENCE", patience)
    (_, one), (at, two), _ = run_connection([first, second, {"type": "websocket.disconnect"}], replies)
    assert (one, two) == (first, second)
    assert (at >= patience) == waits


@pytest.mark.parametrize(
    ("fragment", "replies", "waits"),
    [
        ("", answers(), False),
        ("part", answers("part"), False),
        ("part", answers(), False),  # all of the page is drawn
        ("", answers("part"), True),  # not yet with the click
        ("part", answers("another"), True),
        ("", answers()[1:], True),  # the end of what had begun before the click
        ("", answers()[:1], True),  # what is called by the click is being called
    ],
)
def test_a_click_waits_until_the_page_is_drawn_with_the_one_before_but_not_for_ever(
    monkeypatch, fragment, replies, waits
):
    assert_waits(monkeypatch, waits, request(*CLICK, fragment), request(*CLICK), replies)


@pytest.mark.parametrize(
    ("first", "second", "waits"),
    [(CLICK, VALUE, True), (CLICK, LOOK, True), (VALUE, CLICK, True), (VALUE, VALUE, False), (LOOK, CLICK, False)],
)
def test_who_drags_a_slider_never_waits_but_for_a_click(monkeypatch, first, second, waits):
    assert_waits(monkeypatch, waits, request(*first), request(*second), answers()[:1])
