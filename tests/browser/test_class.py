"""A class in real browsers: a host, a wall and three phones, through a story with two rounds of a question.

The app is below a path and behind nginx, as its server's README says.
"""

import os
import re
import shutil
import subprocess
import textwrap
from contextlib import contextmanager

import pytest
from real_server import CALM, ROOT, SCREEN, Server, answers, free_port
from test_browser import PATIENCE, follow_window, no_traceback, wait_until

from featdash.figures.prediction import HIDDEN
from featdash.ui.kit.shared import COOKIE

pytestmark = pytest.mark.browser
NGINX = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
NO_NGINX = "no nginx on the PATH; install it (Debian: apt-get install nginx-light) to run the proxy's tests"
LOCATION = re.compile(r"For nginx:\n\n(.*?)\n\n(?=\S)", re.DOTALL)
CONFIGURATION = """
daemon off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
  access_log {folder}/access.log;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{port};
    {location}
  }}
}}
"""
PHONE = {"width": 390, "height": 844}
CHART = ".featdash-chart[data-updates]"
TITLE = "What can one gradient step learn that fixed kernels cannot?"
GUESSES = ("0.1234", "0.3456", "0.5678")
# Of the pictures: sentence, title, and how many bars of guesses and which votes they show.
PICTURES = """() => [...document.querySelectorAll('.featdash-chart')].map((node) => ({
  alt: node.getAttribute('aria-label'),
  updates: node.dataset.updates,
  words: (node.layout?.annotations ?? []).map((one) => one.text),
  bars: (node.layout?.shapes ?? []).filter((shape) => shape.name === 'guesses').length,
  votes: (node.data ?? []).filter((trace) => trace.type === 'bar').map((trace) => [...trace.x]),
  options: (node.data ?? []).filter((trace) => trace.type === 'bar').map((trace) => [...trace.y])}))"""
# Of a wall: where the pictures, the band and the column of the code stand.
PLACES = """() => {
  const box = (one) => document.querySelector(one).getBoundingClientRect();
  const pictures = [...document.querySelectorAll('.featdash-frame')].map((one) => one.getBoundingClientRect());
  const words = document.querySelector('.st-key-band');
  return {right: Math.max(...pictures.map((one) => one.right)), low: Math.max(...pictures.map((one) => one.bottom)),
    side: box('.st-key-side').left, band: box('.st-key-band').top, bandRight: box('.st-key-band').right,
    code: document.querySelector('.featdash-join .code').scrollWidth - box('.featdash-join').width,
    qr: box('.featdash-join img').width, overflow: words.scrollHeight - words.clientHeight};
}"""


# What changes on a wall is noted by the wall itself.
WATCH = """() => {
  window.changes = [];
  const tell = (records) => window.changes.push(...records.map((one) => one.target.className ?? 'text'));
  const parts = {childList: true, subtree: true, characterData: true};
  for (const one of ['.st-key-room', '.featdash-join'])
    new MutationObserver(tell).observe(document.querySelector(one), parts);
}"""


class Heard:
    """All that a browser's tab is sent: frames of its sockets, and bodies of answers."""

    def __init__(self, page):
        self.bytes = bytearray()
        page.on("websocket", lambda socket: socket.on("framereceived", self.add))

    def add(self, frame):
        self.bytes += frame if isinstance(frame, bytes) else frame.encode()


@pytest.fixture
def tabs(chromium):
    """Makes tabs, each of a browser of its own."""
    opened = []

    def open_tab(address, size=None):
        context = chromium.new_context(**CALM | {"viewport": size or SCREEN})
        opened.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.heard = Heard(page)
        page.goto(address)
        return page

    yield open_tab
    for context in opened:
        context.close()


