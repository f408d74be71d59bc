"""What the real page does at once: another theme draws the pictures anew, and a refused number says so."""

import re

import pytest
from test_browser import PATIENCE, no_traceback, open_lab

pytestmark = pytest.mark.browser
RISK = ".featdash-chart[data-panel='race-risk']"


def test_another_theme_draws_the_pictures_anew_without_another_click(page, server):
    page.set_default_timeout(PATIENCE)
    open_lab(page, server)
    paper = "s => document.querySelector(s)._fullLayout.paper_bgcolor"
    assert page.evaluate(paper, RISK) == "#FFFFFF"
    page.get_by_role("button", name="Main menu").or_(page.get_by_test_id("stMainMenu").locator("button")).first.click()
    for name in ("Dark", "Light"):
        page.get_by_role("radio", name=name).or_(page.get_by_role("button", name=name, exact=True)).or_(
            page.get_by_role("menuitemradio", name=name)
        ).first.click()
        colour = {"Dark": "#0E1117", "Light": "#FFFFFF"}[name]
        page.wait_for_function(f"([s, colour]) => ({paper})(s) === colour", arg=[RISK, colour])
    no_traceback(page)


def test_a_number_out_of_range_is_refused_in_a_sentence_and_run_waits(page, server):
    page.set_default_timeout(PATIENCE)
    open_lab(page, server, "n=500")
    box = page.get_by_role("spinbutton", name="Dimension d")
    run = page.get_by_role("button", name="Run race", exact=True)
    box.fill("1000")
    box.press("Enter")
    alert = page.locator("[data-testid=stAlert]").first
    alert.wait_for()
    assert (
        alert.inner_text().strip() == "Dimension d must be a whole number from 2 to 200, got 1000; lower Dimension d."
    )
    assert run.is_disabled()
    assert box.input_value() == "1000", "what was typed is not lost"
    box.fill("12")
    box.press("Enter")
    alert.wait_for(state="detached")
    page.wait_for_url(re.compile("d=12"))
    assert "n=500" in page.url
    page.wait_for_function(
        "() => [...document.querySelectorAll('button')].some(b => b.innerText.trim() === 'Run race' && !b.disabled)"
    )
    no_traceback(page)
