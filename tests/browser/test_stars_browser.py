"""What the real page does at once: another theme draws the pictures anew."""

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
