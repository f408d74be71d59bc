"""Every page, and every scene of every story in the course's order: nothing in the console, no exception."""

import re

import pytest
from test_browser import PATIENCE, no_traceback, rest

from featdash.lessons import PAGES
from featdash.stories.course import ORDER
from featdash.ui import storybook

pytestmark = pytest.mark.browser
OTHERS = ["", "for_teachers", "lecture", "lecture?sheet=race", "class", "claims"]
CHART = ".featdash-chart[data-updates]"
LEAD = ".featdash-first .featdash-frame"
SHARE = """() => {
  const area = (selector) => {
    const {width, height} = document.querySelector(selector).getBoundingClientRect();
    return width * height;
  };
  return area('.featdash-first .featdash-frame') / area('.featdash-stage');
}"""


def complaints_of(tab):
    """What its console says from now on, with the address."""
    found = []

    def listen(said):
        # Streamlit looks for its server below each page's address first, and is told that it is not there.
        if said.type == "error" and "_stcore" not in said.location.get("url", ""):
            found.append((tab.url, said.text))

    tab.on("console", listen)
    tab.on("pageerror", lambda error: found.append((tab.url, str(error))))
    return found


def test_every_page_loads_without_a_complaint(stranger, server):
    complaints, small = complaints_of(stranger), {}
    for address in [*OTHERS, *(f"{page}?mode=explore" for page in PAGES)]:
        stranger.goto(f"{server.url}/{address}")
        shown = "h1" if address in OTHERS else CHART
        stranger.locator(shown).first.wait_for(state="attached", timeout=PATIENCE)
        rest(stranger)
        no_traceback(stranger)
        if shown == CHART and (share := stranger.evaluate(SHARE)) < 0.5:
            small[address] = share
    assert complaints == []
    assert small == {}, "the picture that leads has half of the stage"


def test_from_home_next_and_next_story_lead_through_every_scene_of_the_course(stranger, server):
    complaints, small = complaints_of(stranger), {}
    stories = storybook.library().stories
    stranger.set_default_timeout(PATIENCE)
    stranger.goto(f"{server.url}/")
    stranger.get_by_role("button", name="Start the course").click()
    for name in ORDER:
        scenes = stories[name].scenes
        for number, scene in enumerate(scenes, 1):
            stranger.get_by_role("heading", name=scene.title, level=2, exact=True).wait_for()
            stranger.get_by_text(f"{number} of {len(scenes)}", exact=True).wait_for()
            stranger.locator(LEAD).first.wait_for(state="attached")  # that of the story before may still be there
            rest(stranger)
            no_traceback(stranger)
            if (share := stranger.evaluate(SHARE)) < 0.5:
                small[name, number] = share
            if number < len(scenes):
                stranger.get_by_role("button", name=re.compile("^Next(?! story)")).click()
            elif scene.question:
                stranger.get_by_role("button", name=re.compile("^Show me")).click()
        if name != ORDER[-1]:
            stranger.get_by_role("button", name=re.compile("^Next story")).click()
    assert stranger.get_by_role("button", name=re.compile("^Next story")).count() == 0, "the course ends here"
    assert complaints == []
    assert small == {}, "the picture that leads has half of the stage"
