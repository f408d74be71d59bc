"""The course in a real browser: from Home into the first story, on to the next one, and what is remembered of both."""

import re

import pytest
from streamlit.proto.BackMsg_pb2 import BackMsg
from test_browser import PATIENCE, no_traceback, rest

from featdash.stories.course import ORDER
from featdash.ui.story import storybook

pytestmark = pytest.mark.browser
NOTHING_STORED = "() => !localStorage['featdash.progress']"
TOLD = """window.told = [];
window.featdashProgress = {
  forget: 0,
  set say(tell) { this.tell = tell; },
  get say() { return (text, cleared) => { window.told.push(text); this.tell(text, cleared); }; },
};"""
LATEST = """name => {
  const places = Object.entries(JSON.parse(localStorage["featdash.progress"]).places);
  return places.sort(([, [a]], [, [b]]) => b - a)[0][0] === name;
}"""
LEAVE_AND_SAY = """name => {
  [...document.querySelectorAll('a')].find((link) => link.textContent.trim() === name).click();
  window.featdashLecture.say('[]', false);
  window.featdashProgress.say(localStorage['featdash.progress'], false);
}"""


def whole_pages_asked_for(tab):
    """The requests for a whole page that this tab makes from now on."""
    asked = []

    def note(frame):
        request = BackMsg.FromString(frame).rerun_script
        asked.extend([request] if not request.fragment_id else [])

    tab.on("websocket", lambda socket: socket.on("framesent", note))
    return asked


def test_what_was_finished_survives_a_reload_until_it_is_forgotten(new_tab, server):
    new_tab.set_default_timeout(PATIENCE)
    new_tab.add_init_script(TOLD)
    new_tab.goto(f"{server.url}/")
    new_tab.get_by_role("button", name="Start the course").click()
    new_tab.wait_for_url(f"**/lab?story={ORDER[0]}&scene=1")
    new_tab.get_by_role("button", name=re.compile("^Next")).click()
    new_tab.wait_for_url("**scene=2*")
    kept = "name => JSON.parse(localStorage['featdash.progress'] ?? '{}').places?.[name]?.[1] === 2"
    new_tab.wait_for_function(kept, arg=ORDER[0])
    assert new_tab.evaluate("window.told") == [], "what the session itself has stored draws no page anew"
    new_tab.goto(f"{server.url}/")
    new_tab.get_by_role("button", name=re.compile("^Go on: .*, scene 2$")).click()
    new_tab.wait_for_url(f"**/lab?story={ORDER[0]}&scene=2")
    new_tab.goto(f"{server.url}/lab")  # a session that knows nothing, and an address without a scene
    new_tab.get_by_text("2 of 8", exact=True).wait_for()
    last = len(storybook.library().stories[ORDER[0]].scenes)
    new_tab.goto(f"{server.url}/lab?story={ORDER[0]}&scene={last}")
    new_tab.wait_for_function(
        f"() => (localStorage['featdash.progress'] ?? '').includes('\"finished\": [\"{ORDER[0]}\"')"
    )
    new_tab.get_by_role("button", name="Next story").click()
    new_tab.wait_for_url(f"**/one_step?story={ORDER[1]}&scene=1")
    asked = whole_pages_asked_for(new_tab)
    new_tab.goto(f"{server.url}/one_step?story={ORDER[2]}&scene=2")  # which shows no progress
    new_tab.wait_for_function(LATEST, arg=ORDER[2])
    rest(new_tab)
    assert len(asked) == 1, "what the browser says draws it no second time"
    new_tab.goto(f"{server.url}/")  # a session that knows nothing: the browser tells it
    done = new_tab.get_by_text("✓ done")
    done.wait_for()
    assert done.count() == 1
    new_tab.get_by_role("button", name="Forget my answers").click()
    done.wait_for(state="detached")
    new_tab.wait_for_function(NOTHING_STORED)
    new_tab.reload()
    new_tab.get_by_role("button", name="Start the course").wait_for()
    rest(new_tab)
    assert done.count() == 0
    no_traceback(new_tab)


def test_a_page_that_tells_something_too_late_does_not_take_the_place_of_the_one_clicked_on(new_tab, server):
    new_tab.set_default_timeout(PATIENCE)
    asked = whole_pages_asked_for(new_tab)
    new_tab.goto(f"{server.url}/sample_complexity?story=sweep&scene=2")
    new_tab.wait_for_function("() => localStorage['featdash.progress']")
    rest(new_tab)
    ways = {
        "Lab": "A puzzle with a hidden direction",  # of the menu
        "Home": "Watch a network learn its features",
        "Do learned features transfer?": "Do learned features transfer?",  # of a text
    }
    for link, heading in ways.items():
        asked.clear()
        new_tab.evaluate(LEAVE_AND_SAY, link)
        new_tab.get_by_role("heading", name=heading).wait_for()
        rest(new_tab)
        assert len({request.page_script_hash for request in asked}) == 1, "nobody asks for the page before once more"
    assert new_tab.url == f"{server.url}/transfer?story=transfer&scene=1"
    no_traceback(new_tab)
