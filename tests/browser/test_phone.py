"""Phones in a real browser: they join, answer every kind of question, sleep, come late and go."""

import re
import threading
import time
from contextlib import contextmanager

import pytest
import uvicorn
from class_rooms import open_rooms
from hand_engine import until
from playwright.sync_api import expect
from real_server import free_port
from starlette.applications import Starlette
from starlette.middleware import Middleware

from featdash.classroom.question import Question
from featdash.classroom.routes import routes
from featdash.server.plain_routes import PlainRoutes

pytestmark = pytest.mark.browser
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
OPTIONS = ("Random features", "The NTK, $f_0$", "Algorithm 1")
CHOICE = Question("which", "choice", "Which finds $u_1$?", OPTIONS)
ORDER = Question("rank", "order", "Which is best?", ("a", "b", "c"))
NUMBER = Question("many", "number", "How many?", low=100, high=100_000, log=True, unit="samples")
ANGLE = Question("angle", "number", "Which angle?", low=0, high=90, unit="°")


@contextmanager
def serving(rooms, port, base):
    """The class's routes on a port, until the end of the block."""
    app = Starlette(middleware=[Middleware(PlainRoutes, routes(base, lambda: rooms))])
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="error", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    until(lambda: server.started)
    yield
    server.should_exit = server.force_exit = True
    thread.join()


class Phones:
    """Three phones, each a visitor of its own, that one test after another holds: a new one would cost a second.

    Every class has a port of its own, so what a phone has stored for one is not there for the next.
    """

    def __init__(self, chromium):
        contexts = [chromium.new_context(**PHONE) for _ in range(3)]
        self.pages = [context.new_page() for context in contexts]
        self.trouble = []
        for page in self.pages:
            page.set_default_timeout(10_000)
            page.on("pageerror", lambda error: self.trouble.append(str(error)))
            page.on("console", self.hear)

    def hear(self, said):
        if "Content Security" in said.text:
            self.trouble.append(said.text)

    def put_down(self):
        """All of them, as they were before the test."""
        for page in self.pages:
            page.context.set_offline(False)
            page.emulate_media(color_scheme="light")
            page.goto("about:blank")

    def close(self):
        for page in self.pages:
            page.context.close()


class Class:
    """A room, its address, and the phones that a test takes up."""

    def __init__(self, rooms, url, phones):
        self.rooms, self.url, self.phones = rooms, url, iter(phones.pages)
        self.code, secret = rooms.create()
        self.host = rooms.commands(self.code, secret)

    def phone(self, path=None):
        """The next phone, at the room's address."""
        page = next(self.phones)
        page.goto(f"{self.url}/join{f'/{self.code}' if path is None else path}")
        return page

    def revealed(self):
        """{(round, value)} of what the class said, once it is revealed."""
        self.host.close()
        self.host.reveal()
        return {(one.round, one.value) for one in self.rooms.visible_answers(self.code)}


@pytest.fixture(scope="module")
def phones(chromium):
    ours = Phones(chromium)
    yield ours
    ours.close()


@pytest.fixture
def school(tmp_path, phones):
    port = free_port()
    with open_rooms(tmp_path, time.time) as rooms, serving(rooms, port, "/course"):
        yield Class(rooms, f"http://127.0.0.1:{port}/course", phones)
        phones.put_down()
    assert phones.trouble == []


def main(page):
    return page.locator("main")


def sent(page):
    expect(main(page)).to_contain_text("You have answered: ")


def test_a_code_is_typed_and_a_wrong_one_is_one_sentence(school):
    page = school.phone("")
    for typed, sentence in (("ab", "A code has four letters"), ("zzzz", "There is no such room")):
        page.get_by_label("The four letters on the wall").fill(typed)
        page.keyboard.press("Enter")
        expect(page.get_by_role("status").first).to_contain_text(sentence)
    page.get_by_label("The four letters on the wall").fill(school.code.lower())
    page.get_by_role("button", name="Join").click()
    expect(main(page)).to_contain_text("Look at the wall")
    expect(page.get_by_role("status").first).to_be_empty()
    assert page.url.endswith(f"/course/join/{school.code}")
    assert school.rooms.view(school.code).phone_count == 1


