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


def go_on_to(page, address):
    """As `step_to`, after an action of the visitor: a step of its own in the history, also right after Back."""
    page.keyboard.press("Escape")
    step_to(page, address)


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


PICTURES = """() => [...document.querySelectorAll('.featdash-chart')].map((node) =>
  (node.data ?? []).map((trace) => [trace.name, trace.x?.length, JSON.stringify(trace.y ?? trace.z)]))"""


def test_a_visitor_finds_a_finished_race_zooms_plays_its_film_tries_a_suggestion_and_finer_settings(page, server):
    open_lab(page, server)
    wait_for_text(page, "Recorded run")
    runs = ledger(server)
    assert page.locator(".featdash-chart[data-updates]").count() >= 4
    for chart in page.locator(".featdash-chart[data-updates]").all():
        assert len(chart.get_attribute("aria-label")) > 20
    fetched = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in fetched if not name.startswith((server.url, "data:", "blob:"))] == []
    assert [name.partition("/featdash/")[2] for name in fetched if "plotly" in name] == [LIGHT.partition("/")[2]]
    assert page.evaluate(DRAWN_TWICE) == ["race-error"], "its names stand on several lines"

    zooms_by_hand_and_shows_all_by_keyboard(page)
    run_shows_what_is_already_known_and_plays_its_film(page)
    assert ledger(server) == runs, "nothing was computed"
    tries_a_suggestion_and_goes_back(page)
    the_finer_settings_keep_their_values_when_they_come_to_be_seen(page)
    no_traceback(page)


def zooms_by_hand_and_shows_all_by_keyboard(page):
    lead(page)
    full = x_range(page)
    zoom(page)
    assert x_range(page) != pytest.approx(full)
    page.get_by_role("button", name="Tools of the picture «Excess risk while the head trains»").press("Enter")
    page.get_by_role("button", name="Show all (double-click)").press("Enter")
    page.wait_for_function("s => Number(document.querySelector(s).dataset.updates) > 1", arg=RISK)
    assert x_range(page) == pytest.approx(full)


def run_shows_what_is_already_known_and_plays_its_film(page):
    page.emulate_media(reduced_motion="no-preference")
    rest(page)
    follow_window(page)
    whole = page.evaluate(f"JSON.stringify(({PICTURES})())")
    press(page, "Run race")
    page.get_by_text("Same settings: not computed again").wait_for(timeout=PATIENCE)
    page.wait_for_function(f"whole => JSON.stringify(({PICTURES})()) !== whole", arg=whole)
    page.get_by_role("slider", name="Moment").press("End")
    ends = f"whole => JSON.stringify(({PICTURES})()) === whole"
    page.wait_for_function(ends, arg=whole, timeout=PATIENCE)  # a film ends where the pictures stood
    page.emulate_media(reduced_motion="reduce")


def tries_a_suggestion_and_goes_back(page):
    rest(page)
    before = page.url
    press(page, "Try")
    page.get_by_role("button", name=SUGGESTION, exact=True).click()
    wait_for_text(page, "one step follows noise alone")
    page.wait_for_function("s => document.querySelector(s).getBoundingClientRect().top >= 0", arg=RISK)
    assert page.get_by_role("button", name="Run race", exact=True).is_visible()
    page.wait_for_function("t => !document.body.innerText.includes(t)", arg=SUGGESTION, timeout=PATIENCE)
    page.wait_for_url("**/lab?target=transfer*")  # written when the page is whole
    page.go_back()
    page.get_by_text("one step follows noise alone").first.wait_for(state="detached")
    assert page.url == before
    assert page.get_by_text("New settings: press Run").count() == 0
    no_traceback(page)


def the_finer_settings_keep_their_values_when_they_come_to_be_seen(page):
    rest(page)
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
