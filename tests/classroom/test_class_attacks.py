"""Strangers at the routes: each gets one sentence, nobody gets in, nothing is lost."""

import asyncio
import json
from collections import Counter

import pytest
from class_rooms import CHOICE, Site, run, token

from featdash.classroom.question import Question
from featdash.classroom.registry import LETTERS
from featdash.classroom.room import PHONES
from featdash.classroom.routes import MOST_BYTES

MEGABYTE = b'{"question": "' + b"x" * 10**6 + b'"}'
SAID = {"question": "which", "round": 1, "value": "NTK", "token": token(1)}


@pytest.fixture
def open_room(room):
    room[1].open(CHOICE)
    return room


def one_sentence(text):
    return text.endswith(".") and "\n" not in text and len(text) < 200 and "Traceback" not in text


@pytest.mark.parametrize("code", ["ZZZZ", "ZZZ", "ZZZZZ", "1234", "%00", "' OR 1=1", "<b>", "..", "é" * 4, "Z" * 5000])
def test_a_wrong_room(site, code):
    for status, text in (run(site.look(code)), run(site.look(code, 1)), run(site.say(code, 1, "NTK"))):
        assert status == 404
        assert one_sentence(text)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"question": "another"}, 409),
        ({"question": 7}, 409),
        ({"question": ["which"]}, 409),
        ({"question": {"id": "which"}}, 409),
        ({"round": 2}, 409),
        ({"round": "1"}, 409),
        ({"round": None}, 409),
        ({"value": "neither"}, 422),
        ({"value": 3}, 422),
        ({"value": {"NTK": 1}}, 422),
        ({"value": ["NTK"]}, 422),
        ({"value": "<script>alert(1)</script>"}, 422),
        ({"token": ""}, 422),
        ({"token": "short"}, 422),
        ({"token": "x" * 65}, 422),
        ({"token": "token of phone 1 with blanks"}, 422),
        ({"token": "<b>token-of-phone</b>"}, 422),
        ({"token": 12345678901234567890}, 422),
        ({"token": None}, 422),
        ({"token": "é" * 20}, 422),
    ],
)
def test_wrong_questions_and_wrong_types(site, rooms, open_room, change, status):
    code, _ = open_room
    got, text = run(site.post(code, json.dumps({**SAID, **change}).encode()))
    assert got == status
    assert one_sentence(text)
    assert rooms.view(code).answer_count == 0


@pytest.mark.parametrize("name", SAID)
def test_a_part_that_is_missing(site, rooms, open_room, name):
    code, _ = open_room
    status, text = run(site.post(code, json.dumps({k: v for k, v in SAID.items() if k != name}).encode()))
    assert status == 422
    assert one_sentence(text)
    assert rooms.view(code).answer_count == 0


@pytest.mark.parametrize(
    "body",
    [
        *(b"", b"{", b"[]", b"null", b"7", b'"text"', b"\xff\xfe\x00", b"NaN", b"[" * 1900, b'{"a":' * 390),
        b'{"question": "which", "round": 1, "value": NaN, "token": "token-of-phone-000001"}',
        b'{"question": "which", "round": 1, "value": 1e999, "token": "token-of-phone-000001"}',
        b'{"question": "which", "round": 1, "value": ' + b"9" * 1800 + b', "token": "token-of-phone-000001"}',
        b'{"question": "\\ud800", "round": 1, "value": "\\ud800", "token": "token-of-phone-000001"}',
    ],
)
def test_bodies_that_are_no_answer(site, rooms, open_room, body):
    code, _ = open_room
    status, text = run(site.post(code, body))
    assert status in (409, 422)
    assert one_sentence(text)
    assert rooms.view(code).answer_count == 0


def test_a_megabyte_is_refused_before_it_is_read(site, open_room):
    code, _ = open_room
    ask = site.ask("POST", f"/room/{code}/answers", MEGABYTE, content_type="application/json", content_length="1000016")
    status, _, text, read = run(ask)
    assert (status, read) == (422, 0)
    assert one_sentence(text.decode())


