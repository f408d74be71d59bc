"""The page of claims and the glossary in a real browser: filters, the way to a claim's place, a word explained."""

import re

import pytest
from test_browser import PATIENCE, no_traceback, rest

pytestmark = pytest.mark.browser
BUBBLE = ".featdash-bubble:popover-open"
WORD = "a[href='#word-seed']"
RECORDED = "a[href*='sample_complexity?'][href*='step_rule=fixed']"  # an open claim whose run is not computed


def shown(page):
    """(claims shown, all claims) as the caption has them."""
    first, _, last, _ = page.locator("text=/^\\d+ of \\d+ claims/").inner_text().split()
    return int(first), int(last)


def ask_for_a_kind(claims):
    """Show the open claims alone; how many they are, and how many all are."""
    every, last = shown(claims)
    assert every == last > 120
    claims.get_by_role("button", name="? open").click()
    claims.wait_for_function(f"() => !document.body.innerText.includes('{every} of {last} claims')", timeout=PATIENCE)
    few = shown(claims)[0]
    assert 10 < few < 40
    assert claims.get_by_text("∎ theorem gets").count() == 0
    return few, last


def see_its_lesson_and_come_back(claims, few, last):
    claims.evaluate("window.stayed = true")
    claims.locator(RECORDED).get_by_text("See the lesson").click()
    claims.wait_for_url("**/sample_complexity?*step_rule=fixed*", timeout=PATIENCE)
    claims.wait_for_selector(".featdash-chart[data-updates]", timeout=PATIENCE)
    assert claims.evaluate("window.stayed")  # the app was not loaded anew, nor in another tab
    no_traceback(claims)
    claims.go_back()
    claims.get_by_text(f"{few} of {last} claims").wait_for(timeout=PATIENCE)  # those that were asked for


def explain_a_word(claims):
    """To a pointer that rests on it, to a keyboard, and to who asks for it."""
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


def explain_words_in_a_narrow_window(claims):
    claims.set_viewport_size({"width": 390, "height": 844})
    words = claims.locator("a[href^='#word-']").all()[:12]
    assert len(words) == 12
    for word in words:
        word.scroll_into_view_if_needed()
        word.click()
        claims.locator(BUBBLE).wait_for(timeout=PATIENCE)
        box = claims.locator(BUBBLE).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
        assert box["y"] >= 0


def test_from_home_a_kind_can_be_asked_for_and_a_claim_opens_the_lesson_with_its_settings(page, server):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/")
    page.locator(".featdash-first .featdash-frame").first.wait_for(state="attached")
    rest(page)
    page.get_by_role("link", name="Claims").first.click()  # a newcomer sees what a claim rests on in two clicks
    page.get_by_text(re.compile(r" of \d+ claims")).wait_for()
    rest(page)
    place = page.get_by_role("link", name="Check it").first.get_attribute("href")
    assert re.search(r"^(?!claims)\w+\?", place), "it leads to a lesson with settings"
    few, last = ask_for_a_kind(page)
    see_its_lesson_and_come_back(page, few, last)


def test_a_word_is_explained_to_a_pointer_a_keyboard_and_a_finger_also_in_a_narrow_window(stranger, server):
    stranger.clock.install()
    stranger.goto(f"{server.url}/claims?kinds=%3F+open")  # the shortest list, which the address asks for
    stranger.wait_for_selector(".featdash-bubble", state="attached", timeout=PATIENCE)
    assert 10 < shown(stranger)[0] < 40
    explain_a_word(stranger)
    explain_words_in_a_narrow_window(stranger)
