"""What a visitor takes away, opened where they open it: the HTML file without a network, saved pictures, the link."""

import json
import re

import nbformat
import pytest
from playwright.sync_api import expect
from real_server import SCREEN
from test_browser import PATIENCE, lead, open_lab, rest, step_to

from featdash.export.html_file import MOST

pytestmark = pytest.mark.browser
RISK_TOOLS = "Tools of the picture «Excess risk while the head trains»"
DRAWN = "body[data-stops] .featdash-chart[data-updates]"
PANELS = ("race-risk", "race-error", "race-profile", "race-neurons")
SIZES = ((1280, 720), (390, 844))  # whose width the file fits


def download(page, button, folder):
    """The file behind a button, with its name."""
    with page.expect_download(timeout=PATIENCE) as found:
        page.get_by_role("button", name=button, exact=True).click()
    path = folder / found.value.suggested_filename
    found.value.save_as(path)
    return path


def open_section(page):
    page.get_by_role("button", name="Take away", exact=True).click()
    page.get_by_role("button", name="One HTML file", exact=True).wait_for(timeout=PATIENCE)


def opened(chromium, path):
    """The file in a browser without a network: its page, what it asked for, what it complained of."""
    context = chromium.new_context(viewport=SCREEN, offline=True)
    page, asked, said = context.new_page(), [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector(DRAWN, timeout=PATIENCE)
    return page, asked, said


def values(page, panel):
    """The numbers of every trace of a picture."""
    return page.eval_on_selector(
        f"[data-panel='{panel}']", "node => node.data.map(one => [Array.from(one.x ?? []), Array.from(one.y ?? [])])"
    )


def moment(page):
    return page.eval_on_selector("[data-panel='race-neurons']", "node => Number(node.dataset.moment)")


def test_what_a_visitor_takes_away_from_the_lab_and_another_lesson_opens_where_they_open_it(
    page, server, tmp_path, chromium
):
    open_lab(page, server)
    lead(page)
    rest(page)
    a_saved_picture_says_below_itself_what_it_shows(page, server, tmp_path)
    open_section(page)
    race = download(page, "One HTML file", tmp_path)
    assert race.stat().st_size <= MOST
    a_link_leads_on_while_the_list_is_open(page, server)
    step_to(page, f"{server.url}/kernels?part=solvers")
    page.get_by_role("button", name="Run race", exact=True).wait_for(state="detached", timeout=PATIENCE)
    page.wait_for_selector(".featdash-chart[data-updates]", timeout=PATIENCE)
    rest(page)
    solvers = the_files_name_the_page_that_they_come_from(page, server, tmp_path)

    words_and_numbers_are_there_without_scripts(chromium, race)
    shown, _, said = opened(chromium, solvers)
    assert shown.locator(".link a").get_attribute("href") == f"{server.url}/kernels?part=solvers"
    assert said == []
    shown.context.close()
    shown, asked, said = opened(chromium, race)
    shown.set_default_timeout(PATIENCE)
    before = its_film_plays_and_its_slider_moves(shown)
    its_stops_change_pictures_sentences_and_numbers(shown, before)
    assert asked == [race.as_uri()], "nothing is fetched"
    assert said == []
    it_fits_its_window_and_has_no_small_words(shown)
    shown.context.close()


def a_saved_picture_says_below_itself_what_it_shows(page, server, folder):
    chart = page.locator(".featdash-chart[data-panel='race-risk']")
    before = page.evaluate("node => JSON.stringify(node.layout)", chart.element_handle())

    def saved(kind):
        page.get_by_role("button", name=RISK_TOOLS).click()
        path = download(page, f"Save as {kind}", folder)
        assert page.evaluate("node => JSON.stringify(node.layout)", chart.element_handle()) == before, kind
        return path

    data = saved("PNG").read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = (int.from_bytes(data[at : at + 4]) for at in (16, 20))
    wide, high = chart.evaluate("node => [node.clientWidth, node.clientHeight]")  # as it was drawn, and not magnified
    assert width == 2 * wide
    assert height > 2 * high + 80, "room for the caption"

    page.get_by_role("button", name="Take away", exact=True).click()
    again = download(page, "Picture (PNG)", folder)
    assert again.read_bytes() == data, "the large picture, in two clicks"
    page.keyboard.press("Escape")
    words = " ".join(re.findall(r">([^<>]+)<", saved("SVG").read_text()))
    for said in (chart.get_attribute("aria-label")[:40], "Race: target", "figure-1", f"{server.url}/lab"):
        assert said in words.replace("\N{NO-BREAK SPACE}", " ").replace("&amp;", "&"), said


def a_link_leads_on_while_the_list_is_open(page, server):
    """The list closes, which is told to the server, and does not bring the page before back."""
    page.get_by_role("link", name="Home", exact=True).click()
    page.get_by_role("heading", name="Watch a network learn its features").wait_for(timeout=PATIENCE)
    rest(page)
    assert page.url == f"{server.url}/"
    expect(page.get_by_role("button", name="One HTML file", exact=True)).to_have_count(0)


def the_files_name_the_page_that_they_come_from(page, server, folder):
    """The HTML file, the notebook and the citation of the page of a lesson; returns the first."""
    open_section(page)
    html = download(page, "One HTML file", folder)
    book = nbformat.read(download(page, "Notebook (.ipynb)", folder), 4)
    (link,) = re.findall(r"\\url\{(.*?)\}", download(page, "Citation (BibTeX)", folder).read_text())
    assert link.startswith(f"{server.url}/kernels?part=solvers")
    assert re.fullmatch(r"solvers-[0-9a-f]{16}\.html", html.name)
    assert f"{server.url}/kernels?part=solvers" in book.cells[0].source
    return html


def its_film_plays_and_its_slider_moves(page):
    """Returns the numbers of the pictures before."""
    for panel in PANELS:
        page.wait_for_selector(f"[data-panel='{panel}'][data-updates]")
    page.locator("[data-panel='race-risk']").press("Enter")
    finding = page.locator(".featdash-headline", has_text="Algorithm 1 ends at")
    finding.wait_for()
    before = {panel: values(page, panel) for panel in PANELS}
    moments = page.get_by_role("slider", name="Moment")
    assert (moments.get_attribute("aria-valuetext"), moment(page)) == ("t = ∞", 1), "nothing plays by itself"

    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelector('[data-panel=race-neurons]').dataset.moment > 0.05")
    page.keyboard.press("Space")
    held = moment(page)
    assert 0.05 < held < 1
    page.keyboard.press(".")
    on = moment(page)
    page.keyboard.press(",")
    assert held < on
    assert moment(page) < on
    moments.evaluate("node => { node.value = 0.5; node.dispatchEvent(new Event('input')); }")
    page.wait_for_function(
        "was => JSON.stringify(Array.from(document.querySelector('[data-panel=race-neurons]').data[1].x)) !== was",
        arg=json.dumps(before["race-neurons"][1][0]),
    )
    assert not finding.is_visible(), "the verdict comes last"
    moments.press("End")
    page.wait_for_function("() => document.querySelector('[data-panel=race-neurons]').dataset.moment === '1.0000'")
    return before


def its_stops_change_pictures_sentences_and_numbers(page, before):
    row = page.locator("details[data-of='race-error'] tr:last-child")
    numbers, alt = row.text_content(), page.locator("[data-panel='race-error']").get_attribute("aria-label")
    updates = page.locator("[data-panel='race-profile']").get_attribute("data-updates")
    page.get_by_label(re.compile("^Ridge strength λ")).press("Home")
    page.wait_for_selector("body[data-stops='0']")
    assert page.locator(".stop").all_inner_texts() == ["10⁻⁴ × tuned λ"]
    page.wait_for_function(
        "was => Number(document.querySelector('[data-panel=race-profile]').dataset.updates) > was", arg=int(updates)
    )
    after = {panel: values(page, panel) for panel in PANELS}
    assert {panel for panel in PANELS if before[panel] != after[panel]} == {*PANELS} - {"race-neurons"}
    assert page.locator("[data-panel='race-error']").get_attribute("aria-label") != alt
    assert row.text_content() != numbers


def it_fits_its_window_and_has_no_small_words(page):
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width)
    small = page.evaluate(
        "[...document.querySelectorAll('body *')].filter(one => one.childElementCount === 0 && one.textContent.trim()"
        " && one.checkVisibility() && !one.closest('svg, math') && parseFloat(getComputedStyle(one).fontSize) < 13)"
        ".map(one => one.outerHTML.slice(0, 100))"
    )
    assert small == []


def words_and_numbers_are_there_without_scripts(chromium, path):
    context = chromium.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.goto(path.as_uri())
    assert "What can one gradient step learn" in page.inner_text("h1")
    assert page.locator("details table tr").count() > 100
    assert page.locator("math").count() > 10
    context.close()
