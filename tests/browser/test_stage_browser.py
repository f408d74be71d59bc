"""The stage where one explores: what leads, what stays in sight, and that nothing moves when a run comes and goes."""

import os
import re
import signal

import pytest
from playwright.sync_api import expect
from test_browser import (
    LONG,
    PATIENCE,
    RISK,
    follow_window,
    go_on_to,
    no_traceback,
    press,
    rest,
    wait_for_text,
    worker_processes,
)
from test_layout import CUT, DRAWN, TOPS, explore

pytestmark = pytest.mark.browser
RECORDED = "n=100&width=100&holdout=1000&test=4000"  # the story's small race, of which nothing is computed
STANDS = 2.0  # pixels that something may move when a run begins or ends
# The lowest edge of the names of a picture's curves, and where its plot begins.
NAMED = """panel => {
  const chart = document.querySelector(`[data-panel=${panel}]`);
  const names = [...chart.querySelectorAll('.annotation-text .line')].filter((one) => one.textContent.includes('NTK'));
  const lowest = Math.max(...names.map((one) => one.getBoundingClientRect().bottom));
  return [names.length, lowest, chart.querySelector('.nsewdrag').getBoundingClientRect().top];
}"""


# The picture that leads: its name, its share of the stage, and the smaller side of its plot.
LEAD = """() => {
  const box = (selector) => document.querySelector(selector).getBoundingClientRect();
  const [stage, lead, plot] = ['stage', 'first .featdash-frame', 'first .nsewdrag'].map((part) =>
    box(`.featdash-${part}`));
  return {
    name: document.querySelector('.featdash-first .featdash-chart').dataset.panel,
    share: lead.width * lead.height / (stage.width * stage.height),
    plot: Math.min(plot.width, plot.height),
    window: lead.width / innerWidth,
  };
}"""
# What has the focus: the panel of a picture, else its name.
FOCUSED = "() => document.activeElement.dataset.panel ?? document.activeElement.getAttribute('aria-label')"
# Buttons and links beyond the stage that the tab key leads to.
REACHED = """() => [...document.querySelectorAll('button, a[href]')]
  .filter((one) => one.checkVisibility() && !one.closest('.featdash-stage, .featdash-timeline, [inert]'))
  .map((one) => one.textContent)"""
LEADS = "name => document.querySelector('.featdash-first .featdash-chart').dataset.panel === name"
COUNT = """() => {
  window.drawings = {};
  for (const chart of document.querySelectorAll('.featdash-chart')) {
    drawings[chart.dataset.panel] = 0;
    chart.on('plotly_afterplot', () => (drawings[chart.dataset.panel] += 1));
  }
}"""
LARGE = "at => document.querySelector('.featdash-first').getBoundingClientRect().width / innerWidth > at"


def enlarge_one_after_another(page):
    told = page.evaluate(LEAD)
    assert told["name"] == "race-neurons"
    assert told["plot"] >= 420
    assert told["share"] >= 0.5
    page.locator(f"{RISK} .nsewdrag").click(position={"x": 5, "y": 5})
    page.wait_for_function(LEADS, arg="race-risk")
    page.press("[data-panel='race-profile']", "Enter")
    page.wait_for_function(LEADS, arg="race-profile")
    assert page.evaluate(FOCUSED) == "race-profile", "by keyboard the focus goes with what was pressed"
    page.get_by_role("button", name="Enlarge the picture «Excess risk while the head trains»").press("Enter")
    page.wait_for_function(LEADS, arg="race-risk")
    assert page.evaluate(FOCUSED) == "Fill the window (F)"
    page.press("[data-panel='race-profile']", "Enter")
    page.keyboard.press("f")
    page.wait_for_function(LARGE, arg=0.9)
    assert page.get_by_role("slider", name="Moment").is_visible(), "the timeline stays at hand"
    assert page.evaluate(REACHED) == [], "what it covers cannot be reached"
    page.keyboard.press("Escape")
    page.wait_for_function(f"at => !({LARGE})(at)", arg=0.9)
    assert len(page.evaluate(REACHED)) > 10
    assert page.evaluate(LEAD)["name"] == "race-profile", "it stays as it was chosen"
    page.get_by_role("spinbutton", name="Seed").press("f")
    assert page.evaluate(LEAD)["window"] < 0.9, "who types is left alone"
    no_traceback(page)


