"""The real server, driven in a headless browser as a visitor would."""

import re
import sqlite3
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect

from featdash.ui.stage.chart import LIGHT

pytestmark = pytest.mark.browser
RISK = ".featdash-chart[data-panel='race-risk']"
PATIENCE = 90_000  # milliseconds; a machine busy with other tests is slow
LONG = "n=60000&d=20&width=600"
SUGGESTION = "A target without curvature: He₃/√6"
SMALL = "n=1000&width=40&holdout=1000&test=1000&steps=1000"
# Whether the page has followed the size of its window: pictures are drawn as wide as their frames and none waits to be
# drawn, and for three looks on end nothing has stood anywhere else.
FOLLOWED = """() => {
  const charts = [...document.querySelectorAll('.featdash-chart')];
  const parts = document.querySelectorAll('.featdash-frame, .featdash-headline, .stElementContainer, [class*=st-key-]');
  const boxes = [...parts].map((part) => part.getBoundingClientRect());
  const now = [
    innerWidth, innerHeight, document.documentElement.scrollWidth, charts.map((chart) => chart.dataset.updates),
    boxes.map(({left, top, width, height}) => [left, top, width, height]),
  ].join();
  const isThere = (chart) => chart.closest('.featdash-frame').featdash.mark; // a run that failed leaves places empty
  const fits = (chart) => !isThere(chart) || Math.abs(chart._fullLayout?.width - chart.clientWidth) < 1;
  const {waiting, drawing} = window.featdash;
  const busy = drawing || waiting.size || !charts.every(fits);
  const looks = now === window.seen?.now && !busy ? window.seen.looks + 1 : 0;
  window.seen = {now, looks};
  return looks >= 2;
}"""
# Pictures whose margins were too narrow for the numbers and titles of their axes: Plotly has drawn them a second time.
DRAWN_TWICE = """() => [...document.querySelectorAll('.featdash-chart')].filter(({_fullLayout: {_size, margin}}) =>
  ['l', 'r', 't', 'b'].some((side) => Math.abs(_size[side] - margin[side]) > 1)).map(({dataset}) => dataset.panel)"""


def open_lab(page, server, query="mode=explore"):
    """The Lab as one explores it, with its pictures drawn."""
    page.goto(f"{server.url}/lab?{query}")
    page.wait_for_selector(f"{RISK}[data-updates]", timeout=PATIENCE)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


# A run that was still in the queue leaves the run before on show, and no word of having been stopped.
STOPPED = """() => {
  const stop = [...document.querySelectorAll('.featdash-command button')].at(-1);
  const waiting = Object.values(window.featdashCommands).flatMap(({list}) => list);
  return stop.ariaDisabled === 'true' && !waiting.length;
}"""


def stop_race(page):
    """If one is being computed, which would keep the worker from the next test; it may just have ended by itself."""
    for stop in page.get_by_role("button", name="Stop race", exact=True, disabled=False).element_handles():
        stop.dispatch_event("click")
        page.wait_for_function(STOPPED, timeout=PATIENCE)


def go_to_page(page, section, title):
    """Through the navigation, where the pages stand in sections."""
    page.get_by_role("button", name=section, exact=True).click()
    page.get_by_text(title, exact=True).last.click()  # the list of a section stands at the end of the document


STEP = """address => {
  history.pushState({}, '', address);
  window.dispatchEvent(new PopStateEvent('popstate', {state: {}}));
}"""


def step_to(page, address):
    """As Forward leads to another page or scene: nothing is loaded anew, which would take twice as long."""
    page.evaluate(STEP, address)


def rest(page):
    """Wait until nothing is asked of the server any more."""
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for(timeout=PATIENCE)


def wait_for_text(page, text):
    page.get_by_text(re.compile(text)).first.wait_for(timeout=PATIENCE)


def follow_window(page):
    """Wait until the page has followed the size of its window."""
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    page.evaluate("window.seen = undefined")
    page.wait_for_function(FOLLOWED, polling=50, timeout=PATIENCE)


