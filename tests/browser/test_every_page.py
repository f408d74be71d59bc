"""Every page, and every story's first and last scene, in one browser: nothing in the console, no exception."""

import pytest
from test_browser import PATIENCE, no_traceback, rest
from wall_words import walls

from featdash.lessons import PAGES

pytestmark = pytest.mark.browser
OTHERS = ["", "for_teachers", "lecture", "lecture?sheet=race", "class", "claims"]
CHART = ".featdash-chart[data-updates]"
SHARE = """() => {
  const area = (selector) => {
    const {width, height} = document.querySelector(selector).getBoundingClientRect();
    return width * height;
  };
  return area('.featdash-first .featdash-frame') / area('.featdash-stage');
}"""


def addresses():
    """Of each page as one explores it, and of both ends of each story."""
    scenes = {}
    for (story, _), address in walls().items():
        scenes.setdefault(story, []).append(address.removesuffix("&present=1"))
    ends = [end for one in scenes.values() for end in (one[0], one[-1])]
    return [*OTHERS, *(f"{page}?mode=explore" for page in PAGES), *ends]


def test_every_page_and_both_ends_of_every_story_load_without_a_complaint(new_tab, server):
    complaints, small = [], {}

    def listen(said):
        # Streamlit looks for its server below each page's address first, and is told that it is not there.
        if said.type == "error" and "_stcore" not in said.location.get("url", ""):
            complaints.append((new_tab.url, said.text))

    new_tab.on("console", listen)
    new_tab.on("pageerror", lambda error: complaints.append((new_tab.url, str(error))))
    for address in addresses():
        new_tab.goto(f"{server.url}/{address}")
        shown = "h1" if address in OTHERS else CHART
        new_tab.locator(shown).first.wait_for(state="attached", timeout=PATIENCE)
        rest(new_tab)
        no_traceback(new_tab)
        if shown == CHART and (share := new_tab.evaluate(SHARE)) < 0.5:
            small[address] = share
    assert complaints == []
    assert small == {}, "the picture that leads has half of the stage"
