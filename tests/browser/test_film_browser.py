"""The film of the race on the real page: played, held, stepped and dragged by one timeline, and the verdict last."""

import itertools

import pytest
from test_browser import PATIENCE, RISK, no_traceback, rest, wait_for_text

pytestmark = pytest.mark.browser
NEURONS = ".featdash-chart[data-panel='race-neurons']"
# What is on show, noted at each frame of the browser.
RECORD = """selector => {
  const node = document.querySelector(selector), seen = (window.seen = []);
  const look = () => {
    const now = node.data.find(({name}) => name === "now");
    const note = node.layout.annotations.find(({name}) => name === "alignment");
    const [x, y] = [Array.from(now.x), Array.from(now.y)], moment = Number(node.dataset.moment);
    const headlines = [...document.querySelectorAll(".featdash-headline")].filter((one) => one.textContent);
    const verdict = headlines.some((one) => getComputedStyle(one).visibility === "visible");
    seen.push({x, y, moment, aligned: Number(note.text.replace(/<[^>]*>/g, "")), verdict});
    if (moment < 1 || seen.every((one) => one.moment === 1)) requestAnimationFrame(look); // it may not have begun
    else window.over = true;
  };
  requestAnimationFrame(look);
}"""
ENDS = "selector => document.querySelector(selector).data.slice(0, 2).map(({x}) => Math.max(...x))"
MOMENT = "selector => Number(document.querySelector(selector).dataset.moment)"


@pytest.fixture(autouse=True)
def moving(page):
    page.emulate_media(reduced_motion="no-preference")


def moment(page):
    return page.evaluate(MOMENT, NEURONS)


def test_the_film_plays_and_is_held_stepped_and_dragged(page, server):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/lab?story=race&scene=8")
    page.wait_for_selector(f"{NEURONS}[data-updates]")
    page.wait_for_selector(f"{RISK}[data-updates]")
    slider = page.get_by_role("slider", name="Moment")
    assert (slider.get_attribute("aria-valuetext"), moment(page)) == ("t = ∞", 1)
    page.get_by_role("button", name="Play", exact=True).click()
    page.evaluate(RECORD, NEURONS)
    page.wait_for_function("() => window.over")
    seen = page.evaluate("window.seen")
    step = [one for one in seen if one["moment"] < 0.5]
    assert len({one["x"][3] for one in step}) > 20, "the neurons move"
    aligned = [one["aligned"] for one in seen]
    assert aligned == sorted(aligned), "from the untrained layer to the step the gauge only rises"
    assert aligned[0] < 0.2 < 0.9 < aligned[-1]
    for before, now in itertools.pairwise(step):
        ways = [abs(a - b) for name in "xy" for a, b in zip(before[name], now[name], strict=True)]
        assert max(ways) < 2.5 / 3, "no neuron jumps over a third of the map"
    assert not any(one["verdict"] for one in seen if one["moment"] < 1), "the verdict comes last"
    page.wait_for_function("() => !document.querySelector('.featdash-midway')")
    assert page.locator(".featdash-headline", has_text="Algorithm 1 ends at").is_visible()

    page.keyboard.press("Space")  # from its beginning
    page.wait_for_function(f"selector => ({MOMENT})(selector) > 0.05", arg=NEURONS)
    page.keyboard.press("Space")
    held = moment(page)
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert moment(page) == held < 0.5, "it is held within a frame"
    page.keyboard.press(".")
    on = moment(page)
    assert on > held
    slider.evaluate("node => { node.value -= 2e-4; node.dispatchEvent(new Event('input')); }")
    page.keyboard.press(".")
    assert moment(page) > on, "held just before a moment that was computed, it goes to the next one"
    page.keyboard.press(",")
    assert moment(page) == on
    slider.focus()
    slider.press("End")
    page.wait_for_function(f"selector => ({MOMENT})(selector) === 1", arg=NEURONS)
    no_traceback(page)


LOSE_ONE = """() => {
  const { stage } = document.querySelector('.featdash-frame').featdash;
  const { component } = stage;
  let lost = false;
  const setTriggerValue = (...said) => lost ? component.setTriggerValue(...said) : (lost = true);
  stage.component = { ...component, setTriggerValue };
}"""


def test_on_a_wall_space_alone_shows_plays_and_holds_and_a_held_picture_says_of_which_moment_it_is(page, server):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/lab?story=race&scene=4&present=1")
    page.wait_for_selector(f"{NEURONS}[data-updates]")
    rest(page)  # the keys are listened to from the end of the page on
    page.keyboard.press("Space")  # nothing has been clicked on
    plays = f"selector => ({MOMENT})(selector) > 0 && ({MOMENT})(selector) < 1"
    page.wait_for_function(plays, arg=NEURONS)
    page.wait_for_function(f"selector => ({MOMENT})(selector) === 1", arg=NEURONS)
    rest(page)  # «Show me», whose key it was, has left the page
    page.keyboard.press("Space")  # from its beginning
    page.wait_for_function(plays, arg=NEURONS)
    page.keyboard.press("Space")
    slider = page.get_by_role("slider", name="Moment")
    page.get_by_role("button", name="Play", exact=True).wait_for()  # it is held
    held = moment(page)
    assert 0 < held < 1
    assert page.get_attribute(NEURONS, "aria-label").startswith(f"At {slider.get_attribute('aria-valuetext')}. ")
    read_out = page.locator(".featdash-timeline :is(output, [role=status], [aria-live])")
    assert read_out.count() == 0, "a film is not"
    assert moment(page) == held
    page.keyboard.press("Space")
    page.wait_for_function(f"selector => ({MOMENT})(selector) === 1", arg=NEURONS)
    assert not page.get_attribute(NEURONS, "aria-label").startswith("At ")


def test_in_a_story_the_answer_comes_when_the_film_has_ended_and_without_motion_at_once(page, server):
    page.set_default_timeout(PATIENCE)
    answer = "The alignment is 0.93"
    page.goto(f"{server.url}/lab?story=race&scene=4")
    page.get_by_role("button", name="Show me").click()
    wait_for_text(page, "Watch: the answer comes")
    assert page.get_by_text(answer).count() == 0
    rest(page)  # before that the film begins once more, and plays to its end
    page.evaluate(LOSE_ONE)  # the first time that the film says so, the page does not hear it
    page.get_by_role("slider", name="Moment").press("End")
    wait_for_text(page, answer)
    page.emulate_media(reduced_motion="reduce")
    page.reload()
    page.get_by_role("button", name="Show me").click()
    wait_for_text(page, answer)
    no_traceback(page)


def test_a_band_is_drawn_as_far_as_its_curve(page, server):
    page.set_default_timeout(PATIENCE)
    page.goto(f"{server.url}/kernels?part=support")
    errors = ".featdash-chart[data-panel='support-error']"
    page.wait_for_selector(f"{errors}[data-updates]")
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"selector => ({MOMENT})(selector) > 0.4", arg=errors)
    page.keyboard.press("Space")
    assert page.evaluate(MOMENT, errors) < 1
    ends = page.evaluate(ENDS, errors)
    assert ends[0] == ends[1]
    assert ends[0] not in (4, 10, 30, 100), "between two measured dimensions"
    no_traceback(page)
