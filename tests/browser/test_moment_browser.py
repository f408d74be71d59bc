"""One moment on the real page: the stars stand still, and a replay's sliders and pictures tell one moment."""

import re

import pytest
from test_browser import PATIENCE, no_traceback, open_lab, press, wait_for_text

pytestmark = pytest.mark.browser
NEURONS = ".featdash-chart[data-panel='race-neurons']"
STANDS = 1.0  # pixel; a place is rounded to a part of one

# Where u₁ is on the screen, from the map's left upper corner.
PLACE = """selector => {
  const {_fullLayout: {xaxis, yaxis}, data} = document.querySelector(selector), stars = data.at(-1);
  return [xaxis.d2p(stars.x[0]), yaxis.d2p(stars.y[0])];
}"""
TITLE = "s => document.querySelector(s)?._fullLayout?.title.text ?? ''"
# What is on show, noted by the page itself whenever it has changed, for a busy machine looks too seldom.
RECORD = """() => {
  const places = {n: 'Neurons after the step on', t: 'Head steps t'}, seen = [];
  const picture = name => document.querySelector(`.featdash-chart[data-panel='race-${name}']`);
  setInterval(() => {
    const at = {lines: 0, title: picture('neurons')?._fullLayout?.title.text};
    const risk = picture('risk')?.closest('.featdash-awaited') ? null : picture('risk');
    for (const trace of risk?.data ?? []) at.lines += trace.name && trace.y?.length > 1 ? 1 : 0;
    for (const [name, label] of Object.entries(places)) {
      const slider = document.querySelector(`[data-testid=stSlider] [role=group][aria-label='${label}']`);
      at[name] = slider?.querySelector('input').getAttribute('aria-valuetext');
      at.held = Boolean(slider?.dataset.disabled);
    }
    at.later = picture('energy')?._fullLayout?.title.text.endsWith('— at the end');
    if (JSON.stringify(at) !== JSON.stringify(seen.at(-1))) seen.push(at);
  }, 30);
  window.moments = seen;
}"""
OVER = "() => window.moments.some(one => one.held) && !window.moments.at(-1).held"


def test_u1_keeps_its_place_at_every_n(page, server):
    page.set_default_timeout(PATIENCE)
    open_lab(page, server)
    page.wait_for_selector(f"{NEURONS}[data-updates]")
    wait_for_text(page, "Neurons after the step on")
    first = page.evaluate(PLACE, NEURONS)
    slider, stops = page.get_by_role("slider", name="Neurons after the step on"), 0
    while slider.input_value() != "0":
        before = page.evaluate(TITLE, NEURONS)
        slider.press("ArrowLeft")
        page.wait_for_function(f"([s, before]) => ({TITLE})(s) !== before", arg=[NEURONS, before])
        assert page.evaluate(PLACE, NEURONS) == pytest.approx(first, abs=STANDS), page.evaluate(TITLE, NEURONS)
        stops += 1
    assert stops > 8, "from all samples to none"
    no_traceback(page)


def test_a_replay_plays_the_step_and_then_the_head_with_its_sliders(page, server):
    page.set_default_timeout(PATIENCE)
    open_lab(page, server)
    page.wait_for_selector(f"{NEURONS}[data-updates]")
    wait_for_text(page, "Neurons after the step on")
    page.evaluate(RECORD)
    press(page, "Replay race")
    page.wait_for_function(OVER)
    page.wait_for_function(f"s => ({TITLE})(s).endsWith('n = 10\u202f000')", arg=NEURONS)
    page.wait_for_function("() => window.moments.at(-1).later === false")  # all panels stand again
    seen = page.evaluate("window.moments")
    played = [one for one in seen if one["held"]]
    # By the slider, which is set, maybe twice, before the pictures are drawn: risk, then neurons, then others.
    step = [one for one in played if _number(one["n"]) < 10_000]
    assert len({one["title"] for one in step}) > 3, "the step was played"
    lines = [one["lines"] for one in step]
    assert lines == sorted(lines, reverse=True), "what stood before goes, and no head comes in the step"
    drawn = [one for one in step if one["title"] != step[0]["title"]]
    assert all(one["lines"] == 0 for one in drawn), "no head has trained before the step is taken"
    assert all(one["t"] == "t = 0" for one in step[1:])
    assert any(_number(one["n"]) == _number(one["title"]) for one in step), "slider and picture meet"
    heads = [one["t"] for one in played[played.index(step[-1]) + 1 :] if one["lines"]]
    assert len(set(heads)) > 3, "and then the head"
    assert any(one["later"] for one in played), "what knows no other moment says so"
    assert (seen[-1]["n"], seen[-1]["t"], seen[-1]["later"]) == ("n = 10\u202f000", "t = ∞", False)
    no_traceback(page)


def _number(text):
    """The number at the end of a title or of a slider's word; 0 where there is none."""
    told = re.search(r"n = ([\d\s\u202f]+)$", text or "")
    return int(re.sub(r"\D", "", told[1])) if told else 0
