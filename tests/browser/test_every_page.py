"""Pages without pictures, and the first and the last scene of every story: no exception, nothing in the console.

What is explored is loaded by `test_layout.py`, part by part, under the same eye.
"""

import re
from contextlib import contextmanager

import pytest
from test_browser import PATIENCE, no_traceback, rest, step_to

from featdash.stories.course import ORDER
from featdash.ui.story import storybook

pytestmark = pytest.mark.browser
OTHERS = ["", "for_teachers", "lecture", "lecture?sheet=race", "class", "claims"]
LEAD = ".featdash-first .featdash-frame"
LEAD_SHARE = """() => {
  const area = (selector) => {
    const {width, height} = document.querySelector(selector).getBoundingClientRect();
    return width * height;
  };
  return area('.featdash-first .featdash-frame') / area('.featdash-stage');
}"""


@contextmanager
def complaints_of(tab):
    """What its console says in this block, with the address."""
    found = []

    def listen(said):
        # Streamlit looks for its server below each page's address first, and is told that it is not there.
        if said.type == "error" and "_stcore" not in said.location.get("url", ""):
            found.append((tab.url, said.text))

    def fail(error):
        found.append((tab.url, str(error)))

    tab.on("console", listen)
    tab.on("pageerror", fail)
    yield found
    tab.remove_listener("console", listen)
    tab.remove_listener("pageerror", fail)


@pytest.fixture
def complaints(new_tab):
    """Those of a tab; there may be none when the test ends."""
    with complaints_of(new_tab) as found:
        yield found
    assert found == []


def test_every_page_of_words_loads_without_a_complaint(new_tab, complaints, server):
    for address in OTHERS:
        new_tab.goto(f"{server.url}/{address}")
        new_tab.locator("h1").first.wait_for(state="attached", timeout=PATIENCE)
        rest(new_tab)
        no_traceback(new_tab)
        assert complaints == []


def test_the_course_leads_from_home_by_next_and_next_story_through_every_story(new_tab, complaints, server):
    """The first story scene by scene; of each other one its first scene and its last."""
    small, stories = {}, storybook.library().stories
    new_tab.set_default_timeout(PATIENCE)
    new_tab.goto(f"{server.url}/")
    new_tab.get_by_role("button", name="Start the course").click()
    for name in ORDER:
        scenes = stories[name].scenes
        for number, scene in enumerate(scenes, 1):
            if name != ORDER[0] and 1 < number < len(scenes):
                continue
            new_tab.get_by_role("heading", name=scene.title, level=2, exact=True).wait_for()
            new_tab.get_by_text(f"{number} of {len(scenes)}", exact=True).wait_for()
            new_tab.locator(LEAD).first.wait_for(state="attached")  # that of the story before may still be there
            rest(new_tab)
            no_traceback(new_tab)
            assert complaints == []
            if (share := new_tab.evaluate(LEAD_SHARE)) < 0.5:
                small[name, number] = share
            if name != ORDER[0] and number == 1:
                step_to(new_tab, f"{new_tab.url.partition('?')[0]}?story={name}&scene={len(scenes)}")
            elif number < len(scenes):
                new_tab.get_by_role("button", name=re.compile("^Next(?! story)")).click()
            elif scene.question:
                new_tab.get_by_role("button", name=re.compile("^Show me")).click()
        if name != ORDER[-1]:
            new_tab.get_by_role("button", name=re.compile("^Next story")).click()
    assert new_tab.get_by_role("button", name=re.compile("^Next story")).count() == 0, "the course ends here"
    assert small == {}, "the picture that leads has half of the stage"
