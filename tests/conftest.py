"""Fixtures: a service with a private store for every test, the real server, and a headless browser."""

import functools
import os
import shutil
import sys
import tempfile
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from real_server import ARGUMENTS, CALM, CHROMIUM, SCREEN, running_server

os.environ.setdefault("OMP_NUM_THREADS", "1")  # two BLAS threads on two busy cores are slower than one
DEFAULT_TIMEOUT = 20_000  # milliseconds
# Optimised code pays in pages that live longer than those of a test. No core is free to collect garbage beside a page,
# and a page that may fill 64 megabytes before that has little left that is not garbage. What one page has compiled of
# the scripts is there for the next.
SCRIPTS = ["--no-opt", "--no-maglev", "--single-threaded-gc", "--no-flush-bytecode"]
SCRIPTS += ["--min-semi-space-size=64", "--max-semi-space-size=64"]
QUICK = [*ARGUMENTS, f"--js-flags={','.join(SCRIPTS)}"]
LOG_SHOWN = 3000  # letters of a server's log in the report of a test that failed
# Whether a tab draws frames, which most of what a test waits for is looked at in, and how far its pictures are.
PICTURES = """async () => {
  const frame = new Promise((done) => requestAnimationFrame(() => done('draws')));
  const draws = await Promise.race([frame, new Promise((done) => setTimeout(done, 1000, 'draws no'))]);
  const pictures = [...document.querySelectorAll('.featdash-frame')].map(({featdash: {panel, updates, ...chart}}) =>
    `${panel} ${updates} ${chart.figure === chart.drawn ? 'drawn' : 'waits'}${chart.isHeld ? ' held' : ''}`);
  return `${document.visibilityState}, ${draws} frames; ${pictures.join(', ')}`;
}"""
NO_BROWSER = "no chromium on the PATH; install it (Debian: apt-get install chromium) to run the browser tests"


def pytest_configure(config):
    """One cache of bytecode for all processes of the suite, where Python may write none beside the sources.

    Each server, each worker and each child would otherwise compile Streamlit, torch and the app anew: six seconds of
    the processor, some hundred times.
    """
    if sys.dont_write_bytecode:
        folder = tempfile.mkdtemp(prefix="featdash-bytecode-")
        config.add_cleanup(functools.partial(shutil.rmtree, folder, ignore_errors=True))
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = folder
        sys.dont_write_bytecode = False


def pytest_xdist_auto_num_workers(config):
    """None for a single file, which is sooner done than workers are started; else xdist's answer, one a core."""
    files = {Path(argument.partition("::")[0]) for argument in config.args}
    return 0 if len(files) == 1 and files.pop().is_file() else None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item):
    """What each tab showed when a test failed, and the end of each server's log, in the report of it: a race cannot be
    looked at afterwards."""
    report = yield
    if report.failed:
        tabs = {name: tab for name, tab in getattr(item, "funcargs", {}).items() if hasattr(tab, "viewport_size")}
        still_open = {name: tab for name, tab in tabs.items() if not tab.is_closed()}  # not so when a fixture fails
        report.sections += [(f"Tab «{name}»", "\n".join(shown_by(tab))) for name, tab in still_open.items()]
        logs = {name: one.log for name, one in getattr(item, "funcargs", {}).items() if hasattr(one, "restart")}
        report.sections += [(f"Log of «{name}»", log.read_text()[-LOG_SHOWN:]) for name, log in logs.items()]
    return report


def shown_by(tab):
    """The address of a tab and those before, what has the focus, its pictures, errors, its script and text."""
    from playwright.sync_api import Error

    yield tab.url
    with suppress(Error):
        visited = "window.navigation.entries().map(({url}) => url.replace(location.origin, ''))"
        yield "after " + " -> ".join(tab.evaluate(visited))
        yield f"focus: {tab.evaluate('document.activeElement?.outerHTML.slice(0, 200)')}"
        yield f"commands: {tab.evaluate('JSON.stringify(window.featdashCommands)')}"  # those that still wait, in lists
        yield f"pictures: {tab.evaluate(PICTURES)}"
    yield from (f"uncaught: {error}" for error in tab.page_errors())
    yield from (f"{message.type}: {message.text}" for message in tab.console_messages() if message.type == "error")
    for what in ("html", "[data-testid=stApp]"):
        try:
            node = tab.locator(what)
            state = node.get_attribute("data-test-script-state", timeout=2000) or "no state"
            yield f"{what}, {state}: " + " · ".join(node.inner_text(timeout=2000).split("\n\n"))
        except Error as error:
            yield f"{what} cannot be read: {error.message}"


