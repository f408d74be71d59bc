"""What a part of a page asks for after the visitor has asked for another page is dropped, and nothing else."""

import asyncio

from streamlit.proto.BackMsg_pb2 import BackMsg

from featdash.server.one_page import OnePage


def asks(page, part=""):
    told = BackMsg()
    told.rerun_script.page_script_hash, told.rerun_script.fragment_id = page, part
    return told.SerializeToString()


def passed(*messages, scope="websocket"):
    """Which of these messages, in their order, reach the app behind it."""
    queue, seen = [{"type": "websocket.receive", "bytes": one} for one in messages], []

    async def receive():
        return queue.pop(0) if queue else {"type": "websocket.disconnect"}

    async def app(scope, receive, send):  # noqa: ARG001
        while (message := await receive())["type"] == "websocket.receive":
            seen.append(message["bytes"])

    asyncio.run(OnePage(app)({"type": scope}, receive, None))
    return seen


def test_a_part_of_the_page_that_was_left_is_not_drawn():
    back = asks("kernels")
    assert passed(asks("lab"), back, asks("lab", "pictures")) == [asks("lab"), back]


def test_parts_of_the_page_on_show_are_drawn():
    messages = [asks("lab"), asks("lab", "pictures"), asks("kernels"), asks("kernels", "pictures")]
    assert passed(*messages) == messages


def test_a_page_known_by_its_address_alone_has_its_parts_drawn():
    messages = [asks(""), asks("lab", "pictures"), asks("", "status"), asks("lab", "status")]
    assert passed(*messages) == messages
    messages = [asks("lab"), asks("", "status"), asks("main script"), asks("lab"), asks("lab", "status")]
    assert passed(*messages) == messages


def test_the_first_page_is_named_by_its_parts():
    messages = [asks(""), asks("lab", "pictures"), asks("kernels")]
    assert passed(*messages, asks("lab", "pictures")) == messages


def test_the_page_asked_for_again_has_its_parts_drawn_again():
    messages = [asks("lab"), asks("kernels"), asks("lab"), asks("lab", "pictures")]
    assert passed(*messages) == messages


def test_other_messages_pass():
    stop = BackMsg()
    stop.stop_script = True
    messages = [asks("lab"), asks("kernels"), stop.SerializeToString(), b"\xff no message", b""]
    assert passed(*messages) == messages
