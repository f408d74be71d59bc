"""How a run begins, is found again, and how links and Back lead to it, on the real server in a real browser."""

import re

import pytest
from playwright.sync_api import expect
from real_server import running_server
from streamlit.proto.BackMsg_pb2 import BackMsg
from test_browser import (
    LONG,
    PATIENCE,
    RISK,
    SMALL,
    follow_window,
    ledger,
    no_traceback,
    open_lab,
    press,
    rest,
    step_to,
    stop_race,
    wait_for_text,
)

from featdash.ui.streamlit_internals import MENU

pytestmark = pytest.mark.browser
CHART = ".featdash-chart[data-updates]"
UPDATED = "([s, n]) => Number(document.querySelector(s).dataset.updates) > n"
ENDLESS = "n=200000&width=1500&methods=algorithm1,random_features&holdout=3000&test=3000"  # a minute at least
MAP = "sample_complexity?part=phase-map"
CELL = """([d, n]) => {
  const node = document.querySelector(".featdash-chart"), box = node.getBoundingClientRect();
  const {xaxis, yaxis} = node._fullLayout, scale = box.width / node.offsetWidth; // pictures are magnified whole
  const place = (start, axis, value) => start + scale * (axis._offset + axis.l2p(Math.log10(value)));
  return [place(box.left, xaxis, n), place(box.top, yaxis, d)];
}"""
REPLAYED = "Same settings: not computed again"
PICTURES = """() => [...document.querySelectorAll('.featdash-chart')].map((node) =>
  (node.data ?? []).map((trace) => [trace.name, trace.x?.length, JSON.stringify(trace.y ?? trace.z)]))"""
# Press these buttons, the milliseconds after one another; returns those that could not be pressed.
PRESS_IN_TURN = """async ([names, pause]) => {
  const refused = [];
  for (const name of names) {
    const button = [...document.querySelectorAll('button')].find((one) => one.innerText.trim() === name);
    if (button?.ariaDisabled !== 'false') refused.push(name);
    button?.click();
    await new Promise((done) => setTimeout(done, pause));
  }
  return refused;
}"""


def pictures(page):
    return page.evaluate(PICTURES)


def at_rest(page):
    """The pictures once they no longer move."""
    rest(page)
    follow_window(page)
    return pictures(page)


def test_run_shows_what_is_already_known_and_plays_its_film(page, server):
    page.emulate_media(reduced_motion="no-preference")
    open_lab(page, server)
    whole, runs = at_rest(page), len(ledger(server))
    press(page, "Run race")
    page.get_by_text(REPLAYED).wait_for(timeout=PATIENCE)
    page.wait_for_function(f"whole => JSON.stringify(({PICTURES})()) !== whole", arg=_json(page, whole))
    page.get_by_role("slider", name="Moment").press("End")
    ends = f"whole => JSON.stringify(({PICTURES})()) === whole"
    page.wait_for_function(ends, arg=_json(page, whole), timeout=PATIENCE)  # a film ends where the pictures stood
    assert len(ledger(server)) == runs, "nothing was computed"
    no_traceback(page)


def _json(page, value):
    """The value as the browser writes it."""
    return page.evaluate("value => JSON.stringify(value)", value)


def test_a_link_with_settings_shows_their_run_and_computes_it_once(page, other, server):
    link = f"{server.url}/lab?seed=41&{SMALL}"
    page.goto(link)
    wait_for_text(page, "Finished, computed in")
    assert page.url == link, "the address stays as it came"
    assert page.get_by_text("New settings: press Run").count() == 0
    known = ledger(server)
    page.get_by_text("Log risk", exact=True).click()
    page.reload()
    wait_for_text(page, "Finished, computed in")
    other.goto(link)
    wait_for_text(other, "Finished, computed in")
    page.goto(f"{server.url}/lab")
    wait_for_text(page, "Recorded run")
    assert ledger(server) == known, "a known run is not computed again, and a bare address begins nothing"


def test_a_link_that_is_refused_says_why(page, server):
    open_lab(page, server, "n=100000&d=64&width=2000&holdout=100000")
    wait_for_text(page, "the limit is")
    no_traceback(page)