@pytest.mark.parametrize("length", [None, "10", "0"])
def test_a_megabyte_that_does_not_say_so_is_read_as_far_as_allowed(site, open_room, length):
    code, _ = open_room
    named = {"content_length": length} if length else {"transfer_encoding": "chunked"}
    ask = site.ask("POST", f"/room/{code}/answers", MEGABYTE, content_type="application/json", **named)
    status, _, text, read = run(ask)
    assert status == 422
    assert read <= MOST_BYTES + 500
    assert one_sentence(text.decode())


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_a_form_of_another_site_is_no_answer(site, rooms, open_room, kind):
    code, _ = open_room
    status, text = run(site.post(code, json.dumps(SAID).encode(), content_type=kind))
    assert status == 422
    assert one_sentence(text)
    assert rooms.view(code).answer_count == 0


def test_ten_thousand_tokens_from_one_address_neither_fill_memory_nor_keep_a_class_out(site, rooms, open_room, clock):
    code, _ = open_room

    async def flood():
        return [await site.look(code, number) for number in range(10_000)]

    answers = run(flood())
    assert Counter(status for status, _ in answers) == {200: 600, 429: 9400}
    assert all(one_sentence(text) for status, text in answers if status == 429)
    assert rooms.view(code).phone_count == 600
    assert run(site.look(code, 10_001, client="198.51.100.1"))[0] == 200  # from elsewhere
    clock.now += 3600
    run(flood())
    assert rooms.view(code).phone_count <= PHONES


def test_a_class_behind_one_address_joins_and_answers_within_three_seconds(site, rooms, open_room):
    code, _ = open_room

    async def vote():
        looks = [await site.look(code, number) for number in range(300)]
        return looks + [await site.say(code, number, "NTK") for number in range(300)]

    assert {status for status, _ in run(vote())} == {200, 204}
    assert rooms.view(code).answer_count == 300


def test_a_hall_of_a_thousand_is_in_after_twenty_seconds(site, rooms, open_room, clock):
    code, _ = open_room

    async def join():
        for number in range(1000):
            assert (await site.look(code, number))[0] == 200
            clock.now += 0.0201

    run(join())
    assert rooms.view(code).phone_count == 1000
    status, text = run(site.look(code, 1001, client="198.51.100.1"))
    assert status == 409
    assert one_sentence(text)


def test_a_phone_that_answers_without_end_is_slowed_down_alone(site, rooms, open_room, clock):
    code, _ = open_room

    async def hammer(number, times):
        return Counter([(await site.say(code, number, "NTK"))[0] for _ in range(times)])

    assert run(hammer(1, 50)) == {204: 10, 429: 40}
    assert run(hammer(2, 1)) == {204: 1}
    clock.now += 5
    assert run(hammer(1, 50)) == {204: 5, 429: 45}
    assert rooms.view(code).answer_count == 2


def test_who_tries_codes_is_slowed_down_and_cannot_tell_a_right_one(site, rooms, open_room, clock):
    code, _ = open_room
    assert run(site.look(code, 1))[0] == 200
    guesses = [f"{a}{b}{c}Z" for a in LETTERS for b in LETTERS for c in "BC"]

    async def enumerate_codes():
        return [(await site.look(guess, number))[0] for number, guess in enumerate(guesses, 100) if guess != code]

    found = run(enumerate_codes())
    assert found[:60] == [404] * 60
    assert set(found[60:]) == {429}
    wrong, right = run(site.look("ZZZY", 9)), run(site.look(code, 9))
    assert wrong == right
    assert wrong[0] == 429
    assert one_sentence(wrong[1])
    assert run(site.say(code, 9, "NTK"))[0] == 429
    assert run(site.look(code, 1))[0] == 200  # who is in stays in
    assert run(site.say(code, 1, "NTK"))[0] == 204
    assert run(site.look(code, 9, client="198.51.100.1"))[0] == 200
    clock.now += 2
    assert run(site.look(code, 9))[0] == 200
    assert rooms.view(code).phone_count == 2


