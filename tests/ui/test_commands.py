"""The list of numbered commands that Run, Pause and Stop send: what is carried out of it, and what is not."""

import pytest

from featdash.ui.page.commands import MOST, new_commands

RUN, STOP = [1, "run"], [2, "stop"]


def sent(*pairs, session="s"):
    return {"session": session, "list": list(pairs)}


@pytest.mark.parametrize(
    ("message", "last", "expected"),
    [
        (sent(RUN, STOP), 0, [(1, "run"), (2, "stop")]),
        (sent(RUN, STOP), 1, [(2, "stop")]),
        (sent(RUN, STOP), 2, []),
        (sent(STOP, RUN, RUN), 0, [(1, "run"), (2, "stop")]),
        (sent([7, "run"]), 2, [(7, "run")]),
        (sent(RUN, session="of a server that is gone"), 0, []),
        (None, 0, []),
        ([RUN], 0, []),
        ({"session": "s"}, 0, []),
        ({"session": "s", "list": "run"}, 0, []),
        (sent(["1", "run"], [1.5, "run"], [True, "run"], [1, None], [1], 1, {}, [2, "stop"]), 0, [(2, "stop")]),
    ],
)
def test_of_a_list_the_new_commands_are_read_in_their_order_and_nothing_else(message, last, expected):
    assert new_commands(message, "s", last) == expected


def test_a_list_without_end_is_read_no_further_than_a_browser_writes_one():
    assert len(new_commands(sent(*([number, "run"] for number in range(1, 10_000))), "s", 0)) == MOST
