"""The real server, driven in a headless browser as a visitor would."""

import os
import re
import signal
import sqlite3
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import expect
from real_server import running_server

from featdash.ui.chart import LIGHT

pytestmark = pytest.mark.browser
RISK = ".featdash-chart[data-panel='race-risk']"
PATIENCE = 90_000  # milliseconds; a machine busy with other tests is slow
LONG = "n=60000&d=20&width=600"
MEDIUM = "n=20000&width=200&holdout=3000&test=3000"
LASTING = "n=50000&width=200&holdout=3000&test=3000"  # still at work after a page has been loaded in its middle
SMALL = "n=1000&width=40&holdout=1000&test=1000&steps=1000"
# A link with settings has begun their run; where it is over before Run is pressed, Run replays it, and says so.
FINISHED = r"Finished(\. Same settings: replayed)?, computed in"
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
  const fits = (chart) => Math.abs(chart._fullLayout?.width - chart.clientWidth) < 1;
  const {waiting, drawing} = window.featdash;
  const busy = drawing || waiting.size || !charts.every(fits);
  const looks = now === window.seen?.now && !busy ? window.seen.looks + 1 : 0;
  window.seen = {now, looks};
  return looks >= 2;
}"""
BAD_POLYNOMIALS = {
    "__import__('os')": "'__import__'",
    "9**9**9": "9 ** 9",
    "z99": "'z99'",
    "z1**-1": "whole numbers",
    "(" * 150: "brackets",
    "1e999": "1e+09",
    "": "nothing",
}


def open_lab(page, server, query="mode=explore"):
    """The Lab as one explores it, with its pictures drawn."""
    page.goto(f"{server.url}/lab?{query}")
    page.wait_for_selector(f"{RISK}[data-updates]", timeout=PATIENCE)


def press(page, name):
    page.get_by_role("button", name=name, exact=True).click()


def go_to_page(page, section, title):
    """Through the navigation, where the pages stand in sections."""
    page.get_by_role("button", name=section, exact=True).click()
    page.get_by_text(title, exact=True).last.click()  # the list of a section stands at the end of the document


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


def run_of(page):
    """The run that the address names."""
    page.wait_for_url(re.compile(r"run=[0-9a-f]{16}"), timeout=PATIENCE)
    return re.search(r"run=([0-9a-f]{16})", page.url).group(1)


def updates(page):
    return int(page.get_attribute(RISK, "data-updates"))


def x_range(page):
    """What the risk picture shows of its x axis."""
    return page.eval_on_selector(RISK, "node => node._fullLayout.xaxis.range.map(Number)")


def zoom(page):
    """Drag a rectangle over the middle of the risk picture."""
    box = page.locator(f"{RISK} .nsewdrag").first.bounding_box()
    page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.3 * box["height"])
    page.mouse.down()
    page.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.6 * box["height"], steps=5)
    page.mouse.up()


def drawn_values(page):
    """The y values of every curve in the risk picture."""
    return page.eval_on_selector(RISK, "node => node.data.map(trace => [trace.name, Array.from(trace.y ?? [])])")


def settled_values(page):
    """The curves once the playback of the run's last steps is over, and its sliders can be moved."""
    page.get_by_role("button", name="Replay race", exact=True).wait_for(timeout=PATIENCE)
    moves = "[data-testid=stSlider] [role=group][aria-label='Head steps t']"
    page.wait_for_selector(f"{moves}:not([data-disabled])", timeout=PATIENCE)
    page.wait_for_function("s => document.querySelector(s)?.data?.length > 2", arg=RISK)
    page.wait_for_timeout(500)  # for the drawing of the last picture
    return drawn_values(page)


def ledger(server):
    connection = sqlite3.connect(Path(server.environment["FEATDASH_HOME"]) / "runs.sqlite")
    try:
        return connection.execute("SELECT id, status, started FROM runs").fetchall()
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


def test_first_paint_shows_a_finished_race_without_a_click(page, server):
    open_lab(page, server)
    wait_for_text(page, "Recorded run")
    assert page.locator(".featdash-chart[data-updates]").count() >= 4
    for chart in page.locator(".featdash-chart[data-updates]").all():
        assert len(chart.get_attribute("aria-label")) > 20
    fetched = page.evaluate("performance.getEntriesByType('resource').map(entry => entry.name)")
    assert [name for name in fetched if not name.startswith((server.url, "data:", "blob:"))] == []
    assert [name.partition("/featdash/")[2] for name in fetched if "plotly" in name] == [LIGHT.partition("/")[2]]
    no_traceback(page)