def test_two_rounds_of_a_choice_by_keyboard(school):
    page = school.phone()
    expect(main(page)).to_contain_text("Look at the wall")
    school.host.open(CHOICE)
    expect(page.get_by_role("heading", name="Which finds")).to_be_focused()
    assert page.locator("h1 math msub").count() == 1
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    sent(page)
    school.host.close()
    expect(main(page)).to_contain_text("The question is closed.")
    expect(main(page)).to_contain_text("You said: The NTK")
    school.host.again()
    expect(main(page)).to_contain_text("In round 1 you said: The NTK")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").first).to_contain_text("Choose one, or press «Not sure».")
    page.get_by_role("button", name="Not sure").click()
    expect(main(page)).to_contain_text("You have answered: not sure. You may change it until it closes.")
    page.get_by_role("radio", name="Algorithm 1").check()
    page.get_by_role("button", name="Send").click()
    expect(main(page)).to_contain_text("You have answered: Algorithm 1")
    assert school.revealed() == {(1, OPTIONS[1]), (2, OPTIONS[2])}
    expect(main(page)).to_contain_text("Look at the wall")
    expect(main(page)).to_contain_text("You said in round 2: Algorithm 1")


def test_an_order_is_made_with_buttons_that_keep_the_focus_and_say_the_place(school):
    page = school.phone()
    school.host.open(ORDER)
    for name in "abc":  # each to the end, so that they stand in this order whatever it was
        for _ in range(2):
            page.get_by_role("button", name=f"Move down: {name}").press("Enter")
        expect(page.get_by_role("button", name=f"Move down: {name}")).to_be_focused()
    expect(page.locator("#spoken")).to_contain_text("c is now 3 of 3")
    page.get_by_role("button", name="Send").click()
    sent(page)
    assert school.revealed() == {(1, ("a", "b", "c"))}


def test_a_number_is_typed_with_a_comma_or_a_point(school):
    page = school.phone()
    numbers = {"12,5": 12.5, "12.5": 12.5, " 4 5 ": 45.0, "1e1": 10.0, "90": 90.0, ",5": 0.5, "0": 0.0}
    for number, (typed, value) in enumerate(numbers.items()):
        school.host.open(Question(f"angle-{number}", "number", f"Which angle is number {number}?", low=0, high=90))
        expect(page.get_by_role("heading")).to_contain_text(f"number {number}?")
        page.get_by_label("Your guess", exact=True).fill(typed)
        page.keyboard.press("Enter")
        sent(page)
        assert school.revealed() == {(1, value)}, typed
        school.host.show("")


def test_what_is_no_number_of_the_axis_is_one_sentence(school):
    page = school.phone()
    school.host.open(ANGLE)
    for typed in ("91", "-1", "1.2.3", "1,2,3", "many", "0x10", "1e400", "Infinity"):
        page.get_by_label("Your guess", exact=True).fill(typed)
        page.get_by_role("button", name="Send").click()
        expect(page.get_by_role("status").first, typed).to_have_text("Write a number from 0° to 90°.")
        assert school.rooms.view(school.code).answer_count == 0
        page.evaluate("document.querySelector('[role=status]').textContent = ''")  # what the next one says is its own


def test_a_number_is_chosen_on_the_slider_of_a_logarithmic_axis(school):
    page = school.phone()
    school.host.open(NUMBER)
    slider = page.get_by_role("slider")
    assert slider.get_attribute("aria-valuetext") == "no guess yet"
    assert slider.get_attribute("aria-label") == "Your guess, from 100\xa0samples to 100\u202f000\xa0samples"
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").first).to_contain_text("Move the slider or write a number")
    slider.press("End")
    assert page.get_by_label("Your guess", exact=True).input_value() == "100000"
    slider.press("Home")
    assert page.get_by_label("Your guess", exact=True).input_value() == "100"
    page.get_by_label("Your guess", exact=True).fill("3162,3")
    assert slider.input_value() == "100"  # the middle
    assert slider.get_attribute("aria-valuetext") == "3162.3\xa0samples"
    page.get_by_role("button", name="Send").click()
    sent(page)
    assert school.revealed() == {(1, 3162.3)}


