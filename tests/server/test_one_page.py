"""What a part of a page asks for after the visitor has asked for another page is dropped, and nothing else."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from streamlit.proto.BackMsg_pb2 import BackMsg

from featdash.server.one_page import OnePage


def asks(page, part="", by_history=False):
    told = BackMsg()
    asked = told.rerun_script
    asked.page_script_hash, asked.fragment_id, asked.is_history_navigation = page, part, by_history
    return told.SerializeToString()


BACK = asks("kernels", by_history=True)


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
    assert passed(asks("lab"), BACK, asks("lab", "pictures")) == [asks("lab"), BACK]


def test_parts_of_the_page_on_show_are_drawn():
    messages = [asks("lab"), asks("lab", "pictures"), BACK, asks("kernels", "pictures")]
    assert passed(*messages) == messages


def test_a_page_has_another_name_for_a_moment_and_its_parts_are_drawn():
    for by_history in (False, True):
        first = [asks(""), asks("frame", "pictures"), asks("lab", "pictures"), asks("lab", by_history=by_history)]
        then = [asks("frame"), asks("lab", "pictures"), asks("lab"), asks("", "status"), asks("lab", "status")]
        assert passed(*first, *then) == [*first, *then]


def test_the_first_page_is_named_by_its_parts():
    messages = [asks(""), asks("lab", "pictures"), BACK]
    assert passed(*messages, asks("lab", "pictures")) == messages


def test_the_page_asked_for_again_has_its_parts_drawn_again():
    messages = [asks("lab"), BACK, asks("lab"), asks("lab", "pictures")]
    assert passed(*messages) == messages


def test_other_messages_pass():
    stop = BackMsg()
    stop.stop_script = True
    messages = [asks("lab"), BACK, stop.SerializeToString(), b"\xff no message", b""]
    assert passed(*messages) == messages