def test_a_picture_is_saved_and_zoomed_out_by_keyboard(page, server):
    open_lab(page, server)
    full = x_range(page)
    zoom(page)
    assert x_range(page) != pytest.approx(full)
    opener = page.get_by_role("button", name="Tools of the picture «Excess risk while the head trains»")
    opener.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="Show all (double-click)").press("Enter")
    page.wait_for_function("s => Number(document.querySelector(s).dataset.updates) > 1", arg=RISK)
    assert x_range(page) == pytest.approx(full)
    opener.press("Enter")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as SVG").press("Enter")
    assert re.fullmatch("race-[0-9a-f]{16}-race-risk.svg", download.value.suggested_filename)


def test_the_finer_settings_keep_their_values_when_they_come_to_be_seen(page, server):
    open_lab(page, server)
    page.get_by_role("button", name="↻ seed", exact=True).click()
    wait_for_text(page, "The settings differ from the run below")
    page.get_by_role("button", name="Data", exact=True).click()
    expect(page.get_by_role("spinbutton", name="Holdout samples")).to_have_value("20000", timeout=PATIENCE)
    page.get_by_role("spinbutton", name="Test samples").fill("5000")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("test=5000"))
    assert set(re.findall(r"(\w+)=", page.url.partition("?")[2])) == {"seed", "test"}, "nothing else has changed"
    no_traceback(page)


@pytest.mark.parametrize("which", ["first", "last"])
def test_a_suggestion_is_seen_wherever_it_is_chosen(page, server, which):
    open_lab(page, server)
    if which == "first":
        page.get_by_role("button", name=re.compile("^Try")).click()
    suggestion = page.get_by_role("button", name="A target without curvature: He₃/√6", exact=True)
    if which == "first":
        suggestion.last.click()  # a popover stands at the end of the document
    else:
        suggestion.first.click()
    wait_for_text(page, "one step follows noise alone")
    page.wait_for_function("s => document.querySelector(s).getBoundingClientRect().top >= 0", arg=RISK)
    assert page.get_by_role("button", name="Run race", exact=True).is_visible()
    page.wait_for_function(
        "t => document.body.innerText.split(t).length === 2", arg="A target without curvature: He₃/√6"
    )


def test_a_run_is_live_to_its_end_whatever_is_refreshed(page, server):
    open_lab(page, server, f"seed=11&{LASTING}")
    press(page, "Run race")
    run = run_of(page)
    page.wait_for_selector("[data-testid=stProgress]", timeout=PATIENCE)
    before = updates(page)
    moved = "([s, n]) => Number(document.querySelector(s)?.dataset.updates) > n"
    page.wait_for_function(moved, arg=[RISK, before], timeout=PATIENCE)
    page.reload()
    page.wait_for_function(moved, arg=[RISK, 1], timeout=PATIENCE)
    wait_for_text(page, FINISHED)
    assert run_of(page) == run
    assert [row[1] for row in ledger(server) if row[0] == run] == ["done"]
    assert page.locator("[data-testid=stProgress]").count() == 0
    no_traceback(page)


# As if the message that brought the picture had not come: looks bring what has changed alone.
LOSE = """panel => {
  const frame = document.querySelector(`.featdash-chart[data-panel='${panel}']`).closest('.featdash-frame');
  frame.featdash.mark = 'lost';
  return frame.featdash.updates;
}"""
DRAWN = "([panel, n]) => Number(document.querySelector(`[data-panel='${panel}']`).dataset.updates) > n"


def test_zoom_survives_live_updates_and_pictures_stay_when_a_run_is_stopped(page, server):
    open_lab(page, server, f"seed=12&{LONG}")
    press(page, "Run race")
    run = run_of(page)
    page.wait_for_selector("[data-testid=stProgress]", timeout=PATIENCE)
    page.wait_for_function("s => document.querySelector(s)?.data?.length > 2", arg=RISK, timeout=PATIENCE)
    zoom(page)
    zoomed, at = x_range(page), updates(page)
    page.wait_for_function(
        "([s, n]) => Number(document.querySelector(s).dataset.updates) > n", arg=[RISK, at + 1], timeout=PATIENCE
    )
    assert x_range(page) == pytest.approx(zoomed)
    full = page.eval_on_selector(RISK, "node => node.layout.xaxis.range ?? null")
    assert full is None or full != pytest.approx(zoomed) or zoomed[1] - zoomed[0] < 4
    wait_for_text(page, "training the heads")
    at = page.evaluate(LOSE, "race-energy")
    page.wait_for_function(DRAWN, arg=["race-energy", at], timeout=PATIENCE)  # the browser has asked for it
    press(page, "Stop race")
    wait_for_text(page, r"Stopped at \d+%")
    assert page.locator(".featdash-chart[data-panel='race-neurons'][data-updates]").count() == 1
    assert (run, "stopped") in [row[:2] for row in ledger(server)]