def test_a_click_on_the_map_loads_its_cell_into_the_lab_and_back_leads_to_the_map(page, server):
    page.goto(f"{server.url}/{MAP}")
    page.wait_for_selector(CHART, timeout=PATIENCE)
    page.mouse.click(*page.evaluate(CELL, [7, 31]))
    page.wait_for_url("**/lab?*")
    wait_for_text(page, "Finished, computed in")
    assert "n=31" in page.url
    assert "run=" not in page.url
    assert page.get_by_text("New settings: press Run").count() == 0
    for name, value in {"Dimension d": "7", "Width m": "300"}.items():
        expect(page.get_by_role("spinbutton", name=name)).to_have_value(value, timeout=PATIENCE)
    page.go_back()
    page.get_by_text("Click on a cell to load it into the Lab").wait_for()
    assert page.url.endswith(MAP)
    page.locator(".featdash-chart").get_by_text("you are here").wait_for()
    page.go_forward()
    page.get_by_role("button", name="Run race", exact=True).wait_for()
    wait_for_text(page, "Finished, computed in")


BACK_AND_ASK = """delay => {
  const { stage } = document.querySelector('[data-panel=race-error]').closest('.featdash-frame').featdash;
  const ask = () => setTimeout(() => stage.component.setTriggerValue('missing', true), delay);
  window.addEventListener('popstate', ask, { once: true });
  history.back();
}"""
CLICK_AND_ASK = """([link, delay]) => {
  const { stage } = document.querySelector('[data-panel=race-error]').closest('.featdash-frame').featdash;
  [...document.querySelectorAll(link)].find((one) => one.textContent.trim() === 'Home').click();
  setTimeout(() => stage.component.setTriggerValue('missing', true), delay);
}"""


def test_back_leads_to_the_latent_variables_and_what_the_lab_asks_just_after_it_takes_nothing_away(page, server):
    at_latent = page.get_by_role("button", name="Run latent", exact=False)
    page.goto(f"{server.url}/kernels?part=latent")
    at_latent.wait_for()
    rest(page)
    page.keyboard.press("Escape")  # what follows on an action of the visitor is a step of the history
    step_to(page, f"{server.url}/lab?mode=explore")
    for delay in (2, 6):  # milliseconds: before the answer has come
        page.wait_for_selector("[data-panel=race-error][data-updates]", timeout=PATIENCE)
        page.evaluate(BACK_AND_ASK, delay)
        at_latent.wait_for()
        page.wait_for_selector("[data-panel=latent-error][data-updates]", timeout=PATIENCE)
        assert page.page_errors() == []
        if delay == 2:
            page.go_forward()
    page.get_by_role("button", name=re.compile("Lab at d =")).click()
    page.wait_for_url("**/lab?target=pretrain*")
    page.get_by_role("button", name="Run race", exact=True).wait_for()
    page.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    page.go_back()
    at_latent.wait_for()
    assert page.url.endswith("kernels?part=latent")
    page.go_forward()
    page.get_by_role("button", name="Run race", exact=True).wait_for()
    stop_race(page)


def test_a_part_that_asks_just_after_a_click_on_the_menu_takes_nothing_of_the_page_away(page, server):
    for delay in (0, 4):  # milliseconds: before the answer has come
        page.goto(f"{server.url}/lab?seed=0")
        page.wait_for_selector("[data-panel=race-error][data-updates]", timeout=PATIENCE)
        rest(page)
        page.evaluate(CLICK_AND_ASK, [MENU["link"], delay])
        page.get_by_role("button", name="Start the course").wait_for()
        rest(page)
        assert page.page_errors() == []
        page.wait_for_selector(".featdash-first .featdash-frame", state="attached")


def test_my_runs_are_found_and_stopped_from_another_page_and_by_nobody_else(page, other, server):
    page.goto(f"{server.url}/lab?seed=43&{LONG}")
    page.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    (run,) = [name for name, status, _ in ledger(server) if status in ("queued", "running")]
    other.goto(f"{server.url}/lab?run={run}")
    other.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    assert other.get_by_role("button", name="Stop race", exact=True).is_disabled(), "it was asked for by another"
    page.goto(f"{server.url}/emergence?mode=explore")
    page.wait_for_selector(CHART, timeout=PATIENCE)
    press(page, "My runs")
    line = page.get_by_text(re.compile("seed = 43"))
    line.wait_for()
    page.get_by_role("button", name="Stop", exact=True).first.click()
    wait_for_text(page, r"Stopped at \d+% on request")
    page.get_by_role("button", name="Show", exact=True).first.click()
    page.get_by_role("button", name="Run race", exact=True).wait_for(timeout=PATIENCE)
    page.wait_for_url(re.compile(r"/lab\?.*run=.*seed=43"))  # written when the page is whole
    page.go_back()
    page.get_by_role("button", name="Run emergence", exact=False).wait_for(timeout=PATIENCE)
    wait_for_text(other, r"Stopped at \d+%")
    press(other, "My runs")
    other.get_by_text(re.compile("Nothing yet|seed = |default settings")).first.wait_for()
    assert other.get_by_text(re.compile("seed = 43")).count() == 0, "they are this visitor's alone"


