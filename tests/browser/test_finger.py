"""A phone in the hand: what a tap, «Next» and the menu do on a narrow window that is touched."""

import pytest
from playwright.sync_api import expect
from real_server import CALM
from test_browser import PATIENCE, RISK, no_traceback, rest, step_to

pytestmark = pytest.mark.browser
PHONE = CALM | {"viewport": {"width": 390, "height": 640}, "has_touch": True, "is_mobile": True}
SCROLLED = "() => document.querySelector('[data-testid=stMain]').scrollTop"
RANGE = "chart => document.querySelector(chart)._fullLayout.yaxis.range.map(Number)"

CURVES = "[data-panel=recovery-timeline]"
ACROSS = "chart => document.querySelector(chart)._fullLayout.xaxis.range.map(Number)"
SPACE = "[data-panel=recovery-neurons][data-updates]"
EYE = "chart => Object.values(document.querySelector(chart)._fullLayout.scene._scene.getCamera().eye)"


def draw_finger(page, picture, across, down):
    """Over the middle of a picture, by that many pixels."""
    box = picture.bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    browser = page.context.new_cdp_session(page)
    browser.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for share in (0.2, 0.4, 0.6, 0.8, 1):
        touch = {"x": x + share * across, "y": y + share * down}
        browser.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [touch]})
    browser.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    browser.detach()


@pytest.fixture
def phone(chromium):
    context = chromium.new_context(**PHONE)
    context.set_default_timeout(PATIENCE)
    yield context.new_page()
    context.close()


def test_a_scene_begins_at_its_top_a_tap_is_one_tap_and_the_menu_closes(phone, server):
    phone.goto(f"{server.url}/lab?story=race&scene=2")
    phone.get_by_text("2 of 8", exact=True).wait_for()
    rest(phone)
    phone.wait_for_selector(".featdash-chart[data-updates]")
    phone.get_by_role("button", name="Present").scroll_into_view_if_needed()  # below the pictures
    assert phone.evaluate(SCROLLED) > 0
    phone.get_by_role("button", name="Next").tap()
    phone.wait_for_url("**scene=3*")
    phone.wait_for_function(f"() => ({SCROLLED})() === 0")
    phone.wait_for_selector(f"{RISK}[data-updates]")
    rest(phone)
    before = phone.evaluate(RANGE, RISK)
    box = phone.locator(f"{RISK} .nsewdrag").bounding_box()
    phone.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    guess = "chart => document.querySelector(chart).layout.annotations.some(({text}) => text.includes('your guess'))"
    phone.wait_for_function(guess, arg=RISK)
    rest(phone)
    assert phone.evaluate(RANGE, RISK) == before, "no second tap, which would show all"

    phone.get_by_test_id("stExpandSidebarButton").tap()
    menu = phone.get_by_test_id("stSidebar")
    expect(menu.get_by_role("link", name="Lab", exact=True)).to_be_in_viewport()
    phone.get_by_test_id("stSidebarCollapseButton").locator("button").tap(trial=True)  # nothing lies over it
    menu.get_by_role("link", name="Recovery", exact=True).tap()
    phone.wait_for_url("**/recovery*")
    expect(menu.get_by_role("link", name="Lab", exact=True)).not_to_be_in_viewport(timeout=PATIENCE)
    no_traceback(phone)

    space = phone.locator(f"{SPACE} canvas").first
    space.evaluate("space => space.scrollIntoView({block: 'center'})")
    at, seen = phone.evaluate(SCROLLED), phone.evaluate(EYE, SPACE)
    draw_finger(phone, space, 10, -90)
    phone.wait_for_function(f"at => ({SCROLLED})() > at + 50", arg=at)  # up: on, as over any other picture
    assert phone.evaluate(EYE, SPACE) == pytest.approx(seen)
    space.evaluate("space => space.scrollIntoView({block: 'center'})")
    draw_finger(phone, space, 60, 10)
    assert phone.evaluate(EYE, SPACE) != pytest.approx(seen), "across: the space is turned"

    step_to(phone, f"{server.url}/recovery?mode=explore")
    phone.wait_for_selector(f"{CURVES}[data-updates]")
    rest(phone)
    phone.get_by_role("button", name="Tools of the picture").first.tap()
    phone.get_by_role("button", name="Drag to zoom").tap()
    plot = phone.locator(f"{CURVES} .nsewdrag").first
    plot.evaluate("plot => plot.scrollIntoView({block: 'center'})")
    seen = phone.evaluate(ACROSS, CURVES)
    draw_finger(phone, plot, 60, 70)
    phone.wait_for_function(f"([chart, seen]) => String(({ACROSS})(chart)) !== String(seen)", arg=[CURVES, seen])
    the_help_of_a_switch_explains_it_and_does_not_turn_it(phone)


def the_help_of_a_switch_explains_it_and_does_not_turn_it(phone):
    phone.get_by_role("button", name="Settings").tap()
    switch = phone.get_by_role("switch", name="Run by itself")
    before = switch.is_checked()
    phone.get_by_role("button", name="Help for Run by itself").tap()
    expect(phone.get_by_test_id("stTooltipContent")).to_contain_text("computed at once")
    rest(phone)
    assert switch.is_checked() == before
    phone.get_by_text("Run by itself", exact=True).tap()
    expect(switch).to_be_checked(checked=not before)
