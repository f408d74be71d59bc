"""How a run begins, is found again, and how links and Back lead to it, on the real server in a real browser."""

import re

import pytest
from playwright.sync_api import expect
from real_server import running_server
from streamlit.proto.BackMsg_pb2 import BackMsg
from test_browser import (
    PATIENCE,
    RISK,
    SMALL,
    go_on_to,
    lead,
    ledger,
    no_traceback,
    press,
    rest,
    stop_race,
    updates,
    wait_for_text,
    wait_until,
    x_range,
    zoom,
)

from featdash.ui.streamlit_internals import MENU

pytestmark = pytest.mark.browser
CHART = ".featdash-chart[data-updates]"
NEURONS = "[data-panel='race-neurons'][data-updates]"
UPDATED = "([s, n]) => Number(document.querySelector(s).dataset.updates) > n"
WATCHED = "n=100000&d=20&width=3000&holdout=3000&test=3000"  # a minute: at work until it is stopped
MAP = "sample_complexity?part=phase-map"
CELL = """([d, n]) => {
  const node = document.querySelector(".featdash-chart"), box = node.getBoundingClientRect();
  const {xaxis, yaxis} = node._fullLayout, scale = box.width / node.offsetWidth; // pictures are magnified whole
  const place = (start, axis, value) => start + scale * (axis._offset + axis.l2p(Math.log10(value)));
  return [place(box.left, xaxis, n), place(box.top, yaxis, d)];
}"""
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
# As if the message that brought the picture had not come: looks bring what has changed alone.
LOSE = """panel => {
  const frame = document.querySelector(`.featdash-chart[data-panel='${panel}']`).closest('.featdash-frame');
  frame.featdash.mark = 'lost';
  return frame.featdash.updates;
}"""


def test_links_lead_to_their_runs_and_back_leads_to_the_page_before(new_tab, other, server):
    a_link_that_is_refused_says_why_and_controls_that_come_late_hold_what_it_says(new_tab, server)
    comes_to_the_latent_variables(new_tab, server)
    a_link_with_settings_shows_their_run_and_computes_it_once(new_tab, other, server)
    back_leads_to_the_latent_variables_and_what_the_lab_asks_just_after_it_takes_nothing_away(new_tab)
    a_click_on_the_map_loads_its_cell_into_the_lab_and_back_leads_to_the_map(new_tab, server)
    a_part_that_asks_just_after_a_click_on_the_menu_takes_nothing_of_the_page_away(new_tab)
    no_traceback(new_tab)


def a_link_that_is_refused_says_why_and_controls_that_come_late_hold_what_it_says(tab, server):
    """A slow browser takes the second drawing in place of the first, which alone says what the session has set."""
    held, script = [], re.compile(r"/NumberInput\..*js")
    tab.route(script, lambda route: held.append(route))  # their script is slow to come
    tab.goto(f"{server.url}/lab?seed=83&noise=0.25&n=100000&d=64&width=2000&holdout=100000")
    wait_for_text(tab, "the limit is")
    no_traceback(tab)
    tab.get_by_text("Run by itself", exact=True).click()
    rest(tab)
    assert tab.get_by_role("spinbutton").count() == 0
    for route in held:
        route.continue_()
    for name, value in {"Dimension d": "64", "Width m": "2000", "Label noise ς": "0.25", "Seed": "83"}.items():
        expect(tab.get_by_role("spinbutton", name=name)).to_have_value(value, timeout=PATIENCE)
    assert tab.get_by_text("must be a whole number").count() == 0
    tab.unroute(script)


def comes_to_the_latent_variables(tab, server):
    go_on_to(tab, f"{server.url}/kernels?part=latent")
    tab.get_by_role("button", name="Run latent", exact=False).wait_for()
    rest(tab)


