"""What phones and curious clients get from the routes, byte by byte."""

import asyncio
import json
from types import SimpleNamespace

import pytest
from class_rooms import CHOICE, NUMBER, ORDER, Site, run, token
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from featdash.classroom import change_signal
from featdash.classroom import routes as class_routes
from featdash.classroom.question import Question
from featdash.classroom.routes import WAIT
from featdash.server import asgi
from featdash.server.plain_routes import PlainRoutes

PATIENCE = 60  # seconds after which a test that waits has failed


def test_a_phone_joins_by_its_first_look_and_whoever_has_no_token_does_not(site, rooms, room):
    code, _ = room

    async def visits():
        return [await site.look(code), await site.look(code.lower(), 1), await site.look(code, 1)]

    waiting = {"version": 1, "status": "wait", "question": None, "answered": 0, "left": None}
    assert run(visits()) == [(200, waiting | {"joined": joined}) for joined in (0, 1, 1)]
    assert rooms.view(code).phone_count == 1


def test_the_question_comes_with_its_words_as_html_and_formulas_as_mathml(site, room):
    code, host = room
    host.open(Question("q", "choice", "Is $x^2$ **large**?", ("$\\eta$", "no")), 30)
    _, state = run(site.look(code, 1))
    question = state["question"]
    assert {name: question[name] for name in ("id", "round", "kind", "prompt", "options", "low", "high")} == {
        "id": "q",
        "round": 1,
        "kind": "choice",
        "prompt": "Is $x^2$ **large**?",
        "options": ["$\\eta$", "no"],
        "low": 0.0,
        "high": 1.0,
    }
    assert question["prompt_html"].startswith("Is <math><mrow><msup><mi>x</mi><mn>2</mn></msup></mrow></math> <strong>")
    assert question["options_html"] == ["<math><mrow><mi>η</mi></mrow></math>", "no"]
    assert state["left"] == 30


@pytest.mark.parametrize(
    ("question", "values"), [(CHOICE, ["NTK", None]), (ORDER, [["c", "b", "a"]]), (NUMBER, [20, 20.5, None])]
)
def test_an_answer_is_taken_and_the_last_one_counts(site, rooms, room, question, values):
    code, host = room
    host.open(question)

    async def answers():
        return [await site.say(code, 1, value, question.id) for value in values]

    assert run(answers()) == [(204, "")] * len(values)
    host.close()
    host.reveal()
    [answer] = rooms.visible_answers(code)
    assert answer.value == (tuple(values[-1]) if isinstance(values[-1], list) else values[-1])


def test_no_byte_before_the_reveal_tells_what_others_answered(site, rooms, room, clock):
    """Two classes that differ in their answers alone look the same to all, until the host reveals."""
    code, host = room
    seen = {}
    for number in (*range(10), 99):
        rooms.join(code, token(number))

    async def everything(question):
        clock.now += 60
        looks = [await site.ask("GET", f"/room/{code}/state", x_token=token(number)) for number in (0, 99)]
        looks += [await site.ask("GET", path) for path in (f"/room/{code}/state", f"/join/{code}", "/join")]
        looks.append(await site.ask("GET", f"/room/{code}/answers"))
        said = [await site.say(code, 0, value, question) for value in ("NTK", "neither")]
        return [(status, headers, body) for status, headers, body, _ in looks], said

    for name, others in (("of one mind", ["NTK"] * 9), ("divided", ["NTK", "Algorithm 1", None] * 3)):
        seen[name] = []
        host.open(CHOICE)
        for step in (host.close, host.again, host.close, lambda: host.show("")):
            if rooms.view(code).status == "open":
                for number, value in enumerate(others, 1):
                    rooms.put_answer(
                        code, rooms.view(code).question.id, rooms.view(code).round, value, token(number)
                    ).result()
            seen[name] += run(everything(rooms.view(code).question.id))
            step()
    one, other = (json.dumps(plain(found), default=repr) for found in seen.values())
    assert one == other
    assert "NTK" in one  # as an option


def plain(found):
    """Without what differs from one opening to the next: the version, and the number in the question's name."""
    if isinstance(found, bytes) and found.startswith(b'{"version"'):
        state = json.loads(found)
        state["version"] = 0
        if state["question"]:
            state["question"]["id"] = "which"
        return state
    if isinstance(found, dict):
        return {name: value for name, value in found.items() if name != "content-length"}
    return [plain(one) for one in found] if isinstance(found, list | tuple) else found


def test_the_states_names_are_these_and_no_others(site, room):
    code, host = room
    host.show("the host's own text")
    host.open(CHOICE)
    host.close()
    host.reveal()
    _, state = run(site.look(code, 1))
    assert set(state) == {"version", "status", "question", "answered", "joined", "left"}
    assert "the host's own text" not in json.dumps(state)
    words = {"prompt", "options", "prompt_html", "options_html"}
    assert set(state["question"]) == {"id", "round", "kind", "low", "high", "log", "unit", *words}


@pytest.fixture
def signals(rooms, monkeypatch):
    """What lets phones wait, once one has looked."""
    found = []
    monkeypatch.setattr(rooms, "on_change", found.append)
    monkeypatch.setattr(rooms, "_listeners", found)
    return found


async def so_many_wait(signals, count):
    async with asyncio.timeout(PATIENCE):
        while not signals or len(signals[0]) != count:
            await asyncio.sleep(0)  # the others' turn


