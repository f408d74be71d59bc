"""Every CSS selector of ours matches something on the pages that it is meant for, in a real browser.

Those that name parts of Streamlit's page match nothing after an upgrade that renames them, and nothing else says so.
"""

import re
import shutil
from pathlib import Path

import pytest
from playwright.sync_api import expect
from real_server import running_server
from test_browser import PATIENCE, no_traceback

from featdash.ui import streamlit_internals
from featdash.ui.kit import layout, settings_sheet
from featdash.ui.page import my_runs
from featdash.ui.stage import chart
from featdash.ui.story import home

pytestmark = pytest.mark.browser
CHART = ".featdash-chart[data-updates]"
PAGES = (
    "kernels?mode=explore",
    "lab?mode=explore",
    "lab?story=race&scene=3",
    "lab?story=race&scene=8",
    "",
    "emergence?mode=explore",
)
PICTURE_OF_NO_RUN = PAGES[1]  # the energies of its target
MEDIA = [streamlit_internals.PRINTED, streamlit_internals.FORCED]
USUAL = [streamlit_internals.HEADER, streamlit_internals.COMPACT, *MEDIA]
USUAL += [layout.STYLE, layout.STORY, my_runs.STYLE, chart.STYLE, home.STYLE]
LARGE = [streamlit_internals.LARGE, layout.LARGE_TEXT]
WALL = [streamlit_internals.WALL, layout.WALL_SIZE, layout.WALL, layout.NO_BAND]
PHONE, SCREEN = {"width": 390, "height": 844}, {"width": 1280, "height": 720}
CUT = """() => [...document.querySelectorAll('[role=option] > div')]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""
STORY = Path(layout.__file__).parents[2] / "lessons/race/story.md"
STORIES = "beyond_one_step?story=staircase"  # of a page with several, and long titles
# Which no page is in by itself, and what is no element.
STATES = re.compile(r"::?(hover|focus-visible|after|-webkit-slider-thumb|-moz-range-thumb)")
MOMENTS = "sheet|before|awaited|later|midway|fills|guess|edge"
WAITING = re.compile(f"[.]featdash-({MOMENTS})|-status button|-course li small")  # of a moment
GROUP = re.compile(r":is\(([^()]*)\)")


def selectors_of(sheet):
    """Each selector of a style sheet, those in :is(...) one by one, without states such as :hover."""
    found = []
    for heads in re.findall(r"([^{}]+)\{", re.sub(r"/\*.*?\*/|@media[^{]*\{", "", sheet, flags=re.DOTALL)):
        for head in re.split(r",(?![^()]*\))", heads):
            group = GROUP.search(head)
            alternatives = group[1].split(",") if group else [""]
            found += [STATES.sub("", GROUP.sub(one.strip(), head, count=1)).strip() for one in alternatives]
    return [one for one in found if not WAITING.search(one)]


def test_selectors_are_found_in_a_style_sheet():
    sheet = "/* a {} */ .a:hover, .b :is(p, li) {x: y;}\n[c] > d,\n:has(> .e) {}\n@media (f: g) {\n  .h {x: y;}\n}"
    assert selectors_of(sheet) == [".a", ".b p", ".b li", "[c] > d", ":has(> .e)", ".h"]
    assert all(len(selectors_of(one)) > 1 for one in USUAL + LARGE + WALL)


def test_no_rule_looks_through_the_pictures_at_each_change_of_one():
    """A :has(…) that searches a whole subtree; one of the room made each change of a picture on a phone cost 14 ms."""
    searching = re.compile(r"[.]st-key-(?:room|stage|pictures)(?:\[[^]]*\])?:has\((?!\s*>)")
    assert searching.search(".st-key-room:has(.a) b")
    assert [
        found for sheet in [*USUAL, *LARGE, *WALL, settings_sheet.STYLE] for found in searching.findall(sheet)
    ] == []


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A server that nobody has visited, with stories of a lecturer: the list of all is a long one."""
    folder = tmp_path_factory.mktemp("fresh")
    (folder / "stories").mkdir()
    for number in range(9):
        shutil.copy(STORY, folder / f"stories/own-{number}.md")
    settings = {"FEATDASH_ENGINE": "inline", "FEATDASH_STORIES": str(folder / "stories")}
    with running_server(folder / "home", **settings) as server:
        yield server


def unmatched(page, sheets, before=None):
    """The selectors of the sheets that match nothing, among those `before` if it is given."""
    wanted = [one for sheet in sheets for one in selectors_of(sheet) if before is None or one in before]
    return page.evaluate("wanted => wanted.filter((one) => !document.querySelector(one))", wanted)


def test_every_selector_of_ours_matches_something(page, server, fresh):
    page.set_default_timeout(PATIENCE)
    usual, large = None, None
    for index, address in enumerate(PAGES):
        page.goto(f"{server.url}/{address}")
        page.wait_for_selector(CHART)
        expect(page.get_by_test_id("stSkeleton")).to_have_count(0, timeout=PATIENCE)  # of controls that are to come
        if address == PICTURE_OF_NO_RUN:
            page.get_by_role("button", name="About f*").click()
            page.wait_for_selector(".featdash-state[hidden]", state="attached")
            page.get_by_role("button", name="Present").hover()
            page.get_by_test_id("stTooltipContent").wait_for()
        usual = unmatched(page, USUAL, usual)
        if index == 1:
            page.get_by_text("Larger text", exact=True).click()
            page.wait_for_function("() => getComputedStyle(document.documentElement).fontSize === '18px'")
            large = unmatched(page, LARGE, large)
        no_traceback(page)
    page.set_viewport_size(PHONE)
    page.wait_for_selector(".featdash-narrow")
    page.get_by_role("tab", name="Claims").click()
    page.wait_for_selector(".st-key-below table")
    page.wait_for_selector(".st-key-below h2")
    usual = unmatched(page, USUAL, usual)
    page.set_viewport_size(SCREEN)
    listed = None
    page.goto(f"{server.url}/{PAGES[1]}&present=1")
    page.wait_for_selector(CHART)
    assert unmatched(page, WALL) == [], "match nothing on a wall"
    for address in (f"{server.url}/{STORIES}", f"{fresh.url}/class"):  # a short list, and a long one, drawn another way
        page.goto(address)
        if address.endswith("class"):
            page.get_by_role("button", name="My runs").wait_for()  # of the frame, which the first visitor finds whole
            page.get_by_role("button", name="Open a room").click()
        page.get_by_role("combobox", name="Story").click()
        page.locator("[role=option]").first.wait_for()
        listed = unmatched(page, [streamlit_internals.OPEN_LIST], listed)
        assert page.evaluate(CUT) == [], "titles that are cut"
    assert listed == [], "match nothing in an open list"
    assert usual == [], f"match nothing on any page: {usual}"
    assert large == [], "match nothing on any page with larger text"