def a_link_with_settings_shows_their_run_and_computes_it_once(tab, other, server):
    link = f"{server.url}/lab?seed=41&{SMALL}"
    go_on_to(tab, link)
    wait_for_text(tab, "Finished, computed in")
    assert tab.url == link, "the address stays as it came"
    assert tab.get_by_text("New settings: press Run").count() == 0
    known = ledger(server)
    tab.get_by_text("Log risk", exact=True).click()
    rest(tab)
    other.goto(f"{server.url}/lab")
    wait_for_text(other, "Recorded run")
    go_on_to(other, tab.url)
    wait_for_text(other, "Finished, computed in")
    assert ledger(server) == known, "a known run is not computed again, and a bare address begins nothing"


def back_leads_to_the_latent_variables_and_what_the_lab_asks_just_after_it_takes_nothing_away(tab):
    at_latent = tab.get_by_role("button", name="Run latent", exact=False)
    for delay in (2, 6):  # milliseconds: before the answer has come
        tab.wait_for_selector("[data-panel=race-error][data-updates]", timeout=PATIENCE)
        tab.evaluate(BACK_AND_ASK, delay)
        at_latent.wait_for()
        tab.wait_for_selector("[data-panel=latent-error][data-updates]", timeout=PATIENCE)
        assert tab.page_errors() == []
        if delay == 2:
            tab.go_forward()
    tab.get_by_role("button", name=re.compile("Lab at d =")).click()
    tab.wait_for_url("**/lab?target=pretrain*")
    tab.get_by_role("button", name="Run race", exact=True).wait_for()
    tab.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    tab.go_back()
    at_latent.wait_for()
    assert tab.url.endswith("kernels?part=latent")
    tab.go_forward()
    tab.get_by_role("button", name="Run race", exact=True).wait_for()
    rest(tab)
    stop_race(tab)


def a_click_on_the_map_loads_its_cell_into_the_lab_and_back_leads_to_the_map(tab, server):
    go_on_to(tab, f"{server.url}/{MAP}")
    hint = tab.get_by_text("Click on a cell to load it into the Lab")
    hint.wait_for()
    tab.wait_for_selector(CHART, timeout=PATIENCE)
    rest(tab)
    tab.mouse.click(*tab.evaluate(CELL, [7, 31]))
    tab.wait_for_url("**/lab?*")
    wait_for_text(tab, "Finished, computed in")
    assert "n=31" in tab.url
    assert "run=" not in tab.url
    assert tab.get_by_text("New settings: press Run").count() == 0
    for name, value in {"Dimension d": "7", "Width m": "300"}.items():
        expect(tab.get_by_role("spinbutton", name=name)).to_have_value(value, timeout=PATIENCE)
    tab.go_back()
    hint.wait_for()
    assert tab.url.endswith(MAP)
    tab.locator(".featdash-chart").get_by_text("you are here").wait_for()
    tab.go_forward()
    tab.get_by_role("button", name="Run race", exact=True).wait_for()
    wait_for_text(tab, "Finished, computed in")


def a_part_that_asks_just_after_a_click_on_the_menu_takes_nothing_of_the_page_away(tab):
    for delay in (0, 4):  # milliseconds: before the answer has come
        wait_for_text(tab, "Finished, computed in")
        tab.wait_for_selector("[data-panel=race-error][data-updates]", timeout=PATIENCE)
        rest(tab)
        tab.evaluate(CLICK_AND_ASK, [MENU["link"], delay])
        tab.get_by_role("button", name="Start the course").wait_for()
        rest(tab)
        assert tab.page_errors() == []
        tab.wait_for_selector(".featdash-first .featdash-frame", state="attached")
        if delay == 0:
            tab.go_back()


class Timers:
    """A tab's connection to its server, as of a browser that is busy.

    A timer that is due between a click and its request takes the click along. While timers `are_due`, each request
    with a click comes after one of a timer that has the click too. asked : the parts that timers have asked for.
    """

    def __init__(self, tab):
        self.are_due, self.asked = False, []
        tab.route_web_socket(re.compile("_stcore/stream"), self._open)

    def _open(self, socket):
        server = socket.connect_to_server()

        def forward(message):
            request = BackMsg.FromString(message).rerun_script
            if request.is_auto_rerun:
                self.asked.append(request.fragment_id)
            elif self.are_due and any(one.trigger_value for one in request.widget_states.widgets):
                early = BackMsg.FromString(message)
                early.rerun_script.is_auto_rerun = True
                early.rerun_script.fragment_id = self.asked[-1]
                server.send(early.SerializeToString())
            server.send(message)

        socket.on_message(forward)
        server.on_message(socket.send)