def test_a_look_waits_for_news_and_hears_it_at_once(rooms, room, clock, signals):
    code, host = room
    site = Site(rooms, clock, wait=100 * PATIENCE)

    async def waits():
        _, first = await site.look(code, 1)
        waiting = asyncio.create_task(site.look(code, 1, f"?version={first['version']}"))
        await so_many_wait(signals, 1)
        await asyncio.to_thread(host.open, CHOICE)
        return await asyncio.wait_for(waiting, PATIENCE)

    assert run(waits())[1]["status"] == "open"


def test_a_look_waits_so_long_and_is_answered_without_news(rooms, room, clock, monkeypatch):
    code, _ = room
    site = Site(rooms, clock, wait=0.2)
    now, waited = [0.0], []

    async def wait(changes, timeout):
        waited.append((len(changes), timeout))
        now[0] += timeout

    monkeypatch.setattr(class_routes, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(class_routes, "asyncio", SimpleNamespace(wait=wait))
    _, state = run(site.look(code, 1, f"?version={rooms.view(code).version}"))
    assert state["version"] == rooms.view(code).version
    assert waited == [(1, 0.2)]
    assert WAIT == 10  # a server that ends waits for it


def test_those_who_wait_hear_that_a_countdown_is_over_and_that_the_room_ended(site, room, clock, signals):
    code, host = room
    host.open(CHOICE, 30)

    async def waits():
        _, first = await site.look(code, 1)
        clock.now += 30.9  # a tenth of a second is left of the grace
        waiting = asyncio.create_task(site.look(code, 1, f"?version={first['version']}"))
        await so_many_wait(signals, 1)
        clock.now += 0.2
        _, closed = await waiting
        waiting = asyncio.create_task(site.look(code, 1, f"?version={closed['version']}"))
        await so_many_wait(signals, 1)
        await asyncio.to_thread(host.end)
        return closed["status"], await waiting

    status, (code_after, sentence) = run(waits())
    assert status == "closed"
    assert (code_after, sentence.split(":")[0]) == (404, "There is no such room")


def test_a_phone_waits_with_two_looks_at_most_and_nothing_is_left_behind(site, rooms, room, signals):
    code, host = room

    async def waits():
        version = rooms.view(code).version
        looks = [asyncio.create_task(site.look(code, 1, f"?version={version}")) for _ in range(5)]
        await asyncio.wait(looks[: len(looks) - change_signal.AT_ONCE])
        await so_many_wait(signals, change_signal.AT_ONCE)
        waiting = sum(not look.done() for look in looks)
        counted = len(signals[0])
        await asyncio.to_thread(host.open, CHOICE)
        await asyncio.gather(*looks)
        return waiting, counted, len(signals[0])

    assert run(waits()) == (change_signal.AT_ONCE, change_signal.AT_ONCE, 0)


def test_a_disk_that_refuses_is_one_sentence(site, rooms, room):
    code, host = room
    host.open(CHOICE)
    rooms._store._file.execute("DROP TABLE answers")
    status, sentence = run(site.say(code, 1, "NTK"))
    assert status == 503
    assert sentence.startswith("The class's rooms cannot be used now: the server could not keep it")


def test_a_folder_that_makes_no_sense_is_one_sentence(clock):
    def refuse():
        raise ValueError("FEATDASH_HOME must be a folder, got '~nobody'; set it to an absolute path")

    site = Site(None, clock)
    site.app = Starlette(middleware=[Middleware(PlainRoutes, asgi.classroom_routes("", refuse))])
    status, sentence = run(site.look("KMXT", 1))
    assert status == 503
    assert "FEATDASH_HOME must be a folder" in sentence


def test_what_a_phone_gets_is_kept_by_nobody(site, room):
    code, _ = room
    _, headers, _, _ = run(site.ask("GET", f"/room/{code}/state"))
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("base", ["", "/course"])
def test_the_routes_stand_under_the_base_path_and_before_streamlits(rooms, room, clock, base):
    code, _ = room
    site = Site(rooms, clock, base)
    assert run(site.look(code))[0] == 200
    assert run(site.ask("GET", f"/join/{code}"))[0] == 200


def test_other_paths_and_methods_are_left_to_the_app_or_refused(rooms, clock):
    site = Site(rooms, clock)
    routes = [Route("/lab", lambda _: PlainTextResponse("the lab")), Route("/joiner", lambda _: PlainTextResponse("j"))]
    plain = [Middleware(PlainRoutes, asgi.classroom_routes("", lambda: rooms))]
    site.app = Starlette(routes=routes, middleware=plain)
    assert run(site.ask("GET", "/lab"))[2] == b"the lab"
    assert run(site.ask("GET", "/joiner"))[2] == b"j"
    assert run(site.ask("GET", "/room/KMXT/answers"))[0] == 405
    assert run(site.ask("DELETE", "/join"))[0] == 405
    assert run(site.ask("GET", "/room/KMXT"))[0] == 404


def test_the_app_has_the_routes_and_nothing_of_streamlit_is_written_into_the_page(clock):
    site = Site(None, clock)
    site.app = Starlette(middleware=asgi.asgi_options()["middleware"])
    status, headers, body, _ = run(site.ask("GET", "/join/KMXT", accept="text/html,*/*"))
    assert status == 200
    assert b"static/js" not in body
    assert "set-cookie" not in headers
    assert headers["content-security-policy"].startswith("default-src 'none'; ")