@contextmanager
def behind_nginx(folder, server, path):
    """The address of the proxy before that server; path : the one that the server is told to use."""
    if NGINX is None:
        if os.environ.get("FEATDASH_BROWSER") == "required":
            pytest.fail(NO_NGINX)
        pytest.skip(NO_NGINX)
    location = textwrap.dedent(LOCATION.search((ROOT / "featdash/server/README.md").read_text()).group(1))
    for old, new in (("location / {", f"location {path} {{"), ("127.0.0.1:8501", f"127.0.0.1:{server.port}")):
        assert location.count(old) == 1, f"The block of the server's README has no single {old!r}"
        location = location.replace(old, new)
    port = free_port()
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, port=port, location=location))
    with subprocess.Popen([NGINX, "-c", configuration, "-e", folder / "error.log"]) as proxy:
        try:
            yield f"http://127.0.0.1:{port}{path}"
        finally:
            proxy.terminate()


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A server of one worker, below the path /course."""
    home = tmp_path_factory.mktemp("course") / "home"
    home.mkdir()
    server = Server(home, FEATDASH_WORKERS="1", STREAMLIT_SERVER_BASE_URL_PATH="course")
    server.url += "/course"
    server.start()
    yield server
    server.stop()


@pytest.fixture
def address(course, tmp_path):
    """Of the app behind the proxy."""
    with behind_nginx(tmp_path, course, "/course") as proxy:
        assert answers(proxy, tries=100)
        yield proxy


def press(host, label):
    button = host.locator(".stButton button:not([disabled])", has_text=re.compile(f"^{label}"))
    button.first.click()


def opened_room(host):
    press(host, "Open a room")
    code = host.locator(".st-key-room-line strong")
    code.wait_for()
    return code.inner_text()


def opened_wall(host, tabs):
    """What «Open the wall» opens beside the host's page, in a window of its own: a tab that is not seen is slow."""
    address = host.url
    with host.context.expect_page() as opened:
        host.get_by_role("link", name="Open the wall").click()
    assert len(host.context.pages) == 2
    assert host.url == address
    opened.value.wait_for_url("**wall=*", wait_until="commit")
    link = opened.value.url
    opened.value.close()
    return tabs(link)


def wall_shows(wall, words):
    wall.locator(".featdash-count", has_text=re.compile(words)).first.wait_for()


def chosen(phone, option):
    phone.locator("label", has_text=option).click()
    phone.get_by_role("button", name="Send").click()
    phone.get_by_text("You have answered").first.wait_for()


def guessed(phone, number):
    phone.locator("#number").fill(number)
    phone.get_by_role("button", name="Send").click()
    phone.get_by_text("You have answered").first.wait_for()


def unsure(phone):
    phone.get_by_role("button", name="Not sure").click()
    phone.get_by_text("You have answered").first.wait_for()


def asked(phone, round):
    phone.get_by_text("Second round" if round == 2 else "What do you think?").first.wait_for()


def rounds(host, wall, phones, first, second):
    """The question of the scene twice, a round is what each phone does; the wall stands still while answers come."""
    for number, actions in ((1, first), (2, second)):
        press(host, "Open" if number == 1 else "Ask again")
        for phone in phones:
            asked(phone, number)
        wall_shows(wall, "^0 of 3")
        follow_window(wall)
        before = wall.evaluate(PICTURES)
        wall.evaluate(WATCH)
        for phone, act in zip(phones, actions, strict=True):
            act(phone)
        wall_shows(wall, "^3 of 3")
        assert all(one["bars"] == 0 and not one["votes"] for one in before)
        follow_window(wall)
        assert wall.evaluate(PICTURES) == before
        assert wall.evaluate("() => window.changes") == []
        press(host, "Close")
        phones[0].get_by_text("The question is closed.").first.wait_for()


