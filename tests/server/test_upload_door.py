"""The door for files: it opens to a tab that shows its page, takes tables alone, and is bounded in size and number."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette

from featdash.server import upload_door
from featdash.server.upload_door import TOO_LARGE
from featdash.tasks.csv_table import MOST_BYTES
from featdash.ui.kit import shared, table_store
from featdash.ui.kit.table_store import NO_TICKET, Tab, TableStore
from featdash.ui.page.table_upload import ROUTE

TABLE = b"a,b\n" + b"\n".join(b"%d,%d" % (i, i * i % 7) for i in range(60))


@pytest.fixture
def store(monkeypatch):
    """The tables of the server, and the runs that were dropped."""
    dropped = []
    store = TableStore(dropped.append)
    store.dropped = dropped
    monkeypatch.setattr(shared, "_tables", store)
    yield store
    store.close()


def tab(session, visitor=None, address=None, connection=""):
    """A tab of a visitor and a network of its own, if none is named."""
    return Tab(session, visitor or session, address or session, connection)


def post(ticket, *parts, base="", between=None, **headers):
    """(status, text) of a request whose body comes in these parts; between : called after the first one."""
    waiting, sent = list(parts) or [b""], []

    async def receive():
        if between and len(waiting) < len(parts):
            between()
        body = waiting.pop(0)
        return {"type": "http.request", "body": body, "more_body": bool(waiting)}

    async def send(message):
        sent.append(message)

    app = Starlette(routes=[upload_door.upload_door(base)])
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    path = f"{base}/{ROUTE}/{ticket}"
    scope = {"type": "http", "scheme": "http", "method": "POST", "path": path, "headers": named, "query_string": b""}
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(app({**scope, "root_path": ""}, receive, send))).result()
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:]).decode()


@pytest.mark.parametrize("base", ["", "/course"])
def test_a_tab_on_the_page_gives_its_table(store, base):
    ticket = store.open(tab("mine"))
    assert post(ticket, TABLE[:50], TABLE[50:], base=base) == (204, "")
    assert store.table("mine").columns == ("a", "b")
    assert store.table("another") is None


def test_the_door_is_shut_to_all_others(store):
    ticket = store.open(tab("mine"))
    for wrong in ("x", ticket[:-1], f"{ticket}x"):
        assert post(wrong, TABLE) == (403, NO_TICKET)
    assert post(ticket, TABLE, sec_fetch_site="cross-site") == (403, NO_TICKET)
    store.touch("mine", on_page=False)  # the tab shows another page now
    assert post(ticket, TABLE) == (403, NO_TICKET)
    assert store.table("mine") is None
    assert store.open(tab("mine")) != ticket


def test_a_file_that_is_too_large_is_refused_before_it_is_read(store):
    ticket = store.open(tab("mine"))
    assert post(ticket, content_length=str(MOST_BYTES + 1)) == (413, TOO_LARGE)
    assert post(ticket, *[b"x" * (MOST_BYTES // 2 + 1)] * 3) == (413, TOO_LARGE)


def test_what_is_refused_leaves_the_table_before(store):
    ticket = store.open(tab("mine"))
    post(ticket, TABLE)
    status, text = post(ticket, b"no table")
    assert status == 422
    assert text[0].isupper()
    assert text.endswith(".")
    assert store.table("mine").columns == ("a", "b")


def test_as_many_files_at_once_as_there_may_be(store, monkeypatch):
    monkeypatch.setattr(table_store, "AT_ONCE", 2)
    first, second, third = (store.open(tab(name)) for name in ("one", "two", "three"))
    answers = {}

    def others():
        answers["again"] = post(first, TABLE)
        with store.reading(second):
            answers["third"] = post(third, TABLE)

    assert post(first, TABLE[:50], TABLE[50:], between=others)[0] == 204
    assert answers["again"][0] == 429
    assert answers["third"][0] == 503
    assert post(third, TABLE)[0] == 204


def test_as_many_tables_and_bytes_as_there_may_be(store, monkeypatch):
    monkeypatch.setattr(table_store, "MOST_TABLES", 2)
    for name in ("one", "two"):
        assert post(store.open(tab(name)), TABLE)[0] == 204
    status, text = post(store.open(tab("three")), TABLE)
    assert status == 503
    assert "together must hold at most 2 tables" in text
    assert post(store.open(tab("two")), TABLE)[0] == 204  # in the place of its own
    for share in ("SHARE_OF_VISITOR", "SHARE_OF_ADDRESS"):
        monkeypatch.setattr(table_store, share, 1)
    monkeypatch.setattr(table_store, "MOST_TOGETHER", 1000)
    assert post(store.open(tab("two")), TABLE)[0] == 503
    assert store.table("two") is not None


def test_a_file_that_does_not_come_to_its_end_gives_its_place_up(store, monkeypatch):
    monkeypatch.setattr(upload_door, "PATIENCE", 0.05)
    ticket = store.open(tab("mine"))

    async def slow():
        app = Starlette(routes=[upload_door.upload_door("")])
        sent = []

        async def receive():
            await asyncio.Event().wait()

        async def send(message):
            sent.append(message)

        scope = {"type": "http", "scheme": "http", "method": "POST", "path": f"/{ROUTE}/{ticket}", "headers": []}
        await app({**scope, "query_string": b"", "root_path": ""}, receive, send)
        return sent[0]["status"]

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(lambda: asyncio.run(slow())).result() == 408
    assert post(ticket, TABLE)[0] == 204


def test_a_tab_that_has_left_takes_its_table_and_its_run_along():
    now, dropped = [0.0], []
    store = TableStore(dropped.append, clock=lambda: now[0])
    for name in ("stays", "leaves"):
        with store.reading(store.open(tab(name))) as put:
            put(upload_door.read_csv(TABLE))
        store.set_run(name, f"private.{name}")
    now[0] = table_store.AWAY - 1
    store.touch("stays")
    now[0] = table_store.AWAY + 1
    store.sweep()
    assert store.table("leaves") is None
    assert store.table("stays") is not None
    assert dropped == ["private.leaves"]
    store.drop("stays")
    assert store.table("stays") is None
    assert dropped == ["private.leaves", "private.stays"]
    store.close()


def test_a_new_table_or_run_drops_the_run_before():
    dropped = []
    store = TableStore(dropped.append)
    ticket = store.open(tab("mine"))
    for run in ("private.1", "private.2"):
        store.set_run("mine", run)
    assert dropped == ["private.1"]
    with store.reading(ticket) as put:
        put(upload_door.read_csv(TABLE))
    assert dropped == ["private.1", "private.2"]
    store.close()


def test_one_browser_and_one_network_leave_room_for_others(store):
    """The seventeenth visitor, and the fiftieth tab of two networks."""
    taken = [post(store.open(tab(f"tab {count}", "one", "here")), TABLE)[0] for count in range(16)]
    assert taken == [204] * table_store.OF_VISITOR + [429] * 13
    status, text = post(store.open(tab("tab 99", "one", "here")), TABLE)
    assert (status, text) == (
        429,
        "One browser must hold at most 3 tables at once, got another; forget one, or close its tab.",
    )
    assert post(store.open(tab("tab 0", "one", "here")), TABLE)[0] == 204, "in the place of its own"
    crowd = [post(store.open(tab(f"visitor {count}", address="here")), TABLE) for count in range(16)]
    assert [status for status, _ in crowd] == [204] * (table_store.OF_ADDRESS - 3) + [429] * 7
    assert crowd[-1][1].startswith("One network must hold at most 12 tables at once")
    assert post(store.open(tab("seventeenth")), TABLE)[0] == 204


def test_large_tables_of_one_browser_and_one_network_leave_bytes_for_others(store, monkeypatch):
    monkeypatch.setattr(table_store, "MOST_TOGETHER", 5000)  # TABLE has 960 bytes
    assert [post(store.open(tab(f"tab {count}", "one", "here")), TABLE)[0] for count in range(2)] == [204, 429]
    assert [post(store.open(tab(f"visitor {count}", address="here")), TABLE)[0] for count in range(2)] == [204, 429]
    assert post(store.open(tab("elsewhere")), TABLE)[0] == 204


def test_a_tab_that_is_closed_frees_its_table_soon_and_one_that_comes_back_keeps_it():
    now, dropped, connected = [0.0], [], {"closed", "flaky", "stays"}
    store = TableStore(dropped.append, connected.__contains__, lambda: now[0])
    for name in ("closed", "flaky", "stays"):
        with store.reading(store.open(tab(name, connection=name))) as put:
            put(upload_door.read_csv(TABLE))
        store.set_run(name, f"private.{name}")
    connected -= {"closed", "flaky"}
    store.sweep()
    now[0] += table_store.CLOSED - 1
    connected |= {"flaky"}
    store.sweep()
    now[0] += 2
    connected -= {"flaky"}
    store.sweep()
    assert dropped == ["private.closed"]
    assert [store.table(name) is not None for name in ("closed", "flaky", "stays")] == [False, True, True]
    store.close()
