"""A table of one's own in a real browser: refused in a sentence, taken, computed, and nowhere but in memory."""

import re
from pathlib import Path

import numpy as np
import pytest
from test_browser import PATIENCE, no_traceback, press, rest, wait_for_text

pytestmark = pytest.mark.browser
ADDRESS = "your_own_data?dataset=upload&rows=150&rounds=1&steps=50&width=20"
MARKER = "zqxmarker"
CHART = ".featdash-chart[data-updates]"
FILE = "input[type=file]"


def table(rows=150):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((rows, 4))
    lines = [",".join(f"{value:.6f}" for value in (*row, 0.77 * row[0] + row[1])) for row in X]
    return "\n".join([",".join(f"{MARKER}{index}" for index in range(5)), *lines]).encode()


def give(page, data, name="table.csv"):
    page.set_input_files(FILE, {"name": name, "mimeType": "text/csv", "buffer": data})


def test_a_table_is_taken_computed_and_left_on_no_disk_and_the_door_is_shut_where_the_page_is_not(new_tab, server):
    sent = set()
    new_tab.on("request", lambda request: sent.add(request.url) if "/own-table/" in request.url else None)
    new_tab.goto(f"{server.url}/{ADDRESS}")
    new_tab.wait_for_selector(FILE, timeout=PATIENCE)
    give(new_tab, b"a,b\n" + b"1,2\n" * 60)
    wait_for_text(new_tab, "must have more than one value")
    give(new_tab, table())
    wait_for_text(new_tab, "Your table: 150 rows, 5 columns")
    press(new_tab, "Run comparison")
    wait_for_text(new_tab, "Finished, computed in")
    wait_for_text(new_tab, f"RFM looks most at {MARKER}")
    assert new_tab.locator(CHART).count() == 3
    assert "run=" not in new_tab.url
    assert MARKER not in new_tab.url
    new_tab.get_by_text("Take away").click()
    wait_for_text(new_tab, "is taken away as numbers and pictures alone")
    assert new_tab.get_by_role("button", name=re.compile("Notebook")).count() == 0
    places = [server.log, *Path(server.environment["FEATDASH_HOME"]).rglob("*")]
    assert [one for one in places if one.is_file() and MARKER.encode() in one.read_bytes()] == []
    no_traceback(new_tab)
    new_tab.keyboard.press("Escape")  # «Take away», which would follow a page that is scrolled
    new_tab.get_by_text("is taken away as numbers").wait_for(state="hidden")
    press(new_tab, "Forget my table")
    new_tab.get_by_text("Your table").wait_for(state="detached", timeout=PATIENCE)
    new_tab.get_by_text(f"RFM looks most at {MARKER}").wait_for(state="detached", timeout=PATIENCE)

    (door,) = sent
    assert new_tab.request.post(door, data=table()).status == 204
    new_tab.get_by_text("Lab", exact=True).first.click()
    new_tab.wait_for_url("**/lab*")
    new_tab.get_by_role("button", name="Run comparison").wait_for(state="detached", timeout=PATIENCE)
    new_tab.wait_for_selector(CHART, timeout=PATIENCE)
    rest(new_tab)
    answer = new_tab.request.post(door, data=table())
    assert answer.status == 403
    assert "from the page «Your own data» alone" in answer.text()
    assert new_tab.request.post(f"{server.url}/own-table/guess", data=table()).status == 403