def test_a_class_predicts_twice_and_the_wall_shows_both_rounds_on_the_pictures_axis(tabs, address):
    host = tabs(f"{address}/class")
    code = opened_room(host)
    is_commanded_by_who_opened_it(host, tabs, f"{address}/class", code)
    wall = opened_wall(host, tabs)
    wall.get_by_alt_text(f"QR code of {address}/join/{code}").wait_for()
    phones = [tabs(f"{address}/join/{code}", PHONE) for _ in range(3)]
    wall_shows(wall, "^3 joined")
    host.locator(".st-key-aside [data-testid=stSelectbox]").first.click()
    host.get_by_role("option", name=TITLE).click()
    for page in (host, wall):
        page.wait_for_selector(CHART)

    few, most = "all three", "only one of them"
    first = [lambda one: chosen(one, few), lambda one: chosen(one, most), unsure]
    rounds(host, wall, phones, first, [lambda one: chosen(one, most)] * 3)
    press(host, "Show me")
    wall.wait_for_function(f"() => ({PICTURES})().some((one) => one.votes.length === 2)")
    (votes,) = [one for one in wall.evaluate(PICTURES) if one["votes"]]
    assert votes["votes"] == [[1, 1, 0, 1], [0, 3, 0, 0]]
    assert votes["options"][0][1] == f"<b>✓ {most}</b>"
    phones[2].get_by_text("The class's answers are on it.").first.wait_for()

    for number in (2, 3):
        press(host, "Next")
        host.get_by_text(f"{number} of 8", exact=True).wait_for()
    wall.wait_for_function(f"hidden => ({PICTURES})().every((one) => one.alt === hidden)", arg=HIDDEN)
    acts = [lambda one, text=text: guessed(one, text) for text in GUESSES]
    rounds(host, wall, phones, acts, [acts[1], acts[1], unsure])
    for page in (host, wall):
        assert not any(text.encode() in page.heard.bytes for text in GUESSES), "no answer leaves before the reveal"
    press(host, "Show me")
    wall.wait_for_function(f"() => ({PICTURES})().some((one) => one.bars === 4)")
    told = "The class made 2 guesses"
    wall.wait_for_function(f"told => ({PICTURES})().some((one) => one.alt?.includes(told))", arg=told)
    wall.get_by_text("after talking: 2").wait_for()
    wall.wait_for_function(f"() => ({PICTURES})().some((one) => one.words.some((text) => text.includes('measured')))")
    covers_no_picture(wall)
    for page in (host, wall):
        no_traceback(page)

    host.get_by_role("button", name="Room", exact=True).click()
    host.get_by_role("button", name="End the room").click()
    host.get_by_role("button", name="End it now").click()
    phones[0].get_by_text("This room has ended").first.wait_for()
    host.get_by_role("button", name="Open a room").wait_for()


def covers_no_picture(wall):
    """Neither band nor code, at the sizes of projectors."""
    wall.evaluate("document.querySelector('.featdash-join .code').textContent = 'WWWW'")  # the widest
    for width, height in ((1280, 720), (1920, 1080), (1024, 768)):
        wall.set_viewport_size({"width": width, "height": height})
        follow_window(wall)
        told = wall.evaluate(PLACES)
        assert told["right"] <= told["side"] + 1, (width, told)
        assert told["bandRight"] <= told["side"] + 1, (width, told)
        assert told["low"] <= told["band"] + 1, (width, told)
        assert told["code"] <= 1, (width, told)
        assert told["qr"] >= 150, (width, told)
        assert told["overflow"] <= 1, (width, told)


def is_commanded_by_who_opened_it(host, tabs, page, code):
    """By this browser, also after a reload, and by who has the link with its key."""
    wait_until(host, lambda: any(one["name"] == "featdash_host" for one in host.context.cookies()))
    cookies = {one["name"]: one for one in host.context.cookies()}
    kept, visitor = cookies["featdash_host"], cookies[COOKIE]
    assert (kept["httpOnly"], kept["sameSite"], kept["path"]) == (True, "Strict", "/course")
    assert (visitor["httpOnly"], visitor["sameSite"], visitor["path"]) == (True, "Lax", "/course")
    assert "featdash_host" not in host.evaluate("document.cookie")
    host.reload()
    assert host.locator(".st-key-room-line strong").inner_text() == code
    other, addresses = tabs(f"{page}#key={code}.melted"), []
    other.get_by_text("This link opens no room").wait_for()
    other.get_by_role("button", name="Open a room").wait_for()
    other.goto("about:blank")  # else the address leads to the page that is there
    other.on("request", lambda request: addresses.append(request.url))
    other.goto(f"{page}#key={kept['value']}")
    other.locator(".st-key-room-line strong").wait_for()
    assert other.locator(".st-key-room-line strong").inner_text() == code
    assert other.url == page
    secret = kept["value"].partition(".")[2]
    assert not [one for one in addresses if secret in one], "a proxy logs the addresses that are asked for"
    other.close()
