"""A lesson beside the Lab on the real server: a bad value in the link, a live run, a refresh in its middle."""

import pytest
from test_browser import PATIENCE, ledger, no_traceback, press, run_of, wait_for_text

pytestmark = pytest.mark.browser

ADDRESS = "emergence?n=400&test=200&m=30&steps=40&d=60&D=20&seed=21&k=4"  # k must be odd
PICTURE = "emergence-accuracy"


def test_a_lesson_refuses_a_bad_value_and_its_run_outlives_a_refresh(page, server):
    chart = f".featdash-chart[data-panel='{PICTURE}']"
    page.goto(f"{server.url}/{ADDRESS}")
    page.wait_for_selector(f"{chart}[data-updates]", timeout=PATIENCE)
    note = page.locator("[data-testid=stAlert]")
    assert note.count() == 1
    assert "k must be odd" in note.inner_text()
    assert note.inner_text().strip().count("\n") == 0

    drawn = "chart => JSON.stringify((document.querySelector(chart)?.data ?? []).map(({x, y, z}) => [x, y, z]))"
    before = page.evaluate(drawn, chart)
    press(page, "Run emergence")
    run = run_of(page)
    moved = f"([chart, before]) => !['[]', before].includes(({drawn})(chart))"
    page.wait_for_function(moved, arg=[chart, before], timeout=PATIENCE)
    page.reload()
    wait_for_text(page, "Finished, computed in")
    assert run_of(page) == run
    assert [status for name, status, _ in ledger(server) if name == run] == ["done"]
    no_traceback(page)