def wait_until(page, condition):
    """Wait, a frame of the browser at a time, for something that no page can see."""
    for _ in range(PATIENCE // 16):
        if condition():
            return
        page.evaluate("() => new Promise(requestAnimationFrame)")
    raise AssertionError("it has not come about")


def run_of(page):
    """The run that the address names."""
    page.wait_for_url(re.compile(r"run=[0-9a-f]{16}"), timeout=PATIENCE)
    return re.search(r"run=([0-9a-f]{16})", page.url).group(1)


def updates(page):
    return int(page.get_attribute(RISK, "data-updates"))


def x_range(page):
    """What the risk picture shows of its x axis."""
    return page.eval_on_selector(RISK, "node => node._fullLayout.xaxis.range.map(Number)")


def lead(page, panel=RISK):
    """Enlarge a picture of the strip, as a visitor does by keyboard; only there it has its tools."""
    page.wait_for_selector(f"{panel}[data-updates]", timeout=PATIENCE)
    page.press(panel, "Enter")
    page.wait_for_selector(f".featdash-first {panel}", timeout=PATIENCE)
    wide = "(node) => Math.abs(node._fullLayout.width - node.clientWidth) < 1"
    page.wait_for_function(f"s => ({wide})(document.querySelector(s))", arg=panel, timeout=PATIENCE)


def zoom(page):
    """Drag a rectangle over the middle of the risk picture."""
    box = page.locator(f"{RISK} .nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=5)
    page.mouse.up()


def ledger(server):
    connection = sqlite3.connect(Path(server.environment["FEATDASH_HOME"]) / "runs.sqlite")
    try:
        return connection.execute("SELECT id, status, restarts FROM runs").fetchall()
    finally:
        connection.close()


def worker_processes(server):
    """The processes that compute: descendants of the server that have torch mapped."""
    found = []
    for process in psutil.Process(server.process.pid).children(recursive=True):
        if any("libtorch_cpu" in region.path for region in process.memory_maps()):
            found.append(process)
    return found


def no_traceback(page):
    assert "Traceback" not in page.inner_text("body")
    assert page.locator("[data-testid=stException]").count() == 0


def test_a_visitor_finds_a_finished_race_zooms_and_tries_a_suggestion(page, server):
    open_lab(page, server)
    wait_for_text(page, "Recorded run")
    assert page.locator(".featdash-chart[data-updates]").count() >= 4
    for chart in page.locator(".featdash-chart[data-updates]").all():
        assert len(chart.get_attribute("aria-label")) > 20
    fetched = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in fetched if not name.startswith((server.url, "data:", "blob:"))] == []
    assert [name.partition("/featdash/")[2] for name in fetched if "plotly" in name] == [LIGHT.partition("/")[2]]
    assert page.evaluate(DRAWN_TWICE) == ["race-error"], "its names stand on several lines"

    lead(page)
    full = x_range(page)
    zoom(page)
    assert x_range(page) != pytest.approx(full)
    page.get_by_role("button", name="Tools of the picture «Excess risk while the head trains»").press("Enter")
    page.get_by_role("button", name="Show all (double-click)").press("Enter")
    page.wait_for_function("s => Number(document.querySelector(s).dataset.updates) > 1", arg=RISK)
    assert x_range(page) == pytest.approx(full)

    press(page, "Try")
    page.get_by_role("button", name=SUGGESTION, exact=True).click()
    wait_for_text(page, "one step follows noise alone")
    page.wait_for_function("s => document.querySelector(s).getBoundingClientRect().top >= 0", arg=RISK)
    assert page.get_by_role("button", name="Run race", exact=True).is_visible()
    page.wait_for_function("t => !document.body.innerText.includes(t)", arg=SUGGESTION, timeout=PATIENCE)
    page.wait_for_url("**/lab?target=transfer*")  # written when the page is whole
    page.go_back()
    page.get_by_text("one step follows noise alone").first.wait_for(state="detached")
    assert page.url == f"{server.url}/lab?mode=explore"
    assert page.get_by_text("New settings: press Run").count() == 0
    no_traceback(page)


def test_controls_that_come_after_a_second_drawing_hold_what_the_address_says(new_tab, server):
    # A slow browser takes the second drawing in place of the first, which alone says what the session has set.
    held = []
    new_tab.route(re.compile(r"/NumberInput\..*js"), lambda route: held.append(route))  # their script is slow to come
    new_tab.goto(f"{server.url}/lab?seed=83&noise=0.25&d=12&{SMALL}")
    wait_for_text(new_tab, "Finished, computed in")
    new_tab.get_by_text("Run by itself", exact=True).click()
    expect(new_tab.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning", timeout=PATIENCE)
    assert new_tab.get_by_role("spinbutton").count() == 0
    for route in held:
        route.continue_()
    for name, value in {"Dimension d": "12", "Width m": "40", "Label noise ς": "0.25", "Seed": "83"}.items():
        expect(new_tab.get_by_role("spinbutton", name=name)).to_have_value(value, timeout=PATIENCE)
    assert new_tab.get_by_text("must be a whole number").count() == 0


def test_the_finer_settings_keep_their_values_when_they_come_to_be_seen(page, server):
    open_lab(page, server)
    page.get_by_role("button", name="↻ seed", exact=True).click()
    page.get_by_role("tooltip").filter(has_text="New seed").wait_for()  # over «Data», where the visitor goes next
    wait_for_text(page, "New settings: press Run")
    box = page.get_by_role("button", name="Data", exact=True).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.get_by_role("spinbutton", name="Holdout samples")).to_have_value("20000", timeout=PATIENCE)
    rest(page)
    page.get_by_role("spinbutton", name="Test samples").fill("5000")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("test=5000"))
    assert set(re.findall(r"(\w+)=", page.url.partition("?")[2])) == {"seed", "test"}, "nothing else has changed"
    no_traceback(page)