def test_a_shared_link_reproduces_the_numbers(page, other, server):
    open_lab(page, server, f"seed=15&{SMALL}")
    wait_for_text(page, "Finished, computed in")
    values = settled_values(page)
    press(page, "Run race")
    run, link = run_of(page), page.url
    other.goto(link)
    wait_for_text(other, "Finished, computed in")
    assert run_of(other) == run
    assert settled_values(other) == values


def test_two_tabs_on_the_same_settings_compute_once(page, other, server):
    before = ledger(server)
    for tab in (page, other):
        open_lab(tab, server, f"seed=16&{MEDIUM}")
    for tab in (page, other):
        wait_for_text(tab, FINISHED)
    assert [row[1] for row in ledger(server) if row not in before] == ["done"]
    assert settled_values(page) == settled_values(other)
    computed = {text for tab in (page, other) for text in re.findall(r"computed in [\d.]+ s", tab.inner_text("body"))}
    assert len(computed) == 1, "both tabs tell of the same computation"


def test_a_killed_worker_fails_one_run_and_nothing_else(page, server):
    open_lab(page, server, f"seed=17&{LONG}")
    press(page, "Run race")
    run_of(page)
    page.wait_for_selector("[data-testid=stProgress]", timeout=PATIENCE)
    wait_for_text(page, "training the heads")
    for process in worker_processes(server):
        os.kill(process.pid, signal.SIGKILL)
    wait_for_text(page, "The run failed: .*worker")
    no_traceback(page)
    open_lab(page, server, f"seed=18&{SMALL}")
    press(page, "Run race")
    run_of(page)
    wait_for_text(page, FINISHED)


def test_a_server_restart_resumes_the_run(page, tmp_path):
    with running_server(tmp_path / "home") as server:
        open_lab(page, server, f"seed=19&{MEDIUM}")
        press(page, "Run race")
        run = run_of(page)
        page.wait_for_selector("[data-testid=stProgress]", timeout=PATIENCE)
        link = page.url
        server.restart()
        page.goto(link)
        wait_for_text(page, FINISHED)
        assert run_of(page) == run


def test_a_bad_polynomial_is_one_sentence_and_loses_nothing(page, server):
    open_lab(page, server, "target=He2(z1)%2Bz2&n=500")
    box = page.get_by_role("textbox", name="Your polynomial")
    alert = page.locator("[data-testid=stAlert]").first
    run = page.get_by_role("button", name="Run race", exact=True)
    for typed, says in BAD_POLYNOMIALS.items():
        box.fill(typed)
        box.press("Enter")
        alert.filter(has_text=says).wait_for()
        assert alert.inner_text().strip().count("\n") == 0
        assert run.is_disabled()
        box.fill("He2(z1)/2 + z1*z2")
        box.press("Enter")
        alert.wait_for(state="detached")
        page.wait_for_function(
            "() => [...document.querySelectorAll('button')].some(b => b.innerText.trim() === 'Run race' && !b.disabled)"
        )
    no_traceback(page)


def test_bad_values_in_a_link_fall_back_with_a_note_each(page, server):
    for query in ("n=0&width=7&d=1&target=os.system&run=../x", "n=1e99&width=many&d=NaN"):
        open_lab(page, server, query)
        notes = page.locator("[data-testid=stAlert]")
        page.wait_for_function(
            "n => document.querySelectorAll('[data-testid=stAlert]').length === n", arg=query.count("&") + 1
        )
        assert all(note.inner_text().strip().count("\n") == 0 for note in notes.all())
        assert page.get_by_role("button", name="Run race", exact=True).is_enabled()
        no_traceback(page)


def test_a_scheduler_that_is_not_there_is_one_sentence(page, tmp_path):
    with running_server(tmp_path / "home", FEATDASH_SCHEDULER="tcp://127.0.0.1:9") as server:
        page.goto(f"{server.url}/lab?{SMALL}")  # its run begins with the page
        wait_for_text(page, "FEATDASH_SCHEDULER")
        no_traceback(page)