def resize(page):
    page.evaluate(COUNT)
    page.set_viewport_size({"width": 1024, "height": 600})
    page.wait_for_function("() => Object.values(window.drawings).every((times) => times)")
    follow_window(page)
    assert set(page.evaluate("Object.values(window.drawings)")) == {1}, "another size draws each picture once"
    wide = "node => Math.abs(node._fullLayout.width - node.clientWidth)"
    assert all(page.evaluate(wide, chart) < 1 for chart in page.query_selector_all(".featdash-chart"))


def present(page):
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("p")
    page.wait_for_url(re.compile("present=1"))
    page.wait_for_selector(".st-key-band")
    page.wait_for_selector("[data-panel='race-profile'][data-updates]")
    rest(page)
    assert page.evaluate(LEAD)["name"] == "race-profile", "on the wall as well"
    page.keyboard.press("Escape")
    page.wait_for_url(lambda url: "present" not in url)


def scroll_on_a_projector(page):
    page.locator(".st-key-below").last.scroll_into_view_if_needed()
    page.mouse.move(900, 400)
    page.mouse.wheel(0, 2000)
    page.wait_for_function("() => document.querySelector('.featdash-stage').getBoundingClientRect().top < 0")
    assert 0 <= page.evaluate(TOPS, [".st-key-aside"])[0] < 60, "its controls are where they were"


def set_on_a_phone(page):
    page.set_viewport_size({"width": 390, "height": 844})
    follow_window(page)
    lines, lowest, top = page.evaluate(NAMED, "race-risk")
    assert lines == 1
    assert lowest <= top, "names stand above the plot, and on no curve"
    bar, sheet = page.get_by_role("button", name="Settings", exact=True), page.locator(".st-key-settings")
    assert bar.bounding_box()["y"] > 780
    assert page.get_by_role("button", name="Run race", exact=True).bounding_box()["y"] > 780
    assert not sheet.is_visible()
    bar.click()
    assert sheet.is_visible()
    stage, top = page.evaluate(TOPS, [".featdash-stage", ".st-key-settings"])
    assert 0 < stage < top - 200, "the pictures stay in sight above it"
    assert page.evaluate(CUT) == []
    page.get_by_role("spinbutton", name="Seed").fill("7")
    page.keyboard.press("Enter")
    wait_for_text(page, "New settings: press Run")
    assert sheet.is_visible(), "it stays open while one sets"
    page.keyboard.press("Escape")
    assert not sheet.is_visible()
    go_on_to(page, f"{page.url.partition('?')[0]}?mode=explore&seed=-3")
    refusal = sheet.get_by_text("seed must be a whole number")
    refusal.wait_for(timeout=PATIENCE)
    box = refusal.bounding_box()
    assert 400 < box["y"] < box["y"] + box["height"] < 780, "what was refused is read without a press"
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Take away", exact=True).click()  # the page is drawn anew, with its refusal
    wait_for_text(page, "to what you see")
    rest(page)
    assert not sheet.is_visible()
    refusal.wait_for(state="attached")


def test_one_picture_leads_another_takes_its_place_the_column_stays_and_on_a_phone_a_bar_opens_it(page, server):
    explore(page, server, "race")
    scroll_on_a_projector(page)
    enlarge_one_after_another(page)
    resize(page)
    present(page)
    set_on_a_phone(page)


# Where everything stood, noted by the page itself, for a busy machine looks too seldom.
WATCH = """() => {
  const seen = window.places = {};
  const note = () => {
    const fixed = '.featdash-frame, .st-key-question, .st-key-commands, .featdash-state';
    for (const node of document.querySelectorAll(fixed)) {
      const kind = node.className.match(/st-key-\\w+|featdash-state/)?.[0];
      const name = node.querySelector('.featdash-chart')?.dataset.panel ?? kind;
      const {left, top, width, height} = node.getBoundingClientRect();
      const now = name === 'featdash-state' ? [left, top] : [left, top, width, height];
      const [least, most] = seen[name] ??= [now, now];
      const over = (values, which) => values.map((value, at) => which(value, now[at]));
      seen[name] = [over(least, Math.min), over(most, Math.max)];
    }
    if (window.places === seen) requestAnimationFrame(note);
  };
  note();
}"""
MOVED = """() => Object.entries(window.places).map(([name, [least, most]]) =>
  [name, Math.max(...most.map((value, at) => value - least[at]))])"""


