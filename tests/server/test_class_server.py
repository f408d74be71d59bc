"""The class on the real server: under a base path, killed, and ended while phones wait."""

import json
import os
import signal
import socket
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor

import pytest
from class_rooms import token
from ended_server import nothing_left_of
from hand_engine import until
from real_server import ROOT, Server

APP = str(ROOT / "tests" / "toys" / "class_app.py")
QUESTION = {"id": "q", "kind": "number", "prompt": "How many?", "low": 0, "high": 1000}


class CourseServer(Server):
    """The app with a room whose host is the test, under /course."""

    def __init__(self, home, scratch):
        options = {"FEATDASH_WORKERS": "1", "STREAMLIT_SERVER_BASE_URL_PATH": "course", "LOOK": "2"}
        super().__init__(home, APP, TMPDIR=str(scratch), **options)
        self.url += "/course"

    def ask(self, path, body=None, **headers):
        """(status, body)."""
        data = None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.url + path, data, {"Content-Type": "application/json", **named})
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.read().decode()

    def command(self, name, *arguments):
        return json.loads(self.ask(f"/script/{name}", list(arguments))[1])

    def say(self, code, number):
        said = {"question": "q", "round": 1, "value": number, "token": token(number)}
        return self.ask(f"/room/{code}/answers", said)[0]

    def state(self, code, version=""):
        return json.loads(self.ask(f"/room/{code}/state{version}", X_Token=token(1))[1])


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """The last test ends it."""
    home = tmp_path_factory.mktemp("course") / "home"
    home.mkdir()
    server = CourseServer(home, tmp_path_factory.mktemp("scratch"))
    server.start()
    yield server
    server.stop()


def test_a_killed_server_gives_the_room_back_with_all_that_was_acknowledged(course):
    code = course.command("code")
    course.command("open", QUESTION)
    status, page = course.ask(f"/join/{code}")
    assert status == 200
    assert "<title>FeatDash: predict with your class</title>" in page
    taken = set()

    def answer(number):
        try:
            if course.say(code, number) == 204:
                taken.add(number)
        except OSError:  # it was killed
            return

    with ThreadPoolExecutor(16) as phones:
        for number in range(300):
            phones.submit(answer, number)
        until(lambda: len(taken) >= 100)
        os.killpg(course.process.pid, signal.SIGKILL)
    course.process.wait()
    course.start()
    state = course.state(code)
    assert state["status"] == "open"
    assert state["answered"] >= len(taken) >= 100
    kept = {int(value) for value in course.command("kept")}
    assert taken <= kept
    assert course.say(code, 301) == 204


def test_a_server_that_is_told_to_end_does_not_wait_long_for_those_who_wait_and_leaves_nothing_behind(course):
    """Nor for its workers, once they are there: it would wait for those that are just starting, see `asgi.close`."""
    run = course.command("race", {"n": 200, "width": 20, "holdout": 200, "test": 200, "steps": 10})
    until(lambda: course.command("status", run) == "done")
    code = course.command("code")
    version = course.state(code)["version"]
    with socket.create_connection(("127.0.0.1", course.port), timeout=30) as waiting:
        look = f"GET /course/room/{code}/state?version={version} HTTP/1.1\r\nHost: x\r\nX-Token: {token(1)}\r\n\r\n"
        waiting.sendall(look.encode())
        course.state(code)  # which came after it: it waits now
        with nothing_left_of(course):
            course.process.send_signal(signal.SIGTERM)
            course.process.wait(10)  # two for the look, and the workers' farewell
        assert waiting.recv(15) == b"HTTP/1.1 200 OK", "whoever waits is answered first"