@pytest.fixture(autouse=True)
def main_module(monkeypatch):
    """Streamlit's AppTest leaves its script in place of the main module, and the next worker process would run it."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@functools.cache
def with_memory(function):
    """That function, which does its work once in this process."""
    return functools.cache(function)


@pytest.fixture(autouse=True)
def one_scan(monkeypatch):
    """Each AppTest looks through all installed packages for components, which takes as long as to draw a page."""
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner

        scan = with_memory(manifest_scanner.scan_component_manifests)
        monkeypatch.setattr(manifest_scanner, "scan_component_manifests", scan)


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
    from featdash.runs.execution import InlineEngine
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
def idle(visit, service, monkeypatch):
    """As `visit`, but no run is carried out, also none that a link with settings begins."""
    from featdash.ui.kit import shared

    monkeypatch.setattr(shared, "_service", service)
    return visit


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


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    with running_server(tmp_path_factory.mktemp("server") / "home", FEATDASH_WORKERS="1") as one:
        yield one


@pytest.fixture(scope="session")
def chromium(tmp_path_factory):
    """A browser with a profile on disk, as visitors have: it keeps there what it has compiled of the large scripts."""
    if CHROMIUM is None:
        if os.environ.get("FEATDASH_BROWSER") == "required":
            pytest.fail(NO_BROWSER)
        pytest.skip(NO_BROWSER)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        profile = playwright.chromium.launch_persistent_context(
            tmp_path_factory.mktemp("profile"), executable_path=CHROMIUM, args=QUICK, **CALM
        )
        yield profile.browser
        profile.close()


@pytest.fixture(scope="session")
def visitors(chromium):
    """Two visitors, who have been here before: the browser's own profile, and for fewer tests a private window."""
    (profile,) = chromium.contexts
    private = chromium.new_context(**CALM)
    for context in (profile, private):
        context.set_default_timeout(DEFAULT_TIMEOUT)
    yield [profile, private]
    private.close()


@pytest.fixture(scope="session")
def kept_tabs(visitors):
    """A tab of each visitor, in which page follows page: a new tab would read and compile all scripts once more."""
    return [context.new_page() for context in visitors]


def leave_page(tab) -> None:
    """The scripts of the pages stay with the visitor, and nothing else: what they saw would lead the next test on."""
    left = urlsplit(tab.url)
    tab.set_default_timeout(DEFAULT_TIMEOUT)
    tab.goto("about:blank")
    if left.netloc:
        browser = tab.context.new_cdp_session(tab)
        known = {"origin": f"{left.scheme}://{left.netloc}", "storageTypes": "local_storage"}
        browser.send("Storage.clearDataForOrigin", known)
        browser.detach()
    tab.request_gc()  # of what the pages held: it would pile up to gigabytes
    tab.set_viewport_size(SCREEN)
    tab.emulate_media(reduced_motion="reduce", color_scheme="light")
    tab.mouse.move(-1, -1)  # outside, where it lies over nothing of the next page


@contextmanager
def lend_tab(tabs, visitor: int):
    """A visitor's kept tab for one test, which must not leave listeners or routes in it (see `new_tab`)."""
    from playwright.sync_api import Error

    yield tabs[visitor]
    try:
        leave_page(tabs[visitor])
    except Error:  # its page hangs, or has crashed
        lost, tabs[visitor] = tabs[visitor], tabs[visitor].context.new_page()
        lost.close()  # not before there is another: a browser ends with its last tab


@pytest.fixture
def page(kept_tabs):
    """The first visitor's tab."""
    with lend_tab(kept_tabs, 0) as tab:
        yield tab


@pytest.fixture
def other(kept_tabs):
    """The second visitor's tab."""
    with lend_tab(kept_tabs, 1) as tab:
        yield tab


@pytest.fixture
def new_tab(visitors):
    """Another tab of the first visitor, for a test that listens to what a page does, or stands in its way."""
    tab = visitors[0].new_page()
    yield tab
    leave_page(tab)
    tab.close()


@pytest.fixture
def stranger(chromium):
    """A tab of a private window that nobody has used, for a test that leaves something behind, as its own clock."""
    context = chromium.new_context(**CALM)
    context.set_default_timeout(DEFAULT_TIMEOUT)
    yield context.new_page()
    context.close()