def test_a_visitor_watches_a_run_and_stops_it_from_another_page_which_nobody_else_can(new_tab, other, server):
    timers = Timers(new_tab)
    new_tab.goto(f"{server.url}/lab?seed=43&{WATCHED}")
    new_tab.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    (run,) = [name for name, status, _ in ledger(server) if status in ("queued", "running")]
    a_click_that_a_timer_takes_along_counts_once(new_tab, timers)
    wait_for_text(new_tab, "training the heads")
    zoom_survives_live_updates(new_tab)
    a_moment_that_is_looked_at_stays_while_the_run_goes_on(new_tab)
    a_picture_that_was_lost_is_asked_for(new_tab)
    nobody_else_stops_it(other, server, run)
    my_runs_are_found_and_stopped_from_another_page(new_tab, server)
    wait_for_text(other, r"Stopped at \d+%")
    press(other, "My runs")
    other.get_by_text(re.compile("Nothing yet|seed = |default settings")).first.wait_for()
    assert other.get_by_text(re.compile("seed = 43")).count() == 0, "they are this visitor's alone"
    no_traceback(new_tab)


def a_click_that_a_timer_takes_along_counts_once(tab, timers):
    """On a wall, whose band of words is hidden and shown."""
    go_on_to(tab, f"{tab.url}&present=1")
    tab.locator(".st-key-band").wait_for()
    rest(tab)
    wait_until(tab, lambda: timers.asked)
    timers.are_due = True
    hidden = False
    for _ in range(2):
        words = tab.locator("button", has_text="Show the words" if hidden else "Hide the words")
        words.evaluate("button => button.click()")  # a wall shows no button
        hidden = not hidden
        expect(tab.locator(".st-key-band")).to_be_visible(visible=not hidden, timeout=PATIENCE)
        rest(tab)
        assert tab.locator(".st-key-band").is_hidden() == hidden
    timers.are_due = False
    tab.keyboard.press("Escape")
    tab.locator(".st-key-band").wait_for(state="detached")


def zoom_survives_live_updates(tab):
    chart = "document.querySelector(s)"  # of this run, and not what the run before has left there
    own = f"s => {chart}.data?.length > 2 && !{chart}.closest('.featdash-before')"
    tab.wait_for_function(own, arg=RISK, timeout=PATIENCE)
    lead(tab)
    zoom(tab)
    zoomed, at = x_range(tab), updates(tab)
    tab.wait_for_function(UPDATED, arg=[RISK, at + 1], timeout=PATIENCE)
    assert x_range(tab) == pytest.approx(zoomed)
    full = tab.eval_on_selector(RISK, "node => node.layout.xaxis.range ?? null")
    assert full is None or full != pytest.approx(zoomed) or zoomed[1] - zoomed[0] < 4


def a_moment_that_is_looked_at_stays_while_the_run_goes_on(tab):
    tab.get_by_role("button", name="One moment back").click()
    slider, edge = tab.get_by_role("slider", name="Moment"), tab.get_by_role("button", name="Live: show the newest")
    held, most = slider.input_value(), float(slider.get_attribute("max"))
    grown = "most => Number(document.querySelector('[aria-label=Moment]').max) > most"
    tab.wait_for_function(grown, arg=most, timeout=PATIENCE)
    assert slider.input_value() == held, "what one looks at stays, while the run goes on"
    assert edge.get_attribute("aria-pressed") == "false"
    edge.click()
    assert edge.get_attribute("aria-pressed") == "true"


