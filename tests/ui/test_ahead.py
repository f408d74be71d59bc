"""Pictures go ahead of their page to the one browser that they are for, and nothing depends on it."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from starlette.applications import Starlette

from featdash.ui.kit.shared import RenderedPicture
from featdash.ui.stage import ahead, chart, stage
from featdash.ui.stage.ahead import MOST, ahead_to


@pytest.fixture
def session(monkeypatch):
    """The state of a visitor's session."""
    state = {}
    monkeypatch.setattr(ahead, "st", SimpleNamespace(session_state=state))
    return state


class Browser:
    """A browser's socket, at a server with that route alone."""

    def __init__(self, ticket):
        self._said, self._heard = asyncio.Queue(), asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        scope = {"type": "websocket", "path": f"/course/featdash/ahead/{ticket}", "headers": []}
        app = Starlette(routes=[ahead.route("/course")])
        self._serving = asyncio.create_task(app(scope, self._said.get, self._heard.put))

    async def heard(self):
        """What comes next: a message, or how the server answers and ends."""
        message = await self._heard.get()
        return message.get("bytes") or message["type"]

    def say(self, message):
        self._said.put_nowait({"type": "websocket.receive", "bytes": message})

    async def close(self):
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._serving


def run(walk):
    with ThreadPoolExecutor(1) as pool:  # where no other test's event loop runs
        pool.submit(lambda: asyncio.run(walk())).result()


def picture(text):
    return RenderedPicture(json.dumps({"figure": text}).encode(), "A sentence.", {}, mark=f"mark of {text}")


def say(way, message):
    """As the page of another run would."""
    way.tell(message, message.decode(), {"map": "a mark"}, whole=True)


def test_a_session_has_a_way_to_each_of_its_stages(session):
    way = ahead_to("race-pictures")
    assert ahead_to("race-pictures") is way
    assert ahead_to("lemma-pictures").ticket != way.ticket
    session.clear()
    assert ahead_to("race-pictures").ticket != way.ticket


def test_a_browser_gets_what_is_sent_while_it_listens(session):  # noqa: ARG001
    async def walk():
        way = ahead_to("race-pictures")
        say(way, b"to nobody")
        browser = Browser(way.ticket)
        assert await browser.heard() == "websocket.accept"
        say(way, b"a page")
        assert await browser.heard() == b"a page"
        browser.say(b"a browser has nothing to say")
        say(way, b"another")
        assert await browser.heard() == b"another"
        await browser.close()
        say(way, b"to nobody")
        again = Browser(way.ticket)
        assert await again.heard() == "websocket.accept"
        say(way, b"a third")
        assert await again.heard() == b"a third"

    run(walk)


def test_the_latest_socket_of_a_stage_is_the_one(session):  # noqa: ARG001
    async def walk():
        way = ahead_to("race-pictures")
        first = Browser(way.ticket)
        await first.heard()
        second = Browser(way.ticket)
        await second.heard()
        await first.close()
        say(way, b"a page")
        assert await second.heard() == b"a page"

    run(walk)


def test_who_does_not_know_the_ticket_is_refused(session):
    async def walk():
        way = ahead_to("race-pictures")
        for ticket in ("another", way.ticket[:-1], f"{way.ticket}a"):
            assert await Browser(ticket).heard() == "websocket.close"
        gone = way.ticket
        del way
        session.clear()
        assert await Browser(gone).heard() == "websocket.close"

    run(walk)


def test_what_a_slow_browser_does_not_take_comes_with_the_page_alone(session):  # noqa: ARG001
    taken = []
    queue = SimpleNamespace(full=lambda: len(taken) == MOST, put_nowait=taken.append)
    way = ahead_to("race-pictures")
    way._browser = (SimpleNamespace(call_soon_threadsafe=lambda call, *what: call(*what)), queue)
    for number in range(MOST + 2):
        say(way, b"%d" % number)
    assert taken == [b"%d" % number for number in range(MOST)]


@pytest.fixture
def page(session, monkeypatch):  # noqa: ARG001
    """Draws a page with one picture, or only its part; `said` is what it says, `sent` what has gone ahead."""
    said, sent, way = [], [], ahead_to("race-pictures")

    def component(*, data, **_):
        said.append(data)
        return SimpleNamespace(theme=None, flat=None)

    def draw(text, run="a run", marks=None):
        marks = {} if marks is None else marks
        chart.mount({"map": picture(text)}, key="race-pictures", subject=run, marks=marks, ahead=way)
        return marks

    monkeypatch.setattr(chart, "_component", component)
    monkeypatch.setattr(way, "_send", sent.append)
    return SimpleNamespace(said=said, sent=sent, way=way, draw=draw)


def test_a_page_drawn_whole_goes_ahead_and_its_looks_do_not(page):
    marks = page.draw("a")
    assert page.sent == page.said
    page.draw("b", marks=marks)
    assert len(page.sent) == 1
    numbers = [json.loads(one)["ahead"] for one in page.said]
    assert numbers == [{"ticket": page.way.ticket, "number": 1}, {"ticket": page.way.ticket, "number": 2}]


def test_a_picture_that_goes_ahead_is_that_of_the_message_to_come(page):
    marks = page.draw("a")
    page.way.tell_picture("map", "mark of b", chart.panel_of(picture("b")))
    page.draw("b", marks=marks)
    told, says = json.loads(page.sent[1]), json.loads(page.said[1])
    assert told == {"ahead": says["ahead"], "subject": "a run", "name": "map", "panel": says["panels"]["map"]}


def test_what_its_browser_has_does_not_go_ahead_once_more(page):
    marks = page.draw("a")
    page.draw("a")
    assert len(page.sent) == 1
    page.draw("b", marks=marks)
    page.draw("b")
    assert len(page.sent) == 1, "a look has brought it"
    page.way.tell_picture("map", "mark of c", chart.panel_of(picture("c")))
    page.draw("c")
    assert len(page.sent) == 2
    page.draw("c", run="another run")
    page.draw("d", run="another run")
    assert page.sent[2:] == page.said[-2:]


class Drawn(Exception):
    """The pictures are drawn."""


def test_no_picture_goes_ahead_of_the_word_whether_a_film_plays(page, monkeypatch):
    """A page that is drawn whole brings it: the answer would be seen before its film."""

    def moment(part, view, tell):  # noqa: ARG001
        tell("map", picture("b"))
        raise Drawn

    def show(marks):
        run = SimpleNamespace(experiment="race", id="a run")
        with pytest.raises(Drawn):
            stage.show(None, SimpleNamespace(run=run), None, marks, None, {}, None)

    monkeypatch.setattr(stage, "moment", moment)
    page.draw("a")
    show({})
    show({"map": "mark of b"})
    assert len(page.sent) == 1
    show({"map": "mark of a"})
    assert [json.loads(one).get("name") for one in page.sent] == [None, "map"]
