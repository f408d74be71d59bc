"""The film of the race on the real page: played, held, stepped and dragged by one timeline, and the verdict last."""

import itertools

import pytest
from test_browser import PATIENCE, RISK, no_traceback, rest, step_to, wait_for_text

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


def moment(page):
    return page.evaluate(MOMENT, NEURONS)


LOSE_ONE = """() => {
  const { stage } = document.querySelector('.featdash-frame').featdash;
  const { component } = stage;
  let lost = false;
  const setTriggerValue = (...said) => lost ? component.setTriggerValue(...said) : (lost = true);
  stage.component = { ...component, setTriggerValue };
}"""


def lead_by_space_on_a_wall(page, server):
    """It alone shows, plays and holds, and a held picture says of which moment it is."""
    page.goto(f"{server.url}/lab?story=race&scene=4&present=1")
    page.wait_for_selector(f"{NEURONS}[data-updates]")
    rest(page)  # the keys are listened to from the end of the page on
    page.keyboard.press("Space")  # nothing has been clicked on
    page.wait_for_function(f"selector => ({MOMENT})(selector) > 0 && ({MOMENT})(selector) < 1", arg=NEURONS)
    page.locator("button", has_text="Show me").wait_for(state="detached")  # whose key it was
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
    page.wait_for_function(f"([selector, held]) => ({MOMENT})(selector) > held", arg=[NEURONS, held])
    slider.press("End")
    page.wait_for_function(f"selector => ({MOMENT})(selector) === 1", arg=NEURONS)
    assert not page.get_attribute(NEURONS, "aria-label").startswith("At ")


def play_to_the_verdict(page, server):
    step_to(page, f"{server.url}/lab?story=race&scene=8")
    page.get_by_text("8 of 8", exact=True).wait_for()
    page.wait_for_selector(f"{NEURONS}[data-updates]")
    page.wait_for_selector(f"{RISK}[data-updates]")
    rest(page)
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


def hold_step_and_drag(page):
    slider = page.get_by_role("slider", name="Moment")
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


def wait_for_the_answer(page, server):
    """It comes when the film has ended."""
    answer = "In ten dimensions it takes several times"
    step_to(page, f"{server.url}/lab?story=race&scene=6")
    page.get_by_text("6 of 8", exact=True).wait_for()
    page.get_by_role("button", name="Show me").click()
    wait_for_text(page, "Watch: the answer comes")
    assert page.get_by_text(answer).count() == 0
    rest(page)  # before that the film begins once more, and plays to its end
    page.evaluate(LOSE_ONE)  # the first time that the film says so, the page does not hear it
    page.get_by_role("slider", name="Moment").press("End")
    wait_for_text(page, answer)


def have_the_answer_at_once_without_motion(page, server):
    page.emulate_media(reduced_motion="reduce")
    step_to(page, f"{server.url}/lab?story=race&scene=7")
    page.get_by_text("7 of 8", exact=True).wait_for()
    page.get_by_role("button", name="Show me").click()
    wait_for_text(page, "The bends cancel on average")
    page.emulate_media(reduced_motion="no-preference")


def hold_between_two_measured_dimensions(page, server):
    """A band is drawn as far as its curve."""
    step_to(page, f"{server.url}/kernels?part=support")
    errors = ".featdash-chart[data-panel='support-error']"
    page.wait_for_selector(f"{errors}[data-updates]")
    rest(page)
    page.get_by_role("button", name="Play", exact=True).click()
    page.wait_for_function(f"selector => ({MOMENT})(selector) > 0.4", arg=errors)
    page.keyboard.press("Space")
    assert page.evaluate(MOMENT, errors) < 1
    ends = page.evaluate(ENDS, errors)
    assert ends[0] == ends[1]
    assert ends[0] not in (4, 10, 30, 100)


def test_films_play_and_are_held_stepped_and_dragged_and_the_answer_comes_last(page, server):
    page.set_default_timeout(PATIENCE)
    page.emulate_media(reduced_motion="no-preference")
    lead_by_space_on_a_wall(page, server)
    play_to_the_verdict(page, server)
    hold_step_and_drag(page)
    wait_for_the_answer(page, server)
    have_the_answer_at_once_without_motion(page, server)
    no_traceback(page)
    hold_between_two_measured_dimensions(page, server)
    no_traceback(page)
