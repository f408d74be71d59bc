"""The browser that opened a room keeps its key in a cookie; nobody gets one for a guess."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette

from featdash import classroom
from featdash.classroom import registry
from featdash.server.cookies import NO_ROOM, STRANGER, host_cookie
from featdash.ui.classroom.host_key import LENGTH, ROUTE, parse


@pytest.fixture
def room(tmp_path, monkeypatch):
    """(code, secret) of a room; a wrong secret costs no time here."""
    monkeypatch.setenv("FEATDASH_HOME", str(tmp_path))
    monkeypatch.setattr(registry, "WRONG_SECRET", 0.0)
    classroom.close()
    yield classroom.rooms().create()
    classroom.close()


def post(body, base="", beside=None, scheme="http", **headers):
    """(status, headers, text) of a request with that body, spoken by hand; beside : a coroutine in the same loop."""
    sent, parts = [], [{"type": "http.request", "body": body, "more_body": False}]

    async def receive():
        return parts.pop(0)

    async def send(message):
        sent.append(message)

    app = Starlette(routes=[host_cookie(base)])
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {
        "type": "http",
        "scheme": scheme,
        "method": "POST",
        "path": f"{base}/{ROUTE}",
        "headers": named,
        "query_string": b"",
    }

    async def together():
        other = asyncio.ensure_future(beside) if beside else None
        await app({**scope, "root_path": ""}, receive, send)
        if other:
            other.cancel()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(together())).result()
    told = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return sent[0]["status"], told, b"".join(message.get("body", b"") for message in sent[1:]).decode()


@pytest.mark.parametrize(("base", "path"), [("", "/"), ("/course", "/course")])
def test_the_key_is_kept_where_no_script_reads_it_and_no_other_site_sends_it(room, base, path):
    code, secret = room
    status, headers, _ = post(f"{code}.{secret}".encode(), base)
    assert status == 204
    kept = headers["set-cookie"]
    assert kept.startswith(f"featdash_host={code}.{secret};")
    for term in ("HttpOnly", "SameSite=strict", f"Path={path}", "Max-Age=43200"):
        assert term in kept
    assert "Secure" not in kept
    assert "Secure" in post(f"{code}.{secret}".encode(), base, scheme="https", host="school.example")[1]["set-cookie"]


@pytest.mark.parametrize(
    "body", [b"", b"melted", b"BCDF.", b".secret", b"x" * (LENGTH + 1), "BCDF.é".encode(), b"\xff\xfe"]
)
@pytest.mark.usefixtures("room")
def test_what_is_no_key_gets_one_sentence_and_no_cookie(body):
    status, headers, text = post(body)
    assert (status, text) == (404, NO_ROOM)
    assert "set-cookie" not in headers


def test_a_wrong_secret_of_a_room_that_there_is_gets_the_same_sentence(room):
    assert post(f"{room[0]}.melted".encode())[::2] == (404, NO_ROOM)


def test_another_site_cannot_plant_a_key(room):
    answer = post(".".join(room).encode(), sec_fetch_site="cross-site")
    assert answer[::2] == (403, STRANGER)
    assert "set-cookie" not in answer[1]


def test_a_key_is_read_as_it_is_written():
    assert parse("bcdf.a.b") == ("BCDF", "a.b")
    assert parse("bcdf") == ("BCDF", "")


def test_nobody_waits_for_a_wrong_guess_of_another(room, monkeypatch):
    """Not even others in the server's one loop."""
    monkeypatch.setattr(registry, "WRONG_SECRET", 0.3)
    ticks = []

    async def tick():
        while True:
            ticks.append(0)
            await asyncio.sleep(0)  # the others' turn

    status, *_ = post(f"{room[0]}.wrong".encode(), beside=tick())
    assert status == 404
    assert len(ticks) > 3