def test_who_looks_without_a_token_is_slowed_down(site, open_room):
    code, _ = open_room

    async def looks():
        return Counter([(await site.look(code))[0] for _ in range(100)])

    assert run(looks()) == {200: 60, 429: 40}


def test_a_replayed_answer_changes_nothing_and_a_late_one_is_refused(site, rooms, open_room):
    code, host = open_room
    body = json.dumps(SAID).encode()
    assert [run(site.post(code, body))[0] for _ in range(3)] == [204] * 3
    assert rooms.view(code).answer_count == 1
    host.close()
    late = run(site.post(code, body))
    host.again()
    replayed = run(site.post(code, body))
    host.close()
    host.reveal()
    after = run(site.post(code, body))
    assert [status for status, _ in (late, replayed, after)] == [409] * 3
    assert all(one_sentence(text) for _, text in (late, replayed, after))
    assert [(one.round, one.value) for one in rooms.visible_answers(code)] == [(1, "NTK")]


def test_a_locked_room_takes_neither_looks_nor_answers_of_strangers(site, rooms, open_room):
    code, host = open_room
    run(site.look(code, 1))
    host.lock(True)
    refused = [run(site.look(code, 2)), run(site.say(code, 2, "NTK"))]
    assert [status for status, _ in refused] == [409, 409]
    assert all(one_sentence(text) for _, text in refused)
    assert run(site.say(code, 1, "NTK"))[0] == 204
    assert (rooms.view(code).phone_count, rooms.view(code).answer_count) == (1, 1)


def test_no_answer_depends_on_the_host_that_is_named(site, open_room):
    code, _ = open_room
    forged = {"host": "evil.example", "x_forwarded_host": "evil.example", "forwarded": "host=evil.example"}
    for path in (f"/join/{code}", "/join", f"/room/{code}/state"):
        plain, asked = run(site.ask("GET", path)), run(site.ask("GET", path, **forged))
        assert plain == asked
        assert b"evil.example" not in asked[2] + repr(asked[1]).encode()


def test_html_in_every_field_comes_back_as_text(site, rooms, room):
    code, host = room
    evil = "<img src=x onerror=alert(1)>\"'</script>"
    host.show(evil)
    host.open(
        Question(evil, "choice", evil, (evil, f"{evil} $<b>$", "[x](javascript:alert(1))", "![x](//evil.example)"))
    )
    _, state = run(site.look(code, 1))
    for html in (state["question"]["prompt_html"], *state["question"]["options_html"]):
        assert "<img" not in html
        assert "<b>" not in html
        assert "</script" not in html
        assert 'href="javascript' not in html
        assert "src=" not in html.replace("&lt;img src=x", "")
    _, headers, _, _ = run(site.ask("GET", f"/room/{code}/state"))
    assert headers["content-type"] == "application/json"
    assert run(site.say(code, 1, evil, evil))[0] == 204
    for path in (f"/join/{evil}", f"/join/{code}?{evil}"):
        assert evil.encode() not in run(site.ask("GET", path))[2]
    host.close()
    host.reveal()
    assert rooms.visible_answers(code)[0].value == evil


def test_a_body_that_never_comes_is_given_up(rooms, open_room, clock, monkeypatch):
    code, _ = open_room
    monkeypatch.setattr("featdash.classroom.routes.SLOWEST", 0.1)
    app = Site(rooms, clock).app
    headers = [(b"content-type", b"application/json"), (b"content-length", b"100")]
    scope = {"type": "http", "method": "POST", "path": f"/room/{code}/answers", "headers": headers}
    scope |= {"query_string": b"", "root_path": "", "client": ("192.0.2.1", 1)}
    sent = []

    async def receive():
        await asyncio.sleep(60)

    async def send(message):
        sent.append(message)

    run(app(scope, receive, send))
    assert sent[0]["status"] == 422