def take_clicks_along(socket):
    """Before each request with a click comes one of a timer that has the click too, as from a browser that was busy.

    A timer that is due between a click and its request takes the click along.
    """
    server, timers = socket.connect_to_server(), []

    def forward(message):
        told = BackMsg.FromString(message)
        request = told.rerun_script
        if request.is_auto_rerun:
            timers.append(request.fragment_id)
        elif any(one.trigger_value for one in request.widget_states.widgets):
            early = BackMsg.FromString(message)
            early.rerun_script.is_auto_rerun = True
            early.rerun_script.fragment_id = timers[-1]  # IndexError: nothing moves
            server.send(early.SerializeToString())
        server.send(message)

    socket.on_message(forward)
    server.on_message(socket.send)


def test_a_click_that_a_timer_takes_along_counts_once(new_tab, server):
    new_tab.route_web_socket(re.compile("_stcore/stream"), take_clicks_along)
    open_lab(new_tab, server, f"seed=91&{LONG}&present=1")  # of a run in progress, which timers ask for
    new_tab.wait_for_function(UPDATED, arg=[RISK, 1], timeout=PATIENCE)
    hidden = False
    for _ in range(2):
        words = new_tab.locator("button", has_text="Show the words" if hidden else "Hide the words")
        words.evaluate("button => button.click()")  # a wall shows no button
        hidden = not hidden
        expect(new_tab.locator(".st-key-band")).to_be_visible(visible=not hidden, timeout=PATIENCE)
        rest(new_tab)
        assert new_tab.locator(".st-key-band").is_hidden() == hidden
    new_tab.keyboard.press("Escape")
    press(new_tab, "Stop race")  # else it keeps the worker from the next test
    wait_for_text(new_tab, r"Stopped at \d+%")
    no_traceback(new_tab)


@pytest.fixture(scope="module")
def lone(tmp_path_factory):
    """A server of one worker that notes what is asked of its runs."""
    home = tmp_path_factory.mktemp("lone") / "home"
    with running_server(home, "tests/toys/commanded_app.py", FEATDASH_WORKERS="1") as server:
        yield server


def test_commands_pressed_within_a_tenth_of_a_second_are_carried_out_in_their_order(new_tab, lone):
    """On a worker that is not free yet when Run is pressed for the second time."""
    new_tab.goto(f"{lone.url}/lab?mode=explore")
    new_tab.wait_for_selector(CHART, timeout=PATIENCE)
    new_tab.get_by_role("spinbutton", name="Width m", exact=True).fill("4000")  # at work until it is stopped
    new_tab.keyboard.press("Enter")
    new_tab.wait_for_url(re.compile(r"=4000\b"), timeout=PATIENCE)
    wait_for_text(new_tab, "New settings: press Run")
    rest(new_tab)
    before = len(asked_of_runs(lone))
    names = [f"{command} race" for command in ("Run", "Stop", "Run", "Pause")]
    assert new_tab.evaluate(PRESS_IN_TURN, [names, 80]) == []
    wait_for_text(new_tab, "Paused: ")
    assert asked_of_runs(lone)[before:] == ["submit", "stop", "submit", "pause"]
    press(new_tab, "Resume race")
    press(new_tab, "Stop race")
    wait_for_text(new_tab, r"Stopped at \d+%")
    no_traceback(new_tab)


def test_a_server_restart_resumes_the_run(page, lone):
    page.goto(f"{lone.url}/lab?seed=19&{ENDLESS}")
    wait_for_text(page, r", \d+%")  # what it does, and how far it is
    ((run, restarts),) = [(run, restarts) for run, status, restarts in ledger(lone) if status == "running"]
    assert restarts == 0
    lone.restart()
    page.goto(f"{lone.url}/lab?run={run}")
    wait_for_text(page, r", \d+%")
    assert (run, "running", 1) in ledger(lone), "it was begun anew, with nobody's click"
    press(page, "Stop race")
    wait_for_text(page, r"Stopped at \d+%")
    no_traceback(page)


def asked_of_runs(server):
    return re.findall(r"asked of a run: (\w+)", server.log.read_text())