def test_a_phone_that_was_away_comes_back_and_what_it_sent_is_kept(school):
    page = school.phone()
    school.host.open(CHOICE)
    page.get_by_role("radio", name="Algorithm 1").check()
    page.context.set_offline(True)
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("status").first).to_contain_text("No connection")
    page.context.set_offline(False)
    sent(page)
    assert school.rooms.view(school.code).answer_count == 1
    page.context.set_offline(True)
    school.host.close()
    school.host.again()
    page.context.set_offline(False)
    expect(main(page)).to_contain_text("Second round")
    expect(page.get_by_role("status").first).to_be_empty()


def test_a_phone_that_is_back_says_so_before_there_is_news(school):
    """The server answers who knows the present state when it changes; who was away is answered at once."""
    page = school.phone()
    school.host.open(CHOICE)
    expect(main(page).get_by_role("radio")).to_have_count(3)
    page.route("**/state*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")  # it looks anew, as after sleep
    expect(page.get_by_role("status").first).to_contain_text("No connection")
    page.unroute("**/state*")
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.get_by_role("status").first).to_be_empty()


def test_a_reload_and_a_late_phone_find_the_question(school):
    page = school.phone()
    school.host.open(CHOICE, 600)
    page.get_by_role("radio", name="Algorithm 1").check()
    page.get_by_role("button", name="Send").click()
    sent(page)
    page.reload()
    sent(page)
    expect(page.get_by_role("radio", name="Algorithm 1")).to_be_checked()
    late = school.phone()
    expect(late.get_by_role("radio")).to_have_count(3)
    expect(late.locator("#time")).to_have_text(re.compile(r"^\d+ s left$"))
    view = school.rooms.view(school.code)
    assert (view.phone_count, view.answer_count) == (2, 1)


def test_a_host_who_locks_the_door_disturbs_nobody_who_thinks(school):
    page = school.phone()
    school.host.open(ANGLE)
    page.get_by_label("Your guess", exact=True).fill("12")
    school.host.lock(True)
    late = school.phone()
    expect(late.get_by_role("status").first).to_contain_text("locked the door")
    assert page.get_by_label("Your guess", exact=True).input_value() == "12"
    school.host.lock(False)
    expect(late.get_by_label("Your guess", exact=True)).to_be_visible(timeout=15_000)


def test_the_end_of_a_countdown_and_of_a_room(school):
    page = school.phone()
    school.host.open(CHOICE, 1)
    expect(main(page)).to_contain_text("You have not answered it.")
    school.host.end()
    expect(main(page)).to_contain_text("This room has ended")
    page.get_by_role("button", name="Join another room").click()
    expect(page.get_by_label("The four letters on the wall")).to_be_focused()


def test_html_in_a_question_is_shown_as_it_is_written(school):
    evil = "<img src=x onerror=document.body.remove()>"
    page = school.phone()
    school.host.open(Question("evil", "choice", evil, (evil, "[x](javascript:document.body.remove())")))
    expect(page.get_by_role("heading")).to_have_text(evil)
    expect(page.get_by_role("radio")).to_have_count(2)
    assert page.locator("img").count() == 0
    assert page.locator("a").count() == 0


def test_buttons_are_as_large_as_a_thumb_and_nothing_scrolls_sideways_by_day_or_night(school):
    page = school.phone()
    for question in (CHOICE, ORDER, NUMBER):
        school.host.open(question)
        expect(page.get_by_role("button", name="Send")).to_be_visible()
        page.wait_for_function(
            "name => document.querySelector('h1').textContent.startsWith(name)", arg=question.prompt.split("$")[0]
        )
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for part in page.locator("button, label:has(input), input[type=text]").all():
                assert part.bounding_box()["height"] >= 44, scheme
            assert page.evaluate("document.documentElement.scrollWidth") <= 390, scheme
        school.host.close()
        school.host.show("")


def test_a_phone_asks_no_other_server_and_keeps_no_cookie(school):
    page = school.phone("")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{school.url}/join/{school.code}")
    expect(main(page)).to_contain_text("Look at the wall")
    school.host.open(CHOICE)
    page.get_by_role("button", name="Not sure").click()
    sent(page)
    assert len(asked) >= 4
    assert all(url.startswith((school.url, "data:")) for url in asked)
    assert page.context.cookies() == []
