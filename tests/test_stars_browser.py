"""What moves and what stands still on the real page: stars, sliders of a replay, the theme, and a refused number."""

import re

import pytest
from test_browser import PATIENCE, no_traceback, open_lab, press

pytestmark = pytest.mark.browser
NEURONS = ".featdash-chart[data-panel='race-neurons']"
RISK = ".featdash-chart[data-panel='race-risk']"
STANDS = 1.0  # pixel; a place is rounded to a part of one

# Where u₁ is on the screen, from the panel's left upper corner, in «before» and in «now».
PLACES = """selector => {
  const node = document.querySelector(selector);
  if (node?.data?.length !== 4) return null;
  return [['xaxis', 'yaxis', 1], ['xaxis2', 'yaxis2', 3]].map(([x, y, star]) => {
    const {_fullLayout: layout, data} = node;
    return [layout[x].d2p(data[star].x[0]), layout[y].d2p(data[star].y[0])];
  });
}"""
MOMENT = """([risk, neurons]) => {
  const sliders = [...document.querySelectorAll('[data-testid=stSlider]')];
  const shown = sliders.map(one => one.innerText.replace(/\\s+/g, ' '));
  const title = document.querySelector(neurons)?._fullLayout?.title.text;
  if (!title || !document.querySelector(risk)?.data) return null;
  const lines = document.querySelector(risk).data.filter(trace => trace.y?.length > 1 && trace.name);
  const disabled = [...document.querySelectorAll('[data-testid=stSlider] [role=slider]')].map(
    one => one.getAttribute('aria-disabled') === 'true' || one.closest('[disabled],[aria-disabled=true]') !== null);
  return {shown, title, lines: lines.length, disabled};
}"""


def places(page):
    shown = page.wait_for_function(PLACES, arg=NEURONS, timeout=PATIENCE).json_value()
    return [value for place in shown for value in place]


def test_u1_keeps_its_place_on_the_screen_before_and_now_and_at_every_n(page, server):
    open_lab(page, server, "seed=31&n=1000&width=40&holdout=1000&test=1000&steps=1000")
    press(page, "Run race")
    page.get_by_role("button", name="Replay race", exact=True).wait_for(timeout=PATIENCE)
    first = places(page)
    assert first[:2] == pytest.approx(first[2:], abs=STANDS), "the same place in both panels"
    slider = page.get_by_role("slider", name="Samples in the step")
    title = "s => document.querySelector(s)?._fullLayout?.title.text"
    for _ in range(6):
        before = page.evaluate(title, NEURONS)
        slider.focus()
        for _ in range(3):
            page.keyboard.press("ArrowLeft")
        page.wait_for_function(f"([s, before]) => ({title})(s) !== before", arg=[NEURONS, before], timeout=PATIENCE)
        assert places(page) == pytest.approx(first, abs=STANDS)
    no_traceback(page)


def test_sliders_and_pictures_of_a_replay_are_of_one_moment(page, server):
    open_lab(page, server)
    page.wait_for_selector(f"{NEURONS}[data-updates]")
    press(page, "Replay race")
    page.wait_for_function("s => /, n = \\d$/.test(document.querySelector(s)?._fullLayout?.title.text)", arg=NEURONS)
    steps, heads = 0, 0
    for _ in range(80):
        seen = page.wait_for_function(MOMENT, arg=[RISK, NEURONS], timeout=PATIENCE).json_value()
        told = next((text for text in seen["shown"] if "neurons at n" in text), None)
        if page.get_by_text(re.compile("at the end of the run")).count() == 0 and heads:
            break
        if told and all(seen["disabled"]):
            of_picture = re.search(r", n = ([\d\u202f ]+)$", seen["title"])
            n = int(re.sub(r"\D", "", of_picture[1])) if of_picture else 0
            at_end = n == 10_000
            if not at_end:
                steps += 1
                assert seen["lines"] == 0, "no head has trained before the step is taken"
                assert any("t = 0" in text for text in seen["shown"])
                assert "∞" not in " ".join(seen["shown"])
            elif seen["lines"]:
                heads += 1
        page.wait_for_timeout(200)
    assert steps > 3, "the step was played"
    assert heads > 1, "and then the head"
    page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid=stSlider]')].some(one => one.innerText.includes('t = ∞'))",
        timeout=PATIENCE,
    )
    no_traceback(page)


def test_another_theme_draws_the_pictures_anew_without_another_click(page, server):
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