def a_picture_that_was_lost_is_asked_for(tab):
    at = tab.evaluate(LOSE, "race-error")
    tab.wait_for_function(UPDATED, arg=["[data-panel='race-error']", at], timeout=PATIENCE)


def nobody_else_stops_it(other, server, run):
    other.goto(f"{server.url}/lab?run={run}")
    other.wait_for_selector(".featdash-state progress", timeout=PATIENCE)
    assert other.get_by_role("button", name="Stop race", exact=True).is_disabled(), "it was asked for by another"


def my_runs_are_found_and_stopped_from_another_page(tab, server):
    go_on_to(tab, f"{server.url}/emergence?mode=explore")
    tab.get_by_role("button", name="Run emergence", exact=True).wait_for(timeout=PATIENCE)
    tab.wait_for_selector(CHART, timeout=PATIENCE)
    rest(tab)
    press(tab, "My runs")
    tab.get_by_text(re.compile("seed = 43")).wait_for()
    tab.get_by_role("button", name="Stop", exact=True).first.click()
    wait_for_text(tab, r"Stopped at \d+% on request")
    tab.get_by_role("button", name="Show", exact=True).first.click()
    tab.get_by_role("button", name="Run race", exact=True).wait_for(timeout=PATIENCE)
    tab.wait_for_url(re.compile(r"/lab\?.*run=.*seed=43"))  # written when the page is whole
    tab.go_back()
    tab.get_by_role("button", name="Run emergence", exact=False).wait_for(timeout=PATIENCE)


@pytest.fixture
def lone(tmp_path):
    """A server of one worker that notes what is asked of its runs."""
    with running_server(tmp_path / "home", "tests/toys/commanded_app.py", FEATDASH_WORKERS="1") as server:
        yield server


def test_commands_are_carried_out_in_their_order_and_a_server_restart_resumes_the_run(new_tab, lone):
    new_tab.goto(f"{lone.url}/lab?mode=explore")
    new_tab.wait_for_selector(CHART, timeout=PATIENCE)
    commands_pressed_within_a_tenth_of_a_second_are_carried_out_in_their_order(new_tab, lone)
    press(new_tab, "Resume race")
    wait_until(new_tab, lambda: "running" in [status for _, status, _ in ledger(lone)])
    ((run, restarts),) = [(run, restarts) for run, status, restarts in ledger(lone) if status == "running"]
    assert restarts == 0
    lone.restart()
    wait_until(new_tab, lambda: (run, "running", 1) in ledger(lone))  # it was begun anew, with nobody's click
    new_tab.goto(f"{lone.url}/lab?run={run}")
    wait_for_text(new_tab, r", \d+%")  # what it does, and how far it is
    new_tab.wait_for_selector(NEURONS, timeout=PATIENCE)
    press(new_tab, "Stop race")
    wait_for_text(new_tab, r"Stopped at \d+%")
    assert new_tab.locator(NEURONS).count() == 1, "the pictures stay"
    assert (run, "stopped") in [row[:2] for row in ledger(lone)]
    no_traceback(new_tab)


def commands_pressed_within_a_tenth_of_a_second_are_carried_out_in_their_order(tab, lone):
    """On a worker that is not free yet when Run is pressed for the second time."""
    tab.get_by_role("spinbutton", name="Width m", exact=True).fill("4000")  # at work until it is stopped
    tab.keyboard.press("Enter")
    tab.wait_for_url(re.compile(r"=4000\b"), timeout=PATIENCE)
    wait_for_text(tab, "New settings: press Run")
    rest(tab)
    before = len(asked_of_runs(lone))
    names = [f"{command} race" for command in ("Run", "Stop", "Run", "Pause")]
    assert tab.evaluate(PRESS_IN_TURN, [names, 80]) == []
    wait_for_text(tab, "Paused: ")
    assert asked_of_runs(lone)[before:] == ["submit", "stop", "submit", "pause"]


def asked_of_runs(server):
    return re.findall(r"asked of a run: (\w+)", server.log.read_text())
