"""The page of claims and the glossary in a real browser: filters, the way to a claim's place, a word explained."""

import pytest
from test_browser import PATIENCE, no_traceback, stop_race

pytestmark = pytest.mark.browser
BUBBLE = ".featdash-bubble:popover-open"
WORD = "a[href='#word-seed']"


def come(page, server):
    page.goto(f"{server.url}/claims")
    page.wait_for_selector("text=/ of \\d+ claims/", timeout=PATIENCE)
    page.wait_for_selector(".featdash-bubble", state="attached", timeout=PATIENCE)


def shown(page):
    """(claims shown, all claims) as the caption has them."""
    first, _, last, _ = page.locator("text=/^\\d+ of \\d+ claims/").inner_text().split()
    return int(first), int(last)


def test_a_kind_can_be_asked_for_and_a_claim_opens_the_lesson_with_its_settings(page, server):
    claims = page
    come(claims, server)
    every, last = shown(claims)
    assert every == last > 120
    claims.get_by_role("button", name="? open").click()
    claims.wait_for_function(f"() => !document.body.innerText.includes('{every} of {last} claims')", timeout=PATIENCE)
    few = shown(claims)[0]
    assert 10 < few < 40
    assert claims.get_by_text("∎ theorem gets").count() == 0
    claims.evaluate("window.stayed = true")
    claims.get_by_role("link", name="See the lesson").first.click()
    claims.wait_for_url("**/lab?*step_rule=fixed*", timeout=PATIENCE)
    claims.wait_for_selector(".featdash-chart[data-updates]", timeout=PATIENCE)
    assert claims.evaluate("window.stayed")  # the app was not loaded anew, nor in another tab
    no_traceback(claims)
    stop_race(claims)
    claims.go_back()
    claims.get_by_text(f"{few} of {last} claims").wait_for(timeout=PATIENCE)  # those that were asked for


def test_a_word_is_explained_to_a_pointer_a_keyboard_and_a_finger_also_in_a_narrow_window(stranger, server):
    claims = stranger
    claims.clock.install()
    come(claims, server)
    word, bubble = claims.locator(WORD).first, claims.locator(BUBBLE)
    word.hover()
    bubble.wait_for(timeout=PATIENCE)
    assert "random draws" in bubble.inner_text()
    claims.mouse.move(1, 1)
    bubble.wait_for(state="detached", timeout=PATIENCE)

    claims.keyboard.press("Tab")
    word.focus()
    bubble.wait_for(timeout=PATIENCE)
    assert word.get_attribute("aria-describedby") == bubble.get_attribute("id")
    claims.keyboard.press("Escape")
    bubble.wait_for(state="detached", timeout=PATIENCE)

    word.click()
    claims.mouse.move(1, 1)
    claims.clock.fast_forward(500)
    assert bubble.count() == 1  # asked for, it stays
    assert "#" not in claims.url
    claims.locator("h1").first.click()
    bubble.wait_for(state="detached", timeout=PATIENCE)

    claims.set_viewport_size({"width": 390, "height": 844})
    for word in claims.locator("a[href^='#word-']").all()[:12]:
        word.scroll_into_view_if_needed()
        word.click()
        claims.locator(BUBBLE).wait_for(timeout=PATIENCE)
        box = claims.locator(BUBBLE).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] >= 0
