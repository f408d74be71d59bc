"""Sample complexity and transfer in a browser: from a click to a complete figure, stop and resume, map to Lab."""

import pytest
from test_browser import SMALL, go_on_to, go_to_page, rest

CURVES = "sample_complexity?n=20,100&widths=10,20&holdout=200&test=200&seeds="
CHART = ".featdash-chart[data-updates]"
POINTS = """() => (document.querySelector(".featdash-chart")?.data ?? [])
  .filter((trace) => trace.mode === "lines+markers").map((trace) => trace.x.length)"""

pytestmark = pytest.mark.usefixtures("server")


def test_a_stopped_sweep_goes_on_from_its_finished_cells_and_the_bench_takes_the_layer_of_the_lab(page, server):
    page.goto(f"{server.url}/{CURVES}" + ",".join(map(str, range(2, 10))))
    page.get_by_role("button", name="Run sweep").click()
    page.wait_for_function(f"({POINTS})().length === 6", timeout=60_000)
    page.get_by_role("button", name="Stop sweep").click()
    page.get_by_text("it goes on from them").wait_for()
    page.get_by_role("button", name="Run sweep").click()
    page.get_by_text("Finished, computed in").wait_for(timeout=90_000)
    page.wait_for_function(f"({POINTS})().length === 6")

    go_on_to(page, f"{server.url}/lab?seed=7&{SMALL}")
    page.get_by_role("button", name="Run race").wait_for()
    rest(page)
    takes_the_layer_of_the_lab(page)


def takes_the_layer_of_the_lab(page):
    """To the bench of the transfer."""
    go_to_page(page, "The paper", "Transfer")
    page.wait_for_url("**/transfer*")
    rest(page)  # the page before has a picture and the same control
    page.wait_for_selector(CHART)
    if (explore := page.get_by_text("Explore", exact=True)).count():  # the page has a story
        explore.click()
    page.get_by_role("combobox", name="Part of the page").click()
    page.get_by_role("option", name="Bench").click()
    page.get_by_role("button", name="Take the Lab's layer").click()
    page.wait_for_function("location.search.includes('seed=7')")
    for setting in ("n=1000", "width=40", "pretraining=figure-1"):
        assert setting in page.url