# The parts of a line that it has no room for.
OVER = """(line) => [...line.children].filter((part) => part.scrollWidth > part.clientWidth + 1
  || part.getBoundingClientRect().right > line.getBoundingClientRect().right).map((part) => part.textContent)"""


def apart(one, other):
    """Whether two buttons have each their own place."""
    left, right = sorted((one.bounding_box(), other.bounding_box()), key=lambda box: box["x"])
    return left["x"] + left["width"] <= right["x"]


def watch_a_run_after_another(page, server):
    """The first one is recorded."""
    page.goto(f"{server.url}/lab?{RECORDED}")
    wait_for_text(page, "Recorded run")
    page.wait_for_function(DRAWN)
    page.get_by_text("Run by itself", exact=True).click()  # off: Run is the way
    rest(page)
    page.evaluate(WATCH)
    box = page.get_by_role("spinbutton", name="Seed")
    box.fill("82")
    box.press("Enter")
    wait_for_text(page, "New settings: press Run")
    press(page, "Run race")
    page.wait_for_selector(".featdash-state progress")
    wait_for_text(page, "Finished")
    page.get_by_role("button", name="Play", exact=True).click()
    moment = "document.querySelector(s).dataset.moment"
    page.wait_for_function(f"s => {moment} > 0.1 && {moment} < 1", arg=RISK)
    page.get_by_role("slider", name="Moment").press("End")
    page.wait_for_function(f"s => {moment} === '1.0000'", arg=RISK)
    moved = dict(page.evaluate(MOVED))
    assert len(moved) == 6 + 3, "six pictures, title, commands and the line of state"
    assert {name: by for name, by in moved.items() if by > STANDS} == {}


def look_at_what_is_pale(page):
    page.get_by_role("radio", name="full", exact=True).click()
    wait_for_text(page, r"New settings: press Run race \(about")
    line = page.locator(".featdash-state")
    line.get_by_text("Pale: before, seed = 0", exact=True).wait_for()
    assert line.evaluate(OVER) == [], "how long the run took, what is to be done, and what is pale, in one line"
    assert page.eval_on_selector(RISK, "chart => chart.data[0].name.startsWith('before: ')"), "it lies below the others"
    assert page.locator("[data-panel=race-error] .xtick").first.text_content().startswith("answer"), "the bars' order"
    assert page.locator(f"{RISK} .cartesianlayer > .subplot").count() == 1, (
        "else Plotly cuts the marks at the curves' ends"
    )


def watch_a_run_that_fails(page, server):
    """It is found on a phone first, where its buttons stand side by side."""
    page.set_viewport_size({"width": 390, "height": 640})
    page.goto(f"{server.url}/lab?seed=83&{LONG}")
    page.wait_for_selector(".featdash-state progress")
    names = ("Settings", "Run race", "Pause race", "Stop race")
    buttons = [page.get_by_role("button", name=name, exact=True) for name in names]
    for button in buttons:
        expect(button).to_be_visible()
    assert all(map(apart, buttons, buttons[1:])), "each button has its own place"

    page.set_viewport_size({"width": 1280, "height": 720})
    follow_window(page)
    wait_for_text(page, "training the heads")
    page.wait_for_selector(f"{RISK}[data-updates]")
    page.evaluate(WATCH)
    for process in worker_processes(server):
        os.kill(process.pid, signal.SIGKILL)
    wait_for_text(page, "The run failed")
    follow_window(page)
    assert {name: by for name, by in page.evaluate(MOVED) if by > STANDS} == {}


def test_nothing_moves_when_a_run_begins_ends_is_replayed_or_fails(page, server):
    page.set_default_timeout(PATIENCE)
    watch_a_run_after_another(page, server)
    look_at_what_is_pale(page)
    no_traceback(page)
    watch_a_run_that_fails(page, server)