# As if the message that brought the picture had not come: looks bring what has changed alone.
LOSE = """panel => {
  const frame = document.querySelector(`.featdash-chart[data-panel='${panel}']`).closest('.featdash-frame');
  frame.featdash.mark = 'lost';
  return frame.featdash.updates;
}"""
DRAWN = "([panel, n]) => Number(document.querySelector(`[data-panel='${panel}']`).dataset.updates) > n"


def test_zoom_survives_live_updates_and_pictures_stay_when_a_run_is_stopped(page, server):
    open_lab(page, server, "seed=12&n=60000&d=20&width=900")  # at work until it is stopped
    press(page, "Run race")
    run = run_of(page)
    wait_for_text(page, "training the heads")
    chart = "document.querySelector(s)"  # of this run, and not what the run before has left there
    own = f"s => {chart}.data?.length > 2 && !{chart}.closest('.featdash-before')"
    page.wait_for_function(own, arg=RISK, timeout=PATIENCE)
    lead(page)
    zoom(page)
    zoomed, at = x_range(page), updates(page)
    page.wait_for_function(
        "([s, n]) => Number(document.querySelector(s).dataset.updates) > n", arg=[RISK, at + 1], timeout=PATIENCE
    )
    assert x_range(page) == pytest.approx(zoomed)
    full = page.eval_on_selector(RISK, "node => node.layout.xaxis.range ?? null")
    assert full is None or full != pytest.approx(zoomed) or zoomed[1] - zoomed[0] < 4
    page.get_by_role("button", name="One moment back").click()
    slider, edge = page.get_by_role("slider", name="Moment"), page.get_by_role("button", name="Live: show the newest")
    held, most = slider.input_value(), float(slider.get_attribute("max"))
    grown = "most => Number(document.querySelector('[aria-label=Moment]').max) > most"
    page.wait_for_function(grown, arg=most, timeout=PATIENCE)
    assert slider.input_value() == held, "what one looks at stays, while the run goes on"
    assert edge.get_attribute("aria-pressed") == "false"
    edge.click()
    assert edge.get_attribute("aria-pressed") == "true"
    at = page.evaluate(LOSE, "race-error")
    page.wait_for_function(DRAWN, arg=["race-error", at], timeout=PATIENCE)  # the browser has asked for it
    press(page, "Stop race")
    wait_for_text(page, r"Stopped at \d+%")
    assert page.locator(".featdash-chart[data-panel='race-neurons'][data-updates]").count() == 1
    assert (run, "stopped") in [row[:2] for row in ledger(server)]
