"""What a part of a page asks for after the visitor has asked for another page is dropped, and no click is lost."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

from streamlit import runtime
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.runtime.pages_manager import PagesManager

from featdash.server.one_page import OnePage

FRAME = "/app/frame.py"


def asks(page, part="", clicks=(), ends=(), holds=(), timed=False):
    """A request; clicks : buttons, ends : films that have ended, holds : (box, number)."""
    told = BackMsg()
    request = told.rerun_script
    request.page_script_hash, request.fragment_id, request.is_auto_rerun = page, part, timed
    for name in clicks:
        request.widget_states.widgets.add(id=name, trigger_value=True)
    for name in ends:
        request.widget_states.widgets.add(id=name, json_trigger_value='[{"event": "ended"}]')
    for name, number in holds:
        request.widget_states.widgets.add(id=name, int_value=number)
    return told.SerializeToString()


def passed(*messages, scope="websocket"):
    """Which of these messages, in their order, reach the app behind it."""
    queue, seen = [{"type": "websocket.receive", "bytes": one} for one in messages], []

    async def receive():
        return queue.pop(0) if queue else {"type": "websocket.disconnect"}

    async def app(scope, receive, send):  # noqa: ARG001
        while (message := await receive())["type"] == "websocket.receive":
            seen.append(message["bytes"])

    with ThreadPoolExecutor(1) as pool:  # where no other test's event loop runs
        pool.submit(lambda: asyncio.run(OnePage(app)({"type": scope}, receive, None))).result()
    return seen


def test_a_part_of_the_page_that_was_left_is_not_drawn():
    named = [asks(""), asks("lab"), asks("kernels")]
    assert passed(*named, asks("lab", "pictures")) == named
    unnamed = [asks(""), asks("kernels")]  # nothing was asked for under the name of the first page
    assert passed(*unnamed, asks("lab", "pictures")) == unnamed


def test_parts_of_the_page_on_show_are_drawn():
    messages = [asks("lab"), asks("lab", "pictures"), asks("kernels"), asks("kernels", "pictures")]
    assert passed(*messages) == messages


def test_a_page_has_the_name_of_the_frame_for_a_moment_and_its_parts_are_drawn(monkeypatch):
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(_main_script_path=FRAME))
    frame = PagesManager(FRAME).main_script_hash
    first = [asks(""), asks(frame, "pictures"), asks("lab", "pictures"), asks("lab"), asks("lab", "pictures")]
    then = [asks(frame), asks("lab", "pictures"), asks("lab"), asks(frame, "status"), asks("", "status")]
    assert passed(*first, *then) == [*first, *then]


def test_the_page_asked_for_again_has_its_parts_drawn_again():
    messages = [asks("lab"), asks("kernels"), asks("lab"), asks("lab", "pictures")]
    assert passed(*messages) == messages


def test_a_part_that_tells_of_a_click_beside_its_own_news_has_the_whole_page_drawn():
    page, told = asks("lab"), {"clicks": ["next"], "ends": ["film"]}
    assert passed(page, asks("lab", "pictures", **told)) == [page, asks("lab", **told)]
    page, told = asks("lab", holds=[("guess", 1)]), {"ends": ["film"], "holds": [("guess", 2)]}
    assert passed(page, asks("lab", "pictures", **told)) == [page, asks("lab", **told)]
    two = {"holds": [("guess", 2), ("bound", 3)]}
    begin = asks("lab", holds=[("guess", 1), ("bound", 1)])
    assert passed(begin, asks("lab", "pictures", **two)) == [begin, asks("lab", **two)]


def test_a_part_that_tells_of_one_thing_is_drawn_alone():
    page = asks("lab", holds=[("guess", 1)])
    one = [{"clicks": ["stop"]}, {"ends": ["film"]}, {"holds": [("guess", 2)]}]
    new = {"ends": ["film"], "holds": [("guess", 2), ("new", 7)]}  # which holds what it was drawn with
    for told in (*one, {}, {"ends": ["film"], "holds": [("guess", 1)]}, {**new, "holds": [("guess", 1), ("new", 7)]}):
        messages = [page, asks("lab", "pictures", **told)]
        assert passed(*messages) == messages
    messages = [page, asks("lab", "pictures", holds=[("guess", 2)]), asks("lab", "pictures", **new)]
    assert passed(*messages) == messages, "what was told is no news"


def test_a_part_that_does_not_know_its_page_yet_is_drawn_alone():
    """The request names no page that could be drawn whole."""
    messages = [asks("lab"), asks("", "pictures", clicks=["next"], ends=["film"])]
    assert passed(*messages) == messages


def test_a_timer_that_takes_a_click_along_asks_for_its_part_alone():
    """The click comes once more, in a request of its own."""
    messages = [asks("lab"), asks("lab", "look", clicks=["next"], ends=["film"], timed=True)]
    assert passed(*messages) == messages


def test_other_messages_pass():
    stop = BackMsg()
    stop.stop_script = True
    messages = [asks("lab"), asks("kernels"), stop.SerializeToString(), b"\xff no message", b""]
    assert passed(*messages) == messages
