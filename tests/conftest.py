"""Fixtures: a service with a private store for every test, the real server, and a headless browser."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two BLAS threads on two busy cores are slower than one
ROOT = Path(__file__).resolve().parent.parent
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NO_BROWSER = "no chromium on the PATH; install it (Debian: apt-get install chromium) to run the browser tests"


@pytest.fixture
def engine():
    """Its jobs are ended by the test."""
    from hand_engine import HandEngine  # not before: it adds its experiments to the registry

    return HandEngine()


@pytest.fixture
def store(tmp_path):
    """The store of `service`, or of `inline`."""
    from featdash.runs.store import Store

    return Store(tmp_path / "home")


@pytest.fixture
def service(engine, store):
    """A service whose jobs the test ends through `engine`."""
    from featdash.runs.service import RunService

    with closing(RunService(engine, store)) as one:
        yield one


@pytest.fixture
def inline(store):
    """A service that computes each run as it is submitted."""
    from featdash.runs.engine import InlineEngine
    from featdash.runs.service import RunService

    with closing(RunService(InlineEngine(), store)) as one:
        yield one


@pytest.fixture
def visit(tmp_path):
    """Opens a page of the app (see `app_pages.open_page`); its runs are computed as they are submitted."""
    from app_pages import inline_service, open_page

    with inline_service(tmp_path / "home"):
        yield open_page


@pytest.fixture
def clock():
    """Seconds that the test moves on."""
    from class_rooms import Clock

    return Clock()


@pytest.fixture
def rooms(tmp_path, clock):
    """A server's rooms, by that clock."""
    from class_rooms import open_rooms

    with open_rooms(tmp_path, clock) as ours:
        yield ours


@pytest.fixture
def room(rooms):
    """(code, host's commands) of one of them."""
    code, secret = rooms.create()
    return code, rooms.commands(code, secret)


@pytest.fixture
def site(rooms, clock):
    """Their routes."""
    from class_rooms import Site

    return Site(rooms, clock)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """A real `streamlit run app.py` on loopback, with its own store."""

    def __init__(self, home: Path, app: str = "app.py", **environment: str):
        self.app = app
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.environment = {**os.environ, "PYTHONPATH": str(ROOT), "FEATDASH_HOME": str(home), **environment}
        self.log = home.parent / f"{home.name}-{self.port}.log"

    def start(self) -> None:
        command = [sys.executable, "-m", "streamlit", "run", self.app, "--server.port", str(self.port)]
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                command, cwd=ROOT, env=self.environment, stdout=log, stderr=log, start_new_session=True
            )
        for _ in range(600):
            try:
                with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=1):
                    return
            except OSError:
                time.sleep(0.1)
        raise RuntimeError(f"the server did not start: {self.log.read_text()[-2000:]}")

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()


@contextmanager
def running_server(home: Path, app: str = "app.py", **environment: str):
    """A server for one block, stopped with all its workers at the end."""
    home.mkdir(parents=True, exist_ok=True)
    server = Server(home, app, **environment)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("server") / "home") as one:
        yield one


@pytest.fixture(scope="session")
def chromium():
    if CHROMIUM is None:
        if os.environ.get("FEATDASH_BROWSER") == "required":
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def visitors(chromium):
    """Two visitors, who have been here before: their browsers keep the scripts of the pages from test to test."""
    screen = {"width": 1280, "height": 720}
    contexts = [chromium.new_context(viewport=screen, color_scheme="light") for _ in range(2)]
    for context in contexts:
        context.set_default_timeout(20_000)
    yield contexts
    for context in contexts:
        context.close()


@pytest.fixture
def page(visitors):
    """A tab of the first visitor."""
    tab = visitors[0].new_page()
    yield tab
    tab.close()


@pytest.fixture
def other(visitors):
    """A tab of the second visitor."""
    tab = visitors[1].new_page()
    yield tab
    tab.close()
